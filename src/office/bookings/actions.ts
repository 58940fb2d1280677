import type { Booking, Settings, Status, User } from '~/domain/entities'
import { eventsFor } from '~/domain/booking/eventsFor'

/** The back office cancels only these (specification 4); afterwards it is between rider and driver. */
const CANCELLABLE: readonly Status[] = ['PAYMENT_PENDING', 'NEW', 'ACCEPTED']

/** What the table and the detail offer on this booking to this person. */
export const officeActions = (
  booking: Booking,
  profile: User | null,
  settings: Settings | null,
): { assign: boolean; cancel: boolean } => {
  if (profile?.usertype !== 'admin' || !settings) return { assign: false, cancel: false }
  const events = eventsFor(booking, { uid: profile.id, role: 'admin' }, settings)
  return {
    assign: events.includes('assign'),
    cancel: events.includes('cancel') && CANCELLABLE.includes(booking.status),
  }
}
