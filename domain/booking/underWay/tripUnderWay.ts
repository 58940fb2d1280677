import type { Booking, LatLng, Place, TrackingPoint, User } from '../entities'
import { getDistanceKm } from '../geo'
import { decodePolyline, encodePolyline } from '../polyline'
import { getLengthKm } from '../polylineGeometry'
import type { TransitionArgs } from './changeDraft'
import { assessTrip, getPlausiblePositions, toTrip } from './drivenDistance'
import type { Route } from './eventTypes'
import { getPlannedRoute } from './route'
import { isStopDone, type BookingStop } from './stops/bookingStops'

/** Distance from a stop within which the car has visited it, km. */
const STOP_RADIUS_KM = 0.3
/** Share of the driven distance that a track must cover to be drawn as the driven part. */
const MIN_TRACK_SHARE = 0.8

/** Length above which the road to the car shows how fast its streets are, km. */
const MIN_PACED_KM = 0.3
/** Otherwise the longest time that counts for a kilometer, such as in a narrow street. */
const MAX_SECONDS_PER_KM = 240

/** A trip at the moment of an amendment. */
export interface TripUnderWay {
  /** The position of the car. */
  position: LatLng
  /** The stops that the car has visited, and the others, in their order. */
  visited: Place[]
  remaining: Place[]
}

type CarTrace = Pick<Booking, 'pickup'> & {
  tracking: readonly TrackingPoint[]
  driver: Pick<User, 'location'> | null
}

/**
 * Returns the newest position of the car. The first point of the track is the one that the server
 * wrote at the start; a phone that sends no track still reports the driver's location.
 */
const getCarPosition = ({ pickup, tracking, driver }: CarTrace): LatLng => {
  const points = tracking.filter(({ status }) => status === 'STARTED')
  const last = points.reduce<TrackingPoint | undefined>(
    (newest, point) => (newest && newest.at > point.at ? newest : point),
    undefined,
  )
  const { lat, lng } = (points.length > 1 ? last : (driver?.location ?? last)) ?? pickup
  return { lat, lng }
}

/** Divides the stops by what the driver recorded at them; null when they recorded nothing. */
const divideByRecord = (
  recorded: readonly BookingStop[],
  stops: readonly Place[],
): Pick<TripUnderWay, 'visited' | 'remaining'> | null => {
  const done = recorded.filter(isStopDone)
  if (done.length === 0) return null
  return {
    visited: done.flatMap(({ place, state }) => (state === 'skipped' ? [] : [place])),
    remaining: stops.slice(done.length),
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

/**
 * Returns the route of a trip that is amended under way: the road driven so far, then the planned
 * rest. `context.route` is that rest, and `context.roadSoFar` the shortest road to the car. A track
 * that is longer than planned counts only as far as at the end of a taxi trip.
 */
export const joinDrivenAndRest = (
  { booking, context, now }: Pick<TransitionArgs, 'booking' | 'context' | 'now'>,
  rest: Route,
): Route => {
  const { settings, tracking, driver, roadResults, roadSoFar } = context
  const { pickup } = booking
  const position = getCarPosition({ pickup, tracking, driver })
  const trip = toTrip(booking, tracking, { ...position, at: now }, settings)
  const driven = assessTrip(trip, roadResults)
  const planned = getPlannedRoute(booking, settings)
  const roadKm = Math.min(roadSoFar?.distance_in_km ?? 0, planned.km)
  const km = Math.max(driven.chargedKm, roadKm)
  // Like the rest, the driven part is priced by its planned time and not by the traffic.
  const isPaceKnown = roadSoFar !== null && roadSoFar.distance_in_km > MIN_PACED_KM
  const drivenSeconds = isPaceKnown
    ? (roadSoFar.time_in_secs * km) / roadSoFar.distance_in_km
    : Math.min(driven.chargedSeconds, km * MAX_SECONDS_PER_KM)
  const track = getPlausiblePositions(trip)
  const drawn =
    roadSoFar && getLengthKm(track) < km * MIN_TRACK_SHARE
      ? decodePolyline(roadSoFar.polylinePoints)
      : track
  return {
    ...rest,
    distance_in_km: km + rest.distance_in_km,
    time_in_secs: Math.round(drivenSeconds + rest.time_in_secs),
    polylinePoints: encodePolyline([...drawn, ...decodePolyline(rest.polylinePoints)]),
  }
}
