import {
  getManualOffersEnd,
  isBookingExpired,
  isSearchDue,
  isStuck,
  LATER_DISPATCH_MINUTES,
} from './deadlines'
import type { PushMessage } from './eventTypes'
import { buildNotification } from '../messages/messageTable'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking } from './types'
import type { Settings } from '../catalog/types'

/** Returns the reminders of an upcoming later booking. `key` is stable, so each is sent once. */
export const buildReminders = (
  booking: Booking,
  now: number,
): (PushMessage & { key: string })[] => {
  const left = booking.tripdate - now
  const waits = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  if (!booking.bookLater || !waits || left <= 0 || left > LATER_DISPATCH_MINUTES * MINUTE_MS)
    return []
  const parties = [
    [booking.booking_type_admin ? 'guest' : 'rider', booking.customer],
    ['driver', booking.driver],
  ] as const
  return parties.flatMap(([audience, to]) => {
    if (to === undefined) return []
    const reminder = {
      to,
      ...buildNotification('reminder', audience),
      params: { minutes: Math.ceil(left / MINUTE_MS) },
      booking_id: booking.id,
      key: `${booking.id}-reminder`,
    }
    return [reminder]
  })
}

export interface MaintenanceTask {
  /** An event for the system to perform; `dispatch` still needs its drivers. */
  event?: 'expire' | 'dispatch'
  /** The drivers whose requests from the back office end without an answer. */
  unanswered: string[]
  reminders: (PushMessage & { key: string })[]
  isStuck: boolean
}

/** Returns everything the scheduled job has to do for one active booking now. */
export const planMaintenance = (
  booking: Booking,
  settings: Pick<Settings, 'autoDispatch' | 'dispatchSeconds' | 'requeueDeclined'>,
  now: number,
): MaintenanceTask => {
  const overdue = isBookingExpired(booking, now)
  const hasNoAnswer = now >= (getManualOffersEnd(booking, settings) ?? Infinity)
  const dispatches = isSearchDue(booking, settings, now)
  return {
    ...(overdue ? { event: 'expire' } : dispatches ? { event: 'dispatch' } : {}),
    unanswered: !overdue && hasNoAnswer ? Object.keys(booking.requestedDrivers ?? {}) : [],
    reminders: overdue ? [] : buildReminders(booking, now),
    isStuck: !overdue && isStuck(booking, now),
  }
}
