/** The specification's entities (section 3), field by field. `…At` and dates are ms since 1970 unless said otherwise. */

export const USER_TYPES = ['rider', 'driver', 'fleetadmin', 'admin'] as const
export type UserType = (typeof USER_TYPES)[number]

export const STATUSES = [
  'PAYMENT_PENDING',
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
  'CANCELLED',
] as const
export type Status = (typeof STATUSES)[number]

/** A booking that still asks something of somebody (specification 4). */
export const ACTIVE_STATUSES: readonly Status[] = STATUSES.filter(
  (s) => s !== 'COMPLETE' && s !== 'CANCELLED',
)
/** The statuses in which a driver's booking is tracked (specification 4). */
export const TRACKED_STATUSES = ['ACCEPTED', 'ARRIVED', 'STARTED'] as const satisfies Status[]

export interface LatLng {
  lat: number
  lng: number
}
/** A point with its address text. */
export interface Place extends LatLng {
  add: string
}
export interface SavedAddress extends LatLng {
  description: string
  count: number
}
export interface WalletEntry {
  type: 'Credit' | 'Debit' | 'Withdraw'
  /** Always positive; `type` says the direction. */
  amount: number
  date: number
  txRef: string
}
interface Ratings {
  userrating: number
  /** How many `details` there are: two ratings at once can't both be the next. */
  count?: number
  details: Record<string, { user: string; rate: number }>
}
export interface User {
  id: string
  usertype: UserType
  firstName: string
  lastName: string
  mobile: string
  email: string
  /** ISO string. */
  createdAt: string
  createdByAdmin?: boolean
  approved: boolean
  walletBalance: number
  /** The referrer's uid. */
  signupViaReferral?: string
  /** Set with the referral bonus, at the first paid booking: it is given once. */
  referralRewarded?: boolean
  referralId?: string
  loginType?: 'facebook' | 'apple' | 'google'
  pushToken?: string
  userPlatform?: 'ANDROID' | 'IOS' | 'WEB'
  profile_image?: string
  lang?: { langLocale: string; dateLocale: string }
  bankName?: string
  bankCode?: string
  bankAccount?: string
  savedAddresses?: Record<string, SavedAddress>
  walletHistory?: Record<string, WalletEntry>
  notifications?: Record<string, unknown>
  // Drivers only.
  vehicleMake?: string
  vehicleModel?: string
  vehicleNumber?: string
  other_info?: string
  /** The car type's id. */
  carType?: string
  driverActiveStatus?: boolean
  licenseImage?: string
  ratings?: Ratings
  /** True while the driver is busy with a booking. */
  queue?: boolean
  location?: LatLng
  /** Owner's uid. */
  fleetadmin?: string
}

/** What the office finds people by, and calls them; kept at people/{uid} beside the record, which grows. */
export const LISTED = [
  'usertype',
  'fleetadmin',
  'firstName',
  'lastName',
  'mobile',
  'email',
  'createdAt',
  'referralId',
  'vehicleNumber',
] as const satisfies (keyof User)[]
export type ListedPerson = Pick<User, (typeof LISTED)[number]>

export interface ChoiceOption {
  description: string
  amount: number
}
export interface CancelSlab {
  minsDelayed: number
  amount: number
}
export const FEE_TYPES = ['flat', 'percentage'] as const
type FeeType = (typeof FEE_TYPES)[number]
export interface CarType {
  id: string
  name: string
  image?: string
  base_fare: number
  rate_per_unit_distance: number
  rate_per_hour: number
  min_fare: number
  convenience_fees: number
  convenience_fee_type: FeeType
  extra_info?: string
  createdAt?: number
  parcelTypes?: ChoiceOption[]
  options?: ChoiceOption[]
  cancelSlab?: CancelSlab[]
}
export interface Promo {
  id: string
  promo_name: string
  promo_description: string
  promo_discount_type: FeeType
  promo_discount_value: number
  max_promo_discount_value: number
  min_order: number
  promo_validity: number
  promo_usage_limit: number
  user_avail?: number
  createdAt?: number
}
export interface CancelReason {
  label: string
  value: number
}

