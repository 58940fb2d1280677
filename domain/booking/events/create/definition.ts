import type { CreateBookingInput } from '../../../api/inputs/bookings'
import type { OccurrenceToBook } from '../../../recurring/series'
import { defineEvent, inputType } from '../defineEvent'
import type { User } from '../../../accounts/types'

/** A rider books for themselves; an admin books for a rider, and the booking is NEW at once. */
export const create = defineEvent({
  from: ['none'],
  to: ['NEW', 'PAYMENT_PENDING'],
  by: ['rider', 'admin'],
  startsDispatch: () => true,
  ownInput: inputType<CreateEventInput>(),
  needs: [
    'carType',
    'customer',
    'openBookings',
    'freeActions',
    'debtLimit',
    'recurring',
    'route',
    'misplacedAddress',
    'isDriverNearby',
    'soonestPickup',
    'otp',
    'reference',
  ],
  errors: [
    'user_issue_contact_admin',
    'require_approval',
    'profile_incomplete',
    'incomplete_user',
    'too_many_bookings',
    'unpaid_bookings',
    'too_many_changes',
    'debt_limit',
    'select_proper',
    'address_too_long',
    'too_many_stops',
    'same_place',
    'place_to_coords_error',
    'address_elsewhere',
    'not_allowed',
    'past_booking_error',
    'too_far_ahead',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
    'estimate_changed',
    'booking_exists',
    'code_required',
    'changed_meanwhile',
  ],
})

export interface CreateEventInput {
  event: 'create'
  input: CreateBookingInput
  /** The profile of a caller whose number had none, written with the booking. */
  guest?: User | undefined
  /** The occurrence of a recurring booking, for which the scheduled job books. */
  occurrence?: OccurrenceToBook | undefined
}
