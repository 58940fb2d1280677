import referee from './valhallaBaseline.fixture.json'
import type { MapsPort } from '../ports/mapsPort'
import type { Kilometers } from '~/domain/language/units'

/**
 * One pair of places: start and end, then the other router's distances in kilometers for the
 * fastest and the shortest route.
 */
export type BaselineRow = [
  fromLat: number,
  fromLng: number,
  toLat: number,
  toLng: number,
  quickestKm: number,
  shortestKm: number,
]
export const BASELINE_ROWS = referee.rows as BaselineRow[]

export interface BaselineComparison {
  ownKm: Kilometers
  quickestKm: Kilometers
  shortestKm: Kilometers
}

/** Returns our distances and the other router's, in kilometers. Throws when we find no route. */
export const compareWithBaseline = (
  maps: MapsPort,
  rows: readonly BaselineRow[] = BASELINE_ROWS,
): Promise<BaselineComparison[]> =>
  Promise.all(
    rows.map(async ([fromLat, fromLng, toLat, toLng, quickestKm, shortestKm]) => {
      const route = await maps.getDirections(
        { lat: fromLat, lng: fromLng },
        { lat: toLat, lng: toLng },
      )
      if (!route || route.approximate)
        throw new Error(
          `No route leads to ${toLat},${toLng}. Choose another position for the baseline.`,
        )
      return { ownKm: route.distance_in_km, quickestKm, shortestKm }
    }),
  )

/**
 * Returns the ratio of our distance to the other router's fastest route at this quantile (0 to 1)
 * of the pairs.
 */
export const getRatioAt = (compared: readonly BaselineComparison[], part: number): number => {
  const ratios = compared.map(({ ownKm, quickestKm }) => ownKm / quickestKm).sort((a, b) => a - b)
  return ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * part))] ?? Number.NaN
}

/**
 * Returns pairs for which our route is shorter than the shortest legal one, beyond rounding and
 * snapping errors.
 */
export const findTooShort = (compared: readonly BaselineComparison[]): BaselineComparison[] =>
  compared.filter(({ ownKm, shortestKm }) => ownKm < shortestKm * 0.99 - 0.01)
