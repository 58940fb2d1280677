import { SENT_EVENTS } from '~/domain/booking/events/inputs'
import { listErrors } from '~/domain/booking/transitions'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { MAPS_SECRETS } from '../../deployment'
import { assertOwnBookingImages } from '../../services/users/imageLinks'

/** Applies one event of the transition table to a booking. */
export const advance_booking = defineUserEndpoint({
  name: 'advance_booking',
  summary:
    'Applies one event to a booking. Repeating an event by the same actor returns the first response. `amend` changes only the given fields; without `estimateFare` only when the price does not rise. Evidence is a download link of a picture that the driver has uploaded to our bucket at `bookings/{booking_id}/{driver}/`.',
  allow: ALL_USER_TYPES,
  limit: 240,
  spends: ['maps', 'messages'],
  dailyLimit: 5000,
  needsFreshSignIn: false,
  errors: listErrors(SENT_EVENTS),
  secrets: MAPS_SECRETS,
  fieldErrors: { reason: 'reason_required', rating: 'rating_invalid' },
  async handle({ booking_id, ...input }, { actor, bookings, config, files }) {
    if ('pickup_image' in input || 'deliver_image' in input)
      await assertOwnBookingImages(input, booking_id, actor.uid, { config, files })
    const { status, revision } = await bookings.applyEvent(booking_id, input, actor)
    return { booking_id, status, revision }
  },
})
