/**
 * Measures the road that a car has driven before an amendment, without a plan: the customer
 * replaces the plan, and may have asked the driver to drive elsewhere before. The track is a claim
 * of the driver's phone. The roads through positions along it confirm it, and where it has gaps,
 * the roads across them count.
 */
import { getDistanceKm } from '../../geo/geo'
import { getLengthKm } from '../../geo/polylineGeometry'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import {
  getMaxKmBetween,
  getSmoothedKm,
  MIN_GAP_KM,
  removeClosePositions,
  splitTrack,
  type RoadQueries,
  type RoadResults,
  type Trip,
} from './track'
import {
  hasJumps,
  isEndImpossible,
  isMostlyOffRoad,
  MAX_ENDPOINT_OFFSET_KM,
  MAX_LEG_FACTOR,
  MAX_SHORTCUTS_SHARE,
  measureRepeatedKm,
  readTrack,
  SHORTCUT_FACTOR,
} from './trackChecks'
import type { TripVerdictReason } from '../types'
import type { Kilometers } from '../../language/units'

/** Spacing (km) and maximum number of the positions whose connecting roads are queried. */
const MIN_SPACING_KM = 0.8
const MAX_POSITIONS = 25
/** Maximum number of gaps and of turns whose ends are always among these positions. */
const MAX_GAPS = 4
const MAX_TURNS = 8
/** Kilometers by which the car comes back before its farthest position counts as a turn. */
const TURN_KM = 0.15
/**
 * Maximum ratio of the time that the roads take without traffic to the time of the trip. Above it,
 * the car cannot have driven them.
 */
const MAX_PACE = 1.3
/** A track without a planned route. */
const NO_ROUTE = { positions: [], km: 0 }

export interface DrivenRoad {
  /** Kilometers of the track as far as the roads confirm it; 0 when it is not plausible. */
  km: Kilometers
  /** The shortest road through positions along the track, which noise does not lengthen. */
  leastKm: Kilometers
  /** Kilometers that the track claims. */
  claimedKm: Kilometers
  droppedPoints: number
  reasons: TripVerdictReason[]
}

/** A part of the track between two positions whose connecting road is queried. */
interface Leg {
  from: TimedPosition
  to: TimedPosition
  km: Kilometers
  isGap: boolean
}

const findGaps = (line: readonly TimedPosition[]): number[] =>
  line
    .map((fix, i) => ({ i, km: i > 0 ? getDistanceKm(line[i - 1]!, fix) : 0 }))
    .filter(({ km }) => km > MIN_GAP_KM)
    .sort((a, b) => b.km - a.km)
    .slice(0, MAX_GAPS)
    .flatMap(({ i }) => [i - 1, i])

/** Returns the positions at which the car has turned back, the first ones. */
const findTurns = (line: readonly TimedPosition[]): number[] => {
  const turns: number[] = []
  let [anchor, farthest] = [0, 0]
  for (let i = 1; i < line.length && turns.length < MAX_TURNS; i++) {
    const [from, there, here] = [line[anchor]!, line[farthest]!, line[i]!]
    const reached = getDistanceKm(from, there)
    if (getDistanceKm(from, here) >= reached) farthest = i
    else if (reached - getDistanceKm(from, here) > TURN_KM) {
      turns.push(farthest)
      anchor = farthest
      farthest = i
    }
  }
  return turns
}

/** Divides the track at its gaps and turns, and in between at even distances. */
const divideTrack = (line: readonly TimedPosition[]): Leg[] => {
  if (line.length < 2) return []
  const fixed = new Set([...findGaps(line), ...findTurns(line), line.length - 1])
  const spacing = Math.max(
    MIN_SPACING_KM,
    getLengthKm(line) / Math.max(1, MAX_POSITIONS - 1 - fixed.size),
  )
  const legs: Leg[] = []
  let [start, since] = [0, 0]
  for (let i = 1; i < line.length; i++) {
    since += getDistanceKm(line[i - 1]!, line[i]!)
    if (since < spacing && !fixed.has(i)) continue
    const [from, to] = [line[start]!, line[i]!]
    const isGap = i === start + 1 && since > MIN_GAP_KM
    legs.push({ from, to, isGap, km: isGap ? since : getSmoothedKm(line.slice(start, i + 1)) })
    ;[start, since] = [i, 0]
  }
  return legs
}

