import { BONUS_DROP_REASONS } from '~/domain/bonuses/bonusDecision'
import { PAYMENT_PROBLEMS } from '~/domain/payments/paymentAttempt'
import { SETTING_DEFINITIONS, type SettingDefinition } from '~/domain/catalog/settingDefinitions'
import { REVIEW_DECISIONS, STATUSES } from '~/domain/booking/types'

const SETTING_LABELS = Object.fromEntries(
  Object.entries<SettingDefinition>(SETTING_DEFINITIONS).flatMap(([name, { label }]) =>
    label === null ? [] : [[name, label]],
  ),
)

/**
 * The translation key of a field's label, by the field's name in the database: the one its form
 * uses.
 */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  // People.
  firstName: 'firstName',
  lastName: 'lastName',
  mobile: 'mobile',
  email: 'email',
  approved: 'approved',
  usertype: 'usertype',
  carType: 'car_type',
  vehicleMake: 'vehicle_make',
  vehicleModel: 'vehicle_model',
  vehicleNumber: 'vehicle_no',
  other_info: 'other_info',
  fleetadmin: 'fleetadmin',
  bankName: 'bank_name',
  bankCode: 'bank_code',
  bankAccount: 'bank_account',
  licenseImage: 'license_image',
  profile_image: 'profile_image',
  // Wallets and bookings.
  walletBalance: 'wallet_balance',
  amount: 'amount',
  note: 'wallet_note',
  driver: 'driver',
  customer: 'customer',
  uid: 'person',
  reason: 'reason',
  drop_reason: 'reason',
  role: 'usertype',
  position: 'approximate_position',
  status: 'status',
  processed: 'processed',
  pickup: 'pickup',
  drop: 'drop',
  waypoints: 'stops',
  tripdate: 'trip_date',
  deliveryPerson: 'deliveryPerson',
  deliveryPersonPhone: 'deliveryPersonPhone',
  pickUpInstructions: 'pickUpInstructions',
  deliveryInstructions: 'deliveryInstructions',
  trip_cost: 'trip_cost',
  decision: 'review_decision',
  credited: 'review_credited',
  rider_compensation: 'compensation_rider',
  driver_compensation: 'compensation_driver',
  lang: 'language',
  // Payments.
  problem: 'payment_problem',
  // Vehicle types.
  name: 'name',
  names: 'translated_names',
  image: 'picture',
  base_fare: 'base_fare',
  min_fare: 'min_fare',
  rate_per_hour: 'rate_per_hour',
  convenience_fees: 'convenience_fee',
  convenience_fee_type: 'convenience_fee_type',
  extra_info: 'extra_info',
  infos: 'translated_info',
  options: 'options',
  parcelTypes: 'parcel_types',
  cancelSlab: 'cancel_slabs',
  // Promos, reasons, languages, notifications.
  promo_name: 'promo_name',
  promo_description: 'description',
  promo_discount_type: 'discount_type',
  promo_discount_value: 'discount_value',
  promo_usage_limit: 'usage_limit',
  promo_validity: 'valid_until',
  max_promo_discount_value: 'max_discount',
  min_order: 'min_order',
  label: 'reason',
  langName: 'lang_name',
  langLocale: 'lang_locale',
  dateLocale: 'date_locale',
  title: 'title',
  body: 'body',
  devicetype: 'device_type',
  ...SETTING_LABELS,
  // Messages.
  address: 'operator_address',
  budget: 'message_budget',
  messagesOff: 'messages_off',
  operatorName: 'operator_name',
  priceEmail: 'price_email',
  priceSms: 'price_sms',
  priceWhatsapp: 'price_whatsapp',
  quietEnd: 'quiet_end',
  quietStart: 'quiet_start',
  taxNumber: 'tax_number',
  officeMobile: 'office_mobile',
  taxPercent: 'tax_percent',
}

/** Fields whose label contains the settings' unit of length. */
export const UNIT_LABELS: Readonly<Record<string, { km: string; miles: string }>> = {
  driverRadius: { km: 'driver_radius_km', miles: 'driver_radius_miles' },
  rate_per_unit_distance: { km: 'rate_per_km', miles: 'rate_per_mile' },
}

/** Fields whose value is the id of a person. */
export const PERSON_FIELDS: ReadonlySet<string> = new Set([
  'driver',
  'customer',
  'fleetadmin',
  'uid',
])

/** Fields whose value is an amount of money. */
export const MONEY_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'walletBalance',
  'base_fare',
  'min_fare',
  'rate_per_hour',
  'rate_per_unit_distance',
  'bonus',
  'min_order',
  'max_promo_discount_value',
  'trip_cost',
  'credited',
  'rider_compensation',
  'driver_compensation',
])

/** Fields whose value is a time, ms. */
export const TIME_FIELDS: ReadonlySet<string> = new Set(['promo_validity', 'tripdate'])

const FEE_TYPE_TEXTS = { flat: 'flat', percentage: 'percentage' }
const ROLE_TEXTS = { rider: 'rider', driver: 'driver', fleetadmin: 'fleetadmin', admin: 'admin' }

/** The translation key of each value of a field whose values are a few fixed words. */
export const VALUE_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: Object.fromEntries(STATUSES.map((status) => [status, `status_${status}`])),
  usertype: ROLE_TEXTS,
  role: ROLE_TEXTS,
  promo_discount_type: FEE_TYPE_TEXTS,
  convenience_fee_type: FEE_TYPE_TEXTS,
  dispatchMode: {
    nearest: 'dispatch_one_by_one',
    matched: 'dispatch_matched',
    broadcast: 'dispatch_all',
  },
  decision: Object.fromEntries(REVIEW_DECISIONS.map((one) => [one, `review_choice_${one}`])),
  drop_reason: Object.fromEntries(BONUS_DROP_REASONS.map((one) => [one, `bonus_dropped_${one}`])),
  problem: Object.fromEntries(PAYMENT_PROBLEMS.map((one) => [one, `payment_problem_${one}`])),
}
