import { getAvailableEvents } from '~/domain/booking/availableEvents'
import type { Booking, Status } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/**
 * The statuses in which the back office may cancel; in later statuses, only the rider and the
 * driver can end the booking.
 */
const CANCELABLE_STATUSES: readonly Status[] = ['PAYMENT_PENDING', 'NEW', 'ACCEPTED']

/** Returns the actions that the table and the details offer to this user for this booking. */
export const getAllowedActions = (
  booking: Booking,
  profile: User | null,
  settings: Settings | null,
): Record<'assign' | 'amend' | 'release' | 'cancel' | 'compensate', boolean> => {
  if (profile?.usertype !== 'admin' || !settings)
    return { assign: false, amend: false, release: false, cancel: false, compensate: false }
  const events = getAvailableEvents(booking, { uid: profile.id, role: 'admin' }, settings)
  return {
    assign: events.includes('assign'),
    amend: events.includes('amend'),
    release: events.includes('release'),
    compensate: events.includes('compensate'),
    cancel: events.includes('cancel') && CANCELABLE_STATUSES.includes(booking.status),
  }
}
