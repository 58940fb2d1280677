import type { ComplaintReason, Adjustment } from '../money/types'
import type { Settings, ChoiceOption } from '../catalog/types'
import type { Place, LatLng } from '../geo/types'
import type { Kilometers, Seconds } from '../language/units'

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

/** Statuses in which a booking keeps its driver busy. */
export const BUSY_STATUSES: readonly Status[] = ['ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED']

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
  // The driver skipped a stop or came nowhere near it.
  'stops',
  // The office has recorded the end, so that no track shows it.
  'office_step',
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
  /**
   * The earliest time at which drivers are asked, ms: for a rider who cancels or amends again and
   * again. Absent without such a wait.
   */
  offers_from?: number
  /** The admin who took the booking out of automatic dispatch, until a driver accepts it. */
  taken_by?: string
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
  /** While the customer waits for a free driver: when they are asked whether to go on (ms). */
  wait_until?: number
  /**
   * When the driver is probably at the pickup (ms), while `follows` or `wait_until` is set. For a
   * booking that waits, the earliest time, as estimated when it was made.
   */
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
  km: Kilometers
  seconds: Seconds
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

/** A booking that has been in one status too long. */
export interface StuckBooking {
  status: Status
  /** Time at which it entered the status, and at which the scheduled job noticed; ms. */
  since: number
  found_at: number
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
