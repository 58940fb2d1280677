/** The refused calls of a day, by the key of the refusal, for the operator. */
import { increment, type DatabaseValue } from '../data/databaseValue'
import { DAY_MS } from '../language/timeUnits'

/** Days that are kept, with today. */
const REFUSAL_DAYS = 7

/** Counters at rate_limits/refusals/{day}/{key}; the day is the number of days since 1970, UTC. */
export const REFUSALS_PATH = 'rate_limits/refusals'
export type StoredRefusals = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The refusals of one day. */
export interface RefusalDay {
  /** YYYY-MM-DD, UTC. */
  day: string
  counts: Readonly<Record<string, number>>
}

const toDayNumber = (now: number): number => Math.floor(now / DAY_MS)

/** Returns the update that counts refusals. Counters only increase, so processes never conflict. */
export const countRefusals = (
  counts: ReadonlyMap<string, number>,
  now: number,
): Record<string, DatabaseValue> =>
  Object.fromEntries(
    [...counts].map(([key, count]) => [
      `${REFUSALS_PATH}/${toDayNumber(now)}/${key}`,
      increment(count),
    ]),
  )

const isKept = (day: string, now: number): boolean => Number(day) > toDayNumber(now) - REFUSAL_DAYS

/** Returns the refusals of the last days, newest first; days without one are left out. */
export const listRefusals = (stored: StoredRefusals, now: number): RefusalDay[] =>
  Object.entries(stored)
    .filter(([day]) => isKept(day, now))
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([day, counts]) => ({
      day: new Date(Number(day) * DAY_MS).toISOString().slice(0, 10),
      counts,
    }))

/** Returns the update that removes the counters of older days. */
export const removeOldRefusals = (stored: StoredRefusals, now: number): Record<string, null> =>
  Object.fromEntries(
    Object.keys(stored)
      .filter((day) => !isKept(day, now))
      .map((day) => [`${REFUSALS_PATH}/${day}`, null]),
  )