const toPosition = ({ lat, lng }: TimedPosition) => ({ lat, lng })

/** Returns the queries to run before `measureDrivenRoad`. */
export const buildDrivenRoadQueries = (trip: Trip): RoadQueries => {
  const { positions } = readTrack(trip)
  const legs = divideTrack(removeClosePositions(positions))
  const ends = legs.length > 0 ? [legs[0]!.from, ...legs.map(({ to }) => to)] : []
  return {
    positions: positions.map(toPosition),
    gaps: [],
    routePositions: ends.map(toPosition),
  }
}

/** Returns the contradictions of a track with itself, with the streets and with the pickup. */
const findContradictions = (
  trip: Trip,
  legs: readonly Leg[],
  answers: RoadResults | null,
): TripVerdictReason[] => {
  const { positions, droppedCount, end } = readTrack(trip)
  const beside = answers?.roadDistances ?? null
  const claimedKm = legs.reduce((sum, { km }) => sum + km, 0)
  const driven = legs.flatMap((leg, i) =>
    leg.isGap ? [] : [{ km: leg.km, road: answers?.legKm?.[i] }],
  )
  const shortcuts = driven.filter(({ km, road = 0 }) => road > km * SHORTCUT_FACTOR).length
  const roadSeconds = (answers?.legSeconds ?? []).reduce((sum, seconds) => sum + seconds, 0)
  const [first] = positions
  const findings: Partial<Record<TripVerdictReason, boolean>> = {
    too_fast:
      claimedKm > getMaxKmBetween({ at: trip.startedAt }, { at: trip.endedAt }) ||
      roadSeconds * 1000 > (trip.endedAt - trip.startedAt) * MAX_PACE,
    jumps: hasJumps(droppedCount, positions.length),
    off_road:
      (beside?.length === positions.length && isMostlyOffRoad(beside)) ||
      shortcuts > driven.length * MAX_SHORTCUTS_SHARE,
    start_elsewhere: first && getDistanceKm(first, trip.pickup) > MAX_ENDPOINT_OFFSET_KM,
    end_impossible: isEndImpossible(end, positions.at(-1)),
  }
  return (Object.keys(findings) as TripVerdictReason[]).filter((reason) => findings[reason])
}

/** Returns the road across a gap, as far as the car can have driven it in that time. */
const boundGap = ({ from, to, km }: Leg, road: number): number =>
  Math.max(km, Math.min(road, getMaxKmBetween(from, to)))

/**
 * Measures the driven road. `passes` is how often the trip can have led past the same place: each
 * plan of the customer and each stop may lead back.
 */
export const measureDrivenRoad = (
  trip: Trip,
  answers: RoadResults | null,
  passes: number,
): DrivenRoad => {
  const { positions, droppedCount: droppedPoints } = readTrack(trip)
  const line = removeClosePositions(positions)
  const legs = divideTrack(line)
  const roads = answers?.legKm?.length === legs.length ? answers.legKm : null
  const reasons = findContradictions(trip, legs, roads && answers)
  const claimedKm = legs.reduce((sum, leg) => sum + leg.km, 0)
  const repeated = measureRepeatedKm(splitTrack(line, NO_ROUTE), passes)
  const sumConfirmed = (factor: number): number => {
    if (!roads || reasons.length > 0) return 0
    const confirmed = legs.map((leg, i) =>
      leg.isGap ? boundGap(leg, roads[i]!) : Math.min(leg.km, roads[i]! * factor),
    )
    return Math.max(0, confirmed.reduce((sum, km) => sum + km, 0) - repeated)
  }
  return {
    km: sumConfirmed(MAX_LEG_FACTOR),
    leastKm: sumConfirmed(1),
    claimedKm,
    droppedPoints,
    reasons: repeated > MIN_SPACING_KM ? [...reasons, 'loops'] : reasons,
  }
}
