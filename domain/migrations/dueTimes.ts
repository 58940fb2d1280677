import { getDueTime } from '../booking/deadlines'
import type { RowChange, StoredRecord } from './migration'
import type { Booking, StuckBooking } from '../booking/types'

/**
 * Adds the due time to every booking that the scheduled job may have work with, and removes the
 * entries of stuck bookings that have progressed, which transitions now do themselves. A stuck
 * booking that is listed already has no work left, unless it still waits for a driver. Does not
 * depend on the present, so a resumed migration gives the same result.
 */
export const addDueTimes: RowChange = {
  collections: ['bookings', 'stuck_bookings'],
  apply: (row, id, { settings }) => {
    const stored = row.bookings as StoredRecord | null | undefined
    if (!stored) return row
    // A row of any release: older ones lack fields that the type has, which this code allows for.
    const booking = { ...stored, id } as unknown as Booking
    const stuck = row.stuck_bookings as StuckBooking | null | undefined
    const isListed = stuck?.status === booking.status
    const isSettled = isListed && booking.status !== 'NEW'
    const due_at = booking.due_at ?? (isSettled ? null : getDueTime(booking, settings, 0, 'event'))
    return {
      ...row,
      ...(due_at !== null && { bookings: { ...stored, due_at } }),
      ...(stuck && !isListed && { stuck_bookings: null }),
    }
  },
}
