import { expect, test } from 'vitest'
import { leftOf } from './way'

/** Two kilometres east, then one north; the streets turn left in between. */
const way = {
  km: 3,
  seconds: 360,
  points: [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 0.018 },
    { lat: 0.009, lng: 0.018 },
  ],
  steps: [
    { maneuver: 'depart', street: 'East', distance_in_km: 2, at: { lat: 0, lng: 0 } },
    { maneuver: 'left', street: 'North', distance_in_km: 1, at: { lat: 0, lng: 0.018 } },
    { maneuver: 'arrive', street: 'North', distance_in_km: 0, at: { lat: 0.009, lng: 0.018 } },
  ],
}

test('at its beginning the whole way is ahead, and its first turn is not setting off', () => {
  const { km, seconds, progress, turns } = leftOf(way, { lat: 0, lng: 0 })
  expect([km, seconds, progress]).toEqual([3, 360, 0])
  expect(turns.map(({ maneuver }) => maneuver)).toEqual(['left', 'arrive'])
  expect(turns[0]?.km).toBeCloseTo(2)
})

test('half way to the turn, a third of the way is behind', () => {
  const { km, seconds, progress, turns } = leftOf(way, { lat: 0.0001, lng: 0.009 })
  expect(progress).toBeCloseTo(1 / 3)
  expect(km).toBeCloseTo(2)
  expect(seconds).toBeCloseTo(240)
  expect(turns[0]).toMatchObject({ maneuver: 'left', street: 'North' })
  expect(turns[0]?.km).toBeCloseTo(1)
})

test('a turn that was taken is not named again', () => {
  const { turns } = leftOf(way, { lat: 0.0045, lng: 0.018 })
  expect(turns.map(({ maneuver }) => maneuver)).toEqual(['arrive'])
})

test('at the end nothing is left', () => {
  const { km, turns } = leftOf(way, { lat: 0.0095, lng: 0.018 })
  expect(km).toBeCloseTo(0)
  expect(turns).toEqual([])
})

test('without streets there are no turns', () => {
  expect(
    leftOf({ ...way, points: way.points.slice(0, 2), steps: [] }, way.points[0]!).turns,
  ).toEqual([])
})
