import { getRole } from '~/domain/access/roles'
import { isOfficeRole } from '~/domain/access/permissions'
import { dbPaths } from '~/domain/data/databasePaths'
import { buildAuditEntry } from '../office/auditEntry'
import { buildSessionsEnd, signOutDevices } from './sessionsEnd'
import type { RequestContext } from '../../ports/requestContext'
import type { User } from '~/domain/accounts/types'

const MAX_HOLDERS = 20

/**
 * Gives a member of the office their account back after a stolen session has replaced its phone
 * number in Firebase Auth: the owner's own sign-in then begins a new account. Removes that account,
 * which has no profile, ends all sessions of the old one and restores its number. Returns true when
 * it did, and the caller signs in again.
 */
export const recoverOfficeAccount = async (
  { accounts, clock, db, now }: Pick<RequestContext, 'accounts' | 'clock' | 'db' | 'now'>,
  { uid, phone }: { uid: string; phone: string },
): Promise<boolean> => {
  const holders = await db.list<User>('users', { by: 'mobile', equalTo: phone, first: MAX_HOLDERS })
  const [id, user] = holders.find(([, one]) => isOfficeRole(getRole(one) ?? undefined)) ?? []
  if (id === undefined || user === undefined || id === uid) return false
  if (!(await accounts.isActive(id))) return false
  const path = dbPaths.user(id)
  await accounts.remove(uid)
  await db.update({
    ...buildSessionsEnd(id, now),
    ...buildAuditEntry({ by: id, at: now, action: 'account_recovery', path }, `${id}/sessions`),
  })
  await signOutDevices({ accounts, clock, db }, { ...user, id })
  return true
}
