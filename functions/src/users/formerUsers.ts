import { createHmac } from 'node:crypto'
import type { DatabaseValue } from '~/domain/databaseValue'
import { getFormerBenefits, buildFormerUserUpdates } from '~/domain/accountDeletion'
import type { FormerUser, User } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { getSalt, type Config } from '../config'
import type { DatabasePort } from '../ports/database'

/**
 * Remembers used promos and the referral bonus after a deletion, under a keyed hash of the phone
 * number. Only the server has the key; without it, a reader can't try all numbers.
 */

/** Milliseconds for which benefits are remembered: longer than a promo runs. */
export const BENEFITS_RETENTION_MS = 2 * 365 * 86_400_000

const hashContact = (
  config: Pick<Config, 'salt'>,
  what: 'phone' | 'email',
  value: string,
): string => createHmac('sha256', getSalt(config)).update(`${what}:${value}`).digest('hex')

type Contact = { [K in 'mobile' | 'email' | 'loginType']?: User[K] | undefined }

/**
 * Returns the hashes under which a person with this phone number is remembered. An email address
 * counts when a sign-in provider has verified it, because such an account needs no phone number.
 */
const getContactHashes = (
  config: Pick<Config, 'salt'>,
  { mobile, email, loginType }: Contact,
): string[] => [
  ...(mobile ? [hashContact(config, 'phone', mobile)] : []),
  ...(email && loginType ? [hashContact(config, 'email', email.trim().toLowerCase())] : []),
]

/** Returns the paths that store a person's benefits, for the update that removes the record. */
export const buildBenefitRecords = (
  config: Pick<Config, 'salt'>,
  user: User,
  promos: readonly string[],
  now: number,
): Record<string, DatabaseValue> => {
  const hashes = [...getContactHashes(config, user), ...Object.keys(user.formerPhones ?? {})]
  return buildFormerUserUpdates(hashes, promos, user, now)
}

/**
 * Returns the parts of a new record that hold its owner's former benefits. Call it after checking
 * that no account has the phone number.
 */
export const findFormerBenefits = async (
  { config, db }: { config: Pick<Config, 'salt'>; db: DatabasePort },
  contact: Contact,
): Promise<Pick<User, 'formerPromos' | 'referralRewarded'>> => {
  const found = await Promise.all(
    getContactHashes(config, contact).map((hash) => db.read<FormerUser>(dbPaths.formerUser(hash))),
  )
  return getFormerBenefits(found.filter((one) => one !== null))
}

/**
 * Returns the paths that change with a phone number. The old number is kept as a hash, and benefits
 * under the new number count.
 */
export const buildPhoneChangeUpdates = async (
  parts: { config: Pick<Config, 'salt'>; db: DatabasePort },
  { id, mobile }: Pick<User, 'id' | 'mobile'>,
  next: string,
): Promise<Record<string, DatabaseValue>> => {
  const { formerPromos = {}, referralRewarded } = await findFormerBenefits(parts, { mobile: next })
  return {
    ...(mobile && {
      [`${dbPaths.user(id)}/formerPhones/${hashContact(parts.config, 'phone', mobile)}`]: true,
    }),
    ...Object.fromEntries(
      Object.keys(formerPromos).map((promo) => [`${dbPaths.user(id)}/formerPromos/${promo}`, true]),
    ),
    ...(referralRewarded && { [`${dbPaths.user(id)}/referralRewarded`]: true }),
  }
}
