/**
 * Decides which distance and time of a taxi trip are charged. The driver's phone writes the track
 * that the driver is paid by, so the track is only a claim. We compare it with data the platform
 * has itself: the planned route and the streets.
 *
 * - Up to 10 % and 300 m beyond the plan is charged as driven: real trips never match the plan
 *   exactly.
 * - Up to 40 % and 1 km beyond the plan is charged as far as the streets confirm it: a detour uses
 *   streets, leads somewhere and does not pass the same place twice. Unconfirmed distance is cut
 *   off at the first bound ("capped").
 * - Beyond that, or when the track contradicts itself, the trip is charged at no more than planned
 *   and the back office reviews it ("flagged").
 */
import { getDistanceKm } from '../../geo/geo'
import { getLengthKm } from '../../geo/polylineGeometry'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import { CLOCK_TOLERANCE_MS } from './clientTime'
import { getPlannedRoute } from './route'
import {
  getMaxKmBetween,
  removeClosePositions,
  type RoadQueries,
  type RoadResults,
  type TrackSegment,
  type Trip,
  splitTrack,
} from './track'
import {
  checkPoints,
  isAwayFrom,
  isMostlyOffRoad,
  isOffRoad,
  listReasons,
  MAX_LEG_FACTOR,
  MAX_SHORTCUTS_SHARE,
  measureRepeatedKm,
  readTrack,
  SHORTCUT_FACTOR,
  type Findings,
} from './trackChecks'
import type { Booking, TrackingPoint, TripVerdict, TripVerdictReason } from '../types'
import type { LatLng } from '../../geo/types'
import type { Settings } from '../../catalog/types'
import type { Kilometers, Milliseconds, Seconds } from '../../language/units'

/**
 * Factor and kilometers beyond the plan that lanes, parking and GPS explain. They are always
 * charged.
 */
const ALWAYS_CHARGED_FACTOR = 1.1
const ALWAYS_CHARGED_EXTRA_KM = 0.3
/**
 * Factor and kilometers beyond the plan that a closed street, a jam or a wrong turn explains. They
 * are charged when the streets confirm them.
 */
const MAX_CONFIRMED_FACTOR = 1.4
const MAX_CONFIRMED_EXTRA_KM = 1
/**
 * The same bounds for time. A trip in a traffic jam takes 1.5 times as long; twice as long is rare.
 */
const ALWAYS_CHARGED_TIME_FACTOR = 1.6
const ALWAYS_CHARGED_EXTRA_SECONDS = 300
const MAX_TIME_FACTOR = 2
const MAX_EXTRA_SECONDS = 600
/** Seconds allowed for each stop. */
const MAX_STOP_SECONDS = 300
/** Maximum charged seconds of standing at the pickup or the drop-off, for loading and paying. */
const MAX_CHARGED_STANDING_SECONDS = 180
/** Distance from the start or the end within which the car counts as standing, km. */
const STANDING_RADIUS_KM = 0.1
/** Maximum number of gaps in one query to the maps service. */
const MAX_QUERIED_GAPS = 8
/**
 * Spacing (km) and maximum number of the sampled places whose connecting routes confirm a track.
 */
const MIN_SAMPLE_SPACING_KM = 0.8
const MAX_SAMPLES = 25
/** Minimum confirmed share of the track at which all of it counts. */
const MIN_CONFIRMED_SHARE = 0.97
/** Repeated kilometers, and their share of the plan, that no wrong turn explains. */
const MAX_LOOPS_KM = 2
const MAX_LOOPS_SHARE = 0.15

export interface DrivenDistance {
  verdict: TripVerdict
  /** Charged kilometers and seconds. */
  chargedKm: Kilometers
  chargedSeconds: Seconds
  /** Length of the track without impossible points. */
  drivenKm: Kilometers
  plannedKm: Kilometers
  reasons: TripVerdictReason[]
  droppedPoints: number
}

