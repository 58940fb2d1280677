import type { RowChange, StoredRecord } from './migration'

/**
 * Removes free drivers that riders cannot see from the back office's list. The app lists them for
 * both again with its next position.
 */
export const removeHiddenDrivers: RowChange = {
  collections: ['users', 'available_drivers'],
  apply: (row) =>
    (row.users as StoredRecord | null)?.shift === undefined
      ? { ...row, available_drivers: null }
      : row,
}
