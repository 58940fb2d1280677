import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { decodePolyline } from '~/domain/geo/polyline'
import type { BookingPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import { useMapPlaces } from '~/src/features/places/mapPlaces'
import { MapView } from '~/src/ui/map/MapView'
import css from './AddBookingPage.module.css'
import type { Route } from '~/domain/booking/trip/route'

/** Shows the places and the route of the booking on the map. */
export const TripMap = ({ trip, route }: { trip: BookingPlaces; route: Route | null }) => {
  const { t } = useTranslation()
  const line = useMemo(() => (route ? decodePolyline(route.polylinePoints) : []), [route])
  const { pickup, drop } = trip
  const waypoints = trip.waypoints.filter((place) => place !== null)
  const places = useMapPlaces()({ pickup, waypoints, drop })
  return (
    <div className={css.map}>
      <MapView
        label={t('booking_map_office')}
        {...places}
        polylines={
          line.length > 1
            ? [{ id: 'way', positions: line, tone: route?.approximate ? 'faint' : 'route' }]
            : []
        }
        fitPositions={[pickup, ...waypoints, drop].filter((place) => place !== null)}
      />
    </div>
  )
}
