import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { resolveGuest } from '../../services/users/guests'
import { MAPS_SECRETS } from '../../deployment'

/** Creates a booking at the price that the server calculates. */
export const create_booking = defineUserEndpoint({
  name: 'create_booking',
  summary:
    'Creates a booking for the caller. An admin books for `customer`, or for a `guest`: a number without an account gets a rider who has the booking when they sign in with it, and the number of a rider means that rider. Repeating the request with the same booking_id returns the same response and creates no second booking; other details with that booking_id are refused with booking_exists.',
  allow: ALL_USER_TYPES,
  limit: 120,
  spends: ['maps', 'messages'],
  dailyLimit: 1000,
  needsFreshSignIn: false,
  errors: [
    'user_issue_contact_admin',
    'profile_incomplete',
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
    'past_booking_error',
    'too_far_ahead',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
    'incomplete_user',
    'estimate_changed',
    'booking_exists',
    'not_a_rider',
    'user_exists',
    'email_or_mobile_issue',
    'not_allowed',
    'not_found',
    'changed_meanwhile',
  ],
  secrets: MAPS_SECRETS,
  fieldErrors: { pickup: 'select_proper', drop: 'select_proper', carType: 'select_proper' },
  async handle({ guest: caller, ...input }, context) {
    const { actor, bookings } = context
    if (!caller) return bookings.applyEvent(input.booking_id, { event: 'create', input }, actor)
    if (actor.role !== 'admin') fail('not_allowed', 'guest')
    if (input.customer !== undefined) fail('bad_input', 'guest')
    const { customer, guest } = await resolveGuest(caller, context)
    const event = { event: 'create', input: { ...input, customer }, guest } as const
    return bookings.applyEvent(input.booking_id, event, actor)
  },
})
