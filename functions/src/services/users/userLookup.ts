import { fail } from '../../domainException'
import type { AccountsPort } from '../../ports/accounts'
import type { DatabasePort } from '../../ports/database'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the users with this phone number or email address. The database is the source of truth,
 * not the sign-in accounts.
 */
export const findUsers = async (
  db: DatabasePort,
  { mobile, email }: { mobile?: string | undefined; email?: string | undefined },
): Promise<User[]> => {
  const matchLists = await Promise.all([
    mobile ? db.list<User>('users', { by: 'mobile', equalTo: mobile, first: 2 }) : [],
    email ? db.list<User>('users', { by: 'email', equalTo: email.toLowerCase(), first: 2 }) : [],
  ])
  return [...new Map(matchLists.flat().map(([id, user]) => [id, { ...user, id }])).values()]
}

/**
 * Returns the uid of a sign-in account without a profile for this phone number, and creates the
 * account when there is none. An interrupted earlier attempt may have left one. Refuses with
 * user_exists when the account has a profile.
 */
export const claimAccount = async (
  { accounts, db }: { accounts: AccountsPort; db: DatabasePort },
  phone: string,
  field = 'mobile',
): Promise<string> => {
  const newUid = await accounts.create({ phone })
  if (newUid !== null) return newUid
  const uid = (await accounts.findByPhone(phone)) ?? fail('email_or_mobile_issue', field)
  if ((await db.read(`users/${uid}/usertype`)) !== null) fail('user_exists', field)
  return uid
}
