import { getBearing, toKilometers, getDistanceMeters } from '../../../ports/positions'
import { encodePolyline } from '~/domain/geo/polyline'
import type { Position } from '../../../ports/positions'
import type { Path, EdgeSegment } from '../bundled/pathfinder'
import type { Maneuver, Route, Step } from '../../../ports/mapsPort'
import type { StreetGraph } from '../bundled/streetGraph'
import type { Meters, Seconds } from '~/domain/language/units'

/** The part of a route between two stops. */
export interface Leg {
  meters: Meters
  seconds: Seconds
  positions: Position[]
  steps: Step[]
  approximate: boolean
}

const SHARP_TURN_DEGREES = 120
const PLAIN_TURN_DEGREES = 45
const SLIGHT_TURN_DEGREES = 22
const U_TURN_DEGREES = 165
/** An unnamed link shorter than this belongs to the turn and is not a separate street. */
const MAX_LINK_METERS = 40
const HEADING_METERS = 15

const toManeuver = (angle: number): Maneuver => {
  const size = Math.abs(angle)
  const side = angle < 0 ? 'left' : 'right'
  if (size < SLIGHT_TURN_DEGREES) return 'continue'
  if (size < PLAIN_TURN_DEGREES) return `slight-${side}`
  if (size < SHARP_TURN_DEGREES) return side
  return size < U_TURN_DEGREES ? `sharp-${side}` : 'u-turn'
}

const getTurnAngle = (before: number, after: number): number => ((after - before + 540) % 360) - 180

/**
 * Returns the heading of a line's first meters, because its first segment alone may be a drawing
 * artifact.
 */
const getStartHeading = (line: Position[]): number => {
  const [first] = line
  if (!first) return 0
  const ahead = line.find((point) => getDistanceMeters(first, point) >= HEADING_METERS)
  return getBearing(first, ahead ?? line[line.length - 1] ?? first)
}

const getEndHeading = (line: Position[]): number =>
  (getStartHeading([...line].reverse()) + 180) % 360

const getEndNode = ({ edges }: StreetGraph, { edge, from, to }: EdgeSegment): number =>
  to > from || (to === from && to > 0) ? edges.to[edge]! : edges.from[edge]!

const countExits = (graph: StreetGraph, node: number): number => {
  let exits = 0
  for (let k = graph.outgoing.start[node]!; k < graph.outgoing.start[node + 1]!; k++) {
    if (!graph.isRoundabout(graph.outgoing.halves[k]! >> 1)) exits++
  }
  return exits
}

interface RouteSegment {
  edgeSegment: EdgeSegment
  line: Position[]
  meters: Meters
  seconds: Seconds
  street: string
}

const toRouteSegments = (graph: StreetGraph, { segments }: Path): RouteSegment[] =>
  segments
    .filter(({ from, to }) => from !== to)
    .map((stretch) => {
      const part = Math.abs(stretch.to - stretch.from)
      return {
        edgeSegment: stretch,
        line: graph.getEdgeLine(stretch.edge, stretch.from, stretch.to),
        meters: graph.edges.metres[stretch.edge]! * part,
        seconds: graph.edges.seconds[stretch.edge]! * part,
        street: graph.getStreetName(stretch.edge),
      }
    })

const isPartOfTurn = (segment: RouteSegment, next: RouteSegment | undefined) =>
  segment.street === '' && segment.meters < MAX_LINK_METERS && next !== undefined

const buildSteps = (
  graph: StreetGraph,
  segments: RouteSegment[],
  end: Position,
  arrival: Maneuver,
): Step[] => {
  const steps: Step[] = []
  let exits: number | null = null
  const extend = (routeStep: Step, { meters, seconds }: RouteSegment) => {
    routeStep.distance_in_km += meters / 1000
    routeStep.time_in_secs += seconds
  }
  segments.forEach((segment, i) => {
    const before = segments[i - 1]
    const current = steps[steps.length - 1]
    const at = segment.line[0] ?? end
    const begin = (maneuver: Maneuver, extra: Partial<Step> = {}) =>
      steps.push({
        maneuver,
        street: segment.street,
        distance_in_km: segment.meters / 1000,
        time_in_secs: segment.seconds,
        at,
        ...extra,
      })
    if (!before || !current) {
      begin('depart')
      return
    }
    const junction = getEndNode(graph, before.edgeSegment)
    if (graph.isRoundabout(segment.edgeSegment.edge)) {
      if (exits === null) {
        exits = 0
        begin('roundabout', { street: '' })
        return
      }
      exits += countExits(graph, junction)
      extend(current, segment)
      return
    }
    if (exits !== null && graph.isRoundabout(before.edgeSegment.edge)) {
      current.exit = exits + 1
      current.street = segment.street
      exits = null
      extend(current, segment)
      return
    }
    const turn = toManeuver(getTurnAngle(getEndHeading(before.line), getStartHeading(segment.line)))
    const sameStreet = segment.street === current.street
    if (turn === 'continue' && (sameStreet || isPartOfTurn(segment, segments[i + 1]))) {
      extend(current, segment)
      return
    }
    // A bend without other exits needs no instruction.
    const exitCount = graph.outgoing.start[junction + 1]! - graph.outgoing.start[junction]!
    const isOnlyExit = exitCount <= (graph.isOneWay(before.edgeSegment.edge) ? 1 : 2)
    if (sameStreet && (isOnlyExit || turn.startsWith('slight'))) {
      extend(current, segment)
      return
    }
    begin(turn)
  })
  for (const routeStep of steps) {
    routeStep.distance_in_km = toKilometers(routeStep.distance_in_km * 1000)
    routeStep.time_in_secs = Math.round(routeStep.time_in_secs)
  }
  steps.push({
    maneuver: arrival,
    street: steps[steps.length - 1]?.street ?? '',
    distance_in_km: 0,
    time_in_secs: 0,
    at: end,
  })
  return steps
}

