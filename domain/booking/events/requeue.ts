import { getExcludedDrivers } from '../../dispatch'
import type { Booking, EventLogEntry, Settings } from '../../entities'
import type { Draft, TransitionArgs } from '../changeDraft'

/** Events that ask drivers: those of the back office, and the system's `dispatch`. */
const ASKING_EVENTS: readonly string[] = ['assign', 'release', 'dispatch']

/** Returns the log entry of the last event that asked drivers who can still answer. */
const findLastOffer = ({ event_log = {} }: Pick<Booking, 'event_log'>): EventLogEntry | undefined =>
  Object.values(event_log)
    .filter(({ event }) => ASKING_EVENTS.includes(event))
    .sort((a, b) => b.revision - a.revision)[0]

/** Returns true when this driver has the only open request, and the back office asked last. */
export const isLastOfOffice = (
  booking: Pick<Booking, 'requestedDrivers' | 'event_log'>,
  driver: string,
): boolean => {
  const requested = Object.keys(booking.requestedDrivers ?? {})
  return (
    requested.length === 1 &&
    requested[0] === driver &&
    findLastOffer(booking)?.event !== 'dispatch'
  )
}

/**
 * Returns true when a booking waits and no driver is asked to take it, because all of them declined
 * or released it. Automatic dispatch asks only drivers who come into reach later, so the
 * office may assign one by hand.
 */
export const isLeftToOffice = (
  booking: Pick<Booking, 'status' | 'requestedDrivers' | 'event_log' | 'requeued_at'>,
): boolean =>
  booking.status === 'NEW' &&
  Object.keys(booking.requestedDrivers ?? {}).length === 0 &&
  (booking.requeued_at !== undefined || getExcludedDrivers(booking).size > 0)

/**
 * Returns true when the end of this driver's request puts the booking first in the queue. With
 * automatic dispatch it stays there too, because other drivers can still be asked.
 */
export const isRequeued = (
  booking: Pick<Booking, 'requestedDrivers' | 'event_log'>,
  driver: string,
  { requeueDeclined, autoDispatch }: Pick<Settings, 'requeueDeclined' | 'autoDispatch'>,
): boolean => (requeueDeclined === true || autoDispatch) && isLastOfOffice(booking, driver)

/** Puts a booking that no asked driver took first in the queue and alerts the back office. */
export const requeueUnanswered = (draft: Draft, { booking, now }: TransitionArgs) => {
  draft.setFields({ requeued_at: now })
  draft.notifyOffice('booking_declined', { reference: booking.reference })
}
