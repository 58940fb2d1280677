import type { Booking, Settings } from '../entities'
import type { Actor } from './eventTypes'
import { isLeftToOffice } from './events/requeue'
import { isAllowedFrom, isParty, isRoleAllowed } from './eventPermissions'
import { getCurrentStop } from './stops/bookingStops'
import { BOOKING_EVENTS, type BookingEvent } from './transitions'

/** Returns true while a flagged trip awaits a decision by the back office, from its end on. */
export const isReviewOpen = ({ status, distance_review: review }: Booking): boolean =>
  status !== 'STARTED' && review?.verdict === 'flagged' && review.decision === undefined

const isEventAvailable = (
  booking: Booking,
  event: BookingEvent,
  actor: Actor,
  settings: Pick<Settings, 'autoDispatch'> | undefined,
): boolean => {
  switch (event) {
    case 'accept':
    case 'decline':
      return booking.requestedDrivers?.[actor.uid] === true
    case 'assign':
      return settings?.autoDispatch !== true || isLeftToOffice(booking, settings)
    case 'dispatch':
      return settings?.autoDispatch !== false
    case 'withdraw':
      return booking.requestedDrivers !== undefined
    case 'arrive':
      return booking.follows === undefined
    case 'arrive_stop':
    case 'skip_stop':
      return getCurrentStop(booking)?.state === 'next'
    case 'leave_stop':
      return getCurrentStop(booking)?.state === 'reached'
    case 'review':
      return isReviewOpen(booking)
    default:
      return true
  }
}

/**
 * Returns the events this actor may perform on this booking now, which are exactly the buttons to
 * show. Without a booking, returns `create` for those who may book.
 */
export const getAvailableEvents = (
  booking: Booking | null,
  actor: Actor,
  settings?: Pick<Settings, 'autoDispatch'>,
): BookingEvent[] => {
  if (!booking) return isRoleAllowed('create', actor.role) ? ['create'] : []
  return BOOKING_EVENTS.filter(
    (event) =>
      isAllowedFrom(event, booking.status) &&
      isRoleAllowed(event, actor.role) &&
      isParty(booking, event, actor) &&
      isEventAvailable(booking, event, actor, settings),
  )
}
