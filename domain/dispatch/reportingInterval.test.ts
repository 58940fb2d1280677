import { describe, expect, it } from 'vitest'
import { type TimedPosition, isPositionReportDue } from './reportingInterval'

const START: TimedPosition = { lat: -34.9, lng: -56.19, at: 0 }
/** Returns a position about `metres` to the north, `seconds` later. */
const later = (seconds: number, metres: number): TimedPosition => ({
  ...START,
  lat: START.lat + metres / 111_195,
  at: seconds * 1000,
})

describe('the reporting interval of a driver’s position', () => {
  it('sends the first position at once', () => expect(isPositionReportDue(null, START)).toBe(true))

  it.each([
    ['reports a fast car after four seconds', 5, 80, 16, true],
    ['does not report a fast car twice a second', 0.5, 8, 16, false],
    ['reports a slow car after eight seconds', 9, 20, 2, true],
    ['does not report a slow car after four seconds', 5, 10, 2, false],
    ['does not report a parked car when its position jitters', 20, 10, 0, false],
    ['reports a parked car every minute', 61, 0, 0, true],
  ])('%s', (_, seconds, metres, speed, due) =>
    expect(isPositionReportDue(START, later(seconds, metres), { speed })).toBe(due),
  )

  it('calculates the speed from the positions when the device reports none', () =>
    expect(isPositionReportDue(START, later(5, 80), { speed: null })).toBe(true))

  it('sends half as often to save a low battery', () => {
    expect(isPositionReportDue(START, later(5, 80), { speed: 16, saving: true })).toBe(false)
    expect(isPositionReportDue(START, later(9, 150), { speed: 16, saving: true })).toBe(true)
    expect(isPositionReportDue(START, later(61, 0), { speed: 0, saving: true })).toBe(false)
  })
})
