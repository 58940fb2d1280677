import { expect, test } from 'vitest'
import { StreetGraph } from '~/functions/src/maps/streetGraph'
import { Pathfinder } from '~/functions/src/maps/pathfinder'
import { fromLngLat } from './mercator'
import { buildStreets, isDrivable, oneWay } from './streets'
import type { CityInput, OsmFeature } from './feature'
import type { Cell } from './mercator'

const at = (east: number, north: number): Cell => {
  const [x, y] = fromLngLat([10 + east / 100_000, 50 + north / 100_000])
  return [Math.round(x), Math.round(y)]
}
const street = (tags: Record<string, string>, ...shape: Cell[]): OsmFeature => ({
  kind: 'line',
  tags: { highway: 'residential', ...tags },
  shape: [shape],
})
const cityOf = (...features: OsmFeature[]): CityInput => {
  const [[left, bottom], [right, top]] = [at(-5_000, -5_000), at(5_000, 5_000)]
  return {
    slug: 'test',
    name: 'Test',
    country: 'XX',
    date: '2020',
    features,
    box: [left, top, right, bottom],
  }
}
const place = (east: number, north: number) => ({ lat: 50 + north / 1e5, lng: 10 + east / 1e5 })

// A square of streets, its south side one-way to the east.
const [a, b, c, d] = [at(0, 0), at(500, 0), at(500, 500), at(0, 500)]
const square = [
  street({ name: 'South', oneway: 'yes' }, a, b),
  street({ name: 'East' }, b, c),
  street({ name: 'North' }, c, d),
  street({ name: 'West' }, d, a),
]

test('a car drives the one-way side with the arrow and around the square against it', () => {
  const graph = new StreetGraph(buildStreets(cityOf(...square)).file)
  const paths = new Pathfinder(graph)
  const [west, east] = [graph.snap(place(100, 0))!, graph.snap(place(400, 0))!]
  const along = paths.path(west, east)!
  const against = paths.path(east, west)!
  expect(along.stretches).toHaveLength(1)
  expect(against.stretches.map(({ edge }) => graph.streetOf(edge))).toEqual([
    'South',
    'East',
    'North',
    'West',
    'South',
  ])
  expect(paths.toOne([east, west], west)[0]?.seconds).toBeCloseTo(against.seconds, 2)
  expect(paths.fromOne(east, [west])[0]?.metres).toBeCloseTo(against.metres, 0)
})

test('a dead end nobody can leave is not on the map', () => {
  const trap = street({ name: 'Trap', oneway: 'yes' }, b, at(900, 0))
  const graph = new StreetGraph(buildStreets(cityOf(...square, trap)).file)
  expect(graph.streets.filter((_, i) => graph.edges.street.includes(i))).not.toContain('Trap')
})

test('traffic lights cost time', () => {
  const light: OsmFeature = { kind: 'point', tags: { highway: 'traffic_signals' }, shape: [[b]] }
  const seconds = (features: OsmFeature[]) => {
    const graph = new StreetGraph(buildStreets(cityOf(...features)).file)
    return new Pathfinder(graph).path(graph.snap(place(100, 0))!, graph.snap(place(500, 400))!)!
      .seconds
  }
  expect(seconds([...square, light])).toBeGreaterThan(seconds(square) + 4)
})

test('places with no street a car may use are refused by name', () => {
  expect(() => buildStreets(cityOf(street({ highway: 'footway' }, a, b)))).toThrow('No streets')
})

test.each([
  [{ highway: 'residential' }, true],
  [{ highway: 'footway' }, false],
  [{ highway: 'service', access: 'private' }, false],
  [{ highway: 'service', access: 'no', motor_vehicle: 'yes' }, true],
  [{ highway: 'residential', motor_vehicle: 'no' }, false],
  [{ highway: 'residential', area: 'yes' }, false],
])('%o may be driven: %s', (tags, drivable) => {
  expect(isDrivable({ kind: 'line', tags: tags as Record<string, string> })).toBe(drivable)
})

test.each([
  [{ oneway: 'yes' }, 1],
  [{ oneway: '-1' }, -1],
  [{ junction: 'roundabout' }, 1],
  [{ highway: 'motorway' }, 1],
  [{ highway: 'motorway', oneway: 'no' }, 0],
  [{}, 0],
])('%o is one way: %i', (tags, direction) => {
  expect(oneWay(tags as Record<string, string>)).toBe(direction)
})
