import { increment } from '~/domain/data/databaseValue'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import type { DatabasePort } from '../ports/database'

/** A counter's key is a number of minutes or of days since 1970. Only minutes are above this. */
const LAST_DAY_KEY = 1_000_000

interface RateLimit {
  name: string
  /** Maximum of a minute. */
  limit: number
  /** Maximum of a day. */
  dailyLimit?: number
}

/**
 * Counts a call in the caller's minute, and in their day when it has a limit, and returns which
 * limits it exceeds. `amount` is its share of the limits. The window of a minute slides: the
 * previous minute counts in proportion to its part within the last 60 s. A day begins at midnight
 * UTC. Counters only increase, so any number of processes can count at once without retries.
 * Messages on one connection stay in order, so the result includes this call.
 */
export const countCall = async (
  db: DatabasePort,
  { name, limit, dailyLimit }: RateLimit,
  caller: string,
  now: number,
  amount = 1,
): Promise<{ isOverMinute: boolean; isOverDay: boolean }> => {
  const [minute, day] = [Math.floor(now / MINUTE_MS), Math.floor(now / DAY_MS)]
  const path = `rate_limits/${name}/${caller}`
  const [, counts] = await Promise.all([
    db.update({
      [`${path}/${minute}`]: increment(amount),
      [`${path}/${minute - 2}`]: null,
      ...(dailyLimit !== undefined && { [`${path}/${day}`]: increment(amount) }),
    }),
    // Reads the parent, because the SDK answers a read of a counter itself from the pending
    // increment.
    db.read<Record<string, number>>(path),
  ])
  const before = counts?.[minute - 1] ?? 0
  return {
    isOverMinute: (counts?.[minute] ?? 0) + before * (1 - (now % MINUTE_MS) / MINUTE_MS) > limit,
    isOverDay: dailyLimit !== undefined && (counts?.[day] ?? 0) > dailyLimit,
  }
}

/** Counts a call in the caller's minute and returns true when it exceeds the limit. */
export const isOverRateLimit = async (...call: Parameters<typeof countCall>): Promise<boolean> =>
  (await countCall(...call)).isOverMinute

/** Counts one event in the caller's day. Returns true when the day's count exceeds `most`. */
export const isOverDailyLimit = async (
  db: DatabasePort,
  { name, most }: { name: string; most: number },
  caller: string,
  now: number,
): Promise<boolean> => {
  const day = Math.floor(now / DAY_MS)
  const path = `rate_limits/${name}/${caller}`
  const [, counts] = await Promise.all([
    db.update({ [`${path}/${day}`]: increment(1), [`${path}/${day - 1}`]: null }),
    db.read<Record<string, number>>(path),
  ])
  return (counts?.[day] ?? 0) > most
}

/** Returns true for a counter of an earlier day, or of a minute before the previous one. */
export const isExpiredCounter = (key: number, now: number): boolean =>
  key <= LAST_DAY_KEY ? key < Math.floor(now / DAY_MS) : key < Math.floor(now / MINUTE_MS) - 1