/** Converts a path along streets to a leg. `arrival` is the last instruction. */
export const buildStreetLeg = (
  graph: StreetGraph,
  path: Path,
  end: Position,
  arrival: Maneuver,
): Leg => {
  const segments = toRouteSegments(graph, path)
  return {
    meters: path.meters,
    seconds: path.seconds,
    positions: segments.length ? segments.flatMap(({ line }) => line) : [end],
    steps: buildSteps(graph, segments, end, arrival),
    approximate: false,
  }
}

/** The maximum distance for a car. */
const MAX_CAR_METERS = 2_000_000
const MAX_SHORT_METERS = 30_000
const SHORT_DETOUR_FACTOR = 1.3
const LONG_DETOUR_FACTOR = 1.2
/**
 * Meters of the route and the mean speed (km/h) on each, in order: speeds increase outside town.
 */
const ESTIMATED_SPEEDS = [
  { meters: 5_000, kmh: 28 },
  { meters: 25_000, kmh: 45 },
  { meters: 70_000, kmh: 68 },
  { meters: Infinity, kmh: 85 },
] as const

/**
 * Estimates road meters and seconds from the straight line. Returns null when it is too far for a
 * car.
 */
export const estimateCost = (
  a: Position,
  b: Position,
): { meters: Meters; seconds: Seconds } | null => {
  const straight = getDistanceMeters(a, b)
  if (straight > MAX_CAR_METERS) return null
  // Never shorter than the result for a closer place, although the factor drops at 30 km.
  const meters =
    straight <= MAX_SHORT_METERS
      ? straight * SHORT_DETOUR_FACTOR
      : Math.max(MAX_SHORT_METERS * SHORT_DETOUR_FACTOR, straight * LONG_DETOUR_FACTOR)
  let [left, seconds] = [meters, 0]
  for (const { meters: span, kmh } of ESTIMATED_SPEEDS) {
    const driven = Math.min(left, span)
    seconds += driven / (kmh / 3.6)
    left -= driven
  }
  return { meters, seconds }
}

/**
 * Returns a straight leg, marked approximate, for an area without known streets. Returns null when
 * it is too far.
 */
export const estimateLeg = (a: Position, b: Position, arrival: Maneuver): Leg | null => {
  const cost = estimateCost(a, b)
  if (!cost) return null
  const count = Math.max(1, Math.min(64, Math.floor(cost.meters / 2_000)))
  const points = Array.from({ length: count + 1 }, (_, i) => ({
    lat: a.lat + ((b.lat - a.lat) * i) / count,
    lng: a.lng + ((b.lng - a.lng) * i) / count,
  }))
  const emptyStep = { street: '', distance_in_km: 0, time_in_secs: 0 }
  return {
    ...cost,
    positions: points,
    steps: [
      {
        ...emptyStep,
        maneuver: 'depart',
        at: a,
        distance_in_km: toKilometers(cost.meters),
        time_in_secs: Math.round(cost.seconds),
      },
      { ...emptyStep, maneuver: arrival, at: b },
    ],
    approximate: true,
  }
}

const isSamePosition = (a: Position, b: Position) =>
  Math.round(a.lat * 1e5) === Math.round(b.lat * 1e5) &&
  Math.round(a.lng * 1e5) === Math.round(b.lng * 1e5)

/** Joins legs into the route that the endpoints return. */
export const joinLegs = (legs: readonly Leg[]): Route => {
  const coords: Position[] = []
  for (const point of legs.flatMap(({ positions }) => positions)) {
    const last = coords[coords.length - 1]
    if (!last || !isSamePosition(last, point)) coords.push(point)
  }
  // A line needs two ends even when the car does not move.
  if (coords.length === 1) coords.push(coords[0]!)
  return {
    distance_in_km: toKilometers(legs.reduce((sum, leg) => sum + leg.meters, 0)),
    time_in_secs: Math.round(legs.reduce((sum, leg) => sum + leg.seconds, 0)),
    polylinePoints: encodePolyline(coords),
    coords,
    steps: legs.flatMap(({ steps }) => steps),
    approximate: legs.some(({ approximate }) => approximate),
  }
}
