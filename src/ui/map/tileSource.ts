import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

export interface TileFeature {
  properties: Record<string, string | number | boolean>
  type: number
  /** Rings or lines as x, y, x, y … in tile units. */
  lines: Int16Array[]
  /** West, north, east and south, in tile units. */
  box: [number, number, number, number]
}
export type Tile = Record<string, TileFeature[]>

export const TILE_EXTENT = 4096
const MAX_CACHED_TILES = 200

/** Returns the layers of a vector tile, ready to draw. */
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
  /** Returns the tile that covers this grid cell, or null when the source has none. */
  get(z: number, x: number, y: number): Promise<SourceTile | null>
}

/** A tile and the requested part of it: enlarged `scale` times, with an offset in 256ths. */
export interface SourceTile {
  tile: Tile
  scale: number
  left: number
  top: number
}

export interface TileSourceOptions {
  /** The folder of `{z}/{x}/{y}.pbf`. */
  url: string
  minZoom: number
  /** Beyond this zoom level, tiles of this level are enlarged. */
  maxZoom: number
  /** West, south, east and north, in degrees. */
  bounds?: readonly [number, number, number, number]
  fetch?: typeof fetch
}

const toLng = (x: number, z: number) => (x / 2 ** z) * 360 - 180
const toLat = (y: number, z: number) =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI

/**
 * Creates a source for the tiles of one folder that caches the latest ones; a missing tile is not
 * an error.
 */
export const createTileSource = ({
  url,
  minZoom,
  maxZoom,
  bounds,
  fetch: load = fetch,
}: TileSourceOptions): TileSource => {
  const cache = new Map<string, Promise<Tile | null>>()

  const request = async (key: string): Promise<Tile | null> => {
    const response = await load(`${url}/${key}.pbf`)
    // The server of a single-page app responds to unknown paths with its start page.
    const isPage = response.headers.get('content-type')?.includes('html') ?? false
    if (!response.ok || isPage) return null
    const bytes = await response.arrayBuffer()
    return bytes.byteLength ? decodeTile(bytes) : null
  }

  const getTile = (key: string): Promise<Tile | null> => {
    const cachedTile = cache.get(key)
    if (cachedTile) {
      cache.delete(key)
      cache.set(key, cachedTile)
      return cachedTile
    }
    const pendingTile = request(key).catch(() => {
      // The failure may be a short loss of network, so the next request fetches the tile again.
      cache.delete(key)
      return null
    })
    cache.set(key, pendingTile)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED_TILES && oldest !== undefined) cache.delete(oldest)
    return pendingTile
  }

  const covers = (z: number, x: number, y: number) => {
    if (z < minZoom) return false
    if (!bounds) return true
    const [west, south, east, north] = bounds
    return (
      toLng(x + 1, z) > west && toLng(x, z) < east && toLat(y, z) > south && toLat(y + 1, z) < north
    )
  }

  return {
    get: async (z, x, y) => {
      if (!covers(z, x, y)) return null
      const deeper = Math.max(0, z - maxZoom)
      const scale = 2 ** deeper
      const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)]
      const tile = await getTile(`${z - deeper}/${column}/${row}`)
      return tile && { tile, scale, left: (x - column * scale) * 256, top: (y - row * scale) * 256 }
    },
  }
}
