import { dbPaths } from '~/domain/data/databasePaths'
import {
  createReferralId,
  isReferralId,
  listReferralNumberBounds,
} from '~/domain/accounts/referral'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import type { RandomPort } from '../../ports/random'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the uid of the account with a referral id, or null. An id that the account had before its
 * first name was known stays valid, because its owner may have shared it.
 */
export const findReferrer = async (
  db: DatabasePort,
  referralId: string,
): Promise<string | null> => {
  const [current] = await db.list<User>('users', {
    by: 'referralId',
    equalTo: referralId,
    first: 1,
  })
  if (current) return current[0]
  if (!isReferralId(referralId)) return null
  const uid = await db.read<string>(dbPaths.referralId(referralId))
  const exists = uid !== null && (await db.read(`${dbPaths.user(uid)}/usertype`)) !== null
  return exists ? uid : null
}

const NONE_FREE = 'All random referral ids were taken. Try again.'

/**
 * Returns a referral id that no account has, for a write that also reserves it. The rules refuse
 * that write when another account was faster. Throws when 30 random ids are taken.
 */
export const chooseReferralId = async (
  { db, random }: { db: DatabasePort; random: RandomPort },
  firstName: string,
): Promise<string> => {
  for (const bounds of listReferralNumberBounds()) {
    const referralId = createReferralId(firstName, random.integerBetween(...bounds))
    if ((await db.read(dbPaths.referralId(referralId))) === null) return referralId
  }
  throw new Error(NONE_FREE)
}

/**
 * Reserves a new referral id for an account and returns it. Safe because the rules refuse a second
 * reservation of the same id, so two accounts never get one. A reservation whose account is not
 * written afterwards only leaves one id unused. Throws when 30 random ids are taken.
 */
export const reserveReferralId = async (
  { db, random }: { db: DatabasePort; random: RandomPort },
  { uid, firstName }: { uid: string; firstName: string },
): Promise<string> => {
  for (const bounds of listReferralNumberBounds()) {
    const referralId = createReferralId(firstName, random.integerBetween(...bounds))
    try {
      await db.update({ [dbPaths.referralId(referralId)]: uid })
      return referralId
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  throw new Error(NONE_FREE)
}
