import { toDirectory } from '../accounts/directory'
import { getRoles } from '../access/roles'
import { SCHEMA_VERSION } from '../data/schemaVersion'
import type { User } from '../accounts/types'

/**
 * Returns the data with the parts that a platform keeps beside it: the schema version, the roles
 * and the directory. A test that provides one of them keeps its own.
 */
export const addDerivedData = (start: {
  settings?: object | null
  users?: Record<string, User>
}): object => ({
  ...(start.settings && { schema: { version: SCHEMA_VERSION } }),
  ...(start.users && { roles: getRoles(start.users), people: toDirectory(start.users) }),
  ...start,
})
