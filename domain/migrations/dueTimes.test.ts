import { describe, expect, test } from 'vitest'
import { aBooking, aSettings, MINUTE, NOON } from '../testing/builders'
import { addDueTimes } from './dueTimes'
import type { MigrationContext, MigrationRow } from './migration'
import { DAY_MS } from '../language/timeUnits'
import { STATUSES, type Booking } from '../booking/types'

const context = { settings: aSettings(), texts: {}, now: NOON } as unknown as MigrationContext
const ID = aBooking().id
const aRow = (booking: Partial<Booking>, stuck?: object) =>
  ({ bookings: { ...aBooking(booking) }, stuck_bookings: stuck ?? null }) as unknown as MigrationRow
const migrated = (row: MigrationRow) => addDueTimes.apply(row, ID, context)
const dueAt = (row: MigrationRow) => (migrated(row).bookings as { due_at?: number }).due_at

describe('the due times of bookings of an earlier release', () => {
  test('exist exactly for the statuses with work left', () => {
    const due = STATUSES.filter((status) => dueAt(aRow({ status })) !== undefined)
    expect(due).toEqual(STATUSES.slice(0, STATUSES.indexOf('PAID')))
  })
  test('lie half an hour before a later booking', () => {
    const row = aRow({ bookLater: true, tripdate: NOON + DAY_MS })
    expect(dueAt(row)).toBe(NOON + DAY_MS - 30 * MINUTE)
  })
  test('have passed for a booking that became stuck while no job ran', () => {
    const row = aRow({ status: 'STARTED', bookingDate: NOON - DAY_MS, event_log: {} })
    expect(dueAt(row)).toBeLessThan(NOON)
  })
  test('have passed for a booking that waits for a driver, listed or not', () => {
    const stuck = { status: 'NEW', since: NOON - DAY_MS, found_at: NOON }
    for (const listed of [undefined, stuck])
      expect(dueAt(aRow({ bookingDate: NOON - DAY_MS, event_log: {} }, listed))).toBeLessThan(NOON)
  })
  test('are missing for a stuck booking that is listed', () => {
    const stuck = { status: 'STARTED', since: NOON - DAY_MS, found_at: NOON }
    const row = aRow({ status: 'STARTED', bookingDate: NOON - DAY_MS }, stuck)
    expect(migrated(row)).toEqual(row)
  })
  test('do not change when the migration processes a page again', () => {
    for (const status of STATUSES) {
      const once = migrated(aRow({ status }))
      expect(addDueTimes.apply(once, ID, { ...context, now: NOON + DAY_MS })).toEqual(once)
    }
  })
})

test('removes a stuck booking that has progressed from the list', () => {
  const stuck = { status: 'ARRIVED', since: NOON - DAY_MS, found_at: NOON }
  expect(migrated(aRow({ status: 'COMPLETE' }, stuck)).stuck_bookings).toBeNull()
})

test('leaves a list entry without a booking as it is', () => {
  const row = { bookings: null, stuck_bookings: { status: 'NEW', since: 1, found_at: 1 } }
  expect(migrated(row)).toEqual(row)
})
