import { describe, expect, test } from 'vitest'
import {
  between,
  cutPath,
  headingOf,
  isGlide,
  nextHeading,
  placeOnPath,
  samePaths,
  turn,
} from './motion'

const A = { lat: 0, lng: 0 }
const east = { lat: 0, lng: 0.001 }
const north = { lat: 0.001, lng: 0 }

test.each([
  [north, 0],
  [east, 90],
  [{ lat: -0.001, lng: 0 }, 180],
  [{ lat: 0, lng: -0.001 }, 270],
])('the heading to %o is %i', (to, degrees) => {
  expect(headingOf(A, to)).toBeCloseTo(degrees, 5)
})

test('a turn takes the short way round', () => {
  expect(turn(350, 10, 0.5)).toBeCloseTo(0, 5)
  expect(turn(10, 350, 0.5)).toBeCloseTo(0, 5)
  expect(turn(90, 180, 1)).toBeCloseTo(180, 5)
})

test('half way between two poses the car is in the middle and has turned', () => {
  expect(between({ ...A, heading: 0 }, { ...east, heading: 90 }, 0.5)).toEqual({
    lat: 0,
    lng: 0.0005,
    heading: 90,
  })
})

test('a car that does not say where it points looks along its move', () => {
  expect(nextHeading({ ...A, heading: 33 }, east, undefined)).toBeCloseTo(90, 5)
  expect(nextHeading({ ...A, heading: 33 }, { lat: 0.00001, lng: 0 }, undefined)).toBe(33)
  expect(nextHeading({ ...A, heading: 33 }, east, 12)).toBe(12)
  expect(nextHeading(undefined, east, undefined)).toBe(0)
})

test('a correction of kilometres is a jump, not a drive', () => {
  expect(isGlide(A, east)).toBe(true)
  expect(isGlide(A, { lat: 1, lng: 0 })).toBe(false)
})

describe('a path with progress', () => {
  const path = [A, east, { lat: 0.001, lng: 0.001 }]

  test('is cut where the car is', () => {
    const [behind, ahead] = cutPath(path, 0.75)
    expect(behind).toHaveLength(3)
    expect(behind[2]!.lat).toBeCloseTo(0.0005, 6)
    expect(ahead[0]).toEqual(behind[2])
    expect(ahead[1]).toEqual(path[2])
  })

  test('is whole at both ends', () => {
    expect(cutPath(path, 0)).toEqual([[], path])
    expect(cutPath(path, 1)).toEqual([path, []])
    expect(cutPath([], 0.5)).toEqual([[], []])
    expect(cutPath([A, A], 0.5)[1].at(-1)).toEqual(A)
  })
})

test('a path is drawn again only when it changed', () => {
  const path = { id: 'way', points: [A, east], progress: 0.5 }
  expect(samePaths([path], [{ ...path, points: [{ ...A }, { ...east }] }])).toBe(true)
  expect(samePaths([path], [{ ...path, progress: 0.6 }])).toBe(false)
  expect(samePaths([path], [{ ...path, points: [A, north] }])).toBe(false)
  expect(samePaths([path], [])).toBe(false)
})

test('a place beside a path is somewhere on it, and so many metres off', () => {
  const path = [A, east, { lat: 0.001, lng: 0.001 }]
  expect(placeOnPath(path, A)).toEqual({ part: 0, off: 0 })
  const beside = placeOnPath(path, { lat: 0.0005, lng: 0.0012 })
  expect(beside.part).toBeCloseTo(0.75)
  expect(beside.off).toBeCloseTo(22.2, 0)
})

test('where a street is driven twice, one is on it for the first time', () => {
  const { part } = placeOnPath([A, east, A], { lat: 0, lng: 0.0005 })
  expect(part).toBeCloseTo(0.25)
})