/** Returns true when a trip is charged by distance: a taxi trip that was not prepaid. */
export const isMetered = (
  { paymentPacket }: Pick<Booking, 'paymentPacket'>,
  { appcat }: Pick<Settings, 'appcat'>,
): boolean => appcat === 'taxi' && !paymentPacket

/** Returns an end time after all points, because a phone's clock may be a minute ahead. */
const getEndTime = (tracking: readonly TrackingPoint[], { at: end }: TimedPosition): number =>
  tracking.reduce(
    (last, { at }) => (at <= end + CLOCK_TOLERANCE_MS ? Math.max(last, at + 1) : last),
    end,
  )

/** Returns the trip of a booking that ends at `end`, the position and time of its `reach` event. */
export const toTrip = (
  booking: Booking,
  tracking: readonly TrackingPoint[],
  end: TimedPosition,
  settings: Pick<Settings, 'convert_to_mile'>,
): Trip => ({
  points: [...tracking, { ...end, at: getEndTime(tracking, end), status: 'REACHED' }],
  startedAt: booking.startTime ?? end.at,
  endedAt: end.at,
  pickup: booking.pickup,
  drop: booking.drop,
  stops: booking.waypoints ?? [],
  plannedSeconds: booking.estimateTime,
  route: getPlannedRoute(booking, settings),
})

const toPosition = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })

/** Returns the positions of a trip that a car can have driven, in order of time. */
export const getPlausiblePositions = (trip: Trip): LatLng[] =>
  readTrack(trip).positions.map(toPosition)

/** Returns the kilometers that are charged without a check. */
export const getAlwaysChargedKm = (plannedKm: Kilometers) =>
  plannedKm * ALWAYS_CHARGED_FACTOR + ALWAYS_CHARGED_EXTRA_KM
const getMaxChargedKm = (plannedKm: Kilometers) =>
  plannedKm * MAX_CONFIRMED_FACTOR + MAX_CONFIRMED_EXTRA_KM

/** Returns the longest gaps of the track, up to the query limit. */
const selectQueriedGaps = (stretches: readonly TrackSegment[]): TrackSegment[] =>
  stretches
    .filter(({ kind }) => kind === 'gap')
    .sort((a, b) => b.km - a.km)
    .slice(0, MAX_QUERIED_GAPS)

const sumKm = (stretches: readonly TrackSegment[], ...kinds: TrackSegment['kind'][]): Kilometers =>
  stretches.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { km }) => sum + km, 0)

/** Returns places along the track, and the kilometers of the track between them. */
const sampleTrack = (
  line: readonly TimedPosition[],
): { places: TimedPosition[]; legs: number[] } => {
  const [first] = line
  const last = line.at(-1)
  if (!first || !last || first === last) return { places: [], legs: [] }
  const every = Math.max(MIN_SAMPLE_SPACING_KM, getLengthKm(line) / (MAX_SAMPLES - 1))
  const places = [first]
  const legs: number[] = []
  let since = 0
  line.slice(1).forEach((fix, i) => {
    since += getDistanceKm(line[i]!, fix)
    if (since < every && fix !== last) return
    places.push(fix)
    legs.push(since)
    since = 0
  })
  return { places, legs }
}

/** Returns the queries to run before `assessTrip`. Most trips need one route or none. */
export const buildRoadQueries = (trip: Trip): RoadQueries => {
  const { positions } = readTrack(trip)
  const line = removeClosePositions(positions)
  const stretches = splitTrack(line, trip.route)
  const isLonger =
    sumKm(stretches, 'plan', 'own', 'gap') > trip.route.km * 1.05 + ALWAYS_CHARGED_EXTRA_KM / 2
  return {
    positions: positions.map(toPosition),
    gaps: selectQueriedGaps(stretches).map(({ positions: [from, to] }) => [
      toPosition(from!),
      toPosition(to!),
    ]),
    routePositions: isLonger ? sampleTrack(line).places.map(toPosition) : [],
  }
}

