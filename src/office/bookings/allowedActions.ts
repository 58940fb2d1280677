import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { type BookingEvent, getDefinition } from '~/domain/booking/transitions'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Returns the actions that the table and the details offer to this user for this booking. */
export const getAllowedActions = (
  booking: Booking,
  profile: User | null,
  settings: Settings | null,
): Record<'assign' | 'amend' | 'release' | 'cancel' | 'compensate', boolean> => {
  const events =
    profile?.usertype === 'admin' && settings
      ? getAvailableEvents(booking, { uid: profile.id, role: 'admin' }, settings)
      : []
  const isAllowed = (event: BookingEvent) =>
    events.includes(event) && (getDefinition(event).officeFrom?.includes(booking.status) ?? true)
  return {
    assign: isAllowed('assign'),
    amend: isAllowed('amend'),
    release: isAllowed('release'),
    compensate: isAllowed('compensate'),
    cancel: isAllowed('cancel'),
  }
}
