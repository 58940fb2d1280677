import { increment } from '~/domain/databaseValue'
import { DAY_MS, MINUTE_MS } from '~/domain/timeUnits'
import type { DatabasePort } from '../ports/database'

/**
 * Counts a call in the caller's window and returns true when it exceeds the limit. `amount` is its
 * share of the limit. The window slides: the previous minute counts in proportion to its part
 * within the last 60 s. Counters only increase, so any number of processes can count at once
 * without retries. Messages on one connection stay in order, so the result includes this call.
 */
export const isOverRateLimit = async (
  db: DatabasePort,
  { name, limit }: { name: string; limit: number },
  caller: string,
  now: number,
  amount = 1,
): Promise<boolean> => {
  const minute = Math.floor(now / MINUTE_MS)
  const path = `rate_limits/${name}/${caller}`
  const [, counts] = await Promise.all([
    db.update({ [`${path}/${minute}`]: increment(amount), [`${path}/${minute - 2}`]: null }),
    db.read<Record<string, number>>(path),
  ])
  const before = counts?.[minute - 1] ?? 0
  return (counts?.[minute] ?? 0) + before * (1 - (now % MINUTE_MS) / MINUTE_MS) > limit
}

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
    // Reads the parent, because the SDK answers a read of the counter itself from the pending
    // increment.
    db.read<Record<string, number>>(path),
  ])
  return (counts?.[day] ?? 0) > most
}
