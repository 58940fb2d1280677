import { toLngLat } from './mercator'
import type { Cell, LngLat } from './mercator'

export type Tags = Readonly<Record<string, string>>

/**
 * An OpenStreetMap object. An area has outer rings, each followed by its holes, which run in the
 * opposite direction.
 */
export interface OsmFeature {
  kind: 'point' | 'line' | 'area'
  tags: Tags
  shape: Cell[][]
}

/** A place to build a map of, with all its mapped features. */
export interface CityInput {
  slug: string
  name: string
  /** Two-letter country code. */
  country: string
  /** Edges of the map in cells: west, north, east, south. */
  box: readonly [number, number, number, number]
  features: OsmFeature[]
  /** Date of the OpenStreetMap copy, as shown next to the map. */
  date: string
}

/** Returns a position on or in the feature that represents it. */
export const findCenter = ({ kind, shape }: OsmFeature): LngLat => {
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
