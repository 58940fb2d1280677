import type { EventInput } from './eventInput'
import type { Actor } from './eventTypes'
import { getDefinition, type BookingEvent } from './transitions'
import type { Booking, EventLogEntry, Status } from './types'

/** Returns true when the table lets this role perform this event. */
export const isRoleAllowed = (event: BookingEvent, role: Actor['role']): boolean =>
  getDefinition(event).by.includes(role)

/** Returns true when the table allows this event in this status. */
export const isAllowedFrom = (event: BookingEvent, status: Status): boolean =>
  getDefinition(event).from.includes(status)

/**
 * Returns true when this actor is a party of the booking. The effects check drivers with an offer.
 */
export const isParty = (booking: Booking, event: BookingEvent, actor: Actor): boolean => {
  switch (actor.role) {
    case 'system':
    case 'admin':
      return true
    case 'rider':
      return booking.customer === actor.uid
    case 'driver':
      return getDefinition(event).isForAskedDrivers === true || booking.driver === actor.uid
    case 'fleetadmin':
      return false
  }
}

/** Returns the entries of an event by this actor, the newest first. */
const listEntriesBy = (
  { event_log = {} }: Partial<Pick<Booking, 'event_log'>>,
  event: BookingEvent,
  actor: Actor,
): EventLogEntry[] =>
  Object.values(event_log)
    .filter((entry) => entry.event === event && entry.by === actor.uid)
    .sort((a, b) => b.revision - a.revision)

/**
 * Returns the entry of a step that the office has recorded for the driver who has the booking.
 * Entries before their acceptance are those of an earlier driver.
 */
const findOfficeEntry = (
  { event_log = {} }: Booking,
  event: BookingEvent,
  actor: Actor,
): EventLogEntry | undefined => {
  if (!getDefinition(event).isTripStep || actor.role !== 'driver') return undefined
  const entries = Object.values(event_log)
  const [accepted] = listEntriesBy({ event_log }, 'accept', actor)
  return entries.find(
    (entry) =>
      entry.event === event && accepted !== undefined && entry.revision > accepted.revision,
  )
}

/**
 * Returns the log entry of this event when the same actor already performed it and this is a repeat
 * (a double tap, a lost response) or the office has recorded it; undefined when it is new.
 */
export const findPrevious = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
): EventLogEntry | undefined => {
  const { event } = input
  const { by, findRepeat, mayFormerDriverRepeat } = getDefinition(event)
  if (!by.includes(actor.role)) return undefined
  if (!mayFormerDriverRepeat && !isParty(booking, event, actor)) return undefined
  const entries = listEntriesBy(booking, event, actor)
  // The compiler cannot see that both have the same event.
  if (findRepeat) return findRepeat(entries, input as never, booking, actor)
  if (isAllowedFrom(event, booking.status)) return undefined
  return entries[0] ?? findOfficeEntry(booking, event, actor)
}
