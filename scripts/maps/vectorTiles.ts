import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import GeoJSONVT from 'geojson-vt'
import { PbfWriter } from 'pbf'
import type { Feature, Geometry } from 'geojson'
import type { LegacyFeature } from 'geojson-vt'

export type Properties = Record<string, string | number>
export type Layers = Record<string, Feature<Geometry, Properties>[]>

const EXTENT = 4096

const encodeCommand = (id: number, count: number) => (id & 7) | (count << 3)
const encodeZigzag = (value: number) => (value << 1) ^ (value >> 31)

const encodeGeometry = (feature: LegacyFeature): number[] => {
  const out: number[] = []
  let [x, y] = [0, 0]
  const move = (point: [number, number]) => {
    out.push(encodeZigzag(point[0] - x), encodeZigzag(point[1] - y))
    ;[x, y] = point
  }
  if (feature.type === 1) {
    out.push(encodeCommand(1, feature.geometry.length))
    feature.geometry.forEach(move)
    return out
  }
  for (const ring of feature.geometry) {
    const last = feature.type === 3 ? ring.length - 1 : ring.length
    if (last < 2) continue
    out.push(encodeCommand(1, 1))
    move(ring[0]!)
    out.push(encodeCommand(2, last - 1))
    for (let i = 1; i < last; i++) move(ring[i]!)
    if (feature.type === 3) out.push(encodeCommand(7, 1))
  }
  return out
}

/** Encodes the layers as a Mapbox vector tile, version 2. */
const encodeTile = (layers: Record<string, readonly LegacyFeature[]>): Uint8Array => {
  const tile = new PbfWriter()
  for (const [name, features] of Object.entries(layers)) {
    const keys = new Map<string, number>()
    const values = new Map<string | number, number>()
    const indexOf = <T>(table: Map<T, number>, entry: T) => {
      if (!table.has(entry)) table.set(entry, table.size)
      return table.get(entry)!
    }
    tile.writeMessage(
      3,
      (_, layer: PbfWriter) => {
        layer.writeVarintField(15, 2)
        layer.writeStringField(1, name)
        for (const feature of features) {
          const geometry = encodeGeometry(feature)
          // The format forbids it, and stricter readers than ours reject the whole tile.
          if (geometry.length === 0) continue
          layer.writeMessage(
            2,
            (_none, message: PbfWriter) => {
              const tags = Object.entries((feature.tags ?? {}) as Properties)
              message.writePackedVarint(
                2,
                tags.flatMap(([key, value]) => [indexOf(keys, key), indexOf(values, value)]),
              )
              message.writeVarintField(3, feature.type)
              message.writePackedVarint(4, geometry)
            },
            null,
          )
        }
        for (const key of keys.keys()) layer.writeStringField(3, key)
        for (const value of values.keys()) {
          layer.writeMessage(
            4,
            (_none, message: PbfWriter) => {
              if (typeof value === 'string') message.writeStringField(1, value)
              else if (Number.isInteger(value)) message.writeSVarintField(6, value)
              else message.writeDoubleField(3, value)
            },
            null,
          )
        }
        layer.writeVarintField(5, EXTENT)
      },
      null,
    )
  }
  return tile.finish()
}

interface TilePlan {
  minZoom: number
  maxZoom: number
  /** Returns the range of tiles to consider at one zoom. */
  range: (zoom: number) => { left: number; top: number; right: number; bottom: number }
  /** Returns the Douglas-Peucker tolerance and the overlap of a layer, in 1/4096 of a tile. */
  detail?: (layer: string) => { tolerance: number; buffer: number }
  /** Returns the features of a layer to draw at a zoom; an empty list omits the layer. */
  pick: (
    layer: string,
    features: readonly LegacyFeature[],
    zoom: number,
  ) => readonly LegacyFeature[]
}

/**
 * Splits the layers into `{z}/{x}/{y}.pbf` files under `directory`. Returns their number and total
 * size.
 */
export const writeTiles = (
  directory: string,
  layers: Layers,
  plan: TilePlan,
): { count: number; bytes: number } => {
  const indexes = Object.entries(layers)
    .filter(([, features]) => features.length > 0)
    .map(([name, features]) => {
      const { tolerance, buffer } = plan.detail?.(name) ?? { tolerance: 3, buffer: 64 }
      const index = new GeoJSONVT(
        { type: 'FeatureCollection', features },
        {
          maxZoom: plan.maxZoom,
          indexMaxZoom: plan.maxZoom,
          indexMaxPoints: 0,
          extent: EXTENT,
          tolerance,
          buffer,
        },
      )
      return { name, index }
    })
  let [count, bytes] = [0, 0]
  for (let zoom = plan.minZoom; zoom <= plan.maxZoom; zoom++) {
    const { left, top, right, bottom } = plan.range(zoom)
    for (let x = left; x < right; x++) {
      mkdirSync(join(directory, `${zoom}/${x}`), { recursive: true })
      for (let y = top; y < bottom; y++) {
        const picked: Record<string, readonly LegacyFeature[]> = {}
        for (const { name, index } of indexes) {
          const features = plan.pick(name, index.getTile(zoom, x, y)?.features ?? [], zoom)
          if (features.length) picked[name] = features
        }
        // Writes an empty file instead of none, because browsers report every missing tile of the
        // open sea as an error.
        const file = encodeTile(picked)
        writeFileSync(join(directory, `${zoom}/${x}/${y}.pbf`), file)
        count++
        bytes += file.length
      }
    }
  }
  return { count, bytes }
}
