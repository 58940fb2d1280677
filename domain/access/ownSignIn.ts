import type { User } from '../accounts/types'
import { isOfficeRole } from './permissions'

/** A verified sign-in: the account's number, and the social account that signed in, if one did. */
export interface SignIn {
  phone?: string
  provider?: NonNullable<User['loginType']>
}

/** The ways to sign in that a record vouches for. */
export interface OwnSignIn extends SignIn {
  /** True when no other way is accepted, even if an earlier release did not store it. */
  isOffice: boolean
}

/** Returns a number as tokens have it, or undefined for one of an earlier release without a `+`. */
const toTokenNumber = (mobile: string | undefined): string | undefined => {
  const number = mobile?.replace(/[^+\d]/g, '') ?? ''
  return /^\+\d{6,15}$/.test(number) ? number : undefined
}

/**
 * Returns the ways to sign in that a record vouches for. A stolen session can add another phone or
 * social account to the account in Firebase Auth, but not to its record. Where the
 * record of a member of the office has a number, no other way to sign in is accepted.
 */
export const getOwnSignIn = ({
  mobile,
  loginType,
  usertype,
}: Partial<Pick<User, 'mobile' | 'loginType' | 'usertype'>>): OwnSignIn => {
  const phone = toTokenNumber(mobile)
  const isOffice = isOfficeRole(usertype)
  return {
    isOffice,
    ...(phone && { phone }),
    ...(loginType && !(phone && isOffice) && { provider: loginType }),
  }
}

/** Returns true for a record that names no way to sign in, as some of earlier releases do. */
export const isSignInUnknown = ({ phone, provider }: SignIn): boolean =>
  phone === undefined && provider === undefined

/**
 * Returns true when a social account may sign in. Records of riders and drivers from before 2026 do
 * not have its kind.
 */
export const isOwnProvider = (
  provider: SignIn['provider'],
  { isOffice, provider: own }: OwnSignIn,
): boolean => provider === own || (own === undefined && !isOffice)

/** Returns true for a sign-in that the record names. A record that names none cannot tell. */
export const isOwnSignIn = ({ phone, provider }: SignIn, own: OwnSignIn): boolean => {
  if (isSignInUnknown(own)) return true
  return provider === undefined
    ? phone !== undefined && phone === own.phone
    : isOwnProvider(provider, own)
}
