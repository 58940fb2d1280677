import type { LatLng } from '../geo/types'
import type { Milliseconds, Seconds } from '../language/units'

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
  eta_s: Seconds
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
  active_s?: Seconds
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
  active_ms?: Milliseconds
  /** Minor units. */
  income?: number
  revision: number
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
   * While the driver is on a trip and has no next booking: when (ms) and where the trip probably
   * ends.
   */
  ends_at?: number
  lat?: number
  lng?: number
}
