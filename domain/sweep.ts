import { isOverdue } from './booking/cancelling'
import { rolesIn } from './booking/party'
import { TRANSITIONS, BOOKING_EVENTS, type BookingEvent } from './booking/transitions'
import type { Push } from './booking/change'
import { pushText } from './booking/pushes'
import type { Booking, Settings, Status, UserType } from './entities'

const MINUTE = 60_000
/** A later booking's driver is looked for so long before its time, and its parties are reminded. */
const LATER_AHEAD_MINUTES = 30

/** How long a booking may stay in a status before somebody should look at it, in minutes. */
export const STUCK_MINUTES: Partial<Record<Status, number>> = {
  NEW: 15,
  ACCEPTED: 60,
  ARRIVED: 60,
  STARTED: 240,
  REACHED: 30,
  PENDING: 24 * 60,
}

/** Whether a booking's drivers are to be looked for now: at once, or half an hour before a later one. */
export const isDispatchDue = (
  booking: Pick<Booking, 'status' | 'bookLater' | 'tripdate'>,
  now: number,
): boolean =>
  booking.status === 'NEW' &&
  (!booking.bookLater || now >= booking.tripdate - LATER_AHEAD_MINUTES * MINUTE)

/** Reminders of a later booking that is near; `key` is the same each time, so each is sent once. */
export const remindersOf = (booking: Booking, now: number): (Push & { key: string })[] => {
  const left = booking.tripdate - now
  const waits = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  if (!booking.bookLater || !waits || left <= 0 || left > LATER_AHEAD_MINUTES * MINUTE) return []
  return [booking.customer, booking.driver]
    .filter((uid) => uid !== undefined)
    .map((to) => ({
      to,
      ...pushText('reminder'),
      params: { minutes: Math.ceil(left / MINUTE) },
      screen: 'BookedCab' as const,
      booking_id: booking.id,
      key: `${booking.id}-reminder`,
    }))
}

/** When the booking came into the status it is in, ms. A later one counts from its time on. */
export const inStatusSince = (booking: Booking): number => {
  const last = Object.values(booking.event_log ?? {})
    .filter(({ status }) => status === booking.status)
    .sort((a, b) => a.revision - b.revision)[0]
  const since = last?.at ?? booking.bookingDate
  const waitsForItsTime = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  return booking.bookLater && waitsForItsTime ? Math.max(since, booking.tripdate) : since
}

/** Whether a booking has been in its status too long. */
export const isStuck = (booking: Booking, now: number): boolean => {
  const most = STUCK_MINUTES[booking.status]
  return most !== undefined && now - inStatusSince(booking) > most * MINUTE
}

/** The legal ways out of a status, and who can go them: what an admin is shown for a stuck booking. */
export const waysOut = (
  status: Status,
): { event: BookingEvent; by: readonly (UserType | 'system')[] }[] =>
  BOOKING_EVENTS.filter((event) =>
    (TRANSITIONS[event].from as readonly string[]).includes(status),
  ).map((event) => ({ event, by: rolesIn(event, status) }))

export interface SweepTask {
  /** An event for the system to do; `dispatch` still needs its drivers. */
  event?: 'expire' | 'dispatch'
  reminders: (Push & { key: string })[]
  stuck: boolean
}

/** All that the sweep has to do about one active booking now. */
export const sweepTask = (
  booking: Booking,
  settings: Pick<Settings, 'autoDispatch'>,
  now: number,
): SweepTask => {
  const overdue = isOverdue(booking, now)
  const dispatches = settings.autoDispatch && isDispatchDue(booking, now)
  return {
    ...(overdue ? { event: 'expire' } : dispatches ? { event: 'dispatch' } : {}),
    reminders: overdue ? [] : remindersOf(booking, now),
    stuck: !overdue && isStuck(booking, now),
  }
}
