import { getDueTime } from '~/domain/booking/deadlines'
import { aBooking, MINUTE } from '~/domain/testing/builders'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { Booking, Status } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const STUCK_STATUSES: Status[] = ['NEW', 'ARRIVED', 'STARTED', 'PENDING']

const createId = (kind: string, i: number) => `-O${kind}${String(i).padStart(17, '0')}`

/**
 * Returns bookings that have been in their status for a day, as they are after the scheduled job
 * ran for hours: their next due times are spread over the time until the job looks at them again,
 * and less than a hundredth is due at `now` (ms).
 */
export const buildStuckBookings = (count: number, settings: Settings, now: number): Booking[] =>
  Array.from({ length: count }, (_, i) => {
    const bookingDate = now - DAY_MS - i
    const booking = aBooking({
      id: createId('s', i),
      status: STUCK_STATUSES[i % STUCK_STATUSES.length] ?? 'NEW',
      bookingDate,
      tripdate: bookingDate,
      event_log: {},
    })
    const due = getDueTime(booking, settings, now, 'run')
    if (due === null) return booking
    return { ...booking, due_at: now + Math.round(((due - now) * i) / count) - MINUTE }
  })

/** Returns later bookings from a day after `now` (ms) on, one a minute, with their due times. */
export const buildLaterBookings = (count: number, settings: Settings, now: number): Booking[] =>
  Array.from({ length: count }, (_, i) => {
    const tripdate = now + DAY_MS + i * MINUTE
    const booking = aBooking({
      id: createId('t', i),
      bookLater: true,
      tripdate,
      bookingDate: now,
    })
    const due_at = getDueTime(booking, settings, now, 'event')
    if (due_at === null) throw new Error('A later booking has no due time. Check getDueTime.')
    return { ...booking, due_at }
  })
