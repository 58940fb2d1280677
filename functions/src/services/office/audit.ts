import { toJson } from '~/domain/data/databaseValue'
import { dbPaths, FUNCTIONS_UID } from '~/domain/data/databasePaths'
import type { DatabasePort } from '../../ports/database'
import { WriteConflictError } from '../../ports/database'

/** One write to the back office's records, as the trigger reports it. */
export interface AuditedWrite {
  eventId: string
  path: string
  /** Milliseconds since 1970. */
  at: number
  actorId: string
  before: unknown
  after: unknown
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Returns the fields that differ, before and after. Returns whole values when there are no fields
 * to compare.
 */
export const diffFields = (before: unknown, after: unknown): { from: unknown; to: unknown } => {
  if (!isFields(before) || !isFields(after)) return { from: before ?? null, to: after ?? null }
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const only = (value: Fields) =>
    Object.fromEntries(fields.filter((f) => f in value).map((f) => [f, value[f]]))
  return { from: only(before), to: only(after) }
}

const getAction = (before: unknown, after: unknown) =>
  before === null || before === undefined
    ? 'add'
    : after === null || after === undefined
      ? 'delete'
      : 'update'

/** Records who changed what. Writes one entry per event, however often the event is delivered. */
export const recordAudit = async (db: DatabasePort, written: AuditedWrite): Promise<void> => {
  const { from, to } = diffFields(written.before, written.after)
  const [collection = ''] = written.path.split('/')
  // Bookings count the uses of a promo and record them there.
  const counted = collection === 'promos' && isFields(to) && Object.keys(to).join() === 'user_avail'
  if (counted || written.actorId === FUNCTIONS_UID) return
  const entry = {
    by: written.actorId,
    at: written.at,
    action: `${collection}_${getAction(written.before, written.after)}`,
    path: written.path,
    from,
    to,
  }
  const key = written.eventId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 200)
  const path = dbPaths.audit(key)
  try {
    await db.update({ [path]: toJson(entry) })
  } catch (error) {
    // An existing entry means a second delivery. Otherwise the rules refuse an entry that must be
    // stored, so the failure must not stay silent.
    if (!(error instanceof WriteConflictError) || (await db.read(path)) === null) throw error
  }
}
