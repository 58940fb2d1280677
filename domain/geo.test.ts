import { describe, expect, test } from 'vitest'
import {
  distanceKm,
  geohash,
  geohashRanges,
  sampleWaypoints,
  searchRadiusKm,
  toKm,
  toUnit,
  trailKm,
  waypointsText,
} from './geo'
import { randomFrom } from './testing/random'

test('great-circle distances agree with known ones', () => {
  expect(distanceKm({ lat: 0, lng: 0 }, { lat: 0, lng: 1 })).toBeCloseTo(111.195, 2)
  // Paris to London.
  expect(distanceKm({ lat: 48.8566, lng: 2.3522 }, { lat: 51.5074, lng: -0.1278 })).toBeCloseTo(
    343.6,
    0,
  )
  expect(distanceKm({ lat: 10, lng: 179.9 }, { lat: 10, lng: -179.9 })).toBeLessThan(22)
  expect(distanceKm({ lat: 5, lng: 5 }, { lat: 5, lng: 5 })).toBe(0)
})

test('a mile is 1.609344 km, there and back', () => {
  expect(toUnit(1.609344, { convert_to_mile: true })).toBe(1)
  expect(toKm(1, { convert_to_mile: true })).toBe(1.609344)
  expect(toUnit(5, { convert_to_mile: false })).toBe(5)
})

test('drivers are searched within the setting, 10 of its units when there is none', () => {
  expect(searchRadiusKm({ driverRadius: 3, convert_to_mile: false })).toBe(3)
  expect(searchRadiusKm({ driverRadius: 0, convert_to_mile: false })).toBe(10)
  expect(searchRadiusKm({ driverRadius: 10, convert_to_mile: true })).toBeCloseTo(16.09344, 9)
})

test('geohashes are those everybody else computes', () => {
  expect(geohash({ lat: 57.64911, lng: 10.40744 }, 11)).toBe('u4pruydqqvj')
  expect(geohash({ lat: -25.38262, lng: -49.26561 }, 8)).toBe('6gkzwgjz')
})

test.each([
  ['in a city', { lat: -34.9, lng: -56.19 }],
  ['on the equator', { lat: 0, lng: 0 }],
  ['at the date line', { lat: -17.7, lng: 179.99 }],
  ['far north', { lat: 78.2, lng: 15.6 }],
  ['at the pole', { lat: 89.99, lng: 0 }],
])('%s every point within the radius is in one of the ranges, and in only one', (_, centre) => {
  const random = randomFrom(3)
  for (const radius of [0.05, 1, 10, 100]) {
    const ranges = geohashRanges(centre, radius)
    expect(ranges.length).toBeLessThanOrEqual(9)
    for (let n = 0; n < 300; n++) {
      const lat = Math.max(
        -90,
        Math.min(90, centre.lat + (random.whole(-1000, 1000) / 1000) * (radius / 111)),
      )
      const reach = radius / 111 / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
      const lng = centre.lng + (random.whole(-1000, 1000) / 1000) * reach
      const point = { lat, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng }
      if (distanceKm(centre, point) > radius) continue
      const hash = geohash(point)
      expect(ranges.filter(([from, to]) => hash >= from && hash <= to)).toHaveLength(1)
    }
  }
})

describe('the travelled distance', () => {
  const point = (status: 'ACCEPTED' | 'STARTED' | 'REACHED', at: number, lat: number) => ({
    status,
    at,
    lat,
    lng: 0,
  })
  test('is 0 under two points of STARTED or REACHED', () => {
    expect(trailKm([])).toBe(0)
    expect(
      trailKm([point('ACCEPTED', 1, 0), point('ACCEPTED', 2, 1), point('STARTED', 3, 2)]),
    ).toBe(0)
  })
  test('is added up in the order of time, whatever order the points came in', () => {
    const trail = [
      point('REACHED', 9, 0.03),
      point('STARTED', 1, 0),
      point('ACCEPTED', 5, 9),
      point('STARTED', 5, 0.01),
    ]
    expect(trailKm(trail)).toBeCloseTo(0.03 * 111.195, 3)
  })
})

test('of many waypoints 25 are kept, the first and the last among them', () => {
  const points = Array.from({ length: 1000 }, (_, n) => ({ lat: n, lng: n }))
  const sampled = sampleWaypoints(points)
  expect(sampled).toHaveLength(25)
  expect([sampled[0], sampled[24]]).toEqual([points[0], points[999]])
  expect(sampleWaypoints(points.slice(0, 25))).toHaveLength(25)
  expect(waypointsText(points.slice(0, 2))).toBe('0,0|1,1')
})
