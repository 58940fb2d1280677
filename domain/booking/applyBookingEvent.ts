import { domainError, type DomainError } from '../api/errors'
import { err, ok, type Result } from '../api/result'
import type { Actor, BookingChange, BookingError } from './eventTypes'
import { getDefinition } from './transitions'
import { resolveClientTime } from './trip/clientTime'
import { findPrevious, isAllowedFrom, isParty, isRoleAllowed } from './eventPermissions'
import type { ContextPart } from './eventContext'
import type { EventInput } from './eventInput'
import type { EventCause, TransitionArgs } from './eventArgs'
import { createBooking } from './events/create/run'
import { isSameCreation } from './events/create/creationRef'
import { EFFECTS } from './events/effects'
import type { Booking } from './types'

/** Checks the role and the status. The effects check everything else. */
const checkTransition = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
): DomainError | undefined => {
  const { event } = input
  if (!isRoleAllowed(event, actor.role) || !isParty(booking, event, actor))
    return domainError('not_allowed')
  // The compiler cannot see that both have the same event.
  const refused = getDefinition(event).findRefusal?.(booking, actor, input as never)
  if (refused) return refused
  return isAllowedFrom(event, booking.status)
    ? undefined
    : domainError('event_not_possible', undefined, { status: booking.status })
}

type AnyEffect = (
  args: TransitionArgs<ContextPart>,
  input: EventInput,
) => Result<BookingChange, BookingError>

const replay = (
  booking: Booking,
  entry: { status: Booking['status']; revision: number },
): BookingChange => ({
  updates: {},
  pushes: [],
  response: { booking_id: booking.id, status: entry.status, revision: entry.revision },
})

const createBookingOnce = (
  booking: Booking | null,
  input: Extract<EventInput, { event: 'create' }>,
  cause: EventCause<ContextPart>,
): Result<BookingChange, BookingError> => {
  const { actor } = cause
  if (actor.role === 'system') return err(domainError('not_allowed'))
  if (!booking) return createBooking(input, cause)
  const creationEntry = booking.event_log?.create
  if (creationEntry?.by !== actor.uid) return err(domainError('event_not_possible'))
  // Bookings of earlier releases have no digest, so any request with their id counts as a repeat.
  if (creationEntry.ref !== undefined && !isSameCreation(creationEntry.ref, input))
    return err(domainError('booking_exists', 'booking_id', { booking_id: booking.id }))
  const { response, ...nothing } = replay(booking, creationEntry)
  return ok({
    ...nothing,
    response: { ...response, estimate: booking.estimate, reference: booking.reference },
  })
}

/**
 * Applies one event by one actor according to the transition table. This is the only way to change
 * a booking. Returns all writes as one change, an empty change for a repeat by the same actor, or
 * the refusal. Pure: `context` is the data that the caller read (`needs` of the definition), `now`
 * is ms. Trip times use the event's own time; money, totals and locks use `now`.
 */
export const applyBookingEvent = (
  booking: Booking | null,
  input: EventInput,
  cause: EventCause<ContextPart>,
): Result<BookingChange, BookingError> => {
  const { actor, now } = cause
  if (input.event === 'create') return createBookingOnce(booking, input, cause)
  if (!booking) return err(domainError('not_found', 'booking_id'))
  const previousEntry = findPrevious(booking, input, actor)
  if (previousEntry) return ok(replay(booking, previousEntry))
  const refused = checkTransition(booking, input, actor)
  if (refused) return err(refused)
  // The compiler cannot see that both have the same event.
  const applyEffect = EFFECTS[input.event] as AnyEffect
  const occurredAt = resolveClientTime(booking, input, now)
  return applyEffect({ ...cause, booking, occurredAt }, input)
}
