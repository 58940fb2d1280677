import { domainError, type DomainError } from '../api/errors'
import { DAY_MS } from '../language/timeUnits'
import type { User } from './types'

/** Milliseconds after the sign-up in which a person is asked who invited them. */
const ASKED_FOR_MS = 7 * DAY_MS

/**
 * Returns true when the owner of a new account can be asked who invited them. A social sign-in
 * often completes the profile, so that no form asks them otherwise. Only the server knows whether
 * they have booked already.
 */
export const isReferrerAsked = (
  user: Pick<User, 'usertype' | 'createdAt' | 'signupViaReferral' | 'referralRewarded'>,
  now: number,
): boolean =>
  !user.signupViaReferral &&
  !user.referralRewarded &&
  (user.usertype === 'rider' || user.usertype === 'driver') &&
  now - Date.parse(user.createdAt) < ASKED_FOR_MS

/**
 * Returns the reason an account may not name this referrer, or undefined when it may. Only a rider
 * or driver without bookings may, and only once (not_allowed). The referrer must be another, older
 * account (bad_input), so that two people cannot refer each other.
 */
export const checkReferral = (
  user: Pick<User, 'id' | 'usertype' | 'createdAt' | 'signupViaReferral' | 'referralRewarded'>,
  referrer: Pick<User, 'id' | 'createdAt'> | null,
  bookings: number,
): DomainError | undefined => {
  const isNew = !user.signupViaReferral && !user.referralRewarded && bookings === 0
  if (!isNew || (user.usertype !== 'rider' && user.usertype !== 'driver'))
    return domainError('not_allowed', 'referralId')
  if (!referrer || referrer.id === user.id || referrer.createdAt > user.createdAt)
    return domainError('bad_input', 'referralId')
  return undefined
}

/** The beginning of a referral id whose owner has no first name yet. */
const NAMELESS = 'code'

/**
 * Returns the letters and digits of the first name in lowercase, or 'code' without any, followed by
 * the caller's random number from 1000 to 9999, or a longer one when those are taken.
 */
export const createReferralId = (firstName: string, number: number): string =>
  `${
    firstName
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .slice(0, 50) || NAMELESS
  }${number}`

/** Returns true for a text in the form of a referral id, which can be the key of a path. */
export const isReferralId = (text: string): boolean => /^[\p{L}\p{N}]{1,60}$/u.test(text)

/**
 * Returns true when an account that started without a first name gets its referral id from this
 * one.
 */
export const isReferralIdRenewed = (
  { referralId = '' }: Pick<User, 'referralId'>,
  firstName: string,
): boolean => {
  const hasForm = (id: string) => new RegExp(`^${NAMELESS}[0-9]{4,}$`).test(id)
  return hasForm(referralId) && !hasForm(createReferralId(firstName, 1000))
}

/** Maximum number of candidates that are tried with each number of digits. */
const CANDIDATES_PER_LENGTH = 5
const LENGTHS = [4, 5, 6, 7, 8, 9]

/**
 * Yields the bounds (both included) of the random numbers to try, at most 30: first from 1000 to
 * 9999, then with one digit more after each five numbers that were taken.
 */
export function* listReferralNumberBounds(): Generator<[min: number, max: number]> {
  for (const length of LENGTHS)
    for (let n = 0; n < CANDIDATES_PER_LENGTH; n++) yield [10 ** (length - 1), 10 ** length - 1]
}
