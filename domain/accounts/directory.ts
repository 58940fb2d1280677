import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { getRole } from '../access/roles'
import { foldText } from '../language/foldedWords'
import { DIRECTORY_FIELDS, type DirectoryEntry, type User } from './types'

/** Longest part of a name that decides about its place in a list, characters. */
const MAX_SORTED_LENGTH = 100
/** Separates the user type from the name. */
const AFTER_TYPE = '~'

/** Returns what begins the sort keys of all people of a type whose names begin with a text. */
export const toSortKeyPrefix = (usertype: string, name = ''): string =>
  `${usertype}${AFTER_TYPE}${foldText(name.trim()).slice(0, MAX_SORTED_LENGTH)}`

/** Returns the key by which a person stands among those of their type: first names first. */
export const toSortKey = ({
  usertype,
  firstName,
  lastName,
}: Pick<User, 'usertype'> & Partial<Pick<User, 'firstName' | 'lastName'>>): string =>
  toSortKeyPrefix(usertype, `${firstName ?? ''} ${lastName ?? ''}`)

const isSortable = (
  entry: Record<string, DatabaseValue>,
): entry is Record<string, DatabaseValue> & Pick<DirectoryEntry, 'usertype'> =>
  typeof entry['usertype'] === 'string'

/** Returns the directory entry of a record at people/{uid}; null when there is no record. */
export const toDirectoryEntry = (
  user: { [Field in keyof DirectoryEntry]?: DatabaseValue | undefined } | null,
): Record<string, DatabaseValue> | null => {
  const parts = DIRECTORY_FIELDS.flatMap((field): [string, DatabaseValue][] => {
    const value = user?.[field]
    return value === undefined || value === null ? [] : [[field, value]]
  })
  if (parts.length === 0) return null
  const entry = Object.fromEntries(parts)
  return isSortable(entry) ? { ...entry, sortKey: toSortKey(entry) } : entry
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
