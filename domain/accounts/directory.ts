import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { getRole } from '../access/roles'
import { DIRECTORY_FIELDS, type DirectoryEntry } from './types'

/** Returns the directory entry of a record at people/{uid}; null when there is no record. */
export const toDirectoryEntry = (
  user: { [Field in keyof DirectoryEntry]?: DatabaseValue | undefined } | null,
): Record<string, DatabaseValue> | null => {
  const parts = DIRECTORY_FIELDS.flatMap((field): [string, DatabaseValue][] => {
    const value = user?.[field]
    return value === undefined || value === null ? [] : [[field, value]]
  })
  return parts.length > 0 ? Object.fromEntries(parts) : null
}

/** Returns the whole directory of these people, by uid. */
export const toDirectory = (
  users: Readonly<Record<string, Parameters<typeof toDirectoryEntry>[0]>>,
): Record<string, DatabaseValue> =>
  Object.fromEntries(Object.entries(users).map(([uid, user]) => [uid, toDirectoryEntry(user)]))

const USER_PATH = /^users\/([^/]+)(?:\/([^/]+))?$/

/**
 * Returns the same update with the data kept beside a record: its directory entry and its role.
 * When an update only approves a record, the role depends on the stored user type, so
 * `buildApprovalUpdates` writes it.
 */
export const withDirectory = (
  updates: Readonly<Record<string, DatabaseValue>>,
): Record<string, DatabaseValue> => {
  const directoryUpdates = Object.entries(updates).flatMap(
    ([path, value]): [string, DatabaseValue][] => {
      const [, uid, field] = USER_PATH.exec(path) ?? []
      if (uid === undefined) return []
      if (field === undefined) {
        const user = value as Record<string, DatabaseValue> | null
        return [
          [dbPaths.directoryEntry(uid), toDirectoryEntry(user)],
          [dbPaths.role(uid), getRole(user)],
        ]
      }
      return (DIRECTORY_FIELDS as readonly string[]).includes(field)
        ? [[`${dbPaths.directoryEntry(uid)}/${field}`, value]]
        : []
    },
  )
  return { ...updates, ...Object.fromEntries(directoryUpdates) }
}
