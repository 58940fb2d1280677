import type { DatabaseValue } from '~/domain/data/databaseValue'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { dbPaths } from '~/domain/data/databasePaths'
import { getRole } from '~/domain/access/roles'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { DIRECTORY_FIELDS, type DirectoryEntry } from '~/domain/accounts/types'

const MAX_TRIES = 10
const LISTED_FIELDS = [...DIRECTORY_FIELDS, 'sortKey'] as const

/**
 * Writes the updates that `due` returns until it returns null. Re-reads after every write and every
 * rejection, so that concurrent calls converge on the record. Rejects with `WriteConflictError`
 * when the rules refuse every time.
 */
const writeUntilCurrent = async (
  db: DatabasePort,
  due: () => Promise<Record<string, DatabaseValue> | null>,
): Promise<void> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const updates = await due()
    if (updates === null) return
    try {
      await db.update(updates)
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  throw new WriteConflictError()
}

/**
 * Lists a person according to their record, or removes them from the list when there is no record.
 * Rejects with `WriteConflictError` when a record from a console or an import lacks a required part
 * of the list.
 */
export const syncDirectoryEntry = (db: DatabasePort, uid: string): Promise<void> =>
  writeUntilCurrent(db, async () => {
    const [directoryEntry, ...values] = await Promise.all([
      db.read<Partial<DirectoryEntry>>(dbPaths.directoryEntry(uid)),
      ...DIRECTORY_FIELDS.map((field) => db.read<DatabaseValue>(`${dbPaths.user(uid)}/${field}`)),
    ])
    const user = Object.fromEntries(DIRECTORY_FIELDS.map((field, i) => [field, values[i] ?? null]))
    const due = toDirectoryEntry(user)
    return LISTED_FIELDS.every((field) => directoryEntry?.[field] === due?.[field])
      ? null
      : { [dbPaths.directoryEntry(uid)]: due }
  })

/**
 * Sets an account's role from its record after a write that bypassed the functions, such as one in
 * a console.
 */
export const syncRole = (db: DatabasePort, uid: string): Promise<void> =>
  writeUntilCurrent(db, async () => {
    const [role, usertype, approved] = await Promise.all(
      [dbPaths.role(uid), `${dbPaths.user(uid)}/usertype`, `${dbPaths.user(uid)}/approved`].map(
        (path) => db.read<DatabaseValue>(path),
      ),
    )
    const due = getRole({ usertype, approved })
    return role === due ? null : { [dbPaths.role(uid)]: due }
  })
