import type { BundledFiles, LoadedCity } from './bundledFiles'
import { isInBounds, toKilometers, type Position } from '../../../ports/positions'
import { MapsError, NO_ROUTE, type MatrixCell, type Route } from '../../../ports/mapsPort'
import type { Cost } from './pathfinder'
import { areStreetsInReach, type StreetSnap } from './reach/streetReach'
import { buildStreetLeg, estimateCost, estimateLeg, joinLegs, type Leg } from '../osm/routeLegs'
import type { Snap } from './streetGraph'
import type { Meters } from '~/domain/language/units'

const MAX_MATRIX_CELLS = 10_000

/** The files, and the meters from the nearest street at which a place has no route. */
export interface BundledStreets {
  files: BundledFiles
  maxStreetMeters: Meters
}

interface Stop {
  position: Position
  /** The place on a street of the city; null outside the city. */
  snap: Snap | null
  /** False when no street can be in reach, neither in the city nor on land outside it. */
  isReachable: boolean
}

/**
 * Finds the street of a position. Outside the city no street is known, so land counts as a street
 * there.
 */
const findStop = ({ files, maxStreetMeters }: BundledStreets, position: Position): Stop => {
  const { graph, meta } = files.getCity()
  const isInCity = isInBounds(meta.bounds, position)
  const snap = isInCity ? graph.snapToStreet(position, { maxMeters: maxStreetMeters }) : null
  const measureToLand = (): StreetSnap => {
    const meters = files.getLand().measureToLand(position, maxStreetMeters)
    return meters === null ? null : { meters }
  }
  const isReachable = areStreetsInReach([isInCity ? snap : measureToLand()], maxStreetMeters)
  return { position, snap, isReachable }
}

const findLeg = (
  city: LoadedCity,
  { position: a, snap: start }: Stop,
  { position: b, snap: end }: Stop,
  arrival: 'stop' | 'arrive',
): Leg | null => {
  const path = start && end && city.pathfinder.findPath(start, end)
  return path ? buildStreetLeg(city.graph, path, end.position, arrival) : estimateLeg(a, b, arrival)
}

/**
 * Returns the route through the positions, or null when one of them has no street in reach or one
 * of the legs has no route.
 */
export const findBundledRoute = (
  streets: BundledStreets,
  positions: readonly Position[],
  language: string | undefined,
): Route | null => {
  const stops = positions.map((position) => findStop(streets, position))
  if (!stops.every(({ isReachable }) => isReachable)) return null
  const city = streets.files.getCity()
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
    steps: route.steps.map(({ street, ...otherFields }) => ({
      ...otherFields,
      street: city.gazetteer.translateName(street, language),
    })),
  }
}

/** Returns the costs along streets; null where one of the places is on no street of the city. */
const getStreetCosts = (
  city: LoadedCity,
  origins: readonly Stop[],
  destinations: readonly Stop[],
): (Cost | null)[][] => {
  const starts = origins.map(({ snap }) => snap)
  const ends = destinations.map(({ snap }) => snap)
  const noCosts = () => ends.map((): Cost | null => null)
  // One search covers all places on the other side, so run as few searches as possible.
  if (destinations.length > origins.length)
    return starts.map((start) => (start ? city.pathfinder.getCostsFromOne(start, ends) : noCosts()))
  const columns = ends.map((end) => end && city.pathfinder.getCostsToOne(starts, end))
  return starts.map((_, i) => columns.map((column) => column?.[i] ?? null))
}

const toMatrixCell = (a: Stop, b: Stop, cost: Cost | null): MatrixCell => {
  if (!a.isReachable || !b.isReachable) return NO_ROUTE
  const knownCost = cost ?? estimateCost(a.position, b.position)
  if (!knownCost) return NO_ROUTE
  return {
    found: true,
    distance_in_km: toKilometers(knownCost.meters),
    time_in_secs: Math.round(knownCost.seconds),
    approximate: cost === null,
  }
}

/** Returns distance and time of each pair, estimated where no street of the city connects them. */
export const getBundledMatrix = (
  streets: BundledStreets,
  origins: readonly Position[],
  destinations: readonly Position[],
): MatrixCell[][] => {
  if (origins.length * destinations.length > MAX_MATRIX_CELLS) {
    throw new MapsError('invalid', 'The matrix has too many places. Request fewer.')
  }
  const starts = origins.map((position) => findStop(streets, position))
  const ends = destinations.map((position) => findStop(streets, position))
  const costs = getStreetCosts(streets.files.getCity(), starts, ends)
  return starts.map((a, i) => ends.map((b, j) => toMatrixCell(a, b, costs[i]?.[j] ?? null)))
}
