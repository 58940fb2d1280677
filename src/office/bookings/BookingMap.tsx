import { useTranslation } from 'react-i18next'
import { type Booking, TRACKED_STATUSES } from '~/domain/entities'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import { trail as liveTrail } from '~/src/features/tracking/tracking'
import { useLive } from '~/src/store/liveSlice'
import { MapView } from '~/src/ui/map/MapView'
import type { PathSpec } from '~/src/ui/map/port'

/** The booking's points and the way the car came; the car itself while it is on the way. */
export const BookingMap = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const placesOnMap = usePlacesOnMap()
  const { trail } = useLive(liveTrail, booking.driver ? booking.id : null)
  const { pickup, drop, waypoints = [], coords = [] } = booking
  const moving = (TRACKED_STATUSES as readonly string[]).includes(booking.status)
  const car = moving ? trail.at(-1) : undefined
  const driven = trail.filter(({ status }) => status === 'STARTED' || status === 'REACHED')
  const paths: PathSpec[] = [
    {
      id: 'way',
      points: coords.length > 1 ? coords : [pickup, ...waypoints, drop],
      tone: driven.length > 1 ? 'faint' : 'route',
    },
    ...(driven.length > 1 ? [{ id: 'driven', points: driven } as PathSpec] : []),
  ]
  return (
    <MapView
      label={t('booking_map_office')}
      {...placesOnMap({
        pickup,
        drop,
        waypoints,
        car: car && { at: car, driver: booking.driver_name },
      })}
      paths={paths}
      fit={[pickup, drop, ...(car ? [car] : [])]}
    />
  )
}
