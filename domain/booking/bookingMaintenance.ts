import {
  getManualOffersEnd,
  isBookingExpired,
  isSearchDue,
  isStuck,
  LATER_DISPATCH_MINUTES,
} from './deadlines'
import type { PushMessage } from './eventTypes'
import { isWaitQuestionOpen } from './limits/waitLimit'
import { buildNotification } from '../messages/messageTable'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking } from './types'
import type { Settings } from '../catalog/types'

/** A message of the scheduled job. `key` is stable, so each is sent once. */
type Reminder = PushMessage & { key: string }

const getCustomerAudience = ({ booking_type_admin }: Pick<Booking, 'booking_type_admin'>) =>
  booking_type_admin ? 'guest' : 'rider'

/** Returns the question to a customer who has waited long for a driver. */
const buildWaitQuestion = (booking: Booking, now: number): Reminder[] =>
  isWaitQuestionOpen(booking, now)
    ? [
        {
          to: booking.customer,
          ...buildNotification('wait_question', getCustomerAudience(booking)),
          booking_id: booking.id,
          key: `${booking.id}-wait-${booking.wait_until}`,
        },
      ]
    : []

/** Returns the reminders of an upcoming later booking. */
export const buildReminders = (booking: Booking, now: number): Reminder[] => {
  const left = booking.tripdate - now
  const waits = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  if (!booking.bookLater || !waits || left <= 0 || left > LATER_DISPATCH_MINUTES * MINUTE_MS)
    return []
  const parties = [
    [getCustomerAudience(booking), booking.customer],
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
  reminders: Reminder[]
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
    reminders: overdue ? [] : [...buildReminders(booking, now), ...buildWaitQuestion(booking, now)],
    isStuck: !overdue && isStuck(booking, now),
  }
}
