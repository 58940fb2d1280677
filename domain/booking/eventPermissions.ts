import type { Booking, EventLogEntry, Status } from '../entities'
import type { Actor, EventInput } from './eventTypes'
import { TRANSITIONS, type BookingEvent } from './transitions'

/** Returns true when the table lets this role perform this event. */
export const isRoleAllowed = (event: BookingEvent, role: Actor['role']): boolean =>
  (TRANSITIONS[event].by as readonly string[]).includes(role)

/** Returns true when the table allows this event in this status. */
export const isAllowedFrom = (event: BookingEvent, status: Status): boolean =>
  (TRANSITIONS[event].from as readonly string[]).includes(status)

/**
 * Returns true when this actor is a party of the booking. The accept and decline effects check
 * drivers with an offer.
 */
export const isParty = (booking: Booking, event: BookingEvent, actor: Actor): boolean => {
  switch (actor.role) {
    case 'system':
    case 'admin':
      return true
    case 'rider':
      return booking.customer === actor.uid
    case 'driver':
      return event === 'accept' || event === 'decline' || booking.driver === actor.uid
    case 'fleetadmin':
      return false
  }
}

const listEntriesBy = (
  { event_log = {} }: Booking,
  event: BookingEvent,
  actor: Actor,
): EventLogEntry[] =>
  Object.values(event_log)
    .filter((entry) => entry.event === event && entry.by === actor.uid)
    .sort((a, b) => b.revision - a.revision)

const findLastEntryBy = (
  booking: Booking,
  event: BookingEvent,
  actor: Actor,
): EventLogEntry | undefined => listEntriesBy(booking, event, actor)[0]

/**
 * Returns the log entry of this event when the same actor already performed it and this is a repeat
 * (a double tap, a lost response); undefined when it is new.
 */
export const findPrevious = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
): EventLogEntry | undefined => {
  const { event } = input
  if (event === 'decline')
    return booking.requestedDrivers?.[actor.uid]
      ? undefined
      : findLastEntryBy(booking, event, actor)
  if (event === 'assign') {
    const has = booking.requestedDrivers?.[input.driver] || booking.driver === input.driver
    return has ? findLastEntryBy(booking, event, actor) : undefined
  }
  // While there is a driver to release, the event is new.
  if (event === 'release') {
    const { driver } = booking
    const isNew = actor.role === 'driver' ? driver === actor.uid : driver !== undefined
    return isNew ? undefined : findLastEntryBy(booking, event, actor)
  }
  // An earlier acceptance does not count after a release.
  if (event === 'accept' && booking.driver !== actor.uid) return undefined
  if (event === 'review')
    return booking.distance_review?.decision === input.decision
      ? findLastEntryBy(booking, event, actor)
      : undefined
  // A refund detects in the payment's own update that the money was refunded before. An amendment
  // compares the requested details with the stored ones.
  if (event === 'dispatch' || event === 'refund' || event === 'reinstate' || event === 'amend')
    return undefined
  // The driver passes each stop once, and other stops later.
  if ('index' in input)
    return listEntriesBy(booking, event, actor).find(({ ref }) => ref === String(input.index))
  if ('request_id' in input)
    return listEntriesBy(booking, event, actor).find(({ ref }) => ref === input.request_id)
  if (isAllowedFrom(event, booking.status)) return undefined
  const done = findLastEntryBy(booking, event, actor)
  const ref = event === 'pay' && 'payment' in input ? input.payment.id : undefined
  return event === 'reach' || done?.ref === ref ? done : undefined
}
