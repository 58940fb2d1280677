import { describe, expect, test } from 'vitest'
import {
  interpolatePose,
  splitPolyline,
  getHeading,
  canGlide,
  getNextHeading,
  isSamePolylines,
  interpolateHeading,
} from './markerMotion'

const A = { lat: 0, lng: 0 }
const east = { lat: 0, lng: 0.001 }
const north = { lat: 0.001, lng: 0 }

test.each([
  [north, 0],
  [east, 90],
  [{ lat: -0.001, lng: 0 }, 180],
  [{ lat: 0, lng: -0.001 }, 270],
])('converts the heading to %o to %i degrees', (to, degrees) => {
  expect(getHeading(A, to)).toBeCloseTo(degrees, 5)
})

test('turns in the shorter direction', () => {
  expect(interpolateHeading(350, 10, 0.5)).toBeCloseTo(0, 5)
  expect(interpolateHeading(10, 350, 0.5)).toBeCloseTo(0, 5)
  expect(interpolateHeading(90, 180, 1)).toBeCloseTo(180, 5)
})

test('puts the vehicle in the middle and already turned, halfway between two poses', () => {
  expect(interpolatePose({ ...A, heading: 0 }, { ...east, heading: 90 }, 0.5)).toEqual({
    lat: 0,
    lng: 0.0005,
    heading: 90,
  })
})

test('points a vehicle without a heading along its move', () => {
  expect(getNextHeading({ ...A, heading: 33 }, east, undefined)).toBeCloseTo(90, 5)
  expect(getNextHeading({ ...A, heading: 33 }, { lat: 0.00001, lng: 0 }, undefined)).toBe(33)
  expect(getNextHeading({ ...A, heading: 33 }, east, 12)).toBe(12)
  expect(getNextHeading(undefined, east, undefined)).toBe(0)
})

test('jumps instead of gliding for a correction of kilometers', () => {
  expect(canGlide(A, east)).toBe(true)
  expect(canGlide(A, { lat: 1, lng: 0 })).toBe(false)
})

describe('a line with progress', () => {
  const path = [A, east, { lat: 0.001, lng: 0.001 }]

  test('is cut at the vehicle', () => {
    const [behind, ahead] = splitPolyline(path, 0.75)
    expect(behind).toHaveLength(3)
    expect(behind[2]!.lat).toBeCloseTo(0.0005, 6)
    expect(ahead[0]).toEqual(behind[2])
    expect(ahead[1]).toEqual(path[2])
  })

  test('is whole at both ends', () => {
    expect(splitPolyline(path, 0)).toEqual([[], path])
    expect(splitPolyline(path, 1)).toEqual([path, []])
    expect(splitPolyline([], 0.5)).toEqual([[], []])
    expect(splitPolyline([A, A], 0.5)[1].at(-1)).toEqual(A)
  })
})

test('redraws a line only when it changed', () => {
  const path = { id: 'way', positions: [A, east], progress: 0.5 }
  expect(isSamePolylines([path], [{ ...path, positions: [{ ...A }, { ...east }] }])).toBe(true)
  expect(isSamePolylines([path], [{ ...path, progress: 0.6 }])).toBe(false)
  expect(isSamePolylines([path], [{ ...path, positions: [A, north] }])).toBe(false)
  expect(isSamePolylines([path], [])).toBe(false)
})
