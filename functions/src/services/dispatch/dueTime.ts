import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import type { Booking } from '~/domain/booking/types'

/**
 * Writes the time at which a booking needs the job again. Safe because the write moves the
 * revision: an event at the same moment has set its own due time, and this write is refused.
 * Returns false then.
 */
export const writeDueTime = async (
  db: DatabasePort,
  { id, revision }: Booking,
  due_at: number | null,
  more: Record<string, DatabaseValue> = {},
): Promise<boolean> => {
  const base = dbPaths.booking(id)
  try {
    await db.update({
      [`${base}/due_at`]: due_at,
      [`${base}/revision`]: (revision ?? 0) + 1,
      ...more,
    })
    return true
  } catch (error) {
    if (error instanceof WriteConflictError) return false
    throw error
  }
}
