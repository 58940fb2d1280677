import { expect, it } from 'vitest'
import { interpolateRoute } from './routePositions'

it('moves a car along its route in even steps to the end', () => {
  const line = [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 0.01 },
    { lat: 0.01, lng: 0.01 },
  ]
  expect(interpolateRoute(line, 4)).toEqual([
    { lat: 0, lng: 0.005 },
    { lat: 0, lng: 0.01 },
    { lat: 0.005, lng: 0.01 },
    { lat: 0.01, lng: 0.01 },
  ])
})

it('stays at the end of a route without length', () => {
  const here = { lat: 1, lng: 2 }
  expect(interpolateRoute([here, here], 2)).toEqual([here, here])
})
