import type { DatabaseValue } from '../databaseValue'
import type { DomainError } from '../errors'
import { SERVER_UID } from '../databasePaths'
import type {
  AmendmentQuote,
  AvailableDriver,
  Booking,
  BookingContacts,
  DecisionRecord,
  VehicleType,
  InboxEntry,
  LatLng,
  Offer,
  OpenBookings,
  Promo,
  ReviewDecision,
  Settings,
  Status,
  TrackingPoint,
  User,
  UserType,
} from '../entities'
import type { BookingEvent } from './transitions'
import type { AdvanceBookingInput, Complaint, CreateBookingInput } from '../endpointSchemas'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import type { OccurrenceToBook, RecurringRecord } from '../recurring/series'
import type { AmendmentNotice } from './amendmentNotice'
import type { FreeActions } from './freeActions'
import type { RoadResults } from './track'

/**
 * The actor of an event. `system` is the scheduled job, the dispatcher or a payment provider's
 * verified webhook.
 */
export interface Actor {
  uid: string
  role: UserType | 'system'
}
/** The actor of events that no person starts. */
export const SYSTEM_ACTOR: Actor = { uid: SERVER_UID, role: 'system' }

/** A request to a driver from another booking. */
export interface OpenRequest {
  booking: string
  /** That booking's revision; null when it no longer requests the driver. */
  revision: number | null
  /** The number of the driver's open offer; missing when the request has none. */
  offer?: string | undefined
}

/**
 * The open offers of a booking by number, which an event may answer, and the number of the next
 * one.
 */
export interface OpenOffers {
  open: Readonly<Record<string, Pick<Offer, 'driver' | 'at'>>>
  next: number
}

/** A push to send after the commit. It is also written to the recipient's inbox. */
export interface PushMessage extends Omit<InboxEntry, 'read' | 'at'> {
  to: string
}

/**
 * All effects of one event: paths from the root for one atomic `update()`, and the pushes to send
 * afterwards.
 */
export interface BookingChange {
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
  /** The response to the caller. */
  response: {
    booking_id: string
    status: Status
    revision: number
    /** Only from create: the grand total and the reference. */
    estimate?: number
    reference?: string
  }
}

/** A refusal. One that must be recorded, such as a wrong code, carries its change. */
export interface BookingError extends DomainError {
  failureChange?: BookingChange
}

export interface Route {
  distance_in_km: number
  time_in_secs: number
  /** Encoded polyline, precision 5. */
  polylinePoints: string
  /** True when the streets are unknown and the distance is estimated. */
  approximate?: boolean
}

/** A payment proved by a provider's webhook. Amounts are in the settings' currency. */
interface VerifiedPayment {
  id: string
  gateway: string
  amount: number
  currency: string
}

/** Time of a driver's event, ms; it may have waited for a connection. */
interface ClientTimestamp {
  at?: number | undefined
}

/** The revision that the system decided on. The event is refused when the booking has another. */
interface BasedOnRevision {
  revision?: number
}

/** The values by which a driver was chosen for an offer, and the record of the inputs. */
export interface OfferDecision {
  cost: number
  rank: number
  record: Omit<DecisionRecord, 'due'>
}

/** The input of an event, already validated against its schema. */
export type EventInput =
  // guest: the profile of a caller whose number had none, written with the booking.
  // occurrence: the occurrence of a recurring booking, for which the scheduled job books.
  | {
      event: 'create'
      input: CreateBookingInput
      guest?: User | undefined
      occurrence?: OccurrenceToBook | undefined
    }
  | Omit<Extract<AdvanceBookingInput, { event: 'amend' }>, 'booking_id'>
  // usedWalletMoney: the amount from the wallet. Cash or the verified card payment covers the rest.
  | {
      event: 'pay'
      payment_mode: 'cash' | 'wallet'
      promo?: string | undefined
      usedWalletMoney?: number | undefined
    }
  | {
      event: 'pay'
      payment: VerifiedPayment
      promo?: string | undefined
      usedWalletMoney?: number | undefined
    }
  // etas: seconds from each driver to the pickup. decision: of an offer to one driver.
  | ({
      event: 'dispatch'
      drivers: string[]
      etas?: Record<string, number>
      decision?: OfferDecision
    } & BasedOnRevision)
  | { event: 'assign'; driver: string }
  // isExpired: the driver did not answer in time, and another booking needs them.
  | ({ event: 'withdraw'; driver: string; isExpired?: true } & BasedOnRevision)
  | { event: 'accept' | 'decline' | 'expire' }
  // driver: the driver to ask next.
  | { event: 'release'; reason: string; driver?: string | undefined }
  | ({ event: 'finish' | 'collect' } & ClientTimestamp)
  | ({ event: 'arrive'; lat: number; lng: number } & ClientTimestamp)
  | ({
      event: 'start'
      otp?: number | undefined
      pickup_image?: string | undefined
    } & ClientTimestamp)
  // index, stop: the stop as the driver saw it, so that the event does not count for another one.
  | ({ event: 'arrive_stop' | 'leave_stop'; index: number; stop: LatLng } & ClientTimestamp)
  | ({
      event: 'skip_stop'
      index: number
      stop: LatLng
      reason?: string | undefined
    } & ClientTimestamp)
  | ({
      event: 'reach'
      lat: number
      lng: number
      deliver_image?: string | undefined
    } & ClientTimestamp)
  | Omit<Extract<AdvanceBookingInput, { event: 'rate' }>, 'booking_id'>
  // The attempt whose money went back, and how much of it now; in the settings' currency.
  | {
      event: 'refund'
      payment: string
      amount: number
      isChargeback?: true | undefined
      complaint?: Complaint | undefined
    }
  // The attempt whose money a bank gave back, and how much; `isAfterPaid` when the bank had taken
  // it after the booking was PAID.
  | { event: 'reinstate'; payment: string; amount: number; isAfterPaid: boolean }
  | { event: 'cancel'; reason: string }
  | { event: 'review'; decision: ReviewDecision }
  | Omit<Extract<AdvanceBookingInput, { event: 'compensate' }>, 'booking_id'>
  | Omit<Extract<AdvanceBookingInput, { event: 'tip' }>, 'booking_id'>
