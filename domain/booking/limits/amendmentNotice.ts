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
  /** The driver's share before they changed it under way; the next push names a lower one. */
  knownShare?: number
  /** True when the office has heard of a lower fare since the push. */
  lowered?: true
  /** Time at which the waiting fields are sent or the record is removed, ms. */
  due: number
  revision: number
}

const joinFields = (...lists: (string | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => list?.split(',') ?? []))].filter(Boolean).join(',')

/** The changes of an amendment that its drivers and the office hear of. */
export interface AmendmentNews {
  /** Fields that changed, separated by commas. */
  changes: string
  /** True when the fare falls under way. */
  isLowered: boolean
  /** The driver's share under way, before and after. */
  shares?: { before: number; after: number } | undefined
}

/** The messages about an amendment that are sent now, and the record of them. */
interface AmendedPush {
  /** Fields that changed, separated by commas; null within a minute of the last push. */
  changes: string | null
  /** True when the push is also about a lower share of the driver. */
  tellsShare: boolean
  /** True when the office hears of a lower fare, once in a minute. */
  tellsOffice: boolean
  /** The update that remembers what was sent and what waits. */
  updates: Record<string, DatabaseValue>
}

/**
 * Decides what the drivers and the office hear of an amendment now, and what waits for the next
 * push. The rules refuse a second update of the same revision.
 */
export const planAmendedPush = (
  booking: string,
  previousNotice: AmendmentNotice | null,
  { changes, isLowered, shares }: AmendmentNews,
  now: number,
): AmendedPush => {
  const joined = joinFields(previousNotice?.waiting, changes)
  const waits = previousNotice !== null && now - previousNotice.at < AMENDED_PUSH_INTERVAL_MS
  const at = waits ? previousNotice.at : now
  const knownShare = previousNotice?.knownShare ?? shares?.before
  const wasLowered = waits && previousNotice.lowered === true
  const notice: AmendmentNotice = {
    at,
    ...(waits && { waiting: joined, ...(knownShare !== undefined && { knownShare }) }),
    ...((isLowered || wasLowered) && { lowered: true }),
    due: at + AMENDED_PUSH_INTERVAL_MS,
    revision: (previousNotice?.revision ?? 0) + 1,
  }
  return {
    changes: waits ? null : joined,
    tellsShare: !waits && shares !== undefined && shares.after < (knownShare ?? 0),
    tellsOffice: isLowered && !wasLowered,
    updates: { [internalPaths.amendmentNotice(booking)]: { ...notice } },
  }
}
