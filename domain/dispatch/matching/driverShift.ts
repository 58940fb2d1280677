import type { Earnings } from './offerCost'
import { HOUR_MS } from '../../language/timeUnits'
import type { DriverShift } from '../types'

/** A break up to this long (ms) belongs to the shift; a longer one ends it. */
const LONGEST_BREAK_MS = 4 * HOUR_MS

/** Returns a driver's shift after they came on duty or went off; null when nothing changes. */
export const changeDuty = (
  shift: DriverShift | null,
  isOnDuty: boolean,
  now: number,
): DriverShift | null => {
  if (isOnDuty === (shift?.since !== undefined)) return null
  const revision = (shift?.revision ?? 0) + 1
  if (!shift) return { since: now, revision }
  const { since, ended = 0, active_ms = 0, income = 0 } = shift
  if (since !== undefined)
    return { ended: now, active_ms: active_ms + Math.max(0, now - since), income, revision }
  return now - ended > LONGEST_BREAK_MS
    ? { since: now, revision }
    : { since: now, active_ms, income, revision }
}

/** Returns the income and the active time of a shift at a time (ms). */
export const getShiftEarnings = (shift: DriverShift | null, now: number): Earnings => {
  const { since = now, active_ms = 0, income = 0 } = shift ?? {}
  return { income, active_s: Math.round((active_ms + Math.max(0, now - since)) / 1000) }
}

/** Returns the sum of the earnings of several drivers. */
export const addEarnings = (all: readonly Earnings[]): Earnings => ({
  income: all.reduce((sum, { income }) => sum + income, 0),
  active_s: all.reduce((sum, { active_s }) => sum + active_s, 0),
})
