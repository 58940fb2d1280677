import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { expect, onTestFinished, test } from 'vitest'
import { writeTiles, type Properties } from './vectorTiles'
import type { Feature, Geometry } from 'geojson'

const createFeature = (geometry: Geometry, name: string): Feature<Geometry, Properties> => ({
  type: 'Feature',
  properties: { name },
  geometry,
})

test('a tile omits a feature without a geometry, which other readers of tiles reject', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kerbside-tiles-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const road = createFeature(
    {
      type: 'LineString',
      coordinates: [
        [-50, 20],
        [-40, 30],
      ],
    },
    'road',
  )
  writeTiles(
    directory,
    { road: [road] },
    {
      minZoom: 0,
      maxZoom: 0,
      range: () => ({ left: 0, top: 0, right: 1, bottom: 1 }),
      pick: (_layer, features) => [
        ...features,
        { type: 2, geometry: [], tags: { name: 'nothing' } },
      ],
    },
  )
  const bytes = readFileSync(join(directory, '0', '0', '0.pbf'))
  const layer = new VectorTile(new PbfReader(bytes)).layers.road
  expect(layer?.length).toBe(1)
  expect(layer?.feature(0).properties.name).toBe('road')
})
