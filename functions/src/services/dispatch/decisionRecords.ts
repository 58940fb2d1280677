import { internalPaths } from '~/domain/data/internalPaths'
import type { GroupInput } from '~/domain/dispatch/matching/decideGroup'
import { DECISION_RETENTION_MS } from '~/domain/dispatch/matching/explainOffer'
import type { DatabasePort } from '../../ports/database'
import type { DecisionRecord } from '~/domain/dispatch/types'

interface ReadDecision {
  record: DecisionRecord
  /** Null when the record has been removed. */
  input: GroupInput | null
}

const parseInput = ({ input }: DecisionRecord): GroupInput | null =>
  input === undefined ? null : (JSON.parse(input) as GroupInput)

/** Returns the record of an offer's decision, also when several offers share it. */
export const readDecision = async (
  db: DatabasePort,
  booking: string,
  n: string,
): Promise<ReadDecision | null> => {
  const own = await db.read<DecisionRecord>(internalPaths.offerDecision(booking, n))
  const record = own?.round
    ? await db.read<DecisionRecord>(internalPaths.roundDecision(own.round))
    : own
  return record && { record, input: parseInput(record) }
}

/** A decision in the list of all. */
interface ListedDecision {
  input: GroupInput
  /** The booking and the number of its offer; absent for a round. */
  booking?: string
  offer?: string
}

/** More than the offers of one round, which may have the same time. */
const PAGE_SIZE = 250

/**
 * Returns a page of decisions at or before a time (ms), newest first. `next` is the `before` of the
 * following page, null on the last.
 */
export const listDecisions = async (
  db: DatabasePort,
  before: number,
): Promise<{ decisions: ListedDecision[]; next: number | null }> => {
  const rows = await db.list<DecisionRecord>(internalPaths.offerDecisions, {
    by: 'due',
    startAt: 1,
    endAt: before + DECISION_RETENTION_MS,
    last: PAGE_SIZE,
  })
  const oldest = rows[0]?.[1].due ?? 0
  const isFull = rows.length === PAGE_SIZE
  // The page may end within the records of one time, which the next page then shows completely.
  const later = rows.filter(([, { due }]) => due > oldest)
  const isSplit = isFull && later.length > 0
  const decisions = (isSplit ? later : rows)
    .reverse()
    .flatMap(([key, record]): ListedDecision[] => {
      const input = parseInput(record)
      if (!input) return []
      const single = /_r\d+_\d+$/.test(key) ? null : /^(.+)_(\d+)$/.exec(key)
      const [, booking, offer] = single ?? []
      return [{ input, ...(booking && offer && { booking, offer }) }]
    })
  const next = oldest - DECISION_RETENTION_MS
  return { decisions, next: isFull ? next - (isSplit ? 0 : 1) : null }
}
