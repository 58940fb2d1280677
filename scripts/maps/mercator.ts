import type { Meters } from '~/domain/language/units'

/** x and y in units of the whole world square: 2^32 per side, about 9 mm at the equator. */
export type Cell = readonly [x: number, y: number]
export type LngLat = [lng: number, lat: number]

const WORLD_CELLS = 2 ** 32

/** Converts a Web Mercator cell to degrees. */
export const toLngLat = ([x, y]: Cell): LngLat => [
  (x / WORLD_CELLS) * 360 - 180,
  (180 / Math.PI) * Math.atan(Math.sinh(Math.PI - (2 * Math.PI * y) / WORLD_CELLS)),
]

/** Converts degrees to whole millionths of a degree, as the map files have them. */
export const toMicrodegrees = (degrees: number): number => Math.round(degrees * 1e6)

/** Converts degrees to a Web Mercator cell, without rounding. */
export const fromLngLat = ([lng, lat]: LngLat): Cell => {
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180)
  return [
    ((lng + 180) / 360) * WORLD_CELLS,
    (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD_CELLS,
  ]
}

/**
 * Returns the meters between two positions on a flat plane, which is accurate enough for the few
 * kilometers of a city.
 */
export const distanceMeters = (a: LngLat, b: LngLat): Meters => {
  const east = (b[0] - a[0]) * Math.cos((((a[1] + b[1]) / 2) * Math.PI) / 180)
  return (Math.hypot(east, b[1] - a[1]) * Math.PI * 6_371_008.8) / 180
}
