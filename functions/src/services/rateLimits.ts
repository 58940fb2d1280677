import { dbPaths } from '~/domain/data/databasePaths'
import { increment, type DatabaseValue } from '~/domain/data/databaseValue'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import type { DatabasePort } from '../ports/database'

/** A counter's key is a number of minutes or of days since 1970. Only minutes are above this. */
const LAST_DAY_KEY = 1_000_000

interface Limits {
  name: string
  /** Maximum of a minute. */
  limit: number
  /** Maximum of a day; absent or 'none' without one. */
  dailyLimit?: number | 'none'
  /** True when the limit of a day also holds for admins. */
  bindsAdmins?: true
}

interface CountedCall {
  /** The uid, or the hash of a visitor's network. */
  caller: string
  /** Milliseconds since 1970. */
  now: number
  /** The call's share of the limits, by default 1. */
  amount?: number
}

const toPath = ({ name }: Pick<Limits, 'name'>, { caller }: CountedCall): string =>
  `rate_limits/${name}/${caller}`

/**
 * Returns the update that counts a call in the day, which begins at midnight UTC. The maintenance
 * removes the counters of earlier days.
 */
const buildDayCount = (
  limits: Pick<Limits, 'name' | 'dailyLimit'>,
  call: CountedCall,
): Record<string, DatabaseValue> => {
  if (typeof limits.dailyLimit !== 'number') return {}
  const day = Math.floor(call.now / DAY_MS)
  return { [`${toPath(limits, call)}/${day}`]: increment(call.amount ?? 1) }
}

/**
 * Counts at one path and returns its counters. They are increments, so any number of processes can
 * count at once without retries. Messages on one connection stay in order, so the result includes
 * this call.
 */
const countAt = async (
  db: DatabasePort,
  path: string,
  updates: Record<string, DatabaseValue>,
): Promise<Readonly<Record<string, number>>> => {
  const [, counts] = await Promise.all([
    db.update(updates),
    // Reads the parent, because the SDK answers a read of a counter itself from the pending
    // increment.
    db.read<Record<string, number>>(path),
  ])
  return counts ?? {}
}

/**
 * Returns true when the day's count is over its limit, which holds for everyone except admins, or
 * also for them.
 */
const isOverDay = async (
  db: DatabasePort,
  counts: Readonly<Record<string, number>>,
  { dailyLimit, bindsAdmins, now, caller }: Omit<Limits, 'name' | 'limit'> & CountedCall,
): Promise<boolean> => {
  if (typeof dailyLimit !== 'number') return false
  if ((counts[Math.floor(now / DAY_MS)] ?? 0) <= dailyLimit) return false
  return bindsAdmins === true || (await db.read<string>(dbPaths.role(caller))) !== 'admin'
}

/**
 * Takes a call back from the caller's day that something else refused. A loop of refused calls
 * would otherwise lock the caller out until midnight.
 */
export const returnToDay = async (
  db: DatabasePort,
  limits: Pick<Limits, 'name' | 'dailyLimit'>,
  call: CountedCall,
): Promise<void> => {
  const returned = buildDayCount(limits, { ...call, amount: -(call.amount ?? 1) })
  if (Object.keys(returned).length > 0) await db.update(returned)
}

/**
 * Counts a call in the caller's minute, and in their day when it has a limit, in one update.
 * Returns the limit that it exceeds. A call over the limit of the minute does not stay in the day.
 * The window of a minute slides: the previous minute counts in proportion to its part within the
 * last 60 s.
 */
export const findExceededLimit = async (
  db: DatabasePort,
  limits: Limits,
  call: CountedCall,
): Promise<'minute' | 'day' | undefined> => {
  const { now, amount = 1 } = call
  const minute = Math.floor(now / MINUTE_MS)
  const path = toPath(limits, call)
  const counts = await countAt(db, path, {
    [`${path}/${minute}`]: increment(amount),
    [`${path}/${minute - 2}`]: null,
    ...buildDayCount(limits, call),
  })
  const before = counts[minute - 1] ?? 0
  const used = (counts[minute] ?? 0) + before * (1 - (now % MINUTE_MS) / MINUTE_MS)
  if (used > limits.limit) {
    await returnToDay(db, limits, call)
    return 'minute'
  }
  return (await isOverDay(db, counts, { ...limits, ...call })) ? 'day' : undefined
}

/** Counts a call in the caller's day and returns true when it exceeds the limit. */
export const isOverDailyLimit = async (
  db: DatabasePort,
  limits: Required<Pick<Limits, 'name' | 'dailyLimit'>> & Pick<Limits, 'bindsAdmins'>,
  call: CountedCall,
): Promise<boolean> => {
  const counts = await countAt(db, toPath(limits, call), buildDayCount(limits, call))
  return isOverDay(db, counts, { ...limits, ...call })
}

/** Returns true for a counter of an earlier day, or of a minute before the previous one. */
export const isExpiredCounter = (key: number, now: number): boolean =>
  key <= LAST_DAY_KEY ? key < Math.floor(now / DAY_MS) : key < Math.floor(now / MINUTE_MS) - 1
