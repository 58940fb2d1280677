import type { LatLng } from '~/domain/geo/types'
import type { Seconds } from '~/domain/language/units'

/** A parcel that a courier has accepted or may get. */
export interface TourParcel {
  id: string
  pickup: LatLng
  drop: LatLng
  /** Time before which the parcel cannot be picked up, ms. */
  readyAt: number
  /** Time by which the recipient was promised the parcel, ms. */
  promisedAt: number
  /** Seconds that the courier stands at the pickup and at the drop-off. */
  pickupSeconds: Seconds
  dropSeconds: Seconds
  /** Room that the parcel takes, in the unit of the courier's capacity. */
  size: number
}

export interface TourStop {
  kind: 'pickup' | 'drop'
  parcel: TourParcel
}

/**
 * The stops that a courier still has to make, in order. A parcel whose pickup is not among them is
 * on board.
 */
export interface Tour {
  /** Where the courier is, and since when, ms. */
  place: LatLng
  at: number
  /** Room for parcels on board at the same time. */
  capacity: number
  stops: readonly TourStop[]
  /** True while the courier drives to the first stop, which must then stay the first. */
  isUnderWay: boolean
}

export interface TimedStop extends TourStop {
  /** Expected times, ms. */
  arriveAt: number
  leaveAt: number
}

/** Returns the seconds of the quickest way between two places. */
export type TravelSeconds = (from: LatLng, to: LatLng) => number

export const getStopPlace = ({ kind, parcel }: TourStop): LatLng => parcel[kind]

/** Returns the seconds that the courier stands at a stop. */
export const getStopSeconds = ({ kind, parcel }: TourStop): Seconds =>
  kind === 'pickup' ? parcel.pickupSeconds : parcel.dropSeconds

/** Returns whether a parcel has been picked up and not delivered yet. */
export const isOnBoard = ({ stops }: Tour, parcel: string): boolean => {
  const own = stops.filter((stop) => stop.parcel.id === parcel)
  return own.length > 0 && own.every(({ kind }) => kind === 'drop')
}

/** Returns the stops with their expected times. A courier waits for a parcel that is not ready. */
export const scheduleTour = (
  { place, at, stops }: Tour,
  travelSeconds: TravelSeconds,
): TimedStop[] => {
  let [here, now] = [place, at]
  return stops.map((stop) => {
    const there = getStopPlace(stop)
    const arriveAt = now + toMilliseconds(travelSeconds(here, there))
    const ready = stop.kind === 'pickup' ? stop.parcel.readyAt : arriveAt
    here = there
    now = Math.max(arriveAt, ready) + toMilliseconds(getStopSeconds(stop))
    return { ...stop, arriveAt, leaveAt: now }
  })
}

/** Returns the time at which the courier is expected to have delivered each parcel, ms. */
export const getDeliveryTimes = (tour: Tour, travelSeconds: TravelSeconds): Map<string, number> =>
  new Map(
    scheduleTour(tour, travelSeconds).flatMap(({ kind, parcel, leaveAt }) =>
      kind === 'drop' ? [[parcel.id, leaveAt]] : [],
    ),
  )

/** Whole milliseconds keep sums exact, so that equal costs are equal in every order of adding. */
export const toMilliseconds = (seconds: Seconds): number => Math.round(seconds * 1000)
