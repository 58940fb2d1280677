import { expect, test } from 'vitest'
import { getRemainingRoute } from './remainingRoute'

/** Two kilometers east, then one north, with a left turn at the corner. */
const route = {
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

test('has the whole route ahead at the start, and does not count setting off as a turn', () => {
  const { km, seconds, progress, turns } = getRemainingRoute(route, { lat: 0, lng: 0 })
  expect([km, seconds, progress]).toEqual([3, 360, 0])
  expect(turns.map(({ maneuver }) => maneuver)).toEqual(['left', 'arrive'])
  expect(turns[0]?.km).toBeCloseTo(2)
})

test('has a third of the route behind halfway to the turn', () => {
  const { km, seconds, progress, turns } = getRemainingRoute(route, { lat: 0.0001, lng: 0.009 })
  expect(progress).toBeCloseTo(1 / 3)
  expect(km).toBeCloseTo(2)
  expect(seconds).toBeCloseTo(240)
  expect(turns[0]).toMatchObject({ maneuver: 'left', street: 'North' })
  expect(turns[0]?.km).toBeCloseTo(1)
})

test('does not name a passed turn again', () => {
  const { turns } = getRemainingRoute(route, { lat: 0.0045, lng: 0.018 })
  expect(turns.map(({ maneuver }) => maneuver)).toEqual(['arrive'])
})

test('has nothing left at the end', () => {
  const { km, turns } = getRemainingRoute(route, { lat: 0.0095, lng: 0.018 })
  expect(km).toBeCloseTo(0)
  expect(turns).toEqual([])
})

test('has no turns when the streets are unknown', () => {
  expect(
    getRemainingRoute({ ...route, points: route.points.slice(0, 2), steps: [] }, route.points[0]!)
      .turns,
  ).toEqual([])
})
