import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  getDistanceKm,
  sampleWaypoints,
  getSearchRadiusKm,
  toKm,
  toDistanceUnit,
  formatWaypoints,
} from './geo'
import { encodeGeohash, getGeohashRanges } from './geohash'

test('matches known great-circle distances', () => {
  expect(getDistanceKm({ lat: 0, lng: 0 }, { lat: 0, lng: 1 })).toBeCloseTo(111.195, 2)
  // Paris to London.
  expect(getDistanceKm({ lat: 48.8566, lng: 2.3522 }, { lat: 51.5074, lng: -0.1278 })).toBeCloseTo(
    343.6,
    0,
  )
  expect(getDistanceKm({ lat: 10, lng: 179.9 }, { lat: 10, lng: -179.9 })).toBeLessThan(22)
  expect(getDistanceKm({ lat: 5, lng: 5 }, { lat: 5, lng: 5 })).toBe(0)
})

test('converts a mile as 1.609344 km in both directions', () => {
  expect(toDistanceUnit(1.609344, { convert_to_mile: true })).toBe(1)
  expect(toKm(1, { convert_to_mile: true })).toBe(1.609344)
  expect(toDistanceUnit(5, { convert_to_mile: false })).toBe(5)
})

test('searches drivers within the configured radius, 10 units by default', () => {
  expect(getSearchRadiusKm({ driverRadius: 3, convert_to_mile: false })).toBe(3)
  expect(getSearchRadiusKm({ driverRadius: 0, convert_to_mile: false })).toBe(10)
  expect(getSearchRadiusKm({ driverRadius: 10, convert_to_mile: true })).toBeCloseTo(16.09344, 9)
})

test('computes standard geohashes', () => {
  expect(encodeGeohash({ lat: 57.64911, lng: 10.40744 }, 11)).toBe('u4pruydqqvj')
  expect(encodeGeohash({ lat: -25.38262, lng: -49.26561 }, 8)).toBe('6gkzwgjz')
})

test.each([
  ['in a city', { lat: -34.9, lng: -56.19 }],
  ['on the equator', { lat: 0, lng: 0 }],
  ['at the date line', { lat: -17.7, lng: 179.99 }],
  ['far north', { lat: 78.2, lng: 15.6 }],
  ['at the pole', { lat: 89.99, lng: 0 }],
])('%s covers every position within the radius by exactly one range', (_, center) => {
  const offsets = fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000)
  const isCovered = fc.property(
    fc.constantFrom(0.05, 1, 10, 100),
    offsets,
    offsets,
    (radius, north, east) => {
      const ranges = getGeohashRanges(center, radius)
      expect(ranges.length).toBeLessThanOrEqual(9)
      const lat = Math.max(-90, Math.min(90, center.lat + north * (radius / 111)))
      const reach = radius / 111 / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
      const lng = center.lng + east * reach
      const point = { lat, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng }
      if (getDistanceKm(center, point) > radius) return
      const hash = encodeGeohash(point)
      expect(ranges.filter(([from, to]) => hash >= from && hash <= to)).toHaveLength(1)
    },
  )
  fc.assert(isCovered, { seed: 3, numRuns: 1200 })
})

test('samples 25 of many waypoints, including the first and the last', () => {
  const points = Array.from({ length: 1000 }, (_, n) => ({ lat: n, lng: n }))
  const sampled = sampleWaypoints(points)
  expect(sampled).toHaveLength(25)
  expect([sampled[0], sampled[24]]).toEqual([points[0], points[999]])
  expect(sampleWaypoints(points.slice(0, 25))).toHaveLength(25)
  expect(formatWaypoints(points.slice(0, 2))).toBe('0,0|1,1')
})
