import { createBooking } from '~/domain/api'
import { ANY_USER, forUsers } from '../definition'
import { MAPS_SECRETS } from '../maps/secrets'

/** Makes a booking at the price the server itself works out. */
export const create_booking = forUsers({
  name: 'create_booking',
  summary:
    'Makes a booking for the caller, or for `customer` when an admin calls. The same booking_id by the same caller gives the same answer and no second booking.',
  input: createBooking,
  allow: ANY_USER,
  limit: 120,
  answers: '{booking_id, status, revision, estimate}',
  refuses: [
    'user_issue_contact_admin',
    'profile_incomplete',
    'select_proper',
    'place_to_coords_error',
    'past_booking_error',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
    'incomplete_user',
    'estimate_changed',
    'not_allowed',
    'not_found',
    'changed_meanwhile',
  ],
  secrets: MAPS_SECRETS,
  fieldKeys: { pickup: 'select_proper', drop: 'select_proper', carType: 'select_proper' },
  handle: (input, { actor, bookings }) =>
    bookings.change(input.booking_id, { event: 'create', input }, actor),
})
