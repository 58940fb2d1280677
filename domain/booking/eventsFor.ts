import type { Booking, Settings } from '../entities'
import type { Actor } from './change'
import { isFrom, isParty, isRoleFor, rolesIn } from './party'
import { BOOKING_EVENTS, type BookingEvent } from './transitions'

const isOffered = (
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
      return settings?.autoDispatch !== true
    case 'dispatch':
      return settings?.autoDispatch !== false
    default:
      return true
  }
}

/** The events this actor may do on this booking now: exactly the buttons to draw. Without a booking: who may create one. */
export const eventsFor = (
  booking: Booking | null,
  actor: Actor,
  settings?: Pick<Settings, 'autoDispatch'>,
): BookingEvent[] => {
  if (!booking) return isRoleFor('create', actor.role) ? ['create'] : []
  return BOOKING_EVENTS.filter(
    (event) =>
      isFrom(event, booking.status) &&
      rolesIn(event, booking.status).includes(actor.role) &&
      isParty(booking, event, actor) &&
      isOffered(booking, event, actor, settings),
  )
}