export interface Settings {
  appName: string
  CompanyName: string
  CompanyWebsite: string
  CompanyTerms: string
  contact_email: string
  FacebookHandle?: string
  TwitterHandle?: string
  InstagramHandle?: string
  AppleStoreLink?: string
  PlayStoreLink?: string
  /** The country's label. */
  country: string
  /** The country's two-letter code. */
  restrictCountry: string
  symbol: string
  swipe_symbol: boolean
  /** ISO 4217. */
  code: string
  decimal: number
  convert_to_mile: boolean
  otp_secure: boolean
  driver_approval: boolean
  bonus: number
  walletMoneyField?: string
  AllowCountrySelection: boolean
  CarHornRepeat: boolean
  AllowDeliveryPickupImageCapture: boolean
  AllowFinalDeliveryImageCapture: boolean
  RiderWithDraw: boolean
  horizontal_view: boolean
  showLiveRoute: boolean
  /** Kilometres, or miles with convert_to_mile. */
  driverRadius: number
  autoDispatch: boolean
  negativeBalance: boolean
  bank_fields: boolean
  panic?: string
  AllowCriticalEditsAdmin: boolean
  FacebookLoginEnabled: boolean
  appcat: 'taxi' | 'delivery'
  /** IANA name; days and months of every report follow it. */
  timezone: string
  /** How autoDispatch asks: the nearest driver, then the next; or all in reach at once. Default 'all'. */
  dispatchMode?: 'one_by_one' | 'all'
  /** How long a wave of requests waits for an answer; default 30. */
  dispatchSeconds?: number
}

export interface FareLine {
  /** A translation key, such as 'fare_distance'. */
  label: string
  amount: number
}
/** One entry of the append-only explanation of a booking's price. */
export interface FareHistoryEntry {
  kind: 'estimate' | 'revision' | 'final' | 'cancellation'
  at: number
  cause: string
  lines: FareLine[]
  total: number
}
/** What a transition left behind: the timeline on screen, and the answer to a repeat of the same event. */
export interface EventLogEntry {
  event: string
  by: string
  /** When it happened, ms. */
  at: number
  /** When the server heard of it, ms, where its driver said that it had happened before. */
  received_at?: number
  status: Status
  revision: number
  /** The payment that did it: a second payment is not a repeat of the first. */
  ref?: string
}
export const PAYMENT_MODES = ['cash', 'card', 'wallet'] as const
export type PaymentMode = (typeof PAYMENT_MODES)[number]
export interface PaymentPacket {
  appcat: Settings['appcat']
  payment_mode: PaymentMode
  customer_paid: number
  discount_amount: number
  usedWalletMoney: number
  cardPaymentAmount: number
  cashPaymentAmount: number
  payableAmount: number
  promo_applied: boolean
  promo_details: { id: string; promo_name: string } | null
}
export interface Booking {
  id: string
  booking_id: string
  /** Rises by one with every change; the database refuses anything else. */
  revision: number
  status: Status
  /** The car type's name, as the specification shows it; `carTypeId` is its key. */
  carType: string
  carTypeId: string
  carImage?: string
  customer: string
  customer_email: string
  customer_name: string
  customer_contact: string
  customer_token?: string
  customer_image?: string
  pickup: Place
  drop: Place
  pickupAddress: string
  dropAddress: string
  estimate: number
  /** In km, or miles with convert_to_mile, like `distance`. */
  estimateDistance: number
  distance: number
  /** Seconds. */
  estimateTime: number
  bookLater: boolean
  tripdate: number
  bookingDate: number
  /** True when a code guards the start; the number itself is at booking_otps/{id}. The client layer puts it here for who may see it. */
  otp: boolean | number
  booking_type_admin: boolean
  coords: LatLng[]
  waypoints?: Place[]
  trip_cost: number
  convenience_fees: number
  driver_share: number
  paymentPacket?: PaymentPacket
  requestedDrivers?: Record<string, true>
  /** When each driver was last asked (ms): waves are timed by it, and no one is asked twice too soon. */
  askedDrivers?: Record<string, number>
  driver?: string
  driver_name?: string
  driver_image?: string
  driver_contact?: string
  driver_token?: string
  vehicle_number?: string
  driverRating?: number
  fleetadmin?: string
  accepted_at?: number
  driver_arrive_time?: number
  /** Clock time in the settings' time zone, HH:MM:SS. */
  trip_start_time?: string
  startTime?: number
  /** Clock time in the settings' time zone, HH:MM:SS. */
  trip_end_time?: string
  endTime?: number
  /** Seconds. */
  total_trip_time?: number
  pickup_image?: string
  deliver_image?: string
  reason?: string
  cancelledBy?: string
  cancelled_at?: number
  cancellationFee?: number
  discount?: number
  discount_amount?: number
  customer_paid?: number
  cashPaymentAmount?: number
  cardPaymentAmount?: number
  usedWalletMoney?: number
  payableAmount?: number
  payment_mode?: PaymentMode
  gateway?: string
  prepaid?: boolean
  paid_at?: number
  rating?: number
  promo_applied?: boolean
  promo_details?: { id: string; promo_name: string }
  deliveryPerson?: string
  deliveryPersonPhone?: string
  pickUpInstructions?: string
  deliveryInstructions?: string
  parcelTypeSelected?: ChoiceOption
  optionSelected?: ChoiceOption
  fare_history: Record<string, FareHistoryEntry>
  event_log: Record<string, EventLogEntry>
}

