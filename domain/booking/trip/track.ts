/**
 * Turns the points written by a driver's phone into a distance that a car can have driven. GPS
 * positions are noisy, jump between tall buildings and stop in tunnels, and a driver can write any
 * point. Points that no car can have reached therefore do not count, and the rest is measured along
 * a smoothed line.
 */
import { getDistanceKm } from '../../geo/geo'
import { getLengthKm, simplifyPolyline, createFlatProjection } from '../../geo/polylineGeometry'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import { HOUR_MS } from '../../language/timeUnits'
import type { LatLng } from '../../geo/types'
import type { TrackingPoint } from '../types'
import type { Kilometers, Seconds } from '../../language/units'

/** The planned route, and its length before its line was simplified. */
export interface PlannedRoute {
  positions: readonly LatLng[]
  km: Kilometers
}

/** A trip with the track that is checked. */
export interface Trip {
  /** All points written by the phone, and the point of the `reach` event. */
  points: readonly TrackingPoint[]
  startedAt: number
  endedAt: number
  pickup: LatLng
  drop: LatLng
  /** The stops between pickup and drop-off. */
  stops: readonly LatLng[]
  plannedSeconds: Seconds
  /** The planned route; its line is empty when unknown. */
  route: PlannedRoute
}

/** Queries to the maps service about a trip. Each part may remain unanswered. */
export interface RoadQueries {
  /** Positions whose distance to the nearest street is queried. */
  positions: LatLng[]
  /** Gaps whose road distance is queried. */
  gaps: [from: LatLng, to: LatLng][]
  /** Positions whose quickest connecting routes are queried; empty when not needed. */
  routePositions: LatLng[]
}
/** The results, in the order of the queries; null where unknown. */
export interface RoadResults {
  /** Meters. */
  roadDistances: (number | null)[] | null
  /** Kilometers. */
  gapKm: (number | null)[] | null
  legKm: number[] | null
  /** Seconds of the same routes without traffic. */
  legSeconds?: number[] | null
}

/**
 * Maximum speed between two points, km/h. It exceeds every legal limit, and is low enough to detect
 * a position that jumps to the next cell tower and back within seconds.
 */
const MAX_SPEED_KMH = 200
/** Maximum distance between two positions of a standing car, km. */
const GPS_ERROR_KM = 0.05
/** Number of earlier points that each point is compared with: two minutes of driving. */
const MAX_COMPARED_POSITIONS = 30
/**
 * Added kilometers above which a single point between its neighbors, within three minutes, is a GPS
 * error and not a detour.
 */
const MIN_SPIKE_KM = 0.15
const MAX_SPIKE_MS = 180_000
/** Minimum distance between points, km. Below it, GPS noise exceeds the movement. */
const MIN_SPACING_KM = 0.025
/** Smoothing tolerance of the track, meters: half a city street. */
const SMOOTHING_TOLERANCE_METERS = 14
/**
 * Distance between points (km) above which the track has a gap. A car at 110 km/h that reports
 * every eight seconds leaves none.
 */
export const MIN_GAP_KM = 0.4

/** Returns true when a car can have driven from one position to the other. */
export const isReachable = (from: TimedPosition, to: TimedPosition): boolean =>
  getDistanceKm(from, to) <= GPS_ERROR_KM + (MAX_SPEED_KMH * Math.max(0, to.at - from.at)) / HOUR_MS

/**
 * Returns the points that count for the distance (STARTED and REACHED) in order of time, one per
 * timestamp.
 */
export const selectTripPositions = (points: readonly TrackingPoint[]): TimedPosition[] => {
  const sorted = points
    .filter(({ status }) => status === 'STARTED' || status === 'REACHED')
    .map(({ at, lat, lng }) => ({ at, lat, lng }))
    .sort((a, b) => a.at - b.at)
  return sorted.filter((fix, i) => i === 0 || fix.at > sorted[i - 1]!.at)
}

/**
 * Returns the longest chain of positions in which a car can have driven from each to the next.
 * Comparing only neighbors would trust a wrong first point and drop the correct ones after it.
 */
export const findReachableChain = (fixes: readonly TimedPosition[]): TimedPosition[] => {
  const length: number[] = []
  const before: number[] = []
  let best = -1
  fixes.forEach((fix, i) => {
    length[i] = 1
    before[i] = -1
    const longest = length[best] ?? 0
    for (let j = i - 1; j >= Math.max(0, i - MAX_COMPARED_POSITIONS) && length[i] <= longest; j--)
      if (length[j]! >= length[i] && isReachable(fixes[j]!, fix))
        [length[i], before[i]] = [length[j]! + 1, j]
    // Of two equally long chains, the earlier one contains the start, which the server wrote.
    if (best < 0 || length[i] > length[best]!) best = i
  })
  const chain: TimedPosition[] = []
  for (let i = best; i >= 0; i = before[i]!) chain.push(fixes[i]!)
  return chain.reverse()
}

