import { isOfficeRole } from './permissions'
import { getRole, type RoleSource } from './roles'
import type { User } from '../accounts/types'
import type { UserType } from './types'

/** The messages that warn a person of a change of their access to the back office. */
export type OfficeAccessEvent = 'office_access_given' | 'office_access_ended'

/**
 * Returns how a change of an account changes its access to the back office: undefined when it does
 * not. Null stands for no account.
 */
export const findOfficeAccessChange = (
  before: RoleSource | null,
  after: RoleSource | null,
): OfficeAccessEvent | undefined => {
  const [former, next] = [getRole(before) ?? undefined, getRole(after) ?? undefined]
  if (former === next) return undefined
  if (isOfficeRole(next)) return 'office_access_given'
  return isOfficeRole(former) ? 'office_access_ended' : undefined
}

/**
 * Returns true when the given fields add, approve, block or rename the role of an admin or a fleet
 * admin. `user` is null for a new account, which counts also without an approval.
 */
export const isOfficePowerChange = (
  user: Pick<User, 'usertype' | 'approved'> | null,
  changes: { usertype?: UserType | undefined; approved?: boolean | undefined },
): boolean => {
  if (!user) return isOfficeRole(changes.usertype)
  const { usertype = user.usertype, approved = user.approved } = changes
  return findOfficeAccessChange(user, { usertype, approved }) !== undefined
}
