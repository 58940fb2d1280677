import type { LatLng, Place } from '../geo/types'
import type { Settings, VehicleType } from '../catalog/types'
import type { Kilometers, Seconds } from '../language/units'

/** One request for a trip, with everything about it that dispatch does not decide. */
export interface ReplayRequest {
  /** The booking's id: a push key of the time of the request. */
  id: string
  /** Time of the request, ms. */
  at: number
  /** Time of the pickup, ms; missing for a booking for now. */
  tripdate?: number
  pickup: Place
  drop: Place
  waypoints?: Place[]
  /** The vehicle type's id. */
  carType: string
  /** The planned route. */
  km: Kilometers
  plannedSeconds: Seconds
  /** Seconds from the start to the drop-off as driven. */
  tripSeconds: Seconds
  /** Seconds that the driver stands at the pickup and at the drop-off. */
  pickupSeconds: Seconds
  dropSeconds: Seconds
  /** Seconds without a driver after which the rider gives up. */
  patienceSeconds: Seconds
  /** Seconds from the acceptance to the rider's cancellation; missing when they do not cancel. */
  cancelSeconds?: Seconds
}

/** One period in which a driver is on duty, and the place at which it begins. */
export interface DutyPeriod {
  /** ms */
  from: number
  to: number
  place: LatLng
}

export interface ReplayDriver {
  uid: string
  carType: string
  /** In order of time, without overlaps. */
  duty: readonly DutyPeriod[]
}

/** How drivers answer offers. */
export interface DriverBehavior {
  /** The share of offers accepted at no distance, and its loss for each minute to the pickup. */
  acceptShare: number
  acceptLossPerMinute: number
  leastAcceptShare: number
  /** The share of the other offers that drivers decline; they let the rest pass. */
  declineShare: number
  /** Seconds until an answer, and the seconds that each minute to the pickup adds. */
  leastAnswerSeconds: Seconds
  mostAnswerSeconds: Seconds
  answerSecondsPerMinute: number
}

export const USUAL_BEHAVIOR: DriverBehavior = {
  acceptShare: 0.85,
  acceptLossPerMinute: 0.01,
  leastAcceptShare: 0.4,
  declineShare: 0.5,
  leastAnswerSeconds: 3,
  mostAnswerSeconds: 10,
  answerSecondsPerMinute: 1,
}

/** The demand, the drivers and the platform of a replay. The policy comes separately. */
export interface ReplayScenario {
  settings: Settings
  vehicleTypes: Readonly<Record<string, VehicleType>>
  /** In order of time. */
  requests: readonly ReplayRequest[]
  drivers: readonly ReplayDriver[]
  behavior: DriverBehavior
  /** The period whose bookings and hours count, ms. Requests outside it only fill the streets. */
  countFrom: number
  countTo: number
}

export interface TravelCost {
  seconds: Seconds
  km: Kilometers
}

/** Returns the cost of the quickest way between two places; the same at every call. */
export type TravelTimes = (from: LatLng, to: LatLng) => TravelCost
