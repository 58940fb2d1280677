import { describe, expect, it } from 'vitest'
import { type Fix, isDue } from './pace'

const START: Fix = { lat: -34.9, lng: -56.19, at: 0 }
/** About so many metres to the north, so many seconds later. */
const later = (seconds: number, metres: number): Fix => ({
  ...START,
  lat: START.lat + metres / 111_195,
  at: seconds * 1000,
})

describe('how often a driver’s place is sent', () => {
  it('sends the first place at once', () => expect(isDue(null, START)).toBe(true))

  it.each([
    ['a fast car after four seconds', 5, 80, 16, true],
    ['a fast car not twice a second', 0.5, 8, 16, false],
    ['a crawling car after eight seconds', 9, 20, 2, true],
    ['a crawling car not after four', 5, 10, 2, false],
    ['a parked car not for a shaking signal', 20, 10, 0, false],
    ['a parked car every minute all the same', 61, 0, 0, true],
  ])('%s', (_, seconds, metres, speed, due) =>
    expect(isDue(START, later(seconds, metres), { speed })).toBe(due),
  )

  it('takes the speed from the way when the device tells none', () =>
    expect(isDue(START, later(5, 80), { speed: null })).toBe(true))

  it('sends half as often to spare a low battery', () => {
    expect(isDue(START, later(5, 80), { speed: 16, saving: true })).toBe(false)
    expect(isDue(START, later(9, 150), { speed: 16, saving: true })).toBe(true)
    expect(isDue(START, later(61, 0), { speed: 0, saving: true })).toBe(false)
  })
})
