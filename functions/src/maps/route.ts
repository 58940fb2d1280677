import { bearing, kilometres, metresBetween } from './geo'
import { encodePolyline } from '~/domain/polyline'
import type { Point } from './geo'
import type { Path, Stretch } from './pathfinder'
import type { Maneuver, Route, Step } from './port'
import type { StreetGraph } from './streetGraph'

/** Between two stops of a route. */
export interface Leg {
  metres: number
  seconds: number
  points: Point[]
  steps: Step[]
  approximate: boolean
}

const SHARP = 120
const PLAIN = 45
const SLIGHT = 22
const U_TURN = 165
/** A nameless link shorter than this is part of the turn, not a street of its own. */
const LINK_METRES = 40
const LOOK_METRES = 15

const turnOf = (angle: number): Maneuver => {
  const size = Math.abs(angle)
  const side = angle < 0 ? 'left' : 'right'
  if (size < SLIGHT) return 'continue'
  if (size < PLAIN) return `slight-${side}`
  if (size < SHARP) return side
  return size < U_TURN ? `sharp-${side}` : 'u-turn'
}

const angleBetween = (before: number, after: number): number => ((after - before + 540) % 360) - 180

/** Direction of a line's first metres: its first segment alone may be a kink of the drawing. */
const heading = (line: Point[]): number => {
  const [first] = line
  if (!first) return 0
  const ahead = line.find((point) => metresBetween(first, point) >= LOOK_METRES)
  return bearing(first, ahead ?? line[line.length - 1] ?? first)
}

const leavingHeading = (line: Point[]): number => (heading([...line].reverse()) + 180) % 360

const endNode = ({ edges }: StreetGraph, { edge, from, to }: Stretch): number =>
  to > from || (to === from && to > 0) ? edges.to[edge]! : edges.from[edge]!

const exitsAt = (graph: StreetGraph, node: number): number => {
  let exits = 0
  for (let k = graph.leaving.start[node]!; k < graph.leaving.start[node + 1]!; k++) {
    if (!graph.isRoundabout(graph.leaving.halves[k]! >> 1)) exits++
  }
  return exits
}

interface Segment {
  stretch: Stretch
  line: Point[]
  metres: number
  seconds: number
  street: string
}

const segmentsOf = (graph: StreetGraph, { stretches }: Path): Segment[] =>
  stretches
    .filter(({ from, to }) => from !== to)
    .map((stretch) => {
      const part = Math.abs(stretch.to - stretch.from)
      return {
        stretch,
        line: graph.line(stretch.edge, stretch.from, stretch.to),
        metres: graph.edges.metres[stretch.edge]! * part,
        seconds: graph.edges.seconds[stretch.edge]! * part,
        street: graph.streetOf(stretch.edge),
      }
    })

const isPartOfTurn = (segment: Segment, next: Segment | undefined) =>
  segment.street === '' && segment.metres < LINK_METRES && next !== undefined

