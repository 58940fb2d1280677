import { getDistanceKm } from '~/domain/geo/geo'
import type { LatLng } from '~/domain/geo/types'
import type { Meters } from '~/domain/language/units'

/** A position in degrees, WGS 84. */
export type Position = LatLng

/** West, south, east, north in degrees. */
export type Bounds = readonly [number, number, number, number]

export const EARTH_RADIUS_METERS = 6_371_008.8
export const RADIANS_PER_DEGREE = Math.PI / 180

/** Returns the great-circle distance in meters. */
export const getDistanceMeters = (a: Position, b: Position): Meters => getDistanceKm(a, b) * 1_000

/** Converts meters to kilometers for responses, rounded to the meter. */
export const toKilometers = (metres: number): number => Math.round(metres) / 1_000

/** Returns the compass direction from a to b in degrees clockwise from north, 0 to 360. */
export const getBearing = (a: Position, b: Position): number => {
  const east = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) / 2) * RADIANS_PER_DEGREE)
  return (Math.atan2(east, b.lat - a.lat) / RADIANS_PER_DEGREE + 360) % 360
}

/** Returns true when the position is inside the bounds, edges included. */
export const isInBounds = ([west, south, east, north]: Bounds, { lat, lng }: Position): boolean =>
  lng >= west && lng <= east && lat >= south && lat <= north

/** Returns true when both numbers are finite and within the range of latitude and longitude. */
export const isValidPosition = ({ lat, lng }: Position): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180
