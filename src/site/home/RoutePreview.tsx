import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Route } from '~/domain/booking/change'
import { decodePolyline } from '~/domain/polyline'
import { fetchNearbyCars, type NearbyCar } from '~/src/features/nearby/nearby'
import { MapsAsConfigured } from '~/src/features/places/MapsAsConfigured'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { MapView } from '~/src/ui/map/MapView'
import { BESIDE_FORM, WIDE } from './besideForm'
import css from './BookingForm.module.css'
import type { Points } from './checking'

const NEARBY_KM = 5
const LOOK_AGAIN_MS = 15_000

const useNearbyCars = ({ lat, lng }: { lat: number; lng: number }, carType: string | null) => {
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const [cars, setCars] = useState<NearbyCar[]>([])
  useEffect(() => {
    // Who is not signed in may not know where the drivers are.
    if (!uid) return
    let wanted = true
    const look = () =>
      dispatch(fetchNearbyCars({ center: { lat, lng }, km: NEARBY_KM, carType, quiet: true }))
        .unwrap()
        .then(
          (found) => wanted && setCars(found),
          () => undefined,
        )
    void look()
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [dispatch, uid, lat, lng, carType])
  return uid ? cars : []
}

const useIsWide = () =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(WIDE)
      query?.addEventListener('change', onChange)
      return () => query?.removeEventListener('change', onChange)
    },
    () => window.matchMedia?.(WIDE).matches ?? false,
  )

/** The way on the map, and the free cars near its beginning. */
export const RoutePreview = ({
  points: { pickup, drop, waypoints },
  route,
  carType,
}: {
  points: Points
  route: Route
  /** Only this type's cars; all without. */
  carType: string | null
}) => {
  const { t } = useTranslation()
  const cars = useNearbyCars(pickup, carType)
  const places = usePlacesOnMap()({ pickup, waypoints, drop })
  const way = decodePolyline(route.polylinePoints)
  const beside = useIsWide() ? document.getElementById(BESIDE_FORM) : null
  const map = (
    <MapsAsConfigured>
      <MapView
        label={t('route_map')}
        markers={[
          ...cars.map((car) => ({ id: car.id, at: car, kind: 'vehicle' as const })),
          ...places.markers,
        ]}
        paths={[
          {
            id: 'way',
            points: way.length > 1 ? way : [pickup, ...waypoints, drop],
            // A guess does not look like a street.
            tone: route.approximate ? 'faint' : 'route',
          },
        ]}
        fit={[pickup, ...waypoints, drop]}
        list={places.list}
      >
        {cars.length > 0 && (
          <span className={css.nearby}>{t('drivers_nearby', { count: cars.length })}</span>
        )}
      </MapView>
    </MapsAsConfigured>
  )
  return beside ? createPortal(map, beside) : map
}
