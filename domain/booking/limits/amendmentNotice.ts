import type { DatabaseValue } from '../../data/databaseValue'
import { internalPaths } from '../../data/internalPaths'
import { MINUTE_MS } from '../../language/timeUnits'

/** Minimum milliseconds between two pushes to drivers about amendments of one booking. */
export const AMENDED_PUSH_INTERVAL_MS = MINUTE_MS

/** The last push about amendments of a booking, at internal/amendment_notices/{booking}. */
export interface AmendmentNotice {
  /** Time of the push, ms. */
  at: number
  /** Fields that later amendments changed, separated by commas; the next push names them. */
  waiting?: string
  /** True when the office has heard of a lower fare since the push. */
  lowered?: true
  /** Time at which the waiting fields are sent or the record is removed, ms. */
  due: number
  revision: number
}

const joinFields = (...lists: (string | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => list?.split(',') ?? []))].filter(Boolean).join(',')

/**
 * Returns the fields that the drivers hear of now, which is null within a minute of the last push,
 * whether the office hears of a lower fare, once in that time, and the update that remembers both.
 * The rules refuse a second update of the same revision.
 */
export const planAmendedPush = (
  booking: string,
  previousNotice: AmendmentNotice | null,
  { changes, isLowered }: { changes: string; isLowered: boolean },
  now: number,
): { changes: string | null; tellsOffice: boolean; updates: Record<string, DatabaseValue> } => {
  const joined = joinFields(previousNotice?.waiting, changes)
  const waits = previousNotice !== null && now - previousNotice.at < AMENDED_PUSH_INTERVAL_MS
  const at = waits ? previousNotice.at : now
  const wasLowered = waits && previousNotice.lowered === true
  const notice: AmendmentNotice = {
    at,
    ...(waits && { waiting: joined }),
    ...((isLowered || wasLowered) && { lowered: true }),
    due: at + AMENDED_PUSH_INTERVAL_MS,
    revision: (previousNotice?.revision ?? 0) + 1,
  }
  return {
    changes: waits ? null : joined,
    tellsOffice: isLowered && !wasLowered,
    updates: { [internalPaths.amendmentNotice(booking)]: { ...notice } },
  }
}
