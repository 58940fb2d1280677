/**
 * The entities of the database, field by field. `…At` and dates are ms since 1970 unless noted
 * otherwise.
 */

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

/** Statuses in which a booking still needs an action. */
export const ACTIVE_STATUSES: readonly Status[] = STATUSES.filter(
  (s) => s !== 'COMPLETE' && s !== 'CANCELLED',
)
/** Statuses in which a driver's booking is tracked. */
export const TRACKED_STATUSES = ['ACCEPTED', 'ARRIVED', 'STARTED'] as const satisfies Status[]

export interface LatLng {
  lat: number
  lng: number
}
/** A position with its address. */
export interface Place extends LatLng {
  add: string
}
export interface SavedAddress extends LatLng {
  description: string
  count: number
}
export interface WalletEntry {
  type: 'Credit' | 'Debit' | 'Withdraw'
  /** Always positive; `type` gives the direction. */
  amount: number
  date: number
  txRef: string
  /** The words of the admin who moved the money; at most NOTE_LENGTH characters. */
  note?: string
  /** Why a booking's money moved after its end, or why a refund of a card payment moved money. */
  reason?: AdjustmentReason | CardMoveReason
}
/** Maximum length of a wallet entry's note, in characters. */
export const NOTE_LENGTH = 200
/** Reasons for which the office settles a complaint. */
export const COMPLAINT_REASONS = [
  'wrong_fare',
  'detour',
  'late',
  'no_show',
  'damage',
  'lost_item',
  'goodwill',
  'other',
] as const
export type ComplaintReason = (typeof COMPLAINT_REASONS)[number]
export type AdjustmentReason = ComplaintReason | 'tip'
/** Why money of a card payment left a wallet or came back to it. */
export type CardMoveReason = 'card_refund' | 'card_refund_failed' | 'chargeback' | 'chargeback_won'
/**
 * Money that moved after the end of a booking and is not part of its fare. `rider` and `driver` are
 * the changes of their wallets.
 */
export interface Adjustment {
  at: number
  reason: AdjustmentReason
  rider?: number
  driver?: number
}
/** Slots of a wallet's record. One write adds at most this many entries to one wallet. */
export const WALLET_SLOTS = ['a', 'b', 'c', 'd'] as const
type WalletSlot = (typeof WALLET_SLOTS)[number]
/**
 * The last write to a wallet, in whole minor units. The rules compare it with the balance and the
 * new history entries.
 */
export interface WalletMove {
  /** The currency of the write, ISO 4217. */
  code: string
  /** Minor units per unit of the currency: 100 with two decimals. */
  scale: number
  /** The balances before and after the write. */
  before: number
  after: number
  /** Keys of the new entries, ascending from slot `a`, and the change of the balance by each. */
  slots: Partial<Record<WalletSlot, { entry: string; units: number }>>
}
interface Ratings {
  userrating: number
  /**
   * Number of `details`. Of two simultaneous ratings, the rules accept only one with the next
   * count.
   */
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
  /** True when a sign-in provider has verified the address; otherwise a person typed it. */
  emailVerified?: boolean
  /** ISO 8601 text. */
  createdAt: string
  createdByAdmin?: boolean
  approved: boolean
  walletBalance: number
  /** The referrer's uid. */
  signupViaReferral?: string
  /** True once the referral bonus was given, at the first paid booking. */
  referralRewarded?: boolean
  referralId?: string
  /** Promos that the same person used with a deleted account. */
  formerPromos?: Record<string, true>
  /**
   * Earlier phone numbers and verified emails of the account, and its social accounts, hashed as in
   * `former_users`.
   */
  formerPhones?: Record<string, true>
  loginType?: 'facebook' | 'apple' | 'google'
  /** Sign-ins before this time have ended: ms, a whole second as in ID tokens. */
  sessionsEnd?: number
  profile_image?: string
  lang?: { langLocale: string; dateLocale: string }
  bankName?: string
  bankCode?: string
  bankAccount?: string
  savedAddresses?: Record<string, SavedAddress>
  walletHistory?: Record<string, WalletEntry>
  /** Absent until money moves. */
  walletMove?: WalletMove
  notifications?: Record<string, unknown>
  // Drivers only.
  vehicleMake?: string
  vehicleModel?: string
  vehicleNumber?: string
  other_info?: string
  /** The vehicle type's id. */
  carType?: string
  driverActiveStatus?: boolean
  licenseImage?: string
  ratings?: Ratings
  /** True while the driver is busy with a booking. */
  queue?: boolean
  location?: LatLng
  /** The key under which riders see the free car. Riders cannot read whose key it is. */
  shift?: string
  /** The fleet admin's uid. */
  fleetadmin?: string
}

