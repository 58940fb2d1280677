import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Gazetteer } from '~/functions/src/adapters/maps/bundled/gazetteer/gazetteer'
import { Pathfinder } from '~/functions/src/adapters/maps/bundled/pathfinder'
import { StreetGraph } from '~/functions/src/adapters/maps/bundled/streetGraph'
import { parseBox, readCity, toSlug } from './import'
import { encodeOsmExtract } from './osmExtract'
import { isArea, readOsmFile, joinRings } from './osmFile'
import { buildPlaces } from './places'
import { buildStreets } from './streets'
import type { Tags } from './osmFeature'
import type { OsmParts } from './osmExtract'

// A square of streets in Tartu with a house, a shop and a park with a pond.
const TARTU: OsmParts = {
  nodes: [
    { id: 1, lat: 58.377, lon: 26.72 },
    { id: 2, lat: 58.377, lon: 26.73 },
    { id: 3, lat: 58.382, lon: 26.73 },
    { id: 4, lat: 58.382, lon: 26.72 },
    { id: 5, lat: 58.3775, lon: 26.725, tags: { 'addr:street': 'Lõuna', 'addr:housenumber': '7' } },
    { id: 6, lat: 58.378, lon: 26.721, tags: { name: 'Raamatupood', shop: 'books' } },
    { id: 7, lat: 58.379, lon: 26.723 },
    { id: 8, lat: 58.379, lon: 26.727 },
    { id: 9, lat: 58.381, lon: 26.727 },
    { id: 10, lat: 58.381, lon: 26.723 },
    { id: 11, lat: 58.3795, lon: 26.724 },
    { id: 12, lat: 58.3795, lon: 26.725 },
    { id: 13, lat: 58.38, lon: 26.725 },
  ],
  ways: [
    { id: 1, refs: [1, 2], tags: { highway: 'residential', name: 'Lõuna', oneway: 'yes' } },
    { id: 2, refs: [2, 3, 4, 1], tags: { highway: 'residential', name: 'Ring' } },
    { id: 3, refs: [7, 8, 9] },
    { id: 4, refs: [7, 10, 9] },
    { id: 5, refs: [11, 12, 13, 11] },
  ],
  relations: [
    {
      id: 1,
      members: [
        { ref: 3, role: 'outer' },
        { ref: 4, role: 'outer' },
        { ref: 5, role: 'inner' },
      ],
      tags: { type: 'multipolygon', leisure: 'park', name: 'Toomemägi' },
    },
  ],
}

let file: string
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'osm-')), 'tartu.osm.pbf')
  writeFileSync(file, encodeOsmExtract(TARTU))
})

describe('an OpenStreetMap extract', () => {
  test('contains its streets, places and areas with their holes', async () => {
    const { features, date } = await readOsmFile(file)
    expect(date).toBe('2023-11')
    expect(features.filter(({ kind }) => kind === 'line')).toHaveLength(2)
    const park = features.find(({ kind }) => kind === 'area')
    expect(park?.tags.name).toBe('Toomemägi')
    expect(park?.shape.map(({ length }) => length)).toEqual([4, 3])
  })

  test('becomes a city with search and routes', async () => {
    const city = await readCity(file, {})
    expect(city).toMatchObject({ name: 'Tartu', country: 'EE', slug: 'tartu' })
    const graph = new StreetGraph(buildStreets(city).file)
    const [east, west] = [
      { lat: 58.377, lng: 26.729 },
      { lat: 58.377, lng: 26.721 },
    ]
    const path = new Pathfinder(graph).findPath(
      graph.snapToStreet(east)!,
      graph.snapToStreet(west)!,
    )
    expect(path!.meters).toBeGreaterThan(1_500)
    const places = new Gazetteer(buildPlaces(city).file)
    expect(places.search('louna 7', { limit: 3 })[0]?.name).toBe('Lõuna 7')
    expect(places.search('raamatu', { limit: 3 })[0]?.name).toBe('Raamatupood')
  })

  test('is cut to a box', async () => {
    const { features } = await readOsmFile(file, parseBox('26.715,58.376,26.7225,58.383'))
    expect(features.filter(({ tags }) => tags.name === 'Raamatupood')).toHaveLength(1)
    expect(features.filter(({ kind }) => kind === 'area')).toHaveLength(0)
    expect(features.filter(({ kind }) => kind === 'line')).toHaveLength(1)
  })

  test('is refused with a reason when it is missing or the options are invalid', async () => {
    await expect(readCity('/nowhere.osm.pbf', {})).rejects.toThrow('no file')
    await expect(readCity(file, { bbox: '1,2,3' })).rejects.toThrow('west,south,east,north')
    await expect(readCity(file, { bbox: '1,1,2,2' })).rejects.toThrow('no data for this area')
    await expect(readCity(file, { bbox: '-10,40,40,70' })).rejects.toThrow('--bbox')
    await expect(readCity(file, { country: 'Estonia' })).rejects.toThrow('two-letter')
  })
})

test('joins ways end to end, whatever their direction', () => {
  expect(
    joinRings([
      [1, 2, 3],
      [1, 4, 3],
    ])[0],
  ).toHaveLength(5)
  expect(
    joinRings([
      [1, 2, 3],
      [4, 5, 6],
    ]),
  ).toEqual([])
  expect(
    joinRings([
      [1, 2, 3, 1],
      [7, 8, 9, 7],
    ]),
  ).toHaveLength(2)
})

test.each([
  [{ building: 'yes' }, true],
  [{ highway: 'residential' }, false],
  [{ highway: 'pedestrian', area: 'yes' }, true],
  [{ natural: 'water' }, true],
  [{ natural: 'coastline' }, false],
  [{ barrier: 'fence', amenity: 'school' }, false],
])('a closed way with %o is an area: %s', (tags, area) => {
  expect(isArea(tags as Tags)).toBe(area)
})

test('names a folder after the city in plain letters', () => {
  expect(toSlug('São José dos Campos')).toBe('sao-jose-dos-campos')
  expect(toSlug('東京')).toBe('city')
})
