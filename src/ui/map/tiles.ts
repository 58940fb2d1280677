import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

export interface TileFeature {
  properties: Record<string, string | number | boolean>
  type: number
  /** Rings or lines: x, y, x, y … in tile units. */
  lines: Int16Array[]
  /** West, north, east, south in tile units. */
  box: [number, number, number, number]
}
export type Tile = Record<string, TileFeature[]>

export const EXTENT = 4096
const KEPT = 200

/** The layers of a vector tile, ready to be drawn. */
export const decodeTile = (bytes: ArrayBuffer): Tile => {
  const tile: Tile = {}
  for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers)) {
    tile[name] = Array.from({ length: layer.length }, (_, i) => {
      const feature = layer.feature(i)
      const box: TileFeature['box'] = [Infinity, Infinity, -Infinity, -Infinity]
      const lines = feature.loadGeometry().map((points) => {
        const line = new Int16Array(points.length * 2)
        points.forEach(({ x, y }, k) => {
          line[2 * k] = x
          line[2 * k + 1] = y
          box[0] = Math.min(box[0], x)
          box[1] = Math.min(box[1], y)
          box[2] = Math.max(box[2], x)
          box[3] = Math.max(box[3], y)
        })
        return line
      })
      return { properties: feature.properties, type: feature.type, lines, box }
    })
  }
  return tile
}

export interface TileSource {
  /** The tile that covers this place of the grid, or null where the source has nothing. */
  get(z: number, x: number, y: number): Promise<SourceTile | null>
}

/** A tile and which part of it was asked for: `scale` times enlarged, offset in 256ths. */
export interface SourceTile {
  tile: Tile
  scale: number
  left: number
  top: number
}

export interface TileSourceOptions {
  /** Folder of `{z}/{x}/{y}.pbf`. */
  url: string
  minZoom: number
  /** Beyond it tiles of this zoom are enlarged. */
  maxZoom: number
  /** West, south, east, north in degrees. */
  bounds?: readonly [number, number, number, number]
  fetch?: typeof fetch
}

const lngOf = (x: number, z: number) => (x / 2 ** z) * 360 - 180
const latOf = (y: number, z: number) =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI

/** Tiles of one folder, the last few kept; a missing one is no failure. */
export const tileSource = ({
  url,
  minZoom,
  maxZoom,
  bounds,
  fetch: load = fetch,
}: TileSourceOptions): TileSource => {
  const kept = new Map<string, Promise<Tile | null>>()

  const request = async (key: string): Promise<Tile | null> => {
    const response = await load(`${url}/${key}.pbf`)
    // A single-page app's server answers anything it does not have with its start page.
    const isPage = response.headers.get('content-type')?.includes('html') ?? false
    if (!response.ok || isPage) return null
    const bytes = await response.arrayBuffer()
    return bytes.byteLength ? decodeTile(bytes) : null
  }

  const tileAt = (key: string): Promise<Tile | null> => {
    const known = kept.get(key)
    if (known) {
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const wanted = request(key).catch(() => {
      // Offline for a moment: ask again next time the tile is looked at.
      kept.delete(key)
      return null
    })
    kept.set(key, wanted)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return wanted
  }

  const covers = (z: number, x: number, y: number) => {
    if (z < minZoom) return false
    if (!bounds) return true
    const [west, south, east, north] = bounds
    return (
      lngOf(x + 1, z) > west && lngOf(x, z) < east && latOf(y, z) > south && latOf(y + 1, z) < north
    )
  }

  return {
    get: async (z, x, y) => {
      if (!covers(z, x, y)) return null
      const deeper = Math.max(0, z - maxZoom)
      const scale = 2 ** deeper
      const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)]
      const tile = await tileAt(`${z - deeper}/${column}/${row}`)
      return tile && { tile, scale, left: (x - column * scale) * 256, top: (y - row * scale) * 256 }
    },
  }
}

/** What `npm run maps:build` says about the city it drew. */
export interface CityMap {
  slug: string
  city: string
  bounds: [number, number, number, number]
  tileBounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  worldMaxZoom: number
  date: string
}

const cities = new Map<string, Promise<CityMap | null>>()

/** The city drawn under a folder, or null when no map was built there. */
export const cityMap = (baseUrl: string): Promise<CityMap | null> => {
  const known = cities.get(baseUrl)
  if (known) return known
  const wanted = fetch(`${baseUrl}/meta.json`)
    .then((response) =>
      response.ok && !response.headers.get('content-type')?.includes('html')
        ? (response.json() as Promise<CityMap>)
        : null,
    )
    .catch(() => {
      cities.delete(baseUrl)
      return null
    })
  cities.set(baseUrl, wanted)
  return wanted
}
