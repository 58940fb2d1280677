import { getDistanceKm } from '~/domain/geo/geo'
import { projectOntoPolyline } from '~/domain/geo/polylineGeometry'
import type { LatLng } from '~/domain/geo/types'

/** Farther from its route than this, a vehicle has left it, in meters. */
const OFF_ROUTE_METERS = 120
/** Minimum distance from the position of the last request before a new one. */
const REROUTE_DISTANCE_KM = 0.15

/** Returns true when the vehicle follows the line; false without a line. */
export const isOnRoute = (line: readonly LatLng[], vehicle: LatLng): boolean =>
  projectOntoPolyline(line, vehicle).off <= OFF_ROUTE_METERS

/** Returns true when a new route from the vehicle would differ from the last requested one. */
export const isWorthRerouting = (lastRequestFrom: LatLng, vehicle: LatLng): boolean =>
  getDistanceKm(lastRequestFrom, vehicle) >= REROUTE_DISTANCE_KM
