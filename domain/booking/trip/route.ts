import { toKm } from '../../geo/geo'
import { simplifyPolyline } from '../../geo/polylineGeometry'
import { decodePolyline, encodePolyline } from '../../geo/polyline'
import type { PlannedRoute } from './track'
import type { Booking } from '../types'
import type { LatLng } from '../../geo/types'
import type { Settings } from '../../catalog/types'
import type { Kilometers, Seconds } from '../../language/units'

export interface Route {
  distance_in_km: Kilometers
  time_in_secs: Seconds
  /** Encoded polyline, precision 5. */
  polylinePoints: string
  /** True when the streets are unknown and the distance is estimated. */
  approximate?: boolean
}

/** Maximum length of a stored route. It is limited because every list reads whole bookings. */
export const MAX_ROUTE_CHARS = 3000
/** Simplification tolerance that no zoom level of our maps shows, meters. */
const ROUTE_TOLERANCE_METERS = 5

/**
 * Returns the route in the form a booking stores: an encoded polyline of at most 3,000 characters,
 * coarser for longer routes. Approximate routes are dropped, because a straight line would look
 * like a real route.
 */
export const toStoredRoute = ({
  polylinePoints,
  approximate,
}: Pick<Route, 'polylinePoints' | 'approximate'>): string | undefined => {
  const points = approximate ? [] : decodePolyline(polylinePoints)
  if (points.length < 2) return undefined
  for (let tolerance = ROUTE_TOLERANCE_METERS; ; tolerance *= 2) {
    const text = encodePolyline(simplifyPolyline(points, tolerance))
    if (text.length <= MAX_ROUTE_CHARS) return text
  }
}

/** Returns the planned route of a booking, or an empty list. */
export const decodeRoute = ({ route }: { route?: Booking['route'] | undefined }): LatLng[] =>
  route === undefined ? [] : decodePolyline(route)

/** Returns the planned route of a booking with its length, which is known even without a line. */
export const getPlannedRoute = (
  booking: Pick<Booking, 'estimateDistance'> & { route?: Booking['route'] | undefined },
  settings: Pick<Settings, 'convert_to_mile'>,
): PlannedRoute => ({
  positions: decodeRoute(booking),
  km: toKm(booking.estimateDistance, settings),
})
