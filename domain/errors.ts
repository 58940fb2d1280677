/**
 * Every key of a refusal: first the common keys, then those specific to Kerbside. Each key is a
 * translation key; a test finds keys without a text.
 */
export const ERROR_KEYS = [
  // Common keys.
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
  // Keys specific to Kerbside.
  'bad_input',
  'not_allowed',
  'not_found',
  'too_many_requests',
  'too_many_bookings',
  'too_many_stops',
  'address_too_long',
  'same_place',
  'too_far_ahead',
  'unpaid_bookings',
  'estimate_changed',
  'booking_exists',
  'event_not_possible',
  'booking_taken',
  'not_requested',
  'driver_busy',
  'driver_asked',
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
  'refund_open',
  'already_set_up',
  'balance_owed',
  'balance_left',
  'changed_meanwhile',
  'maintenance',
  'schema_newer',
  'schema_older',
  'sign_in_not_offered',
  'not_configured',
  'busy_with_booking',
  'currency_in_use',
  'currency_kept',
  'not_a_rider',
  'series_empty',
  'series_ended',
  'series_trip_dropped',
  'too_many_series',
  'too_many_skipped',
] as const
export type ErrorKey = (typeof ERROR_KEYS)[number]

/**
 * The reason for a refusal. `field` names the input at fault; `params` fill the translated text.
 */
export interface DomainError {
  key: ErrorKey
  field?: string
  params?: Record<string, string | number>
}

export const domainError = (
  key: ErrorKey,
  field?: string,
  params?: DomainError['params'],
): DomainError => ({
  key,
  ...(field !== undefined && { field }),
  ...(params !== undefined && { params }),
})