const isSpike = (a: TimedPosition, b: TimedPosition, c: TimedPosition): boolean => {
  if (c.at - a.at > MAX_SPIKE_MS) return false
  const around = getDistanceKm(a, b) + getDistanceKm(b, c)
  return around > MIN_SPIKE_KM + 2 * getDistanceKm(a, c)
}

/** Returns the positions without single outliers. */
export const removeSpikes = (fixes: readonly TimedPosition[]): TimedPosition[] => {
  const keptFixes: TimedPosition[] = []
  fixes.forEach((fix, i) => {
    const [last, next] = [keptFixes.at(-1), fixes[i + 1]]
    if (!last || !next || !isSpike(last, fix, next)) keptFixes.push(fix)
  })
  return keptFixes
}

/** Returns the positions that are far enough from the previous one, and always the last. */
export const removeClosePositions = (fixes: readonly TimedPosition[]): TimedPosition[] => {
  const keptFixes: TimedPosition[] = []
  fixes.forEach((fix, i) => {
    const last = keptFixes.at(-1)
    if (!last || i === fixes.length - 1 || getDistanceKm(last, fix) >= MIN_SPACING_KM)
      keptFixes.push(fix)
  })
  return keptFixes
}

/** Cuts the track at its gaps. */
const splitAtGaps = (fixes: readonly TimedPosition[]): TimedPosition[][] => {
  const pieces: TimedPosition[][] = []
  fixes.forEach((fix, i) => {
    if (i > 0 && getDistanceKm(fixes[i - 1]!, fix) <= MIN_GAP_KM) pieces.at(-1)!.push(fix)
    else pieces.push([fix])
  })
  return pieces
}

/** Returns the length of a piece without gaps along its smoothed line, kilometers. */
export const getSmoothedKm = (piece: readonly TimedPosition[]): Kilometers =>
  getLengthKm(simplifyPolyline(piece, SMOOTHING_TOLERANCE_METERS))

/** Maximum mean speed of a whole trip, km/h. */
const MAX_MEAN_SPEED_KMH = 120
/** Returns the maximum kilometers that a trip can cover between two times (ms). */
export const getMaxKmBetween = (from: { at: number }, to: { at: number }): number =>
  (MAX_MEAN_SPEED_KMH * Math.max(0, to.at - from.at)) / HOUR_MS

/**
 * Distance from the planned route within which a position is on it, meters: the width of a street
 * plus the GPS error between tall buildings.
 */
const ON_ROUTE_METERS = 40
/** Part of the route in which the next position is searched: kilometers back and ahead. */
const SEARCH_BACK_KM = 0.1
const SEARCH_AHEAD_KM = 0.3
/**
 * Share and kilometers by which a detour must differ from its part of the route. Anything less is
 * GPS noise.
 */
const DETOUR_NOISE_SHARE = 0.08
const DETOUR_NOISE_KM = 0.08

interface FlatRoute {
  project: (place: LatLng) => readonly [number, number]
  /** The route's points projected to meters. */
  flatPoints: (readonly [number, number])[]
  /** Kilometers from the start of the route to each of its points. */
  distancesKm: number[]
}

const toFlatRoute = ({ positions, km }: PlannedRoute): FlatRoute | null => {
  const [origin] = positions
  const drawn = getLengthKm(positions)
  if (!origin || drawn === 0) return null
  // A simplified line is shorter than the road. The limit keeps a length in another unit, or a
  // wrong one, from stretching it.
  const scale = Math.min(1.5, Math.max(1, km / drawn))
  const flat = createFlatProjection(origin)
  const reached = [0]
  positions
    .slice(1)
    .forEach((to, i) => reached.push(reached[i]! + getDistanceKm(positions[i]!, to) * scale))
  return { project: flat, flatPoints: positions.map(flat), distancesKm: reached }
}

/**
 * Returns the kilometers of the route before its closest place to the position, searched between
 * two kilometer marks; null when the position is off the route.
 */
