import type { User } from './entities'
import { domainError, type DomainError } from './errors'

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
