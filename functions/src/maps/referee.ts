import referee from './referee.fixture.json'
import type { MapsPort } from './port'

/** One pair of places: where from and where to, then another router's kilometres, quickest and shortest. */
export type RefereeRow = [
  fromLat: number,
  fromLng: number,
  toLat: number,
  toLng: number,
  quickestKm: number,
  shortestKm: number,
]
export const REFEREE_ROWS = referee.rows as RefereeRow[]

export interface Compared {
  ours: number
  quickest: number
  shortest: number
}

/** Our distances beside the other router's, in kilometres; throws when we know no way. */
export const compareWithReferee = (
  maps: MapsPort,
  rows: readonly RefereeRow[] = REFEREE_ROWS,
): Promise<Compared[]> =>
  Promise.all(
    rows.map(async ([fromLat, fromLng, toLat, toLng, quickest, shortest]) => {
      const route = await maps.directions(
        { lat: fromLat, lng: fromLng },
        { lat: toLat, lng: toLng },
      )
      if (!route || route.approximate) throw new Error(`No way to ${toLat},${toLng}.`)
      return { ours: route.distance_in_km, quickest, shortest }
    }),
  )

/** How much longer ours is than the other's quickest way, as a factor: this part of the pairs is below it. */
export const ratioAt = (compared: readonly Compared[], part: number): number => {
  const ratios = compared.map(({ ours, quickest }) => ours / quickest).sort((a, b) => a - b)
  return ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * part))] ?? Number.NaN
}

/** Pairs for which we found less than the law allows, but for what rounding and snapping explain. */
export const tooShort = (compared: readonly Compared[]): Compared[] =>
  compared.filter(({ ours, shortest }) => ours < shortest * 0.99 - 0.01)