export type EventInputFor<E extends BookingEvent> = Extract<EventInput, { event: E }>

/**
 * The data that `applyBookingEvent` may use, read by the caller. `requiredContext` in
 * `eventContext.ts` lists the parts an event needs. A missing record is null.
 */
export interface EventContext {
  settings: Settings
  carType: VehicleType | null
  customer: User | null
  /** The referrer that the customer named at sign-up (`signupViaReferral`). */
  referrer: User | null
  /** The booking's driver; for accept and decline the actor; for assign the chosen driver. */
  driver: User | null
  /** For release: the driver to ask next, if the back office names one. */
  nextDriver: User | null
  /** For accept, assign and release: the other bookings that request the driver. */
  openRequests: OpenRequest[]
  /**
   * For dispatch: the drivers of the wave who are no longer free. Except in broadcast mode, a
   * driver with a request of another booking is not free.
   */
  notFree: string[]
  /** For events that ask drivers or end requests: the open offers of the booking. */
  offers: OpenOffers
  /** The referrer that the driver named at sign-up. */
  driverReferrer: User | null
  /**
   * For create and amend: the planned route (of a trip under way, from the car on), and whether an
   * available driver of the vehicle type is within the radius.
   */
  route: Route | null
  isDriverNearby: boolean
  /** For create and amend: the field of a new address that lies far from its position, if any. */
  misplacedAddress: string | null
  /** For amend of a trip under way: the road from the pickup over the visited stops to the car. */
  roadSoFar: Route | null
  /** For amend: the price that was offered last for an amendment of the trip under way. */
  amendmentQuote: AmendmentQuote | null
  /** For amend and compensate: the attempts that paid for the booking by card. */
  cardPayments: readonly PaymentAttempt[]
  /** For amend: the details that are stored apart from the booking. */
  contacts: Partial<BookingContacts> | null
  /**
   * For accept by a busy driver: their current booking. For release and cancel: the booking that
   * this one follows.
   */
  followed: Booking | null
  /** For reach, finish, cancel and amend: the driver's next booking. */
  next: Booking | null
  /** For create: the first candidate for the booking's reference that no other booking has. */
  reference: string | null
  /** For create by the job: the customer's recurring bookings. */
  recurring: RecurringRecord | null
  /** For create: the customer's counters before the booking. */
  openBookings: Partial<OpenBookings> | null
  /** For create, amend and cancel by the rider: their latest free actions. */
  freeActions: FreeActions | null
  /** For create by a rider who owes money: the office's limit of a debt. */
  debtLimit: number | null
  /** For amend: the last push about an amendment of the booking. */
  amendmentNotice: AmendmentNotice | null
  /**
   * For amend of the recipient's number: the token of the customer's live link, which an earlier
   * release sent to the recipient; null when it sent none.
   */
  sharedRecipientLink: string | null
  /** A new number from 10000 to 99999 for create; the stored one for start. */
  otp: number | null
  otpAttempts: { tries: number; locked_until: number } | null
  promo: Promo | null
  isPromoUsed: boolean
  tracking: TrackingPoint[]
  /** For reach in taxi mode: the address of the driver's position. */
  dropAddress: string | null
  /**
   * For reach in taxi mode and amend of a trip under way: the results of the road queries about the
   * track.
   */
  roadResults: RoadResults | null
}

/** A part of the context that an event may need. The settings are always there. */
export type ContextPart = Exclude<keyof EventContext, 'settings'>
/** The context as far as an event needs it. */
export type ContextOf<Part extends ContextPart> = Pick<EventContext, 'settings' | Part>

export interface NearbyDriver extends AvailableDriver {
  uid: string
  /** Kilometers. */
  distance: number
  /**
   * Seconds until the driver's current booking probably ends, at the driver's place here; missing
   * for a free driver.
   */
  wait_s?: number
}
