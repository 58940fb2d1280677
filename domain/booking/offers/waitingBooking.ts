import { getExcludedDrivers } from '../../dispatch/dispatch'
import { getDispatchStart } from '../deadlines'
import type { Actor } from '../eventTypes'
import type { Booking, EventLogEntry } from '../types'
import type { Settings } from '../../catalog/types'

/** Returns true when the actor has an open offer of the booking. */
export const isAsked = (
  { requestedDrivers }: Pick<Booking, 'requestedDrivers'>,
  { uid }: Actor,
): boolean => requestedDrivers?.[uid] === true

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

type WaitingBooking = Pick<
  Booking,
  | 'status'
  | 'requestedDrivers'
  | 'event_log'
  | 'requeued_at'
  | 'due_at'
  | 'bookLater'
  | 'tripdate'
  | 'bookingDate'
  | 'offers_from'
>

/**
 * Returns true when a booking waits and no driver is asked to take it, because all of them declined
 * or released it.
 */
export const isRefusedByAll = (booking: WaitingBooking): boolean =>
  booking.status === 'NEW' &&
  Object.keys(booking.requestedDrivers ?? {}).length === 0 &&
  (booking.requeued_at !== undefined || getExcludedDrivers(booking).size > 0)

/**
 * Returns true when automatic dispatch has searched since the last event and found no driver. Each
 * event makes the search due at once, and only a search without a result makes it due later.
 */
const isSearchDone = (booking: WaitingBooking): boolean => {
  const times = Object.values(booking.event_log ?? {}).map((one) => one.received_at ?? one.at)
  const { due_at = 0 } = booking
  return due_at > Math.max(getDispatchStart(booking), ...times)
}

/**
 * Returns true when all asked drivers refused a booking and no automatic offer follows, so that the
 * office may assign a driver by hand. Only a driver who comes into reach later is still asked.
 */
export const isLeftToOffice = (
  booking: WaitingBooking,
  { autoDispatch }: Pick<Settings, 'autoDispatch'>,
): boolean => isRefusedByAll(booking) && (!autoDispatch || isSearchDone(booking))

/**
 * Returns true when the end of this driver's request puts the booking first in the queue. With
 * automatic dispatch it stays there too, because other drivers can still be asked.
 */
export const isRequeued = (
  booking: Pick<Booking, 'requestedDrivers' | 'event_log'>,
  driver: string,
  { requeueDeclined, autoDispatch }: Pick<Settings, 'requeueDeclined' | 'autoDispatch'>,
): boolean => (requeueDeclined === true || autoDispatch) && isLastOfOffice(booking, driver)
