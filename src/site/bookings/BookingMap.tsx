import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, LatLng } from '~/domain/entities'
import { decodePolyline } from '~/domain/polyline'
import { type RouteAsked, fetchRoute } from '~/src/features/estimates/estimates'
import { lastPosition, trail as liveTrail } from '~/src/features/tracking/tracking'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import { MapView } from '~/src/ui/map/MapView'

const MOVING = ['ACCEPTED', 'ARRIVED', 'STARTED'] as const satisfies Booking['status'][]
const isMoving = (status: Booking['status']) => (MOVING as readonly string[]).includes(status)

/** The way of one booking, and the car on it while it moves. */
export const BookingMap = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const placesOnMap = usePlacesOnMap()
  const dispatch = useAppDispatch()
  const moving = isMoving(booking.status)
  const { coords } = useLive(lastPosition, moving ? booking.id : null)
  const { trail } = useLive(liveTrail, moving ? null : booking.id)
  const [way, setWay] = useState<LatLng[]>([])
  const { pickup, drop, waypoints = [] } = booking
  const points = JSON.stringify({ pickup, drop, waypoints })
  useEffect(() => {
    let wanted = true
    dispatch(fetchRoute({ ...(JSON.parse(points) as RouteAsked), quiet: true }))
      .unwrap()
      .then(
        ({ polylinePoints }) => wanted && setWay(decodePolyline(polylinePoints)),
        // Without a way the two ends are still shown.
        () => undefined,
      )
    return () => {
      wanted = false
    }
  }, [points, dispatch])
  const car = moving ? coords[0] : undefined
  const driven = trail.filter(({ status }) => status === 'STARTED' || status === 'REACHED')
  return (
    <MapView
      label={t('booking_map')}
      {...placesOnMap({
        pickup,
        drop,
        waypoints,
        car: car && { at: car, driver: booking.driver_name },
      })}
      paths={[
        {
          id: 'way',
          points: way.length > 1 ? way : [pickup, ...waypoints, drop],
          tone: driven.length > 1 ? 'faint' : 'route',
        },
        ...(driven.length > 1 ? [{ id: 'driven', points: driven, tone: 'route' as const }] : []),
      ]}
      fit={[pickup, drop, ...(car ? [car] : [])]}
    />
  )
}
