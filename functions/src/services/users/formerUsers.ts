import { createHmac } from 'node:crypto'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getFormerBenefits, buildFormerUserUpdates } from '~/domain/accounts/accountDeletion'
import { dbPaths } from '~/domain/data/databasePaths'
import { DAY_MS } from '~/domain/language/timeUnits'
import { getSalt, type Config } from '../../config'
import type { Caller } from '../../ports/accounts'
import type { DatabasePort } from '../../ports/database'
import type { FormerUser, User } from '~/domain/accounts/types'

/**
 * Remembers used promos and the referral bonus after a deletion, under keyed hashes of the phone
 * number, the verified email address and the social account. Only the server has the key; without
 * it, a reader can't try all numbers.
 */

/** Milliseconds for which benefits are remembered: longer than a promo runs. */
export const BENEFITS_RETENTION_MS = 2 * 365 * DAY_MS

const hashContact = (
  config: Pick<Config, 'salt'>,
  what: 'phone' | 'email' | 'account',
  value: string,
): string => createHmac('sha256', getSalt(config)).update(`${what}:${value}`).digest('hex')

/**
 * A person's phone number, their email address if a sign-in provider has verified it, and their
 * social account.
 */
interface VerifiedContact extends Pick<Caller, 'provider' | 'providerId'> {
  mobile?: string | undefined
  email?: string | undefined
}

const hashEmail = (config: Pick<Config, 'salt'>, email: string) =>
  hashContact(config, 'email', email.trim().toLowerCase())

const hashAccounts = (
  config: Pick<Config, 'salt'>,
  { provider, providerId }: Pick<Caller, 'provider' | 'providerId'>,
): string[] =>
  provider && providerId ? [hashContact(config, 'account', `${provider}:${providerId}`)] : []

/**
 * Returns the hashes under which a person is remembered. A verified email address and a social
 * account count, because a person who has one can use a promo without a phone number.
 */
const getContactHashes = (
  config: Pick<Config, 'salt'>,
  { mobile, email, ...account }: VerifiedContact,
): string[] => [
  ...(mobile ? [hashContact(config, 'phone', mobile)] : []),
  ...(email ? [hashEmail(config, email)] : []),
  ...hashAccounts(config, account),
]

const getVerifiedContact = ({ mobile, email, emailVerified }: User): VerifiedContact => ({
  mobile,
  ...(emailVerified && { email }),
})

/** Returns the paths that store a person's benefits, for the update that removes the record. */
export const buildBenefitRecords = (
  config: Pick<Config, 'salt'>,
  user: User,
  promos: readonly string[],
  now: number,
): Record<string, DatabaseValue> => {
  const hashes = [
    ...getContactHashes(config, getVerifiedContact(user)),
    ...Object.keys(user.formerPhones ?? {}),
  ]
  return buildFormerUserUpdates(hashes, promos, user, now)
}

/**
 * Returns the parts of a new record that hold its owner's former benefits: those of deleted
 * accounts with the same contacts, and `used`, those of profiles that lose the phone number to it.
 */
export const findFormerBenefits = async (
  { config, db }: { config: Pick<Config, 'salt'>; db: DatabasePort },
  contact: VerifiedContact,
  used: readonly FormerUser[] = [],
): Promise<Pick<User, 'formerPromos' | 'referralRewarded'>> => {
  const formerUsers = await Promise.all(
    getContactHashes(config, contact).map((hash) => db.read<FormerUser>(dbPaths.formerUser(hash))),
  )
  return getFormerBenefits([...used, ...formerUsers.filter((one) => one !== null)])
}

/**
 * Returns the paths that change with a phone number. The old number is kept as a hash, and benefits
 * under the new number count.
 */
export const buildPhoneChangeUpdates = async (
  parts: { config: Pick<Config, 'salt'>; db: DatabasePort },
  { id, mobile }: Pick<User, 'id' | 'mobile'>,
  next: { mobile: string; used: readonly FormerUser[] },
): Promise<Record<string, DatabaseValue>> => {
  const benefits = await findFormerBenefits(parts, { mobile: next.mobile }, next.used)
  const { formerPromos = {}, referralRewarded } = benefits
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

/**
 * Returns the part of a record that remembers the social account its owner signed in with, whose id
 * is in no other field.
 */
export const buildAccountHashes = (
  config: Pick<Config, 'salt'>,
  caller: Pick<Caller, 'provider' | 'providerId'>,
): Pick<User, 'formerPhones'> => {
  const hashes = hashAccounts(config, caller)
  return hashes.length > 0
    ? { formerPhones: Object.fromEntries(hashes.map((hash) => [hash, true])) }
    : {}
}

/** Returns the path that keeps a verified email address, which is about to change, as a hash. */
export const buildEmailChangeUpdates = (
  config: Pick<Config, 'salt'>,
  { id, email, emailVerified }: Pick<User, 'id' | 'email' | 'emailVerified'>,
): Record<string, DatabaseValue> =>
  email && emailVerified
    ? { [`${dbPaths.user(id)}/formerPhones/${hashEmail(config, email)}`]: true }
    : {}
