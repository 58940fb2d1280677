import { freeReference } from '../booking/search/reference'
import type { Naming } from './migration'

/** Gives every booking the reference that it would get if it were created now. */
export const nameBookings: Naming = {
  over: 'bookings',
  field: 'reference',
  into: 'booking_refs',
  choose: freeReference,
}
