import { isAllowedFrom, isParty, isRoleAllowed } from './eventPermissions'
import type { Actor } from './eventTypes'
import { BOOKING_EVENTS, getDefinition, type BookingEvent } from './transitions'
import type { Booking } from './types'
import type { Settings } from '../catalog/types'

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
      (getDefinition(event).isAvailable?.(booking, actor, settings) ?? true),
  )
}
