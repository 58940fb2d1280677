import { getDistanceKm } from '../../geo/geo'
import { isStopDone, type BookingStop } from '../stops/bookingStops'
import type { Booking, TrackingPoint } from '../types'
import type { LatLng, Place } from '../../geo/types'
import type { User } from '../../accounts/types'

/** Distance from a stop within which the car has visited it, km. */
const STOP_RADIUS_KM = 0.3

/** A trip at the moment of an amendment. */
export interface TripUnderWay {
  /** The position of the car. */
  position: LatLng
  /** The stops that the car has visited, and the others, in their order. */
  visited: Place[]
  remaining: Place[]
}

export type CarTrace = Pick<Booking, 'pickup'> &
  Partial<Pick<Booking, 'event_log'>> & {
    tracking: readonly TrackingPoint[]
    driver: Pick<User, 'location'> | null
  }

const getNewest = (points: readonly TrackingPoint[]): TrackingPoint | undefined =>
  points.reduce<TrackingPoint | undefined>(
    (newest, point) => (newest && newest.at > point.at ? newest : point),
    undefined,
  )

/** Returns the points of the phone. The server writes one at the start and at amendments. */
export const listPhonePoints = ({
  tracking,
  event_log = {},
}: Pick<CarTrace, 'tracking' | 'event_log'>): TrackingPoint[] => {
  const written = new Set(Object.values(event_log).map(({ at }) => at))
  const points = tracking.filter(({ status }) => status === 'STARTED')
  // The first point is the one of the start, also when the log lacks it.
  return points.slice(1).filter(({ at }) => !written.has(at))
}

/** Returns true when the phone of the driver sends only its location and no track. */
export const isTrackMissing = (trace: CarTrace): boolean => listPhonePoints(trace).length === 0

/** Returns the newest position of the car: of its track, or else the location of the driver. */
export const getCarPosition = (trace: CarTrace): LatLng => {
  const { pickup, tracking, driver } = trace
  const started = getNewest(tracking.filter(({ status }) => status === 'STARTED'))
  const { lat, lng } = getNewest(listPhonePoints(trace)) ?? driver?.location ?? started ?? pickup
  return { lat, lng }
}

/** Divides the stops by what the driver recorded at them; null when they recorded nothing. */
const divideByRecord = (
  recorded: readonly BookingStop[],
  stops: readonly Place[],
): Pick<TripUnderWay, 'visited' | 'remaining'> | null => {
  const finishedStops = recorded.filter(isStopDone)
  if (finishedStops.length === 0) return null
  return {
    visited: finishedStops.flatMap(({ place, state }) => (state === 'skipped' ? [] : [place])),
    remaining: stops.slice(finishedStops.length),
  }
}

/** Divides the stops by the track, for a driver whose app records no stops. */
const divideByTrack = (
  positions: readonly LatLng[],
  stops: readonly Place[],
): Pick<TripUnderWay, 'visited' | 'remaining'> => {
  let from = 0
  let visitedCount = 0
  for (const stop of stops) {
    const index = positions.findIndex(
      (place, i) => i >= from && getDistanceKm(place, stop) <= STOP_RADIUS_KM,
    )
    if (index < 0) break
    from = index
    visitedCount++
  }
  return { visited: stops.slice(0, visitedCount), remaining: stops.slice(visitedCount) }
}

/**
 * Divides the stops of an amended trip into those that the car has visited, and the rest.
 * `recorded` are the stops before the amendment, which keeps those that the driver has passed.
 */
export const getTripUnderWay = (
  trace: CarTrace,
  recorded: readonly BookingStop[],
  stops: readonly Place[],
): TripUnderWay => {
  const position = getCarPosition(trace)
  const positions: LatLng[] = [
    ...trace.tracking.filter(({ status }) => status === 'STARTED'),
    position,
  ]
  return { position, ...(divideByRecord(recorded, stops) ?? divideByTrack(positions, stops)) }
}
