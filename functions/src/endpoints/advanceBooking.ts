import { advanceBooking } from '~/domain/api'
import { ANY_USER, forUsers } from '../definition'
import { MAPS_SECRETS } from '../maps/secrets'

/** Does one event of the table to a booking. */
export const advance_booking = forUsers({
  name: 'advance_booking',
  summary:
    'Does one event to a booking. The same event by the same actor, once done, answers as the first time.',
  input: advanceBooking,
  allow: ANY_USER,
  limit: 240,
  answers: '{booking_id, status, revision}',
  refuses: [
    'not_found',
    'not_allowed',
    'event_not_possible',
    'booking_taken',
    'not_requested',
    'driver_busy',
    'driver_not_available',
    'driver_wallet_negative',
    'auto_dispatch_on',
    'code_required',
    'code_wrong',
    'code_locked',
    'image_required',
    'reason_required',
    'rating_invalid',
    'wallet_too_low',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
    'demo_mode',
    'changed_meanwhile',
  ],
  secrets: MAPS_SECRETS,
  fieldKeys: { reason: 'reason_required', rating: 'rating_invalid' },
  async handle({ booking_id, ...input }, { actor, bookings }) {
    const { status, revision } = await bookings.change(booking_id, input, actor)
    return { booking_id, status, revision }
  },
})
