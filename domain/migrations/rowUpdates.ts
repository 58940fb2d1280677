import type { DatabaseValue } from '../data/databaseValue'
import type { MigrationRow, StoredRecord } from './migration'

const setPart = (
  value: DatabaseValue,
  [key, ...rest]: string[],
  part: DatabaseValue,
): DatabaseValue =>
  key === undefined
    ? part
    : {
        ...(value as StoredRecord | null),
        [key]: setPart(((value ?? {}) as StoredRecord)[key] ?? null, rest, part),
      }

/**
 * Returns the row after a multi-path update, for changes in that form. Throws when a path is not
 * below the row; `users/u1/name` is below the row of `u1` in `users`.
 */
export const applyUpdatesToRow = (
  row: MigrationRow,
  key: string,
  updates: Readonly<Record<string, DatabaseValue>>,
): MigrationRow =>
  Object.entries(updates).reduce<MigrationRow>((before, [path, value]) => {
    const [collection = '', of, ...rest] = path.split('/')
    if (of !== key || !(collection in row))
      throw new Error(`The change of row ${key} writes to ${path}, which is not part of it.`)
    return { ...before, [collection]: setPart(before[collection] ?? null, rest, value) }
  }, row)
