import { toLngLat } from './mercator'
import type { Cell, LngLat } from './mercator'

export type Tags = Readonly<Record<string, string>>

/** One OpenStreetMap object. Areas: outer rings, each followed by its holes, wound the other way. */
export interface OsmFeature {
  kind: 'point' | 'line' | 'area'
  tags: Tags
  shape: Cell[][]
}

/** A place to build a map of, with everything mapped in it. */
export interface CityInput {
  slug: string
  name: string
  /** Two-letter code. */
  country: string
  /** West, north, east, south in cells: where the map ends. */
  box: readonly [number, number, number, number]
  features: OsmFeature[]
  /** When the streets were copied from OpenStreetMap, as shown beside the map. */
  date: string
}

/** A point on or in the feature that stands for it. */
export const centre = ({ kind, shape }: OsmFeature): LngLat => {
  if (kind === 'point') return toLngLat(shape[0]![0]!)
  if (kind === 'line') {
    const longest = shape.reduce((a, b) => (b.length > a.length ? b : a))
    return toLngLat(longest[longest.length >> 1]!)
  }
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of shape)
    for (const [x, y] of ring) {
      west = Math.min(west, x)
      north = Math.min(north, y)
      east = Math.max(east, x)
      south = Math.max(south, y)
    }
  return toLngLat([(west + east) / 2, (north + south) / 2])
}
