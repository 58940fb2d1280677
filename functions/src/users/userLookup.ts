import type { User } from '~/domain/entities'
import { createReferralId } from '~/domain/userAccounts'
import { fail } from '../http/domainException'
import type { AccountsPort } from '../ports/accounts'
import type { DatabasePort } from '../ports/database'
import type { RandomPort } from '../ports/random'

/**
 * Returns the users with this phone number or email address. The database is the source of truth,
 * not the sign-in accounts.
 */
export const findUsers = async (
  db: DatabasePort,
  { mobile, email }: { mobile?: string | undefined; email?: string | undefined },
): Promise<User[]> => {
  const found = await Promise.all([
    mobile ? db.list<User>('users', { by: 'mobile', equalTo: mobile, first: 2 }) : [],
    email ? db.list<User>('users', { by: 'email', equalTo: email.toLowerCase(), first: 2 }) : [],
  ])
  return [...new Map(found.flat().map(([id, user]) => [id, { ...user, id }])).values()]
}

/** Returns the uid of the user with a referral id, or null. */
export const findReferrer = async (
  db: DatabasePort,
  referralId: string,
): Promise<string | null> => {
  const [found] = await db.list<User>('users', { by: 'referralId', equalTo: referralId, first: 1 })
  return found?.[0] ?? null
}

/** Draws a number for a referral id that is not in use. */
export const drawReferralNumber = async (
  db: DatabasePort,
  firstName: string,
  random: RandomPort,
): Promise<number> => {
  for (;;) {
    const number = random.integerBetween(1000, 9999)
    if ((await findReferrer(db, createReferralId(firstName, number))) === null) return number
  }
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
  const made = await accounts.create({ phone })
  if (made !== null) return made
  const uid = (await accounts.findByPhone(phone)) ?? fail('email_or_mobile_issue', field)
  if ((await db.read(`users/${uid}/usertype`)) !== null) fail('user_exists', field)
  return uid
}
