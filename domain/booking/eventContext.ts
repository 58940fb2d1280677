import type { PaymentAttempt } from '../payments/paymentAttempt'
import type { RecurringRecord } from '../recurring/series'
import type { AmendmentNotice } from './limits/amendmentNotice'
import type { FreeActions } from './limits/freeActions'
import type { Route } from './trip/route'
import type { RoadResults } from './trip/track'
import type { AmendmentQuote, Booking, BookingContacts, OpenBookings, TrackingPoint } from './types'
import type { Offer } from '../dispatch/types'
import type { Promo, Settings, VehicleType } from '../catalog/types'
import type { User } from '../accounts/types'

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

/**
 * The data that `applyBookingEvent` may use, read by the caller. Each event's
 * definition lists the parts it needs. A missing record is null.
 */
export interface EventContext {
  settings: Settings
  carType: VehicleType | null
  customer: User | null
  /**
   * The referrer that the customer named at sign-up (`signupViaReferral`), while their bonus is
   * open or a promo pays for the booking.
   */
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
  /**
   * For create without a driver in reach: when (ms) the first busy one is probably at the pickup;
   * null when no one can tell.
   */
  soonestPickup: number | null
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

/** Returns a context without data. The caller fills in the parts that an event needs. */
export const emptyContext = (settings: EventContext['settings']): EventContext => ({
  settings,
  carType: null,
  customer: null,
  referrer: null,
  driver: null,
  driverReferrer: null,
  nextDriver: null,
  openRequests: [],
  notFree: [],
  offers: { open: {}, next: 0 },
  route: null,
  misplacedAddress: null,
  isDriverNearby: false,
  soonestPickup: null,
  roadSoFar: null,
  amendmentQuote: null,
  cardPayments: [],
  contacts: null,
  followed: null,
  next: null,
  reference: null,
  recurring: null,
  openBookings: null,
  freeActions: null,
  debtLimit: null,
  amendmentNotice: null,
  sharedRecipientLink: null,
  otp: null,
  otpAttempts: null,
  promo: null,
  isPromoUsed: false,
  tracking: [],
  dropAddress: null,
  roadResults: null,
})