const stepsOf = (
  graph: StreetGraph,
  segments: Segment[],
  end: Point,
  arrival: Maneuver,
): Step[] => {
  const steps: Step[] = []
  let exits: number | null = null
  const extend = (step: Step, { metres, seconds }: Segment) => {
    step.distance_in_km += metres / 1000
    step.time_in_secs += seconds
  }
  segments.forEach((segment, i) => {
    const before = segments[i - 1]
    const current = steps[steps.length - 1]
    const at = segment.line[0] ?? end
    const begin = (maneuver: Maneuver, extra: Partial<Step> = {}) =>
      steps.push({
        maneuver,
        street: segment.street,
        distance_in_km: segment.metres / 1000,
        time_in_secs: segment.seconds,
        at,
        ...extra,
      })
    if (!before || !current) {
      begin('depart')
      return
    }
    const junction = endNode(graph, before.stretch)
    if (graph.isRoundabout(segment.stretch.edge)) {
      if (exits === null) {
        exits = 0
        begin('roundabout', { street: '' })
        return
      }
      exits += exitsAt(graph, junction)
      extend(current, segment)
      return
    }
    if (exits !== null && graph.isRoundabout(before.stretch.edge)) {
      current.exit = exits + 1
      current.street = segment.street
      exits = null
      extend(current, segment)
      return
    }
    const turn = turnOf(angleBetween(leavingHeading(before.line), heading(segment.line)))
    const sameStreet = segment.street === current.street
    if (turn === 'continue' && (sameStreet || isPartOfTurn(segment, segments[i + 1]))) {
      extend(current, segment)
      return
    }
    // A bend where there is nothing else to take needs no instruction.
    const ways = graph.leaving.start[junction + 1]! - graph.leaving.start[junction]!
    const onlyWay = ways <= (graph.isOneWay(before.stretch.edge) ? 1 : 2)
    if (sameStreet && (onlyWay || turn.startsWith('slight'))) {
      extend(current, segment)
      return
    }
    begin(turn)
  })
  for (const step of steps) {
    step.distance_in_km = kilometres(step.distance_in_km * 1000)
    step.time_in_secs = Math.round(step.time_in_secs)
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

/** A path along streets as a leg; `arrival` is the last instruction. */
export const streetLeg = (graph: StreetGraph, path: Path, end: Point, arrival: Maneuver): Leg => {
  const segments = segmentsOf(graph, path)
  return {
    metres: path.metres,
    seconds: path.seconds,
    points: segments.length ? segments.flatMap(({ line }) => line) : [end],
    steps: stepsOf(graph, segments, end, arrival),
    approximate: false,
  }
}

/** Beyond this no car is meant. */
const FARTHEST_METRES = 2_000_000
const SHORT_METRES = 30_000
const SHORT_DETOUR = 1.3
const LONG_DETOUR = 1.2
/** Metres of the way driven at each mean speed (km/h), in turn: out of town it gets quicker. */
const SPEEDS = [
  { metres: 5_000, kmh: 28 },
  { metres: 25_000, kmh: 45 },
  { metres: 70_000, kmh: 68 },
  { metres: Infinity, kmh: 85 },
] as const

/** Road metres and seconds guessed from the straight line; null when it is too far for a car. */
export const guessedCost = (a: Point, b: Point): { metres: number; seconds: number } | null => {
  const straight = metresBetween(a, b)
  if (straight > FARTHEST_METRES) return null
  // Never shorter than what a nearer place would get, although the factor drops at 30 km.
  const metres =
    straight <= SHORT_METRES
      ? straight * SHORT_DETOUR
      : Math.max(SHORT_METRES * SHORT_DETOUR, straight * LONG_DETOUR)
  let [left, seconds] = [metres, 0]
  for (const { metres: span, kmh } of SPEEDS) {
    const driven = Math.min(left, span)
    seconds += driven / (kmh / 3.6)
    left -= driven
  }
  return { metres, seconds }
}

/** A straight leg where no streets are known, marked approximate; null when too far. */
export const guessedLeg = (a: Point, b: Point, arrival: Maneuver): Leg | null => {
  const cost = guessedCost(a, b)
  if (!cost) return null
  const count = Math.max(1, Math.min(64, Math.floor(cost.metres / 2_000)))
  const points = Array.from({ length: count + 1 }, (_, i) => ({
    lat: a.lat + ((b.lat - a.lat) * i) / count,
    lng: a.lng + ((b.lng - a.lng) * i) / count,
  }))
  const step = { street: '', distance_in_km: 0, time_in_secs: 0 }
  return {
    ...cost,
    points,
    steps: [
      {
        ...step,
        maneuver: 'depart',
        at: a,
        distance_in_km: kilometres(cost.metres),
        time_in_secs: Math.round(cost.seconds),
      },
      { ...step, maneuver: arrival, at: b },
    ],
    approximate: true,
  }
}

const isSame = (a: Point, b: Point) =>
  Math.round(a.lat * 1e5) === Math.round(b.lat * 1e5) &&
  Math.round(a.lng * 1e5) === Math.round(b.lng * 1e5)

/** Legs put together into the answer the endpoints give. */
export const joinLegs = (legs: readonly Leg[]): Route => {
  const coords: Point[] = []
  for (const point of legs.flatMap(({ points }) => points)) {
    const last = coords[coords.length - 1]
    if (!last || !isSame(last, point)) coords.push(point)
  }
  // A line needs two ends even when the car need not move.
  if (coords.length === 1) coords.push(coords[0]!)
  return {
    distance_in_km: kilometres(legs.reduce((sum, leg) => sum + leg.metres, 0)),
    time_in_secs: Math.round(legs.reduce((sum, leg) => sum + leg.seconds, 0)),
    polylinePoints: encodePolyline(coords),
    coords,
    steps: legs.flatMap(({ steps }) => steps),
    approximate: legs.some(({ approximate }) => approximate),
  }
}
