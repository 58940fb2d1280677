/** x, y in units of the whole world square: 2^32 on a side, about 9 mm at the equator. */
export type Cell = readonly [x: number, y: number]
export type LngLat = [lng: number, lat: number]

const WORLD = 2 ** 32

/** Degrees of a Web Mercator cell. */
export const toLngLat = ([x, y]: Cell): LngLat => [
  (x / WORLD) * 360 - 180,
  (180 / Math.PI) * Math.atan(Math.sinh(Math.PI - (2 * Math.PI * y) / WORLD)),
]

/** Web Mercator cell of degrees, not rounded. */
export const fromLngLat = ([lng, lat]: LngLat): Cell => {
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180)
  return [
    ((lng + 180) / 360) * WORLD,
    (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD,
  ]
}

/** Metres between two places; flat, good for the few kilometres of a city. */
export const metres = (a: LngLat, b: LngLat): number => {
  const east = (b[0] - a[0]) * Math.cos((((a[1] + b[1]) / 2) * Math.PI) / 180)
  return (Math.hypot(east, b[1] - a[1]) * Math.PI * 6_371_008.8) / 180
}
