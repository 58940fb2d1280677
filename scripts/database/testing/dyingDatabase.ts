// Helpers for tests of scripts that use a database.
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getDistanceKm } from '~/domain/geo/geo'
import type { CitySize } from '~/seed/historyPlan'
import { createDemoCity } from '~/seed/demoCity'
import type { RestDatabase } from '../restDatabase'

export type CityTree = Record<string, Record<string, DatabaseValue>>

/** Returns the demo city without texts, with straight lines as routes. */
export const createCity = async (size: CitySize = 'full'): Promise<CityTree> =>
  (await createDemoCity({
    size,
    now: Date.UTC(2026, 10, 20),
    texts: {},
    routeBetween: (from, to) =>
      Promise.resolve({
        distance_in_km: getDistanceKm(from, to),
        time_in_secs: Math.round(getDistanceKm(from, to) * 130),
        polylinePoints: '',
      }),
  })) as CityTree

/** Simulates a killed process. */
export class KilledError extends Error {}

/** Returns a database that throws at the given write, before or after it takes effect. */
export const createDyingDatabase = (
  db: RestDatabase,
  at: number,
  arrives: boolean,
): RestDatabase => {
  let writes = 0
  const die =
    <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      writes += 1
      if (writes > at) throw new KilledError()
      if (writes < at) return write(...given)
      if (arrives) await write(...given)
      throw new KilledError()
    }
  return { ...db, update: die(db.update), putIf: die(db.putIf) }
}

/** Runs an action that may be killed; returns true when it finished. */
export const runUntilKilled = async (run: () => Promise<unknown>): Promise<boolean> => {
  try {
    await run()
    return true
  } catch (error) {
    if (error instanceof KilledError) return false
    throw error
  }
}
