import { ALL_USER_TYPES, defineUserEndpoint } from '../http/endpointTypes'
import { MAPS_SECRETS } from '../maps/secrets'
import { assertOwnBookingImages } from '../users/imageLinks'

/** Applies one event of the transition table to a booking. */
export const advance_booking = defineUserEndpoint({
  name: 'advance_booking',
  summary:
    'Applies one event to a booking. Repeating an event by the same actor returns the first response. `amend` changes only the given fields; without `estimateFare` only when the price does not rise. Evidence is a download link of a picture that the driver has uploaded to our bucket at `bookings/{booking_id}/{driver}/`.',
  allow: ALL_USER_TYPES,
  limit: 240,
  errors: [
    'not_found',
    'not_allowed',
    'event_not_possible',
    'booking_taken',
    'not_requested',
    'driver_busy',
    'driver_asked',
    'driver_not_available',
    'driver_wallet_negative',
    'auto_dispatch_on',
    'estimate_changed',
    'too_many_changes',
    'select_proper',
    'address_too_long',
    'too_many_stops',
    'same_place',
    'stop_not_next',
    'stop_passed',
    'place_to_coords_error',
    'past_booking_error',
    'too_far_ahead',
    'no_driver_found_alert_messege',
    'deliveryDetailMissing',
    'code_required',
    'code_wrong',
    'code_locked',
    'image_required',
    'too_many_files',
    'reason_required',
    'rating_invalid',
    'wallet_too_low',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
    'already_processed',
    'demo_mode',
    'changed_meanwhile',
    'refund_open',
    'no_details_error',
    'compensation_too_much',
    'tip_too_late',
    'tip_too_much',
    'payment_mismatch',
  ],
  secrets: MAPS_SECRETS,
  fieldErrors: { reason: 'reason_required', rating: 'rating_invalid' },
  async handle({ booking_id, ...input }, { actor, bookings, config, files }) {
    if (input.event === 'start' || input.event === 'reach')
      await assertOwnBookingImages(input, booking_id, actor.uid, { config, files })
    const { status, revision } = await bookings.applyEvent(booking_id, input, actor)
    return { booking_id, status, revision }
  },
})
