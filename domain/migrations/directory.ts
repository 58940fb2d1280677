import { toDirectoryEntry } from '../accounts/directory'
import type { RowChange, StoredRecord } from './migration'

/**
 * Lists each person at people/{uid} according to their record, and removes entries without a
 * record.
 */
export const rebuildDirectory: RowChange = {
  collections: ['users', 'people'],
  apply: (row) => ({
    ...row,
    people: toDirectoryEntry((row.users ?? null) as StoredRecord | null),
  }),
}
