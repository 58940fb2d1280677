import { distanceKm } from '~/domain/geo'
import type { LatLng } from '~/domain/entities'

/** A place on earth in degrees, WGS 84. */
export type Point = LatLng

/** West, south, east, north in degrees. */
export type Bounds = readonly [number, number, number, number]

export const EARTH_METRES = 6_371_008.8
export const RADIANS = Math.PI / 180

/** Great-circle distance in metres. */
export const metresBetween = (a: Point, b: Point): number => distanceKm(a, b) * 1_000

/** Metres as the answers give them: kilometres, to the metre. */
export const kilometres = (metres: number): number => Math.round(metres) / 1_000

/** Compass direction from a to b, degrees clockwise from north, 0 to 360. */
export const bearing = (a: Point, b: Point): number => {
  const east = (b.lng - a.lng) * Math.cos(((a.lat + b.lat) / 2) * RADIANS)
  return (Math.atan2(east, b.lat - a.lat) / RADIANS + 360) % 360
}

/** Whether the point is inside the bounds, edges included. */
export const isInside = ([west, south, east, north]: Bounds, { lat, lng }: Point): boolean =>
  lng >= west && lng <= east && lat >= south && lat <= north

/** Whether both numbers are finite and on earth. */
export const isPoint = ({ lat, lng }: Point): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180