/** Returns the seconds of a trip, with at most three minutes of standing at either end. */
const getChargedSeconds = (
  { startedAt, endedAt }: Trip,
  fixes: readonly TimedPosition[],
): Seconds => {
  const whole = Math.max(0, (endedAt - startedAt) / 1000)
  const [first, last] = [fixes[0], fixes.at(-1)]
  if (!first || !last) return Math.round(whole)
  const away = fixes.findIndex((fix) => getDistanceKm(first, fix) > STANDING_RADIUS_KM)
  const near = fixes.findLastIndex((fix) => getDistanceKm(last, fix) > STANDING_RADIUS_KM)
  // A car that never left its start has stood there the whole time.
  const leftAt = away < 0 ? endedAt : fixes[Math.max(0, away - 1)]!.at
  const arrivedAt = near < 0 ? endedAt : fixes[near + 1]!.at
  const excess = (ms: Milliseconds) => Math.max(0, ms / 1000 - MAX_CHARGED_STANDING_SECONDS)
  return Math.round(Math.max(0, whole - excess(leftAt - startedAt) - excess(endedAt - arrivedAt)))
}

/**
 * Returns the kilometers that the routes between places confirm, and the share of shortcuts in the
 * track.
 */
const compareWithRoutes = (line: readonly TimedPosition[], legKm: readonly number[] | null) => {
  const { legs } = sampleTrack(line)
  if (!legKm || legKm.length === 0 || legKm.length !== legs.length) return null
  return {
    km: legs.reduce((km, leg, i) => km + Math.min(leg, legKm[i]! * MAX_LEG_FACTOR), 0),
    shortcuts: legs.filter((leg, i) => legKm[i]! > leg * SHORTCUT_FACTOR).length / legs.length,
  }
}

interface TripMeasurement {
  km: Kilometers
  /** Kilometers that the track and the streets confirm. */
  confirmedKm: Kilometers
  /** Kilometers on which the track repeats itself. */
  repeated: number
  line: TimedPosition[]
  findings: Findings
}

/** Measures the distance along the plausible points, and how much of it the streets confirm. */
const measureTrip = (
  trip: Trip,
  fixes: TimedPosition[],
  answers: RoadResults | null,
): TripMeasurement => {
  const beside = answers?.roadDistances?.length === fixes.length ? answers.roadDistances : null
  const isOff = (i: number) => isOffRoad(beside?.[i])
  const legKm = compareWithRoutes(removeClosePositions(fixes), answers?.legKm ?? null)
  const isInvented =
    isMostlyOffRoad(beside) || (legKm !== null && legKm.shortcuts > MAX_SHORTCUTS_SHARE)
  // Where the map lacks roads, dropping points would only create gaps.
  const onRoad = isInvented
    ? fixes
    : fixes.filter((_, i) => i === 0 || i === fixes.length - 1 || !isOff(i))
  const line = removeClosePositions(onRoad)
  const toKey = ({ positions: [from, to] }: TrackSegment) => `${from?.at} ${to?.at}`
  const queriedGaps = selectQueriedGaps(splitTrack(removeClosePositions(fixes), trip.route))
  const roads = new Map(queriedGaps.map((gap, i) => [toKey(gap), answers?.gapKm?.[i] ?? null]))
  const stretches = splitTrack(line, trip.route).map((stretch): TrackSegment => {
    const [from, to] = stretch.positions
    const road = stretch.kind === 'gap' ? roads.get(toKey(stretch)) : null
    if (!from || !to || !road) return stretch
    // A route that takes longer than the gap lasted was not driven.
    return { ...stretch, km: Math.max(stretch.km, Math.min(road, getMaxKmBetween(from, to))) }
  })
  const km = sumKm(stretches, 'plan', 'own', 'gap')
  const guessed = sumKm(stretches, 'gap')
  const repeated = measureRepeatedKm(stretches)
  const confirmedKm = isInvented || !legKm ? 0 : Math.min(km - repeated - guessed, legKm.km)
  const findings = { off_road: isInvented, gaps: guessed > km / 4 }
  return { km, confirmedKm, repeated, line, findings }
}

