import type { DatabaseValue } from '../data/databaseValue'
import type { RowChange, StoredRecord } from './migration'

const toRecord = (value: DatabaseValue | undefined): StoredRecord =>
  typeof value === 'object' && value !== null ? (value as StoredRecord) : {}

const isDeviceField = (field: string): boolean => field === 'pushToken' || field === 'userPlatform'

/**
 * Moves the push token of a profile, which the person's fleet and the office read, to a path of the
 * functions.
 */
export const moveNamedDevices: RowChange = {
  collections: ['users', 'internal/named_devices'],
  apply: (row) => {
    const user = toRecord(row['users'])
    if (!Object.keys(user).some(isDeviceField)) return row
    const { pushToken: token, userPlatform: platform } = user
    const remainingFields = Object.entries(user).filter(([field]) => !isDeviceField(field))
    const named = row['internal/named_devices'] ?? null
    const isMoved = named === null && typeof token === 'string' && token !== ''
    return {
      users: Object.fromEntries(remainingFields),
      'internal/named_devices': isMoved
        ? { token, ...(typeof platform === 'string' && { platform }), revision: 1 }
        : named,
    }
  },
}
