import { buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { buildApprovalUpdates } from '~/domain/access/roles'
import { fail } from '../../domainException'
import { readUser, WriteConflictError, type DatabasePort } from '../../ports/database'
import type { ApprovalDecision, User } from '~/domain/accounts/types'

const MAX_TRIES = 10

const readRevision = async (db: DatabasePort, uid: string): Promise<number> =>
  (await db.read<ApprovalDecision>(internalPaths.approvalDecision(uid)))?.revision ?? 0

const buildDecision = (uid: string, revision: number): Record<string, DatabaseValue> => ({
  [internalPaths.approvalDecision(uid)]: { revision },
})

/**
 * Returns a decision about an approval, also one that repeats the last, with the updates that
 * record it.
 */
export const buildApprovalDecision = async (
  db: DatabasePort,
  uid: string,
): Promise<{ revision: number; updates: Record<string, DatabaseValue> }> => {
  const revision = (await readRevision(db, uid)) + 1
  return { revision, updates: buildDecision(uid, revision) }
}

/** A suspension by a call that may have to undo it: the user before it, and its decision. */
export interface Suspension {
  user: User
  revision: number
}

/**
 * Returns the updates that restore the approval that a call took away, or none when the office has
 * decided about it since.
 */
export const buildRestoredApproval = async (
  db: DatabasePort,
  { user, revision }: Suspension,
): Promise<Record<string, DatabaseValue>> =>
  (await readRevision(db, user.id)) === revision
    ? { ...buildApprovalUpdates(user, user.approved), ...buildDecision(user.id, revision + 1) }
    : {}

/**
 * Removes a user's approval and takes them off duty. Reads again when the approval was decided in
 * the meantime, or the key of a driver's vehicle changed. Returns null when the record is gone.
 */
export const suspendUser = async (db: DatabasePort, uid: string): Promise<Suspension | null> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Before the user, so that a decision after this read refuses the write.
    const revision = (await readRevision(db, uid)) + 1
    const user = await readUser<User>(db, uid)
    if (!user) return null
    try {
      await db.update({
        ...buildApprovalUpdates(user, false),
        ...buildUnavailabilityUpdates(user),
        ...buildDecision(uid, revision),
      })
      return { user, revision }
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  return fail('changed_meanwhile')
}

/**
 * Restores the approval that `suspendUser` took away, unless the office has decided about it since
 * or the record is removed.
 */
export const restoreUser = async (db: DatabasePort, suspension: Suspension): Promise<void> => {
  const updates = await buildRestoredApproval(db, suspension)
  if (Object.keys(updates).length === 0) return
  try {
    await db.update(updates)
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error
  }
}