/** The bank account that a person's withdrawals go to. */
export const BANK_FIELDS = ['bankName', 'bankCode', 'bankAccount'] as const satisfies (keyof User)[]

/** A sign-up with a phone number that is not verified yet. */
export interface PendingRegistration {
  /** Milliseconds. */
  expires: number
  /** The sign-up as JSON. */
  registration: string
}

/**
 * Fields that identify people in the back office, kept at people/{uid} apart from the growing
 * record.
 */
export const DIRECTORY_FIELDS = [
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
export type DirectoryEntry = Pick<User, (typeof DIRECTORY_FIELDS)[number]>
/** A person in a list without contacts. */
export type ListedPerson = Omit<DirectoryEntry, 'mobile' | 'email'> & { id: string }

export interface ChoiceOption {
  description: string
  amount: number
}
/** A parcel type or an option of a vehicle type. */
export interface TranslatedChoice extends ChoiceOption {
  /** The description in other languages, by locale. */
  names?: Record<string, string>
}
export interface CancellationFeeTier {
  minsDelayed: number
  amount: number
}
export const FEE_TYPES = ['flat', 'percentage'] as const
export type FeeType = (typeof FEE_TYPES)[number]
export interface VehicleType {
  id: string
  name: string
  /** The name in other languages, by locale. */
  names?: Record<string, string>
  image?: string
  base_fare: number
  rate_per_unit_distance: number
  rate_per_hour: number
  min_fare: number
  convenience_fees: number
  convenience_fee_type: FeeType
  extra_info?: string
  createdAt?: number
  parcelTypes?: TranslatedChoice[]
  options?: TranslatedChoice[]
  cancelSlab?: CancellationFeeTier[]
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
export interface CancellationReason {
  label: string
  /** The label in other languages, by locale. */
  names?: Record<string, string>
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
  /** Days from a first paid booking to the payment of its referral bonuses; absent: at once. */
  bonusDelayDays?: number
  walletMoneyField?: string
  AllowCountrySelection: boolean
  CarHornRepeat: boolean
  AllowDeliveryPickupImageCapture: boolean
  AllowFinalDeliveryImageCapture: boolean
  RiderWithDraw: boolean
  horizontal_view: boolean
  showLiveRoute: boolean
  /** Kilometers, or miles with convert_to_mile. */
  driverRadius: number
  autoDispatch: boolean
  negativeBalance: boolean
  bank_fields: boolean
  /** Hours for which payouts wait after a change of bank details. Default 24. */
  bankWaitHours?: number
  panic?: string
  AllowCriticalEditsAdmin: boolean
  FacebookLoginEnabled: boolean
  /** Minutes without an action after which an office page signs out; absent for no limit. */
  officeIdleMinutes?: number
  /** Hours after which an office sign-in ends; absent for no limit. */
  officeSessionHours?: number
  appcat: 'taxi' | 'delivery'
  /** IANA name. Days and months of all reports use it. */
  timezone: string
  /**
   * Order of offers with autoDispatch: one driver after another by driving time to the pickup, or
   * all within reach at once. `matched` also asks one driver at a time, but decides together for
   * the bookings that compete for drivers, by least total cost. Default 'nearest'.
   */
  dispatchMode?: DispatchMode
  /** Seconds an offer waits for a response. Default 30. */
  dispatchSeconds?: number
  /** Drivers farther than this many minutes from the pickup get no offer. No limit by default. */
  maxPickupMinutes?: number
  /**
   * Drivers whose trip probably ends within this many minutes are asked about their next booking.
   * Off by default, and in mode 'broadcast'.
   */
  followOnMinutes?: number
  /**
   * With `matched`, the seconds of driving time that 100 % more income per active hour than the
   * fleet's mean counts for. No fairness term by default.
   */
  fairnessWeight?: number
  /**
   * True to keep a booking whose only asked driver declines, or whose asked drivers do not answer
   * in time: it is first in the queue, and the back office gets an alert. Default false: a decline
   * cancels it.
   */
  requeueDeclined?: boolean
  /** Minutes without a driver after which the board warns. Default 3. */
  waitWarnMinutes?: number
  /** Minutes without a driver after which the board alarms. Default 8. */
  waitAlarmMinutes?: number
  /**
   * The step of fares in the currency, such as 0.05. Default: the step of cash in the currency.
   * `getFareStep` raises it to what the switched-on providers can charge.
   */
  fareStep?: number
  /** The smallest step that the switched-on providers can charge; the scheduled job writes it. */
  providerStep?: number
  /**
   * The checklist of a new company on the dashboard, from the setup until an admin dismisses it:
   * `priced` once an admin has said that the prices are right.
   */
  setupChecklist?: 'open' | 'priced'
}
export const DISPATCH_MODES = ['nearest', 'matched', 'broadcast'] as const
export type DispatchMode = (typeof DISPATCH_MODES)[number]
/** A currency, its number of decimals and its symbol. */
export type Currency = Pick<Settings, 'code' | 'decimal' | 'symbol'>
/** Earlier currencies, by the time (ms) at which each ended. */
export type EndedCurrencies = Record<string, Currency>

export interface FareLine {
  /** A translation key, such as 'fare_distance'. */
  label: string
  amount: number
}
/** Kinds of entries about money that moved: charges, and returns to the wallet or to the card. */
export const PAYMENT_ENTRY_KINDS = ['charge', 'return', 'refund'] as const
export const FARE_ENTRY_KINDS = [
  'estimate',
  'revision',
  'final',
  'cancellation',
  ...PAYMENT_ENTRY_KINDS,
] as const
/** One entry of the append-only history of a booking's price and of the customer's money. */
export interface FareHistoryEntry {
  kind: (typeof FARE_ENTRY_KINDS)[number]
  at: number
  cause: string
  lines: FareLine[]
  total: number
}
/** The record of a transition: used for the timeline on screen and for the response to a repeat. */
export interface EventLogEntry {
  event: string
  by: string
  /** Time of the event, ms. */
  at: number
  /** Time at which the server received it, ms, when the driver reported an earlier time. */
  received_at?: number
  status: Status
  revision: number
  /** The reason of a complaint. The words of an event's actor are in `words` of the booking. */
  reason?: ComplaintReason
  /**
   * Distinguishes a repeat from another request: the payment of a `pay` or `refund`, the digest of
   * the request of a `create`, the driver of a `withdraw` or `release`, the index of the stop of
   * an event about it, the id of the request of a `compensate` or `tip`. For an `amend`, the names
   * of the changed fields, separated by commas; for a `reach`, the indexes of the stops that the
   * driver did not reach.
   */
  ref?: string
}
export const TRIP_VERDICTS = ['ok', 'capped', 'flagged'] as const
export type TripVerdict = (typeof TRIP_VERDICTS)[number]
/** Reasons to charge less than the track shows. Each is the end of a translation key. */
export const TRIP_VERDICT_REASONS = [
  // Beyond the free share over the plan, and not confirmed by the streets.
  'longer',
  // Beyond the largest share over the plan.
  'far_longer',
  'slower',
  'far_slower',
  'too_fast',
  'jumps',
  'off_road',
  'loops',
  'gaps',
  'start_elsewhere',
  'drop_elsewhere',
  'end_impossible',
] as const
export type TripVerdictReason = (typeof TRIP_VERDICT_REASONS)[number]
/** Decisions about the price of a flagged trip: keep it, charge as planned, or charge as driven. */
export const REVIEW_DECISIONS = ['keep', 'planned', 'driven'] as const
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number]
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
/** Result of the plausibility check of a taxi trip (domain/booking/drivenDistance). */
export interface DistanceReview {
  verdict: TripVerdict
  reasons?: TripVerdictReason[]
  /** Number of points that no car can have reached. */
  dropped_points: number
  /** Charged seconds; `total_trip_time` is the actual duration. */
  charged_time: number
  /** The back office's decision about a flagged trip. */
  decision?: ReviewDecision
  decided_by?: string
  decided_at?: number
  /** Amount credited to the driver after the trip was paid. */
  credited?: number
}
export interface Booking {
  id: string
  booking_id: string
  /** Names the booking for people, such as K7M-4QX; booking_refs/{reference} has its id. */
  reference: string
  /** Increases by one with every change; the database refuses any other value. */
  revision: number
  status: Status
  /**
   * When the scheduled job next has work with the booking, ms. Missing when it has none. Changes
   * with every event, so the job reads only what is due.
   */
  due_at?: number
  /** The vehicle type's name; `carTypeId` is its key. */
  carType: string
  carTypeId: string
  carImage?: string
  customer: string
  customer_name: string
  customer_image?: string
  pickup: Place
  drop: Place
  pickupAddress: string
  dropAddress: string
  estimate: number
  /** Kilometers, or miles with convert_to_mile, like `distance`. */
  estimateDistance: number
  distance: number
  /** Seconds. */
  estimateTime: number
  bookLater: boolean
  tripdate: number
  bookingDate: number
  /**
   * The currency of the amounts, ISO 4217. Older bookings have none and use the currency of their
   * time.
   */
  currency?: string
  /**
   * True when a code protects the start. The number itself is at booking_otps/{id}; the client
   * layer adds it for users who may see it.
   */
  otp: boolean | number
  booking_type_admin: boolean
  coords: LatLng[]
  waypoints?: Place[]
  /** The planned route, an encoded polyline of precision 5; missing when no streets are known. */
  route?: string
  trip_cost: number
  convenience_fees: number
  driver_share: number
  paymentPacket?: PaymentPacket
  requestedDrivers?: Record<string, true>
  /**
   * Time of each driver's last offer (ms). It times the waves and prevents offers too soon after
   * another.
   */
  askedDrivers?: Record<string, number>
  /**
   * When the booking last lost its driver, or the last driver whom the back office had asked (ms),
   * until the next acceptance. It is then first in the queue.
   */
  requeued_at?: number
  driver?: string
  driver_name?: string
  driver_image?: string
  vehicle_number?: string
  driverRating?: number
  fleetadmin?: string
  accepted_at?: number
  /** The booking that the same driver drives after this one. */
  next?: string
  /** The booking that the driver finishes before this one, which then becomes their current one. */
  follows?: string
  /** While `follows` is set: when the driver is probably at the pickup (ms). */
  expected_at?: number
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
  /** Measured distance of a taxi trip; `distance` is the charged one. */
  driven_distance?: number
  distance_review?: DistanceReview
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
  /**
   * Amount refunded to the card after the booking was PAID; the packet keeps the original payment.
   */
  refunded?: number
  /** By the id of the request. */
  adjustments?: Record<string, Adjustment>
  rating?: number
  promo_applied?: boolean
  promo_details?: { id: string; promo_name: string }
  deliveryPerson?: string
  parcelTypeSelected?: ChoiceOption
  optionSelected?: ChoiceOption
  fare_history: Record<string, FareHistoryEntry>
  event_log: Record<string, EventLogEntry>
  /**
   * The words of people about an event, by its key in the log: the comment of a rating, the
   * office's words to a complaint, the reason of a release or a skipped stop. Apart from the log,
   * which only grows, so that the deletion of an account removes them.
   */
  words?: Record<string, string>
}
/**
 * The route that an amendment of a trip under way was priced by, at internal/amendment_quotes/{id}.
 * The car moves on while the customer reads the price, so the same amendment keeps it for a while.
 */
export interface AmendmentQuote {
  /** Time until which the price is kept, ms; also when the record may be removed. */
  due: number
  /** Digest of the drop-off and the stops. */
  places: string
  km: number
  seconds: number
  revision: number
}
/**
 * Phone numbers, email address and instructions of a booking, at booking_contacts/{id}, because
 * fewer people may read them than the booking (see `getReadableContacts`).
 */
export interface BookingContacts {
  customer_contact: string
  customer_email: string
  deliveryPersonPhone?: string
  driver_contact?: string
  /** May have door codes. */
  pickUpInstructions?: string
  deliveryInstructions?: string
}
/** A booking with the contacts that its reader may see. */
export type BookingWithContacts = Booking & Partial<BookingContacts>

export const OFFER_ANSWERS = ['accepted', 'declined', 'expired', 'withdrawn'] as const
export type OfferAnswer = (typeof OFFER_ANSWERS)[number]
/**
 * One request to one driver to take a booking. Offers are kept as a record of who was asked and
 * when; only the answer is added, once.
 */
export interface Offer {
  driver: string
  /** ms */
  at: number
  /** When the next driver may be asked instead, ms. The driver can answer until that happens. */
  expires: number
  /** Seconds from the driver's position to the pickup at the time of the offer. */
  eta_s: number
  by: 'system' | 'admin'
  answer?: OfferAnswer
  /** ms */
  answeredAt?: number
  /** The value by which the driver was chosen, smallest first. */
  cost?: number
  /**
   * The driver's place, from 1: by time to the pickup among those who could be asked in `matched`,
   * otherwise in the order of the wave.
   */
  rank?: number
}
/**
 * The inputs that decided an offer, for the server only. Offers of one round share a record.
 */
export interface DecisionRecord {
  /** When the record is removed, ms. */
  due: number
  /** A `GroupInput` as JSON. */
  input?: string
  /** The key of the record with the inputs. */
  round?: string
  /** Drivers in reach who were left out because another booking's offer to them was open. */
  asked?: Record<string, true>
}
/** Counts of a driver's month for the report about dispatch, for the server only. */
export interface DriverMonth {
  /** Offers made in the month. Answers count in the month of their offer. */
  offers?: number
  accepted?: number
  declined?: number
  /** Offers that were not answered in time. */
  expired?: number
  /** Seconds on duty in ended periods. */
  active_s?: number
  /** When the counts are removed, ms. */
  due: number
  revision: number
}
/** The time on duty and the income of a driver's shift, for the server only. */
export interface DriverShift {
  /** When the driver came on duty, ms; absent while off duty. */
  since?: number
  /** When the driver went off duty, ms. */
  ended?: number
  /** Milliseconds on duty before `since`, in this shift. */
  active_ms?: number
  /** Minor units. */
  income?: number
  revision: number
}
/** A flagged trip that awaits a decision by the back office. */
export interface FareReview {
  /** End of the trip, ms. */
  at: number
  driver: string
}
/** The number of a rider's open bookings, and of finished unpaid ones among them. */
export interface OpenBookings {
  open: number
  unpaid: number
  /** Increases by one with every change of the counters. */
  revision: number
}
/** A booking that has been in one status too long; `getPossibleEvents` lists the remedies. */
export interface StuckBooking {
  status: Status
  /** Time at which it entered the status, and at which the scheduled job noticed; ms. */
  since: number
  found_at: number
}
/** A telephone call that rings in the office. An answered one has no number. */
export interface OfficeCall {
  number?: string
  /** The extension that rings. */
  extension?: string
  /** The times, ms, at which the call came in and from which no screen shows it. */
  at: number
  expires: number
  revision: number
}
/** The office's note about a person, which the person never sees. */
export interface PersonNote {
  text: string
  /** The uid of the admin who wrote it. */
  by: string
  at: number
  revision: number
}
/** The office's note about a booking, which only admins read. Nothing changes it. */
export interface BookingNote {
  text: string
  /** The uid of the admin who wrote it. */
  by: string
  at: number
}
/** A booking as the office repeats it for a caller. */
export interface CallerTrip extends Pick<
  Booking,
  'pickup' | 'drop' | 'waypoints' | 'carTypeId' | 'deliveryPerson'
> {
  booking_id: string
  /** The descriptions of the parcel type and the option. */
  parcelType?: string
  option?: string
  deliveryPersonPhone?: string
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
/** The notice of new messages to one party of a chat. */
export interface ChatNotice {
  /** The key of the entry in the party's inbox; a new notice replaces it. */
  entry: string
  /** Times of the last message and the last push, ms. */
  at: number
  pushed_at: number
  /** Increases by one with every change. */
  revision: number
}
export interface Withdrawal {
  id: string
  uid: string
  name: string
  amount: number
  date: number
  bankName?: string
  bankCode?: string
  bankAccount?: string
  /** Time before which it is not paid out, ms, because the bank details changed shortly before. */
  payable_at?: number
  processed: boolean
  procesDate?: number
}
/**
 * Counts the decisions about an account's approval, so that a deletion that fails restores only the
 * approval that it took away itself.
 */
export interface ApprovalDecision {
  revision: number
}
/** When the bank details of a person last changed, for the functions only. */
export interface BankChange {
  at: number
  revision: number
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
  /** ISO 8601 time. */
  createdAt: string
  /** The texts that the office has changed or added; the others ship with the product. */
  keyValuePairs: Record<string, string>
}
export const APP_SCREENS = ['BookedCab', 'onlineChat', 'Wallet', 'DriverTrips', 'Profile'] as const
export type AppScreen = (typeof APP_SCREENS)[number]
/** A push as shown in the recipient's inbox. Texts are translation keys with their parameters. */
export interface InboxEntry {
  title: string
  msg: string
  params?: Record<string, string | number>
  screen: AppScreen
  booking_id?: string
  at: number
  read?: boolean
}
/** A driver who can take a booking now, by uid, for the back office and dispatch. */
export interface AvailableDriver extends LatLng {
  carType: string
  geohash: string
  at: number
  /** The driver's fleet admin; a fleet's map queries by it. */
  fleetadmin?: string
}
/** The same car for riders, under a random key that changes every few minutes. */
export type NearbyCar = Omit<AvailableDriver, 'fleetadmin'>
/**
 * A driver with an active booking, for the back office's map. The position is in the driver's own
 * record.
 */
export interface BusyDriver {
  booking: string
  /** The vehicle type's id. */
  carType: string
  name: string
  fleetadmin?: string
  /**
   * While the driver may be asked about their next booking: when (ms) and where the current one
   * probably ends.
   */
  ends_at?: number
  lat?: number
  lng?: number
}
/** The remains of a deleted account, without personal data. */
export interface ClosedAccount {
  at: number
  /** The balance waived with the account; 0 if none. */
  waived: number
  /** True until sign-in, files and bookings are cleared by the scheduled job. */
  open?: true
}
/** A device that receives a person's pushes, under the hash of its token. */
export interface PushDevice {
  uid: string
  /** The token that Firebase Cloud Messaging gave the app or the browser. */
  token: string
  platform?: 'ANDROID' | 'IOS' | 'WEB'
  /** Time of the last registration, ms. */
  at: number
}
/**
 * The device of a person that was registered last, for the functions only: a caller who knows a
 * token can end the pushes to it.
 */
export interface NamedDevice extends Pick<PushDevice, 'token' | 'platform'> {
  revision: number
}
/** The benefits that a deleted account has used, under a keyed hash of its phone number. */
export interface FormerUser {
  /** Time of the last write, ms. */
  at: number
  promos?: Record<string, true>
  /** True when the referral bonus was paid for this person. */
  referred?: true
}
/** A change in the back office and its author; append-only. */
export interface AuditEntry {
  by: string
  at: number
  /** Examples: 'booking_cancel', 'settings_update'. */
  action: string
  path: string
  from?: unknown
  to?: unknown
}
/** Limits of the amounts that a provider can charge, in the settings' currency. */
export interface ChargeLimits {
  /** The provider charges multiples of this amount. */
  step: number
  minimum: number
}
export interface PaymentProvider extends ChargeLimits {
  name: string
  link: string
}
/** The totals that are amounts of money. */
export const MONEY_TOTAL_FIELDS = [
  'tripCost',
  'rideCost',
  'convenienceFee',
  'cancellationFee',
  'discountAmount',
  'driverShare',
  'customerPaid',
  /** Wallet money that people waived with their accounts. */
  'waived',
  /** The credits to riders and drivers for complaints, less the money taken back. */
  'compensation',
  /** The part of `compensation` that drivers got, less what was taken back from them. */
  'driverCompensation',
  /** The money that riders gave to drivers after trips. */
  'tips',
] as const
/** The totals of a driver's month. */
export const DRIVER_TOTAL_FIELDS = ['driverShare', 'compensation', 'tips'] as const
export type MoneyTotals = Partial<Record<(typeof MONEY_TOTAL_FIELDS)[number], number>>
interface CountTotals {
  created?: number
  completed?: number
  cancelled?: number
  /** Number of bookings for now that found a driver, and the sum of the seconds they waited. */
  accepted?: number
  waited?: number
  total_rides?: number
}
/** Totals as shown. Money is in the settings' currency. */
export type StatsTotals = CountTotals & MoneyTotals
/**
 * Totals as stored, written in the same atomic update as the counted records. Money is in whole
 * minor units under the currency and its number of decimals, such as `UYU2`, because increments of
 * whole numbers never drift.
 */
export interface StatsRow extends CountTotals {
  minor?: Record<string, MoneyTotals>
}

/** A phone number or an e-mail address that gets no messages; only functions read it. */
export interface MessageOptOut {
  /** ms */
  at: number
  /** The person answered STOP, or the e-mail service reported the address or a complaint. */
  why: 'stop' | 'bounce' | 'complaint'
  revision: number
}
