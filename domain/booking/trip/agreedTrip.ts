/**
 * Checks a trip at an agreed price, such as a delivery or a prepaid trip. Its road changes no
 * price, but what contradicts itself is for the back office.
 */
import { getDistanceKm } from '../../geo/geo'
import { getLengthKm } from '../../geo/polylineGeometry'
import { getStops, isStopDone, type BookingStop } from '../stops/bookingStops'
import type { DrivenDistance } from './drivenDistance'
import { getMaxKmBetween, type Trip } from './track'
import { checkPoints, isAwayFrom, listReasons, readTrack, type TrackReading } from './trackChecks'
import { listPhonePoints } from './tripUnderWay'
import type { Booking, TrackingPoint } from '../types'
import type { Settings } from '../../catalog/types'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import type { LatLng } from '../../geo/types'
import type { Milliseconds, Seconds } from '../../language/units'

/** The booking and the track of a trip, and the time at which the server received its end, ms. */
interface RecordedTrip {
  booking: Booking
  tracking: readonly TrackingPoint[]
  now: number
}

/** Kilometers by which a phone's position may be wrong at both ends together. */
const POSITION_TOLERANCE_KM = 1
/** Share of the planned time below which no car drives its road, also at night and by highways. */
const MIN_TIME_SHARE = 0.5
/** Maximum ratio of the road between two places to the straight line, as a city has it. */
const ROAD_FACTOR = 1.4

/**
 * Returns the seconds that the planned road takes at least. A passenger may leave the car before
 * the drop-off, so that the rest of the road does not count.
 */
const getLeastSeconds = ({ route, drop, plannedSeconds }: Trip, end: LatLng = drop): Seconds => {
  const restKm = getDistanceKm(end, drop) * ROAD_FACTOR
  const drivenKm = Math.max(0, route.km - restKm - POSITION_TOLERANCE_KM)
  return route.km > 0 ? ((plannedSeconds * drivenKm) / route.km) * MIN_TIME_SHARE : 0
}

/**
 * Returns true when the track does not begin at the pickup, and the car had too little time to come
 * from there to its first point. The first of the points is the driver's last known position, which
 * may be old, so that the next one decides. A phone that sends no other point proves nothing.
 */
const startsElsewhere = (
  { pickup, startedAt, route, plannedSeconds }: Trip,
  { positions, end }: TrackReading,
): boolean => {
  const first = positions.filter((position) => position !== end).slice(0, 2)
  const isTooFar = (position: TimedPosition) => {
    const share = route.km > 0 ? Math.min(1, getDistanceKm(pickup, position) / route.km) : 0
    const leastSeconds = plannedSeconds * share * MIN_TIME_SHARE
    return isAwayFrom(pickup, position) && (position.at - startedAt) / 1000 <= leastSeconds
  }
  return first.length > 1 && first.every(isTooFar)
}

/** Returns the time between the first and the last of these points, ms. */
const getSpanMs = (points: readonly TrackingPoint[]): Milliseconds => {
  const times = points.map(({ at }) => at)
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
}

/**
 * Returns the time that a trip took, ms, at most what the driver's phone says. The phone may say
 * that the trip started long before the server heard of it, as after a drive without a network. The
 * track that it recorded on the way then proves its own time; without one, the times at which the
 * server received the events count.
 */
const getProvenMs = (
  { startedAt, endedAt }: Trip,
  { booking, tracking, now }: RecordedTrip,
): Milliseconds => {
  const { event_log = {} } = booking
  const start = Object.values(event_log).find(
    ({ event, at }) => event === 'start' && at === startedAt,
  )
  const receivedMs = now - (start?.received_at ?? startedAt)
  const trackMs = getSpanMs(listPhonePoints({ event_log, tracking }))
  return Math.min(endedAt - startedAt, Math.max(receivedMs, trackMs))
}

/** Returns true when the driver recorded the stop and the track comes near it. */
const isStopVisited = (
  { place, state }: BookingStop,
  { positions }: Pick<TrackReading, 'positions'>,
): boolean =>
  isStopDone({ state }) &&
  state !== 'skipped' &&
  positions.some((position) => !isAwayFrom(place, position))

/**
 * Returns what contradicts a trip at an agreed price, whatever its track measures: no car can have
 * driven its lines or its planned road in its time, the track has impossible points, a stop was
 * left out, it began away from its pickup, or a parcel was handed over away from its drop-off.
 */
export const findContradictions = (
  trip: Trip,
  recorded: RecordedTrip,
  { appcat }: Pick<Settings, 'appcat'>,
): Pick<DrivenDistance, 'reasons' | 'droppedPoints'> => {
  const { pickup, stops, drop } = trip
  const track = readTrack(trip)
  const provenMs = getProvenMs(trip, recorded)
  const mostKm = getMaxKmBetween({ at: 0 }, { at: provenMs }) + POSITION_TOLERANCE_KM
  return {
    reasons: listReasons(checkPoints(track), {
      end_impossible: getLengthKm([pickup, ...stops, drop]) > mostKm,
      start_elsewhere: startsElsewhere(trip, track),
      too_fast: provenMs / 1000 < getLeastSeconds(trip, track.end),
      drop_elsewhere: appcat === 'delivery' && isAwayFrom(drop, track.end),
      // The price is for all stops.
      stops: getStops(recorded.booking).some((stop) => !isStopVisited(stop, track)),
    }),
    droppedPoints: track.droppedCount,
  }
}
