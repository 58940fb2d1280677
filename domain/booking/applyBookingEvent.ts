import type { Booking } from '../entities'
import { domainError, type DomainError } from '../errors'
import { err, ok, type Result } from '../result'
import { amendBooking } from './amendment/amendBooking'
import { cancelBooking, expireBooking } from './cancellation'
import type { Actor, BookingError, BookingChange, EventInput, EventContext } from './eventTypes'
import { createBooking, isSameCreation } from './bookingCreation'
import { acceptOffer, declineOffer, offerToDrivers, withdraw } from './driverOffers'
import type { TransitionArgs } from './changeDraft'
import { assignDriver } from './events/assign'
import { compensateBooking } from './events/compensate'
import { releaseBooking } from './events/release'
import { tipDriver } from './events/tip'
import { arriveAtPickup, finishTrip, arriveAtDrop, startTrip } from './tripEvents'
import { resolveClientTime } from './clientTime'
import { findPrevious, isAllowedFrom, isParty, isRoleAllowed } from './eventPermissions'
import { collectCash, payBooking } from './payment'
import { rateDriver } from './rating'
import { refundCardPayment, reinstateCardPayment } from './cardRefund'
import { reviewFare } from './fareReview'
import { passStop } from './stops/stopEvents'

/** Checks the role and the status. The effects check everything else. */
const checkTransition = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
): DomainError | undefined => {
  const { event } = input
  if (!isRoleAllowed(event, actor.role) || !isParty(booking, event, actor))
    return domainError('not_allowed')
  // A card payment counts only in a provider's verified webhook, and such a webhook carries nothing
  // else.
  if (event === 'pay' && (actor.role === 'system') !== 'payment' in input)
    return domainError('not_allowed')
  // The driver finishes another booking first.
  if (event === 'arrive' && booking.follows !== undefined) return domainError('driver_busy')
  if (isAllowedFrom(event, booking.status)) return undefined
  const lost = event === 'accept' && booking.driver !== undefined && booking.driver !== actor.uid
  return domainError(lost ? 'booking_taken' : 'event_not_possible', undefined, {
    status: booking.status,
  })
}

const runEvent = (step: TransitionArgs, input: EventInput): Result<BookingChange, BookingError> => {
  switch (input.event) {
    case 'create':
      return err(domainError('event_not_possible'))
    case 'pay':
      return payBooking(step, input)
    case 'amend':
      return amendBooking(step, input)
    case 'dispatch':
      return offerToDrivers(step, input)
    case 'assign':
      return assignDriver(step, input)
    case 'accept':
      return acceptOffer(step)
    case 'decline':
      return declineOffer(step)
    case 'withdraw':
      return withdraw(step, input)
    case 'release':
      return releaseBooking(step, input)
    case 'arrive':
      return arriveAtPickup(step, input)
    case 'start':
      return startTrip(step, input)
    case 'arrive_stop':
    case 'leave_stop':
    case 'skip_stop':
      return passStop(step, input)
    case 'reach':
      return arriveAtDrop(step, input)
    case 'finish':
      return finishTrip(step)
    case 'collect':
      return collectCash(step)
    case 'rate':
      return rateDriver(step, input)
    case 'refund':
      return refundCardPayment(step, input)
    case 'reinstate':
      return reinstateCardPayment(step, input)
    case 'cancel':
      return cancelBooking(step, input)
    case 'expire':
      return expireBooking(step)
    case 'review':
      return reviewFare(step, input)
    case 'compensate':
      return compensateBooking(step, input)
    case 'tip':
      return tipDriver(step, input)
  }
}

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
  actor: Actor,
  context: EventContext,
  now: number,
): Result<BookingChange, BookingError> => {
  if (actor.role === 'system') return err(domainError('not_allowed'))
  if (!booking) return createBooking(input, actor, context, now)
  const made = booking.event_log?.create
  if (made?.by !== actor.uid) return err(domainError('event_not_possible'))
  // Bookings of earlier releases have no digest, so any request with their id counts as a repeat.
  if (made.ref !== undefined && !isSameCreation(made.ref, input))
    return err(domainError('booking_exists', 'booking_id', { booking_id: booking.id }))
  const { response, ...nothing } = replay(booking, made)
  return ok({
    ...nothing,
    response: { ...response, estimate: booking.estimate, reference: booking.reference },
  })
}

/**
 * Applies one event by one actor according to the transition table. This is the only way to change
 * a booking. Returns all writes as one change, an empty change for a repeat by the same actor, or
 * the refusal. Pure: `context` is the data that the caller read (see `requiredContext`), `now` is
 * ms. Trip times use the event's own time; money, totals and locks use `now`.
 */
export const applyBookingEvent = (
  booking: Booking | null,
  input: EventInput,
  actor: Actor,
  context: EventContext,
  now: number,
): Result<BookingChange, BookingError> => {
  if (input.event === 'create') return createBookingOnce(booking, input, actor, context, now)
  if (!booking) return err(domainError('not_found', 'booking_id'))
  // After a release, its driver is no party of the booking, but may repeat the request.
  const mayRepeat =
    isRoleAllowed(input.event, actor.role) &&
    (input.event === 'release' || isParty(booking, input.event, actor))
  const done = mayRepeat ? findPrevious(booking, input, actor) : undefined
  if (done) return ok(replay(booking, done))
  const refused = checkTransition(booking, input, actor)
  return refused
    ? err(refused)
    : runEvent(
        {
          booking,
          actor,
          context,
          now,
          occurredAt: resolveClientTime(booking, input, now),
        },
        input,
      )
}
