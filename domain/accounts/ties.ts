import { getDistanceKm } from '../geo/geo'
import type { User } from './types'

type TiedPerson = Pick<User, 'id' | 'bankAccount' | 'savedAddresses'>

/** Distance within which two saved homes are the same address. */
const SAME_HOME_KM = 0.02

const areEqualTexts = (one: string | undefined, other: string | undefined): boolean => {
  const [a, b] = [one, other].map((text) => text?.replace(/[\s-]/g, '').toLowerCase())
  return a !== undefined && a !== '' && a === b
}

/**
 * Returns true when two accounts are the same person, or probably one household: the same account,
 * bank account or home. Such two earn no bonus from each other. A phone number or an e-mail address
 * never belongs to two accounts.
 */
export const areTied = (one: TiedPerson | null, other: TiedPerson | null): boolean => {
  if (!one || !other) return false
  const [home, otherHome] = [one.savedAddresses?.home, other.savedAddresses?.home]
  return (
    one.id === other.id ||
    areEqualTexts(one.bankAccount, other.bankAccount) ||
    (home !== undefined && otherHome !== undefined && getDistanceKm(home, otherHome) < SAME_HOME_KM)
  )
}

/**
 * Returns true when the rider, the driver and the referrer of a trip are not strangers to one
 * another. Such a trip proves no new customer.
 */
export const isTripAmongTied = (
  customer: TiedPerson | null,
  driver: TiedPerson | null,
  referrer: TiedPerson | null,
): boolean =>
  areTied(customer, driver) || [customer, driver].some((party) => areTied(party, referrer))

type InvitedPerson = Pick<User, 'id' | 'signupViaReferral'>

/** Returns true when one of the two invited the other. */
const hasInvited = (one: InvitedPerson | null, other: InvitedPerson | null): boolean =>
  one !== null &&
  other !== null &&
  (one.signupViaReferral === other.id || other.signupViaReferral === one.id)

/**
 * Returns true when the customer may not use a promo for a trip with this driver, because the
 * platform's discount would pay people who know each other. `referrer` is who invited the customer.
 */
export const isPromoRefused = (
  customer: (TiedPerson & InvitedPerson) | null,
  driver: (TiedPerson & InvitedPerson) | null,
  referrer: TiedPerson | null,
): boolean => areTied(customer, driver) || hasInvited(customer, driver) || areTied(driver, referrer)
