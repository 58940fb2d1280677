import type { LoadedCity } from './bundledFiles'
import { isInBounds, toKilometers, type Position } from './geo'
import { DEFAULT_STREET_METERS, MapsError, NO_ROUTE, type MatrixCell, type Route } from './mapsPort'
import type { Cost } from './pathfinder'
import { buildStreetLeg, estimateCost, estimateLeg, joinLegs, type Leg } from './routeLegs'
import type { Snap } from './streetGraph'

const MAX_MATRIX_CELLS = 10_000

const snapToCity = ({ graph, meta }: LoadedCity, point: Position): Snap | null => {
  if (!isInBounds(meta.bounds, point)) return null
  const snap = graph.snapToStreet(point)
  return snap && snap.meters <= DEFAULT_STREET_METERS ? snap : null
}

const findLeg = (
  city: LoadedCity,
  a: Position,
  b: Position,
  arrival: 'stop' | 'arrive',
): Leg | null => {
  const [start, end] = [snapToCity(city, a), snapToCity(city, b)]
  const path = start && end && city.pathfinder.findPath(start, end)
  return path ? buildStreetLeg(city.graph, path, end.position, arrival) : estimateLeg(a, b, arrival)
}

/** Returns the route through the stops, or null when one of its legs has none. */
export const findBundledRoute = (
  city: LoadedCity,
  stops: readonly Position[],
  language: string | undefined,
): Route | null => {
  const legs: Leg[] = []
  for (let i = 1; i < stops.length; i++) {
    const arrival = i < stops.length - 1 ? 'stop' : 'arrive'
    const leg = findLeg(city, stops[i - 1]!, stops[i]!, arrival)
    if (!leg) return null
    legs.push(leg)
  }
  const route = joinLegs(legs)
  return {
    ...route,
    steps: route.steps.map(({ street, ...step }) => ({
      ...step,
      street: city.gazetteer.translateName(street, language),
    })),
  }
}

/** Returns the costs along streets; null where one of the places is on no street of the city. */
const getStreetCosts = (
  city: LoadedCity,
  origins: readonly Position[],
  destinations: readonly Position[],
): (Cost | null)[][] => {
  const starts = origins.map((point) => snapToCity(city, point))
  const ends = destinations.map((point) => snapToCity(city, point))
  const noCosts = () => ends.map((): Cost | null => null)
  // One search covers all places on the other side, so run as few searches as possible.
  if (destinations.length > origins.length)
    return starts.map((start) => (start ? city.pathfinder.getCostsFromOne(start, ends) : noCosts()))
  const columns = ends.map((end) => end && city.pathfinder.getCostsToOne(starts, end))
  return starts.map((_, i) => columns.map((column) => column?.[i] ?? null))
}

const toMatrixCell = (a: Position, b: Position, cost: Cost | null): MatrixCell => {
  const known = cost ?? estimateCost(a, b)
  if (!known) return NO_ROUTE
  return {
    found: true,
    distance_in_km: toKilometers(known.meters),
    time_in_secs: Math.round(known.seconds),
    approximate: cost === null,
  }
}

/** Returns distance and time of each pair, estimated where no street of the city connects them. */
export const getBundledMatrix = (
  city: LoadedCity,
  origins: readonly Position[],
  destinations: readonly Position[],
): MatrixCell[][] => {
  if (origins.length * destinations.length > MAX_MATRIX_CELLS) {
    throw new MapsError('invalid', 'The matrix has too many places. Request fewer.')
  }
  const costs = getStreetCosts(city, origins, destinations)
  return origins.map((a, i) =>
    destinations.map((b, j) => toMatrixCell(a, b, costs[i]?.[j] ?? null)),
  )
}
