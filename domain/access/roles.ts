import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { isUserType } from '../accounts/userAccounts'
import type { User } from '../accounts/types'
import type { UserType } from './types'

/** The fields that determine a record's role; a record may be older than the present types. */
export type RoleSource = { usertype?: unknown; approved?: unknown }

/**
 * Returns the role to store at roles/{uid}: the user type while the account is approved, otherwise
 * null. Rules and functions look up a caller only there, so one short read is enough.
 */
export const getRole = (user: RoleSource | null | undefined): UserType | null =>
  user?.approved === true && isUserType(user.usertype) ? user.usertype : null

/** The claim about a profile in its account's token, for rules that cannot read the database. */
export type RoleClaim = UserType | 'none'
/**
 * Returns the role claim of a profile for its account's token: 'none' when it is not approved or of
 * no known type, and null when there is no profile, because that account has no claim.
 */
export const getRoleClaim = (user: RoleSource): RoleClaim | null =>
  (user.usertype ?? null) === null ? null : (getRole(user) ?? 'none')

/** Returns the roles of these accounts by uid; omits accounts without one. */
export const getRoles = (users: Readonly<Record<string, RoleSource>>): Record<string, UserType> =>
  Object.fromEntries(
    Object.entries(users).flatMap(([uid, user]) => {
      const role = getRole(user)
      return role === null ? [] : [[uid, role]]
    }),
  )

/** Returns the paths that approve or suspend an account and change its role in the same update. */
export const buildApprovalUpdates = (
  { id, usertype }: Pick<User, 'id' | 'usertype'>,
  approved: boolean,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.user(id)}/approved`]: approved,
  [dbPaths.role(id)]: getRole({ usertype, approved }),
})
