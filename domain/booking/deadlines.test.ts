import { describe, expect, test } from 'vitest'
import { aBooking, aSettings, MINUTE, NOON } from '../testing/builders'
import { getDueTime, type DueTimeReason } from './deadlines'
import { HOUR_MS } from '../language/timeUnits'
import { STATUSES, type Booking, type Status } from './types'

const settings = aSettings({ autoDispatch: true })
const oneByOne = aSettings({ dispatchMode: 'nearest', dispatchSeconds: 20 })
const dueAfter = (
  reason: DueTimeReason,
  over: Partial<Booking>,
  now = NOON,
  given: typeof settings = settings,
) => getDueTime(aBooking(over), given, now, reason)

test.each<[Status, number]>([
  ['PAYMENT_PENDING', 30 * MINUTE],
  ['NEW', 0],
  ['ACCEPTED', HOUR_MS + 1],
  ['ARRIVED', HOUR_MS + 1],
  ['STARTED', 4 * HOUR_MS + 1],
  ['REACHED', 30 * MINUTE + 1],
  ['PENDING', 24 * HOUR_MS + 1],
])('makes a booking due in %s after its time in that status', (status, ms) => {
  expect(dueAfter('event', { status })).toBe(NOON + ms)
})

test.each<Status>(['PAID', 'COMPLETE', 'CANCELLED'])('makes no booking due in %s', (status) => {
  for (const reason of ['event', 'run'] as const) expect(dueAfter(reason, { status })).toBeNull()
})

test('is never before the present, whatever the status and the reason', () => {
  for (const status of STATUSES)
    for (const reason of ['event', 'offer', 'run'] as const)
      for (const minutes of [0, 14, 16, 31, 24 * 60 + 1])
        for (const bookLater of [false, true]) {
          const now = NOON + minutes * MINUTE
          expect(dueAfter(reason, { status, bookLater }, now) ?? now).toBeGreaterThanOrEqual(now)
        }
})

describe('a booking for later', () => {
  const later = { bookLater: true, tripdate: NOON + 5 * HOUR_MS }
  test.each<Status>(['NEW', 'ACCEPTED'])('is not due in %s until half an hour before', (status) => {
    expect(dueAfter('event', { ...later, status })).toBe(NOON + 4.5 * HOUR_MS)
  })
  test('is due at once when a driver accepts within the last half hour', () => {
    const now = later.tripdate - 10 * MINUTE
    expect(dueAfter('event', { ...later, status: 'ACCEPTED' }, now)).toBe(now)
    expect(dueAfter('run', { ...later, status: 'ACCEPTED' }, now)).toBe(
      later.tripdate + HOUR_MS + 1,
    )
  })
  test('is due when it expires', () => {
    const expiry = later.tripdate + 30 * MINUTE
    expect(dueAfter('run', later, expiry - 5000)).toBe(expiry)
    expect(dueAfter('run', later, expiry)).toBe(expiry + MINUTE)
  })
})

describe('the search for a driver', () => {
  test('goes on at once after an event that leaves the booking without an answer', () => {
    expect(dueAfter('event', {}, NOON + MINUTE)).toBe(NOON + MINUTE)
  })
  test('goes on when an offer ends', () => {
    expect(dueAfter('offer', {}, NOON, oneByOne)).toBe(NOON + 20_000)
    expect(dueAfter('offer', {}, NOON)).toBe(NOON + 15_000)
  })
  test('pauses 15 seconds when there is no driver, and longer for a booking that waits long', () => {
    const pause = (minutes: number) =>
      (dueAfter('run', {}, NOON + minutes * MINUTE) ?? 0) - NOON - minutes * MINUTE
    expect([1, 14, 20, 60, 24 * 60].map(pause)).toEqual([
      15_000,
      15_000,
      2 * MINUTE,
      6 * MINUTE,
      144 * MINUTE,
    ])
  })
  test('notices within seconds that a booking has become stuck', () => {
    expect(dueAfter('run', {}, NOON + 14.9 * MINUTE)).toBe(NOON + 15 * MINUTE + 1)
  })
})

test('makes a listed stuck booking due no more', () => {
  expect(dueAfter('run', { status: 'STARTED' }, NOON + 5 * HOUR_MS)).toBeNull()
})
