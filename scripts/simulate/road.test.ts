import { expect, it } from 'vitest'
import { stepsAlong } from './road'

it('a car goes along its way in even steps and ends at its end', () => {
  const way = [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 0.01 },
    { lat: 0.01, lng: 0.01 },
  ]
  expect(stepsAlong(way, 4)).toEqual([
    { lat: 0, lng: 0.005 },
    { lat: 0, lng: 0.01 },
    { lat: 0.005, lng: 0.01 },
    { lat: 0.01, lng: 0.01 },
  ])
})

it('a way of no length is its end', () => {
  const here = { lat: 1, lng: 2 }
  expect(stepsAlong([here, here], 2)).toEqual([here, here])
})
