import { toDistanceUnit } from '../../geo/geo'
import { decodePolyline, encodePolyline } from '../../geo/polyline'
import { getLengthKm } from '../../geo/polylineGeometry'
import type { BookingFieldUpdates } from '../changeDraft'
import { assessTrip, getAlwaysChargedKm, getPlausiblePositions, toTrip } from './drivenDistance'
import { getPlannedRoute, type Route } from './route'
import { getMaxKmBetween, type PlannedRoute, type Trip } from './track'
import { measureDrivenRoad, type DrivenRoad } from './drivenRoad'
import { getCarPosition } from './tripUnderWay'
import type { TransitionArgs } from '../eventArgs'
import type { LatLng } from '../../geo/types'
import { TRIP_VERDICT_REASONS, type TripVerdictReason } from '../types'
import type { Kilometers, Seconds } from '../../language/units'

/** Share of the driven distance that a track must cover to be drawn as the driven part. */
const MIN_TRACK_SHARE = 0.8
/** Length above which a road shows how fast its streets are, km. */
const MIN_PACED_KM = 0.3
/** Otherwise the longest time that counts for a kilometer, such as in a narrow street. */
const MAX_SECONDS_PER_KM = 240
/** Share and kilometers by which noise makes the road along a track longer than the plan. */
const NOISE_FACTOR = 1.02
const NOISE_KM = 0.1

type AmendedStep = Pick<
  TransitionArgs<'driver' | 'roadResults' | 'roadSoFar' | 'tracking'>,
  'booking' | 'context' | 'now'
>

/** A track that the amendment charges only in part, so that the back office decides. */
export interface UnprovedTrack {
  /** Kilometers and seconds of the trip with all that the track claims, and the planned rest. */
  km: Kilometers
  seconds: Seconds
  droppedPoints: number
  reasons: TripVerdictReason[]
}

/** The route of an amended trip under way. */
export interface AmendedRoute {
  route: Route
  unproved: UnprovedTrack | null
}

interface DrivenPart {
  km: Kilometers
  claimedKm: Kilometers
  /** Seconds of the driven part when no road shows its pace. */
  seconds: Seconds
  droppedPoints: number
  reasons: TripVerdictReason[]
}

/** Each plan that the customer has replaced, and each stop, may have led back. */
const countPasses = ({ event_log = {}, waypoints = [] }: AmendedStep['booking']): number =>
  2 +
  waypoints.length +
  Object.values(event_log).filter(({ event, status }) => event === 'amend' && status === 'STARTED')
    .length

/**
 * Returns the shortest road to the car. A position that the car cannot have reached is a claim of
 * the driver's phone. Then only the plan, and the customer's new drop-off, prove a road: one that
 * is this far from the pickup.
 */
const boundRoadToCar = (
  { roadKm, restKm }: { roadKm: Kilometers; restKm: Kilometers },
  trip: Trip,
  { reasons }: DrivenRoad,
  plan: PlannedRoute,
): number => {
  const mostKm = getMaxKmBetween({ at: trip.startedAt }, { at: trip.endedAt })
  const isReached = roadKm <= mostKm && !reasons.includes('end_impossible')
  return isReached ? roadKm : Math.max(Math.min(roadKm, plan.km), roadKm - restKm)
}

/**
 * Decides how much of the driven road is charged: the shortest road to the car, and the track as
 * far as the plan or the roads along it confirm it. On the planned route the plan decides.
 */