/** Returns what flags a distance: its length, its loops, its speed and its ends. */
const checkDistance = (trip: Trip, { km, repeated, line }: TripMeasurement): Findings => {
  const plannedKm = trip.route.km
  const isMore = km > getAlwaysChargedKm(plannedKm)
  return {
    far_longer: km > getMaxChargedKm(plannedKm),
    loops: isMore && repeated > MAX_LOOPS_KM && repeated > MAX_LOOPS_SHARE * plannedKm,
    too_fast: isMore && km > getMaxKmBetween({ at: trip.startedAt }, { at: trip.endedAt }),
    start_elsewhere: isMore && isAwayFrom(trip.pickup, line[0]),
    drop_elsewhere: isMore && isAwayFrom(trip.drop, line.at(-1)),
  }
}

/** Returns the seconds that a trip took, those charged without a check, and those that flag it. */
const measureTime = (trip: Trip, positions: readonly TimedPosition[]) => {
  const { plannedSeconds, stops } = trip
  const waits = stops.length * MAX_STOP_SECONDS
  return {
    seconds: getChargedSeconds(trip, positions),
    freeSeconds: Math.round(
      plannedSeconds * ALWAYS_CHARGED_TIME_FACTOR + ALWAYS_CHARGED_EXTRA_SECONDS + waits,
    ),
    maxSeconds: plannedSeconds * MAX_TIME_FACTOR + MAX_EXTRA_SECONDS + waits,
  }
}

/** Returns the kilometers to charge, as far as the plan and the streets confirm them. */
const getPaidKm = (
  plannedKm: Kilometers,
  measured: TripMeasurement,
  hasLoops: boolean,
): Kilometers => {
  const { km, confirmedKm, findings } = measured
  const freeKm = getAlwaysChargedKm(plannedKm)
  if (km <= freeKm || confirmedKm >= km * MIN_CONFIRMED_SHARE) return km
  // Loops and invented tracks get no free share.
  const floor = hasLoops || findings.off_road ? plannedKm : freeKm
  return Math.min(km, Math.max(floor, confirmedKm))
}

/**
 * Decides the charged distance and time of a trip. `answers` are the results of `buildRoadQueries`
 * for the same trip, or null without a road service; then nothing beyond the free share is
 * confirmed.
 */
export const assessTrip = (trip: Trip, answers: RoadResults | null): DrivenDistance => {
  const { plannedSeconds } = trip
  const plannedKm = trip.route.km
  const track = readTrack(trip)
  const measured = measureTrip(trip, track.positions, answers)
  const { km, repeated } = measured
  const { seconds, freeSeconds, maxSeconds } = measureTime(trip, track.positions)
  const flags: Findings = {
    ...checkPoints(track),
    ...checkDistance(trip, measured),
    far_slower: seconds > maxSeconds,
  }
  const hasLoops =
    !flags.loops && km > getAlwaysChargedKm(plannedKm) && repeated > ALWAYS_CHARGED_EXTRA_KM
  const paidKm = getPaidKm(plannedKm, measured, hasLoops)
  const caps: Findings = {
    longer: paidKm < km && !flags.far_longer,
    slower: !flags.far_slower && seconds > freeSeconds,
  }
  const isFlagged = Object.values(flags).includes(true)
  const isCapped = Object.values(caps).includes(true)
  // The time of uncharged distance is not charged either.
  const paidSeconds = Math.max(Math.min(seconds, plannedSeconds), (seconds * paidKm) / (km || 1))
  return {
    verdict: isFlagged ? 'flagged' : isCapped ? 'capped' : 'ok',
    chargedKm: isFlagged ? Math.min(km, plannedKm) : paidKm,
    chargedSeconds: Math.round(
      isFlagged ? Math.min(seconds, plannedSeconds) : Math.min(paidSeconds, freeSeconds),
    ),
    drivenKm: km,
    plannedKm,
    reasons: listReasons(flags, caps, { loops: hasLoops }, measured.findings),
    droppedPoints: track.droppedCount,
  }
}
