import type { User } from '~/domain/entities'
import { referralIdFor } from '~/domain/people'
import type { DatabasePort } from './ports/database'
import type { RandomPort } from './ports/random'

/** The users with this phone number or e-mail; the database is the truth, not the sign-in accounts. */
export const usersWith = async (
  db: DatabasePort,
  { mobile, email }: { mobile?: string | undefined; email?: string | undefined },
): Promise<User[]> => {
  const found = await Promise.all([
    mobile ? db.list<User>('users', { by: 'mobile', equalTo: mobile, first: 2 }) : [],
    email ? db.list<User>('users', { by: 'email', equalTo: email.toLowerCase(), first: 2 }) : [],
  ])
  return [...new Map(found.flat().map(([id, user]) => [id, { ...user, id }])).values()]
}

/** The uid of the user a referral id belongs to, or null. */
export const referrerOf = async (db: DatabasePort, referralId: string): Promise<string | null> => {
  const [found] = await db.list<User>('users', { by: 'referralId', equalTo: referralId, first: 1 })
  return found?.[0] ?? null
}

/** Draws the number of a referral id nobody has yet. */
export const referralNumber = async (
  db: DatabasePort,
  firstName: string,
  random: RandomPort,
): Promise<number> => {
  for (;;) {
    const number = random.between(1000, 9999)
    if ((await referrerOf(db, referralIdFor(firstName, number))) === null) return number
  }
}
