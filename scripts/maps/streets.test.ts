import { expect, test } from 'vitest'
import { StreetGraph } from '~/functions/src/adapters/maps/bundled/streetGraph'
import { Pathfinder } from '~/functions/src/adapters/maps/bundled/pathfinder'
import { fromLngLat } from './mercator'
import { buildStreets, isDrivable, getOneWayDirection } from './streets'
import type { CityInput, OsmFeature } from './osmFeature'
import type { Cell } from './mercator'

const cellAt = (east: number, north: number): Cell => {
  const [x, y] = fromLngLat([10 + east / 100_000, 50 + north / 100_000])
  return [Math.round(x), Math.round(y)]
}
const createStreet = (tags: Record<string, string>, ...shape: Cell[]): OsmFeature => ({
  kind: 'line',
  tags: { highway: 'residential', ...tags },
  shape: [shape],
})
const createCity = (...features: OsmFeature[]): CityInput => {
  const [[left, bottom], [right, top]] = [cellAt(-5_000, -5_000), cellAt(5_000, 5_000)]
  return {
    slug: 'test',
    name: 'Test',
    country: 'XX',
    date: '2020',
    features,
    box: [left, top, right, bottom],
  }
}
const placeAt = (east: number, north: number) => ({ lat: 50 + north / 1e5, lng: 10 + east / 1e5 })

// A square of streets whose south side is one-way to the east.
const [a, b, c, d] = [cellAt(0, 0), cellAt(500, 0), cellAt(500, 500), cellAt(0, 500)]
const square = [
  createStreet({ name: 'South', oneway: 'yes' }, a, b),
  createStreet({ name: 'East' }, b, c),
  createStreet({ name: 'North' }, c, d),
  createStreet({ name: 'West' }, d, a),
]

test('routes a car along a one-way street in its direction and around the square in the other', () => {
  const graph = new StreetGraph(buildStreets(createCity(...square)).file)
  const paths = new Pathfinder(graph)
  const [west, east] = [graph.snapToStreet(placeAt(100, 0))!, graph.snapToStreet(placeAt(400, 0))!]
  const along = paths.findPath(west, east)!
  const against = paths.findPath(east, west)!
  expect(along.segments).toHaveLength(1)
  expect(against.segments.map(({ edge }) => graph.getStreetName(edge))).toEqual([
    'South',
    'East',
    'North',
    'West',
    'South',
  ])
  expect(paths.getCostsToOne([east, west], west)[0]?.seconds).toBeCloseTo(against.seconds, 2)
  expect(paths.getCostsFromOne(east, [west])[0]?.meters).toBeCloseTo(against.meters, 0)
})

test('leaves out a one-way dead end that cars cannot leave', () => {
  const trap = createStreet({ name: 'Trap', oneway: 'yes' }, b, cellAt(900, 0))
  const graph = new StreetGraph(buildStreets(createCity(...square, trap)).file)
  expect(graph.streets.filter((_, i) => graph.edges.street.includes(i))).not.toContain('Trap')
})

test('adds time for traffic lights', () => {
  const light: OsmFeature = { kind: 'point', tags: { highway: 'traffic_signals' }, shape: [[b]] }
  const seconds = (features: OsmFeature[]) => {
    const graph = new StreetGraph(buildStreets(createCity(...features)).file)
    return new Pathfinder(graph).findPath(
      graph.snapToStreet(placeAt(100, 0))!,
      graph.snapToStreet(placeAt(500, 400))!,
    )!.seconds
  }
  expect(seconds([...square, light])).toBeGreaterThan(seconds(square) + 4)
})

test('refuses a place without drivable streets', () => {
  expect(() => buildStreets(createCity(createStreet({ highway: 'footway' }, a, b)))).toThrow(
    'no street',
  )
})

test.each([
  [{ highway: 'residential' }, true],
  [{ highway: 'footway' }, false],
  [{ highway: 'service', access: 'private' }, false],
  [{ highway: 'service', access: 'no', motor_vehicle: 'yes' }, true],
  [{ highway: 'residential', motor_vehicle: 'no' }, false],
  [{ highway: 'residential', area: 'yes' }, false],
])('a car may drive on %o: %s', (tags, drivable) => {
  expect(isDrivable({ kind: 'line', tags: tags })).toBe(drivable)
})

test.each([
  [{ oneway: 'yes' }, 1],
  [{ oneway: '-1' }, -1],
  [{ junction: 'roundabout' }, 1],
  [{ highway: 'motorway' }, 1],
  [{ highway: 'motorway', oneway: 'no' }, 0],
  [{}, 0],
])('%o has the one-way direction %i', (tags, direction) => {
  expect(getOneWayDirection(tags as Record<string, string>)).toBe(direction)
})
