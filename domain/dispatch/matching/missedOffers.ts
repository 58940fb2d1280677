import { getExcludedDrivers } from '../dispatch'
import type { Consideration } from './considerations'
import type { Booking, Status } from '../../booking/types'
import type { DecisionRecord, Offer, OfferAnswer } from '../types'
import type { User } from '../../accounts/types'
import type { Seconds } from '../../language/units'

/**
 * Why a driver was not among those who could be asked:
 * - `vehicle_type`: the booking needs another vehicle type.
 * - `declined`: they had declined the booking, or the office had withdrawn their request.
 * - `open_offer`: another booking's offer to them was open.
 * - `on_trip`: they were on another trip.
 * - `out_of_reach`: off duty, too far away, or without a known position.
 * - `unrecorded`: the reasons of this offer are not stored.
 */
type AbsenceReason =
  'vehicle_type' | 'declined' | 'open_offer' | 'on_trip' | 'out_of_reach' | 'unrecorded'

/** A driver's part in an offer of a booking, or the reason they had none. */
export interface DriverPart extends Omit<
  Consideration,
  'outcome' | 'eta_s' | 'cost' | 'total' | 'chosen'
> {
  outcome: Consideration['outcome'] | AbsenceReason
  /** The number of the offer; absent for offers of a round in a driver's list. */
  offer?: string
  answer?: OfferAnswer
  eta_s: Seconds | null
  cost: number | null
  total: number | null
  chosen: Pick<Offer, 'driver' | 'eta_s'> | null
}

/** Statuses in which a trip no longer keeps its driver busy. */
const OVER: readonly Status[] = ['PENDING', 'PAID', 'COMPLETE', 'CANCELLED']

/** Returns true when a trip kept its driver busy at a time (ms). */
const isTripAt = ({ accepted_at, event_log }: Booking, at: number): boolean => {
  if (accepted_at === undefined || accepted_at > at) return false
  const ends = Object.values(event_log ?? {}).filter(({ status }) => OVER.includes(status))
  return ends.every((entry) => entry.at > at)
}

/**
 * Returns why a driver was not among those who could get an offer made at a time (ms). `trips` are
 * their latest bookings; `record` has the inputs of the decision.
 */
export const explainAbsence = (
  at: number,
  {
    booking,
    user,
    record,
    trips,
  }: {
    booking: Booking
    /** The driver in question. */
    user: Pick<User, 'id' | 'carType'>
    record: DecisionRecord | null
    trips: readonly Booking[]
  },
): Pick<DriverPart, 'outcome' | 'other'> => {
  if (user.carType !== booking.carTypeId) return { outcome: 'vehicle_type' }
  const before = Object.entries(booking.event_log ?? {}).filter(([, entry]) => entry.at <= at)
  if (getExcludedDrivers({ event_log: Object.fromEntries(before) }).has(user.id))
    return { outcome: 'declined' }
  const trip = trips.find((one) => one.id !== booking.id && isTripAt(one, at))
  if (trip) return { outcome: 'on_trip', other: trip.id }
  if (record === null) return { outcome: 'unrecorded' }
  if (record.asked?.[user.id]) return { outcome: 'open_offer' }
  return { outcome: 'out_of_reach' }
}
