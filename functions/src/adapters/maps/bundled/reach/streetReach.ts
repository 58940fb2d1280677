import { getDistanceMeters, type Position } from '../../../../ports/positions'
import type { Meters } from '~/domain/language/units'

/**
 * Meters from the nearest street at which a place is no longer on the map, when the operator sets
 * no other limit.
 */
export const DEFAULT_STREET_METERS = 2_000

/**
 * The distance in meters that a service moved a position to a street. Null when it found no street,
 * undefined when its response does not include the distance.
 */
export type StreetSnap = { meters: Meters } | null | undefined

/**
 * Returns true when every position has a street within `maxStreetMeters`. All map services decide
 * here which places have a route. A service that omits the distance is believed.
 */
export const areStreetsInReach = (snaps: readonly StreetSnap[], maxStreetMeters: Meters): boolean =>
  snaps.every((snap) => snap === undefined || (snap?.meters ?? Infinity) <= maxStreetMeters)

/**
 * Returns how far a service moved the stops of a route: one snap for each end of each leg, from the
 * positions on the street where the leg starts and ends.
 */
export const measureSnaps = (
  stops: readonly Position[],
  legEnds: readonly (readonly [Position | undefined, Position | undefined])[],
): StreetSnap[] => {
  const measure = (stop: Position | undefined, street: Position | undefined): StreetSnap =>
    stop && street && { meters: getDistanceMeters(stop, street) }
  return legEnds.flatMap(([start, end], i) => [
    measure(stops[i], start),
    measure(stops[i + 1], end),
  ])
}
