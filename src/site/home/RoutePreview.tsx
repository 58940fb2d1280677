import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { decodePolyline } from '~/domain/geo/polyline'
import { fetchNearbyCars, type CarOnMap } from '~/src/features/nearbyCars/nearbyCars'
import { ConfiguredMaps } from '~/src/features/places/ConfiguredMaps'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { MapView } from '~/src/ui/map/MapView'
import { DESKTOP_QUERY } from '~/src/ui/screenWidths'
import { useMediaQuery } from '~/src/ui/useMediaQuery'
import type { ChosenPlaces } from '~/src/widgets/trip/tripDraft'
import { PREVIEW_CONTAINER_ID } from './previewContainer'
import css from './BookingForm.module.css'
import type { Route } from '~/domain/booking/trip/route'

const NEARBY_KM = 5
const POLL_INTERVAL_MS = 15_000

const useNearbyCars = ({ lat, lng }: { lat: number; lng: number }, carType: string | null) => {
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const [cars, setCars] = useState<CarOnMap[]>([])
  useEffect(() => {
    // Only signed-in users may see where drivers are.
    if (!uid) return
    let isWanted = true
    const poll = () =>
      dispatch(fetchNearbyCars.quiet({ center: { lat, lng }, km: NEARBY_KM, carType }))
        .unwrap()
        .then(
          (nearbyCars) => isWanted && setCars(nearbyCars),
          () => undefined,
        )
    void poll()
    const timer = setInterval(() => void poll(), POLL_INTERVAL_MS)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [dispatch, uid, lat, lng, carType])
  return uid ? cars : []
}

/** Shows the route on the map, and the free cars near its start. */
export const RoutePreview = ({
  places: { pickup, drop, waypoints },
  route,
  carType,
}: {
  places: ChosenPlaces
  route: Route
  /** Shows only cars of this type; all when null. */
  carType: string | null
}) => {
  const { t } = useTranslation()
  const cars = useNearbyCars(pickup, carType)
  const places = useMapPlaces()({ pickup, waypoints, drop })
  const routePositions = decodePolyline(route.polylinePoints)
  const container = useMediaQuery(DESKTOP_QUERY)
    ? document.getElementById(PREVIEW_CONTAINER_ID)
    : null
  const map = (
    <ConfiguredMaps>
      <MapView
        label={t('route_map')}
        markers={[
          ...cars.map((car) => ({ id: car.id, position: car, kind: 'vehicle' as const })),
          ...places.markers,
        ]}
        polylines={[
          {
            id: 'way',
            positions: routePositions.length > 1 ? routePositions : [pickup, ...waypoints, drop],
            // An approximate route must not look like streets.
            tone: route.approximate ? 'faint' : 'route',
          },
        ]}
        fitPositions={[pickup, ...waypoints, drop]}
        list={places.list}
      >
        {cars.length > 0 && (
          <span className={css.nearby}>{t('drivers_nearby', { count: cars.length })}</span>
        )}
      </MapView>
    </ConfiguredMaps>
  )
  return container ? createPortal(map, container) : map
}
