/** Checks whether a track can be that of a car: its points, its streets and its loops. */
import { getDistanceKm } from '../../geo/geo'
import { createFlatProjection } from '../../geo/polylineGeometry'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import { CLOCK_TOLERANCE_MS } from './clientTime'
import {
  findReachableChain,
  isReachable,
  removeSpikes,
  selectTripPositions,
  type TrackSegment,
  type Trip,
} from './track'
import { TRIP_VERDICT_REASONS, type TripVerdictReason } from '../types'
import type { LatLng } from '../../geo/types'
import type { Kilometers, Meters } from '../../language/units'

/**
 * Distance from the nearest street beyond which a point is off the road, meters. Half a block is
 * 50.
 */
const OFF_ROAD_METERS = 90
/** Share of off-road points above which either the map lacks the roads or the track is invented. */
const OFF_ROAD_SHARE = 0.25
/**
 * Median distance from the nearest street above which a track is invented, meters. Real tracks have
 * 3 to 9.
 */
const MAX_MEDIAN_ROAD_METERS = 18
/** Number and share of impossible points that a phone glitch cannot explain. */
const MIN_FLAGGED_JUMPS = 10
const MIN_FLAGGED_JUMPS_SHARE = 0.2
/** Distance from the last plausible point beyond which an unreachable end flags the trip, km. */
const MAX_UNREACHABLE_END_KM = 0.5
/**
 * Maximum distance of the start and the end from the ordered places, km, such as the far side of a
 * station.
 */
export const MAX_ENDPOINT_OFFSET_KM = 0.5
/** Maximum ratio of the track to the route between two places. */
export const MAX_LEG_FACTOR = 1.12
/** Ratio of the route to the track above which the track crosses houses. */
export const SHORTCUT_FACTOR = 1.3
/**
 * Share of such shortcuts above which a track is invented. Points on the wrong side of a highway
 * cause a few.
 */
export const MAX_SHORTCUTS_SHARE = 0.4
/** Size of the cells (meters), and kilometers after which a cell counts as passed again. */
const CELL_METERS = 45
const MIN_REPEAT_DISTANCE_KM = 0.25

export interface TrackReading {
  /** The plausible positions. */
  positions: TimedPosition[]
  droppedCount: number
  /** The point of the `reach` event. */
  end: TimedPosition | undefined
}

/** Returns the positions of a trip that a car can have driven, in order of time. */
export const readTrack = ({ points, startedAt, endedAt }: Trip): TrackReading => {
  const counted = selectTripPositions(points)
  const inTime = counted.filter(
    ({ at }) => at >= startedAt - CLOCK_TOLERANCE_MS && at <= endedAt + CLOCK_TOLERANCE_MS,
  )
  const fixes = removeSpikes(findReachableChain(inTime))
  return { positions: fixes, droppedCount: counted.length - fixes.length, end: counted.at(-1) }
}

/** Returns true for a position this far (meters) from the nearest street; false if unknown. */
export const isOffRoad = (meters: Meters | null | undefined): boolean =>
  (meters ?? 0) > OFF_ROAD_METERS

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Returns true when a track with these distances from the streets is not that of a car. */
export const isMostlyOffRoad = (roadDistances: readonly (number | null)[] | null): boolean => {
  const distances = roadDistances ?? []
  return (
    distances.filter(isOffRoad).length > OFF_ROAD_SHARE * distances.length ||
    median(distances.filter((meters) => meters !== null)) > MAX_MEDIAN_ROAD_METERS
  )
}

/** Returns true when too many points are impossible. */
export const hasJumps = (droppedCount: number, keptCount: number): boolean =>
  droppedCount >= MIN_FLAGGED_JUMPS &&
  droppedCount >= MIN_FLAGGED_JUMPS_SHARE * (droppedCount + keptCount)

/** Returns true when the car cannot have reached the end from the last plausible point. */
export const isEndImpossible = (
  end: TimedPosition | undefined,
  last: TimedPosition | undefined,
): boolean =>
  end !== undefined &&
  last !== undefined &&
  end.at !== last.at &&
  getDistanceKm(end, last) > MAX_UNREACHABLE_END_KM &&
  !isReachable(last, end)

/** The reasons of a verdict that hold. */
export type Findings = Partial<Record<TripVerdictReason, boolean>>

/** Returns the reasons that hold, in the order of all reasons. */
export const listReasons = (...findings: Findings[]): TripVerdictReason[] =>
  TRIP_VERDICT_REASONS.filter((reason) => findings.some((one) => one[reason]))

/** Returns true when the position is not at the place; false without a position. */
export const isAwayFrom = (place: LatLng, position: LatLng | undefined): boolean =>
  position !== undefined && getDistanceKm(position, place) > MAX_ENDPOINT_OFFSET_KM

/** Returns what the points of a track contradict, whatever the price of their trip. */
export const checkPoints = ({ positions, droppedCount, end }: TrackReading): Findings => ({
  jumps: hasJumps(droppedCount, positions.length),
  end_impossible: isEndImpossible(end, positions.at(-1)),
})

/** Returns places at most half a cell apart on the way from one position to the other. */
const divideStep = (from: readonly number[], to: readonly number[], km: Kilometers): string[] => {
  const parts = Math.max(1, Math.ceil((km * 1000) / (CELL_METERS / 2)))
  const toCell = (part: number) =>
    [0, 1]
      .map((axis) => from[axis]! + ((to[axis]! - from[axis]!) * part) / parts)
      .map((meters) => Math.floor(meters / CELL_METERS))
      .join()
  return Array.from({ length: parts }, (_, i) => toCell(i + 1))
}

/**
 * Returns the off-route kilometers on which the track passes the same places more than `passes`
 * times.
 */
export const measureRepeatedKm = (stretches: readonly TrackSegment[], passes = 1): Kilometers => {
  const origin: LatLng | undefined = stretches[0]?.positions[0]
  if (!origin) return 0
  const flat = createFlatProjection(origin)
  const passed = new Map<string, { km: Kilometers; count: number }>()
  let [km, repeated] = [0, 0]
  for (const { kind, positions } of stretches)
    positions.slice(1).forEach((fix, i) => {
      const distanceKm = getDistanceKm(positions[i]!, fix)
      const cells = divideStep(flat(positions[i]!), flat(fix), distanceKm)
      for (const cell of cells) {
        km += distanceKm / cells.length
        const last = passed.get(cell)
        const isAgain = last !== undefined && km - last.km > MIN_REPEAT_DISTANCE_KM
        const count = (last?.count ?? 1) + (isAgain ? 1 : 0)
        if (!last || isAgain) passed.set(cell, { km, count })
        if (kind === 'own' && count > passes) repeated += distanceKm / cells.length
      }
    })
  return repeated
}
