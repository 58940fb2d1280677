import { describe, expect, test } from 'vitest'
import {
  getBounds,
  getLengthKm,
  interpolatePosition,
  projectOntoPolyline,
  simplifyPolyline,
} from './polylineGeometry'

const A = { lat: 0, lng: 0 }
const east = { lat: 0, lng: 0.001 }

test('finds the nearest part of a line and the distance in meters', () => {
  const path = [A, east, { lat: 0.001, lng: 0.001 }]
  expect(projectOntoPolyline(path, A)).toEqual({ part: 0, off: 0 })
  const beside = projectOntoPolyline(path, { lat: 0.0005, lng: 0.0012 })
  expect(beside.part).toBeCloseTo(0.75)
  expect(beside.off).toBeCloseTo(22.2, 0)
})

test('finds the first pass where a line uses a street twice', () => {
  const { part } = projectOntoPolyline([A, east, A], { lat: 0, lng: 0.0005 })
  expect(part).toBeCloseTo(0.25)
})

test('sums the segments of a line into its length', () => {
  expect(getLengthKm([])).toBe(0)
  expect(getLengthKm([A])).toBe(0)
  expect(getLengthKm([A, east, { lat: 0.001, lng: 0.001 }])).toBeCloseTo(0.2224, 4)
})

test.each([
  [-1, 0, 0],
  [0, 0, 0],
  [0.25, 0, 0.0005],
  [0.5, 0, 0.001],
  [0.75, 0.0005, 0.001],
  [2, 0.001, 0.001],
])('finds the position at %f of a line', (share, lat, lng) => {
  const place = interpolatePosition([A, A, east, { lat: 0.001, lng: 0.001 }], share)
  expect(place?.lat).toBeCloseTo(lat, 6)
  expect(place?.lng).toBeCloseTo(lng, 6)
})

test('returns the extremes of the points as corners of the box', () => {
  expect(getBounds([])).toEqual([])
  expect(getBounds([east, { lat: -1, lng: 4 }, A])).toEqual([
    { lat: -1, lng: 0 },
    { lat: 0, lng: 4 },
  ])
})

test('finds no position on a line without points', () => {
  expect(interpolatePosition([], 0.5)).toBeUndefined()
  expect(interpolatePosition([east], 0.5)).toEqual(east)
})

describe('a simplified line', () => {
  const bump = (meters: number) => [A, { lat: meters / 111_195, lng: 0.0005 }, east]

  test.each([
    ['removes a point that is 4 m off', 4, 2],
    ['keeps a point that is 6 m off', 6, 3],
  ])('%s at a tolerance of 5 m', (_, meters, left) => {
    expect(simplifyPolyline(bump(meters), 5)).toHaveLength(left)
  })

  test('keeps both ends of a loop', () => {
    expect(simplifyPolyline([A, { lat: 0, lng: 0.00001 }, A], 5)).toEqual([A, A])
  })

  test('keeps the point at which the line turns back, unless it is near at this tolerance', () => {
    const far = { lat: 0, lng: 0.01 }
    expect(simplifyPolyline([A, east, far, east, { lat: 0, lng: 0.02 }], 5)).toEqual([
      A,
      far,
      east,
      { lat: 0, lng: 0.02 },
    ])
    expect(simplifyPolyline([A, far, east, { lat: 0, lng: 0.02 }], 1000)).toHaveLength(2)
  })

  test('handles no points and very many points', () => {
    expect(simplifyPolyline([], 5)).toEqual([])
    const saw = Array.from({ length: 2000 }, (_, i) => ({ lat: (i % 2) / 1000, lng: i / 1e4 }))
    expect(simplifyPolyline(saw, 5).length).toBeGreaterThan(1900)
  })
})
