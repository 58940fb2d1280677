import { listErrors } from '~/domain/booking/transitions'
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
    ...listErrors(['create']),
    // Of a guest's profile.
    'not_a_rider',
    'user_exists',
    'email_or_mobile_issue',
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
