import { plain } from '~/domain/booking/draft'
import { at, SERVER_UID } from '~/domain/paths'
import type { DatabasePort } from './ports/database'
import { Conflict } from './ports/database'

/** One write of the office's records, as the trigger tells it. */
export interface Written {
  eventId: string
  path: string
  /** ms */
  at: number
  by: string
  before: unknown
  after: unknown
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The fields that differ, before and after; whole values where there are no fields to compare. */
export const difference = (before: unknown, after: unknown): { from: unknown; to: unknown } => {
  if (!isFields(before) || !isFields(after)) return { from: before ?? null, to: after ?? null }
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const only = (value: Fields) =>
    Object.fromEntries(fields.filter((f) => f in value).map((f) => [f, value[f]]))
  return { from: only(before), to: only(after) }
}

const actionOf = (before: unknown, after: unknown) =>
  before === null || before === undefined
    ? 'add'
    : after === null || after === undefined
      ? 'delete'
      : 'update'

/** Keeps who changed what; once an event, however often it is delivered. */
export const keepAudit = async (db: DatabasePort, written: Written): Promise<void> => {
  const { from, to } = difference(written.before, written.after)
  const [collection = ''] = written.path.split('/')
  // A promo's use is counted by bookings and told there.
  const counted = collection === 'promos' && isFields(to) && Object.keys(to).join() === 'user_avail'
  if (counted || written.by === SERVER_UID) return
  const entry = {
    by: written.by,
    at: written.at,
    action: `${collection}_${actionOf(written.before, written.after)}`,
    path: written.path,
    from,
    to,
  }
  const key = written.eventId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 200)
  const path = at.audit(key)
  try {
    await db.update({ [path]: plain(entry) })
  } catch (error) {
    // A second delivery, if the entry is there; else the rules refuse what has to be kept, and nobody would know.
    if (!(error instanceof Conflict) || (await db.read(path)) === null) throw error
  }
}
