import type { Booking, EventLogEntry, Status } from '../entities'
import type { Actor, EventInput } from './change'
import { TRANSITIONS, type BookingEvent } from './transitions'

/** Whether the table lets this role do this event. */
export const isRoleFor = (event: BookingEvent, role: Actor['role']): boolean =>
  (TRANSITIONS[event].by as readonly string[]).includes(role)

/** Whether the table lets this event happen in this status. */
export const isFrom = (event: BookingEvent, status: Status): boolean =>
  (TRANSITIONS[event].from as readonly string[]).includes(status)

/** The roles that may do this event in this status: the table's, but a driver cancels from ACCEPTED on; before, he declines. */
export const rolesIn = (event: BookingEvent, status: Status): readonly Actor['role'][] => {
  const { by }: { by: readonly Actor['role'][] } = TRANSITIONS[event]
  const isBeforeDriver = status === 'PAYMENT_PENDING' || status === 'NEW'
  return event === 'cancel' && isBeforeDriver ? by.filter((role) => role !== 'driver') : by
}

/** Whether the booking is this actor's to act on. Requested drivers are asked by accept and decline themselves. */
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

const lastBy = (
  { event_log = {} }: Booking,
  event: BookingEvent,
  actor: Actor,
): EventLogEntry | undefined =>
  Object.values(event_log)
    .filter((entry) => entry.event === event && entry.by === actor.uid)
    .sort((a, b) => b.revision - a.revision)[0]

/**
 * What this event left behind when the same actor already did it and this is only a repeat (a doubled tap, a
 * lost answer); undefined when it is to be done now.
 */
export const doneBefore = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
): EventLogEntry | undefined => {
  const { event } = input
  if (event === 'decline')
    return booking.requestedDrivers?.[actor.uid] ? undefined : lastBy(booking, event, actor)
  if (event === 'assign') {
    const has = booking.requestedDrivers?.[input.driver] || booking.driver === input.driver
    return has ? lastBy(booking, event, actor) : undefined
  }
  if (event === 'dispatch' || isFrom(event, booking.status)) return undefined
  const done = lastBy(booking, event, actor)
  const ref = event === 'pay' && 'payment' in input ? input.payment.id : undefined
  return done?.ref === ref ? done : undefined
}
