import type { User } from './entities'
import { domainError, type DomainError } from './errors'

/** Milliseconds after the sign-up in which a person is asked who invited them. */
const ASKED_FOR_MS = 7 * 86_400_000

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
