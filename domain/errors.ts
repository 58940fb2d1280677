/**
 * Every key a refusal can carry. The first group is the specification's error catalogue (section 8),
 * the second is ours. Each key is a translation key; `test` finds one without a text.
 */
export const ERROR_KEYS = [
  // The specification's catalogue.
  'must_login',
  'user_issue_contact_admin',
  'profile_incomplete',
  'select_proper',
  'place_to_coords_error',
  'past_booking_error',
  'no_driver_found_alert_messege',
  'deliveryDetailMissing',
  'incomplete_user',
  'otp_validate_error',
  'login_error',
  'require_approval',
  'proper_email',
  'demo_mode',
  'user_exists',
  'email_or_mobile_issue',
  'not_valid_user_type',
  'phone_no_update',
  'google_places_error',
  'location_fetch_error',
  'update_failed',
  'proper_bonus',
  'no_details_error',
  'allow_location',
  'json_error',
  'cannot_delete_default_language',
  'no_route_found',
  'no_user_match',
  // Ours.
  'bad_input',
  'not_allowed',
  'not_found',
  'too_many_requests',
  'estimate_changed',
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
  'payment_mismatch',
  'withdraw_too_much',
  'already_processed',
  'cancel_first',
  'already_set_up',
  'changed_meanwhile',
] as const
export type ErrorKey = (typeof ERROR_KEYS)[number]

/** Why something was not done. `field` names the input at fault, `params` fill the translated text. */
export interface Refusal {
  key: ErrorKey
  field?: string
  params?: Record<string, string | number>
}

export const refusal = (key: ErrorKey, field?: string, params?: Refusal['params']): Refusal => ({
  key,
  ...(field !== undefined && { field }),
  ...(params !== undefined && { params }),
})