const assessDrivenPart = (
  { booking, context }: AmendedStep,
  trip: Trip,
  plan: PlannedRoute,
  { distance_in_km: restKm }: Route,
): DrivenPart => {
  const { roadResults, roadSoFar } = context
  const road = measureDrivenRoad(trip, roadResults, countPasses(booking))
  // The roads were queried without the plan.
  const planned = assessTrip(trip, roadResults && { ...roadResults, gapKm: null, legKm: null })
  const roadKm = roadSoFar?.distance_in_km ?? 0
  const knownKm = Math.max(planned.chargedKm, boundRoadToCar({ roadKm, restKm }, trip, road, plan))
  const isLonger = road.leastKm > knownKm * NOISE_FACTOR + NOISE_KM
  return {
    km: isLonger ? road.km : Math.max(knownKm, road.leastKm),
    claimedKm: Math.max(road.claimedKm, roadKm),
    seconds: planned.chargedSeconds,
    droppedPoints: road.droppedPoints,
    reasons: [...planned.reasons, ...road.reasons],
  }
}

/**
 * Returns the seconds of the driven part. Like the rest, it is priced by its planned time and not
 * by the traffic: at the pace of the road to the car, or else of the plan.
 */
const getDrivenSeconds = (
  { booking, context: { roadSoFar } }: AmendedStep,
  driven: DrivenPart,
  plan: PlannedRoute,
): Seconds => {
  const paces = [
    { km: roadSoFar?.distance_in_km ?? 0, seconds: roadSoFar?.time_in_secs ?? 0 },
    { km: plan.km, seconds: booking.estimateTime },
  ]
  const pace = paces.find(({ km }) => km > MIN_PACED_KM)
  return pace
    ? (pace.seconds * driven.km) / pace.km
    : Math.min(driven.seconds, driven.km * MAX_SECONDS_PER_KM)
}

/** Returns the line of the driven part: the track, or the road to the car for a sparse one. */
const drawDrivenPart = (
  { context: { roadSoFar } }: AmendedStep,
  trip: Trip,
  km: Kilometers,
): LatLng[] => {
  const track = getPlausiblePositions(trip)
  return roadSoFar && getLengthKm(track) < km * MIN_TRACK_SHARE
    ? decodePolyline(roadSoFar.polylinePoints)
    : track
}

/**
 * Returns the route of a trip that is amended under way: the road driven so far, then the planned
 * rest. `context.route` is that rest, and `context.roadSoFar` the shortest road to the car.
 */
export const joinDrivenAndRest = (args: AmendedStep, rest: Route): AmendedRoute => {
  const { booking, context, now } = args
  const { settings, tracking, driver } = context
  const position = getCarPosition({ ...booking, tracking, driver })
  const trip = toTrip(booking, tracking, { ...position, at: now }, settings)
  const plan = getPlannedRoute(booking, settings)
  const driven = assessDrivenPart(args, trip, plan, rest)
  const drivenSeconds = getDrivenSeconds(args, driven, plan)
  const drawn = drawDrivenPart(args, trip, driven.km)
  const seconds = Math.round(drivenSeconds + rest.time_in_secs)
  const isUnproved = driven.claimedKm > getAlwaysChargedKm(driven.km)
  return {
    route: {
      ...rest,
      distance_in_km: driven.km + rest.distance_in_km,
      time_in_secs: seconds,
      polylinePoints: encodePolyline([...drawn, ...decodePolyline(rest.polylinePoints)]),
    },
    unproved: isUnproved
      ? {
          km: driven.claimedKm + rest.distance_in_km,
          seconds,
          droppedPoints: driven.droppedPoints,
          reasons: TRIP_VERDICT_REASONS.filter(
            (reason) => reason === 'longer' || driven.reasons.includes(reason),
          ),
        }
      : null,
  }
}

/** Returns the fields by which the back office decides about an unproved track at the end. */
export const toReviewFields = (
  { booking, context }: AmendedStep,
  unproved: UnprovedTrack | null,
): BookingFieldUpdates => {
  if (!unproved)
    return booking.distance_review ? { driven_distance: null, distance_review: null } : {}
  const { km, seconds, droppedPoints, reasons } = unproved
  return {
    driven_distance: toDistanceUnit(km, context.settings),
    distance_review: {
      verdict: 'flagged',
      reasons,
      dropped_points: droppedPoints,
      charged_time: seconds,
    },
  }
}
