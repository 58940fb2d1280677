import { useTranslation } from 'react-i18next'
import { type Booking, TRACKED_STATUSES } from '~/domain/entities'
import { trail as liveTrail } from '~/src/features/tracking/tracking'
import { useLive } from '~/src/store/liveSlice'
import { MapView } from '~/src/ui/map/MapView'
import type { MarkerSpec, PathSpec } from '~/src/ui/map/port'

/** The booking's points and the way the car came; the car itself while it is on the way. */
export const BookingMap = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { trail } = useLive(liveTrail, booking.driver ? booking.id : null)
  const { pickup, drop, waypoints = [], coords = [] } = booking
  const moving = (TRACKED_STATUSES as readonly string[]).includes(booking.status)
  const car = moving ? trail.at(-1) : undefined
  const driven = trail.filter(({ status }) => status === 'STARTED' || status === 'REACHED')
  const markers: MarkerSpec[] = [
    { id: 'pickup', at: pickup, kind: 'start', label: booking.pickupAddress },
    ...waypoints.map((at, index): MarkerSpec => ({
      id: `stop${index}`,
      at,
      kind: 'stop',
      label: at.add,
    })),
    { id: 'drop', at: drop, kind: 'end', label: booking.dropAddress },
    ...(car
      ? [{ id: 'car', at: car, kind: 'vehicle', label: booking.driver_name ?? '' } as MarkerSpec]
      : []),
  ]
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
      markers={markers}
      paths={paths}
      fit={[pickup, drop, ...(car ? [car] : [])]}
    />
  )
}
