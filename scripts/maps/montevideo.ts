import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { CityInput, OsmFeature } from './osmFeature'
import type { Cell } from './mercator'

// The package is a set of test fixtures, and its next version may not contain a city. Hence the
// exact version and these checksums; with other bytes the build stops instead of drawing something
// else.
const FIXTURE_TILES = {
  '12-1407-2471': '7c2d5191d9593c1cbbbecd34d4e92a5cbe0a174b5e225cee87324fe68156a05b',
  '12-1407-2472': '661da3947c1f83fb1feb10ed94a9f01827df63f91271f99308c1fdc188823701',
  '12-1408-2471': '3c95f081cf0df71bc73d3e22eedb91d2b2e93b8868a26715a33f86893f44b071',
  '12-1408-2472': 'd0da79a218328b4962952a2db0ab602a30f45399f4764b2d1352477b0cadbce6',
  '12-1409-2471': '9bfff6bdf604546b3aba9c91b091433b391f7ec6b8ddb67a1e247a99b0ba840e',
  '12-1409-2472': '3305f743f01d60843ed06dc933dfa7a05d954365248eaf1ac35971d72a317df3',
  '12-1410-2471': '74459af5089482c64a7a95b187b40ae0fa06e36694ece99f9a5285aa29d0dc29',
  '12-1410-2472': '94474e1440f799255b0394cee49fda93def52d61bb73d60d99d375570aeda3df',
} as const

// The map must not name individual contributors; the license requires credit to contributors as a
// group.
const isPersonal = (key: string) => ['@user', '@uid', '@changeset'].includes(key)
const KINDS = ['point', 'point', 'line', 'area'] as const

const readTiles = () => {
  const home = dirname(createRequire(import.meta.url).resolve('@mapbox/mvt-fixtures/package.json'))
  return Object.entries(FIXTURE_TILES).map(([name, sum]) => {
    const bytes = readFileSync(join(home, 'real-world/osm-qa-montevideo', `${name}.mvt`))
    if (createHash('sha256').update(bytes).digest('hex') !== sum) {
      throw new Error(
        `The map tile ${name} differs from the version that this build expects. ` +
          'Run "npm ci" to get the locked version of @mapbox/mvt-fixtures.',
      )
    }
    return { name, bytes }
  })
}

/** Reads Montevideo as OpenStreetMap had it in December 2017, from the fixtures package. */
export const readMontevideo = (): CityInput => {
  const features: OsmFeature[] = []
  let extent = 0
  for (const { name, bytes } of readTiles()) {
    const [, column = 0, row = 0] = name.split('-').map(Number)
    const layer = new VectorTile(new PbfReader(bytes)).layers.osm
    if (!layer) throw new Error(`The map tile ${name} has no "osm" layer. Run "npm ci".`)
    extent = layer.extent
    const [left, top] = [column * extent, row * extent]
    for (let i = 0; i < layer.length; i++) {
      const feature = layer.feature(i)
      const tags: Record<string, string> = {}
      for (const [key, value] of Object.entries(feature.properties)) {
        if (!isPersonal(key)) tags[key] = String(value)
      }
      const shape = feature
        .loadGeometry()
        .map((part) => part.map(({ x, y }): Cell => [left + x, top + y]))
      features.push({ kind: KINDS[feature.type], tags, shape })
    }
  }
  return {
    slug: 'montevideo',
    name: 'Montevideo',
    country: 'UY',
    box: [1407 * extent, 2471 * extent, 1411 * extent, 2473 * extent],
    features,
    date: '2017-12',
  }
}
