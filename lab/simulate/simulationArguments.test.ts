import { expect, it } from 'vitest'
import { parseArguments } from './simulationArguments'

it('a run takes two minutes with twenty riders by default', () => {
  expect(parseArguments([])).toEqual({
    shouldStart: false,
    plan: {
      riders: 20,
      drivers: 12,
      minutes: 2,
      bookings: 1e7,
      seed: 1,
      pace: 60,
      faults: false,
      faultyDatabase: false,
      declines: true,
      dispatch: 'office',
    },
  })
})

it('a run limited by bookings has no time limit, and a run with --forever never ends', () => {
  expect(parseArguments(['--bookings', '10']).plan).toMatchObject({
    minutes: Infinity,
    bookings: 10,
  })
  expect(parseArguments(['--forever', '--riders', '3']).plan).toMatchObject({
    minutes: Infinity,
    riders: 3,
    pace: 8,
  })
})

it('refuses an impossible option with an explanation', () => {
  expect(() => parseArguments(['--riders', 'many'])).toThrow(
    '--riders must be a number from 1 to 900, not "many".',
  )
})
