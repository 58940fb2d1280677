import { expect, it } from 'vitest'
import { planFrom } from './plan'

it('a run is two minutes with twenty riders unless told otherwise', () => {
  expect(planFrom([])).toEqual({
    start: false,
    plan: {
      riders: 20,
      drivers: 12,
      minutes: 2,
      bookings: 1e7,
      seed: 1,
      pace: 60,
      faults: false,
      faultyDatabase: false,
      dispatch: 'office',
    },
  })
})

it('bookings alone end a run without a clock; forever never ends', () => {
  expect(planFrom(['--bookings', '10']).plan).toMatchObject({ minutes: Infinity, bookings: 10 })
  expect(planFrom(['--forever', '--riders', '3']).plan).toMatchObject({
    minutes: Infinity,
    riders: 3,
    pace: 8,
  })
})

it('an impossible wish is answered with a sentence', () => {
  expect(() => planFrom(['--riders', 'many'])).toThrow(
    '--riders must be a number from 1 to 900, not "many".',
  )
})
