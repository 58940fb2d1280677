import type { Refusal } from '../errors'
import type {
  AvailableDriver,
  CarType,
  InboxEntry,
  Promo,
  Settings,
  Status,
  TrackingPoint,
  User,
  UserType,
} from '../entities'
import type { BookingEvent } from './transitions'
import type { CreateBooking } from '../api'

/** Who acts. `system` is the sweep, the dispatcher or a payment provider's verified callback. */
export interface Actor {
  uid: string
  role: UserType | 'system'
}

/** A value of the database: plain JSON, null to remove, `{'.sv': …}` for the server's own values. */
export type Value = string | number | boolean | null | { [key: string]: Value } | Value[]
/** The server adds `n` to what is there, in the same atomic write. */
export const increment = (n: number): Value => ({ '.sv': { increment: n } })

/** A push to send after the change is committed. It also goes into the receiver's inbox. */
export interface Push extends Omit<InboxEntry, 'read' | 'at'> {
  to: string
}

/** All that one event does: paths from the root for one atomic `update()`, and the pushes that follow it. */
export interface Change {
  updates: Record<string, Value>
  pushes: Push[]
  /** What the caller is told. */
  answer: {
    booking_id: string
    status: Status
    revision: number
    /** Only from create: the grand total. */
    estimate?: number
  }
}

/** A refusal that must itself be remembered (a wrong code) carries its change. */
export interface BookingRefusal extends Refusal {
  record?: Change
}

export interface Route {
  distance_in_km: number
  time_in_secs: number
  /** Encoded polyline, precision 5. */
  polylinePoints: string
  /** True when no streets were known and the distance is estimated. */
  approximate?: boolean
}

/** A payment a provider's callback proved. Amounts in the settings' currency. */
interface VerifiedPayment {
  id: string
  gateway: string
  amount: number
  currency: string
}

/** A driver's event may have waited for a connection: when it happened, ms. */
interface Own {
  at?: number | undefined
}

/** What the asker sends beside the event, already checked against its schema. */
export type EventInput =
  | { event: 'create'; input: CreateBooking }
  // usedWalletMoney: so much from the wallet, the rest in cash or by the verified card payment.
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
  | { event: 'dispatch'; drivers: string[] }
  | { event: 'assign'; driver: string }
  | { event: 'accept' | 'decline' | 'expire' }
  | ({ event: 'finish' | 'collect' } & Own)
  | ({ event: 'arrive'; lat: number; lng: number } & Own)
  | ({ event: 'start'; otp?: number | undefined; pickup_image?: string | undefined } & Own)
  | ({ event: 'reach'; lat: number; lng: number; deliver_image?: string | undefined } & Own)
  | { event: 'rate'; rating: number }
  | { event: 'cancel'; reason: string }
export type InputOf<E extends BookingEvent> = Extract<EventInput, { event: E }>

/**
 * What `apply` may look at, read by the caller. `needs(event)` in `world.ts` says which parts an event asks for.
 * A part that does not exist is null.
 */
export interface World {
  settings: Settings
  carType: CarType | null
  customer: User | null
  /** The user the customer named at sign-up (`signupViaReferral`). */
  referrer: User | null
  /** The booking's driver; for accept and decline the acting one; for assign the chosen one. */
  driver: User | null
  /** For create: the looked-up route, and whether an available driver of the car type is within the radius. */
  route: Route | null
  driverNearby: boolean
  /** A fresh number 10000 to 99999 for a new booking; the stored one for start. */
  otp: number | null
  otpAttempts: { tries: number; locked_until: number } | null
  promo: Promo | null
  promoUsedBefore: boolean
  tracking: TrackingPoint[]
  /** For reach in taxi mode: the address of where the driver is. */
  dropAddress: string | null
}

export interface Nearby extends AvailableDriver {
  uid: string
  /** Kilometres. */
  distance: number
}
