import { expect, test } from 'vitest'
import { aBooking, aSettings } from '../testing/builders'
import { getAskedDrivers, getWaitLevel, getWaitStart, sortByWait } from './waitingBookings'
import { MINUTE_MS } from '../language/timeUnits'

const NOON = Date.parse('2026-06-01T12:00:00Z')
const waiting = (id: string, bookingDate: number, over = {}) =>
  aBooking({ id, status: 'NEW', bookLater: false, bookingDate, tripdate: bookingDate, ...over })

test('counts the wait of a booking from when it was made', () => {
  expect(getWaitStart(waiting('a', NOON))).toBe(NOON)
})

test('counts the wait of a later booking from half an hour before its time', () => {
  const later = { bookLater: true, tripdate: NOON + 120 * MINUTE_MS }
  expect(getWaitStart(waiting('a', NOON, later))).toBe(NOON + 90 * MINUTE_MS)
  const soon = { bookLater: true, tripdate: NOON + 20 * MINUTE_MS }
  expect(getWaitStart(waiting('a', NOON, soon))).toBe(NOON)
})

test.each([
  [0, 'fresh'],
  [3 * MINUTE_MS - 1, 'fresh'],
  [3 * MINUTE_MS, 'warn'],
  [8 * MINUTE_MS - 1, 'warn'],
  [8 * MINUTE_MS, 'alarm'],
] as const)('without settings, a booking that waited %i ms is at level %s', (waited, level) => {
  expect(getWaitLevel(waiting('a', NOON), aSettings(), NOON + waited)).toBe(level)
})

test('takes the ages for a warning and an alarm from the settings', () => {
  const settings = aSettings({ waitWarnMinutes: 1, waitAlarmMinutes: 2 })
  const levels = [0, 1, 2].map((minutes) =>
    getWaitLevel(waiting('a', NOON), settings, NOON + minutes * MINUTE_MS),
  )
  expect(levels).toEqual(['fresh', 'warn', 'alarm'])
})

test('does not alarm before it warns', () => {
  const settings = aSettings({ waitWarnMinutes: 10 })
  expect(getWaitLevel(waiting('a', NOON), settings, NOON + 9 * MINUTE_MS)).toBe('fresh')
  expect(getWaitLevel(waiting('a', NOON), settings, NOON + 10 * MINUTE_MS)).toBe('alarm')
})

test('does not warn about a later booking before it is due', () => {
  const later = waiting('a', NOON - 600 * MINUTE_MS, {
    bookLater: true,
    tripdate: NOON + 31 * MINUTE_MS,
  })
  expect(getWaitLevel(later, aSettings(), NOON)).toBe('later')
  expect(getWaitLevel(later, aSettings(), NOON + MINUTE_MS)).toBe('fresh')
})

test('lists the longest waiting booking first and later bookings last', () => {
  const rows = [
    waiting('new', NOON),
    waiting('later', NOON - 90 * MINUTE_MS, { bookLater: true, tripdate: NOON + 300 * MINUTE_MS }),
    waiting('old', NOON - 5 * MINUTE_MS),
    waiting('older', NOON - 5 * MINUTE_MS - 1),
  ]
  expect(sortByWait(rows).map(({ id }) => id)).toEqual(['older', 'old', 'new', 'later'])
})

test('names the drivers who are asked now, the last one first, until when they can answer alone', () => {
  const booking = waiting('a', NOON, {
    requestedDrivers: { ana: true, bob: true },
    askedDrivers: { ana: NOON, bob: NOON + 1000, gone: NOON - 9000 },
  })
  expect(getAskedDrivers(booking, aSettings({ dispatchSeconds: 20 }))).toEqual([
    { id: 'bob', at: NOON + 1000, expires: NOON + 21_000 },
    { id: 'ana', at: NOON, expires: NOON + 20_000 },
  ])
  expect(getAskedDrivers(waiting('a', NOON), aSettings())).toEqual([])
})
