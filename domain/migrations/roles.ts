import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { getRole, type RoleSource } from '../access/roles'
import type { RowChange } from './migration'
import { applyUpdatesToRow } from './rowUpdates'

/**
 * Returns the update that adds the role to a record of a release without roles/{uid}. A suspended
 * account, or one of unknown type, gets none. A repeat changes nothing.
 */
export const buildRoleUpdate = (uid: string, user: RoleSource): Record<string, DatabaseValue> => ({
  [dbPaths.role(uid)]: getRole(user),
})

/** Sets the role of every record, and removes roles without a record. */
export const rebuildRoles: RowChange = {
  collections: ['users', 'roles'],
  apply: (row, uid) =>
    applyUpdatesToRow(row, uid, buildRoleUpdate(uid, (row.users ?? {}) as RoleSource)),
}