const locateOnRoute = (
  { project, flatPoints, distancesKm }: FlatRoute,
  fix: TimedPosition,
  from: number,
  to: number,
) => {
  const [x, y] = project(fix)
  let [best, off] = [0, ON_ROUTE_METERS]
  for (let i = 1; i < flatPoints.length; i++) {
    if (distancesKm[i]! < from) continue
    if (distancesKm[i - 1]! > to) break
    const [[ax, ay], [bx, by]] = [flatPoints[i - 1]!, flatPoints[i]!]
    const [dx, dy] = [bx - ax, by - ay]
    const square = dx * dx + dy * dy
    // A long part of the route that the car has passed may lie beside its way back.
    const km = distancesKm[i]! - distancesKm[i - 1]!
    const [least, most] = [from, to].map((mark) => km && (mark - distancesKm[i - 1]!) / km)
    const nearest = square && ((x - ax) * dx + (y - ay) * dy) / square
    const along = Math.min(1, most!, Math.max(0, least!, nearest))
    const away = Math.hypot(ax + dx * along - x, ay + dy * along - y)
    // Where the route uses the same street twice, the earlier pass counts.
    if (away < off - 1) [best, off] = [distancesKm[i - 1]! + km * along, away]
  }
  return off < ON_ROUTE_METERS ? best : null
}

/** One part of the track. */
export interface TrackSegment {
  /** Along the planned route, off it, or a gap between two positions. */
  kind: 'plan' | 'own' | 'gap'
  km: Kilometers
  positions: TimedPosition[]
}

/**
 * Measures the track between two places of the route that are `planKm` apart, or before the first
 * or after the last place (null).
 */
const measureDetour = (fixes: TimedPosition[], planKm: Kilometers | null): TrackSegment[] => {
  const pieces = splitAtGaps(fixes)
  const stretches = pieces.flatMap((piece, i): TrackSegment[] => {
    const end = pieces[i - 1]?.at(-1)
    const own: TrackSegment = { kind: 'own', km: getSmoothedKm(piece), positions: piece }
    return end
      ? [{ kind: 'gap', km: getDistanceKm(end, piece[0]!), positions: [end, piece[0]!] }, own]
      : [own]
  })
  if (planKm === null) return stretches
  const km = stretches.reduce((sum, stretch) => sum + stretch.km, 0)
  const isAlong =
    fixes.length === 2
      ? // Two neighbors on the route, or a gap between them: the car drove along it if the time allows.
        pieces.length === 1 || (planKm >= km && planKm <= getMaxKmBetween(fixes[0]!, fixes[1]!))
      : Math.abs(km - planKm) <= planKm * DETOUR_NOISE_SHARE + DETOUR_NOISE_KM
  return isAlong ? [{ kind: 'plan', km: planKm, positions: fixes }] : stretches
}

/**
 * Splits the track into parts along the planned route, parts off it, and gaps. On the route, the
 * route's own length counts, so that GPS noise and a line that weaves around the street add
 * nothing.
 */
export const splitTrack = (
  fixes: readonly TimedPosition[],
  route: PlannedRoute,
): TrackSegment[] => {
  const plan = toFlatRoute(route)
  const stretches: TrackSegment[] = []
  let open: TimedPosition[] = []
  let last: { fix: TimedPosition; km: Kilometers } | null = null
  const close = (planKm: Kilometers | null) => {
    if (open.length > 1) stretches.push(...measureDetour(open, planKm))
    open = []
  }
  for (const fix of fixes) {
    open.push(fix)
    if (!plan) continue
    const length: number = plan.distancesKm.at(-1)!
    const from: number = last ? last.km - SEARCH_BACK_KM : 0
    // After a gap or a detour, the car may be anywhere on the rest of the route.
    const to: number =
      last && open.length === 2 && getDistanceKm(last.fix, fix) <= MIN_GAP_KM
        ? last.km + getDistanceKm(last.fix, fix) + SEARCH_AHEAD_KM
        : length
    const km = locateOnRoute(plan, fix, from, to)
    if (km === null) continue
    // Driving back along the route is not paid, because GPS noise looks the same.
    const reached: number = Math.max(km, last?.km ?? 0)
    close(last && reached - last.km)
    open = [fix]
    last = { fix, km: reached }
  }
  close(null)
  return stretches
}

/**
 * Returns the kilometers driven along the points with status STARTED or REACHED, with gaps as
 * straight lines; 0 with fewer than two points. The app shows it during a trip; `assessTrip`
 * decides the charged distance.
 */
export const measureTrackKm = (
  points: readonly TrackingPoint[],
  route: PlannedRoute = { positions: [], km: 0 },
): Kilometers => {
  const fixes = removeClosePositions(removeSpikes(findReachableChain(selectTripPositions(points))))
  return splitTrack(fixes, route).reduce((km, stretch) => km + stretch.km, 0)
}