/** A booking that has been in one status too long; `waysOut(status)` says what can be done. */
export interface StuckBooking {
  status: Status
  /** When it came into the status, and when the sweep noticed; ms. */
  since: number
  found_at: number
}
export interface TrackingPoint extends LatLng {
  id?: string
  at: number
  status: Status
}
export interface ChatMessage {
  message: string
  /** The sender's uid. */
  from: string
  type: 'msg'
  msgDate: string
  msgTime: string
  source: 'rider' | 'driver'
  at: number
}
export interface Withdraw {
  id: string
  uid: string
  name: string
  amount: number
  date: number
  bankName?: string
  bankCode?: string
  bankAccount?: string
  processed: boolean
  procesDate?: number
}
export interface PushNotification {
  id: string
  devicetype: 'All' | 'ANDROID' | 'IOS'
  usertype: 'All' | 'rider' | 'driver'
  title: string
  body: string
  createdAt: number
}
export interface Language {
  id: string
  langName: string
  langLocale: string
  dateLocale: string
  default: boolean
  /** ISO time. */
  createdAt: string
  keyValuePairs: Record<string, string>
}
export const SCREENS = ['BookedCab', 'onlineChat', 'Wallet', 'DriverTrips'] as const
export type Screen = (typeof SCREENS)[number]
/** A push as its receiver sees it in the app. Texts are translation keys with their parameters. */
export interface InboxEntry {
  title: string
  msg: string
  params?: Record<string, string | number>
  screen: Screen
  booking_id?: string
  at: number
  read?: boolean
}
/** A driver who could take a booking now: no personal data. */
export interface AvailableDriver extends LatLng {
  carType: string
  geohash: string
  at: number
  /** Whose fleet he drives for: a fleet's map asks by it. */
  fleetadmin?: string
}
/** A driver with a booking on hand, for the office's map: no place, which his own record has. */
export interface BusyDriver {
  booking: string
  /** The car type's id. */
  carType: string
  name: string
  fleetadmin?: string
}
/** Who changed what in the back office; append-only. */
export interface AuditEntry {
  by: string
  at: number
  /** Such as 'booking_cancel' or 'settings_update'. */
  action: string
  path: string
  from?: unknown
  to?: unknown
}
export interface PaymentProvider {
  name: string
  link: string
}
/** Totals kept in the same atomic write as what they count. Money in the settings' currency. */
export interface StatsTotals {
  created?: number
  completed?: number
  cancelled?: number
  /** Bookings for now that found a driver, and the seconds they waited for him together. */
  accepted?: number
  waited?: number
  total_rides?: number
  tripCost?: number
  rideCost?: number
  convenienceFee?: number
  cancellationFee?: number
  discountAmount?: number
  driverShare?: number
  customerPaid?: number
}
