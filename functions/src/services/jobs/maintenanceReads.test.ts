import { expect, it } from 'vitest'
import { aSettings } from '~/domain/testing/builders'
import { runMaintenance } from './maintenance'
import type { DatabasePort, Query } from '../../ports/database'
import { createProjectPorts, TEST_NOW } from '../../testing/testPorts'
import { buildLaterBookings, buildStuckBookings } from '../../testing/waitingBookings'
import type { Booking } from '~/domain/booking/types'

const COUNT = 10_000
const MAX_BYTES = 200_000

/**
 * Puts many bookings beside a small database, whose copies per write would take minutes with them.
 * Refuses every read of bookings but one by due time, and counts the bytes of all reads.
 */
const withManyBookings = (db: DatabasePort, bookings: readonly Booking[]) => {
  const sorted = bookings
    .flatMap((booking) => (booking.due_at === undefined ? [] : [{ at: booking.due_at, booking }]))
    .sort((a, b) => a.at - b.at || (a.booking.id < b.booking.id ? -1 : 1))
  let bytes = 0
  const count = <T>(value: T): T => {
    bytes += JSON.stringify(value).length
    return value
  }
  const listDue = ({ by, startAt = 0, endAt = 0, afterKey, afterValue, first }: Query) => {
    if (by !== 'due_at' || first === undefined) throw new Error(`Bookings were read by ${by}.`)
    const from = afterValue ?? Number(startAt)
    return sorted
      .filter(({ at }) => at >= Number(from) && at <= Number(endAt))
      .filter(({ at, booking }) => at !== afterValue || booking.id > (afterKey ?? ''))
      .slice(0, first)
      .map(({ booking }): [string, Booking] => [booking.id, booking])
  }
  const counted: DatabasePort = {
    ...db,
    read: async <T>(path: string) => count(await db.read<T>(path)),
    list: async <T>(path: string, query: Query) =>
      count(
        path === 'bookings' ? (listDue(query) as [string, T][]) : await db.list<T>(path, query),
      ),
  }
  return { counted, getBytes: () => bytes }
}

const settings = aSettings({ autoDispatch: true })

it('reads at most 200 kB in a minute with 10,000 stuck and 10,000 later bookings', async () => {
  const stuck = buildStuckBookings(COUNT, settings, TEST_NOW)
  const later = buildLaterBookings(COUNT, settings, TEST_NOW)
  const isDueNow = ({ due_at = Infinity }: Booking) => due_at <= TEST_NOW
  const due = stuck.filter(isDueNow)
  const given = createProjectPorts({
    settings,
    available_drivers: null,
    bookings: Object.fromEntries(due.map((one) => [one.id, one])),
    stuck_bookings: Object.fromEntries(
      due.map(({ id, status, bookingDate: since }) => [id, { status, since, found_at: since }]),
    ),
  })
  const { counted, getBytes } = withManyBookings(given.db, [...stuck, ...later])
  const swept = await runMaintenance({ ...given, db: counted }, TEST_NOW, () => true)
  expect(swept).toMatchObject({ isDone: true, stuck: [], expired: [] })
  expect(due.length).toBeGreaterThan(10)
  expect(due.length).toBeLessThan(100)
  // Each booking that was due is due again later.
  for (const { id } of due) expect(given.db.at(`bookings/${id}/due_at`)).toBeGreaterThan(TEST_NOW)
  expect(getBytes()).toBeLessThan(MAX_BYTES)
})
