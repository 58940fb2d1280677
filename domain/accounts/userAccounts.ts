import { domainError, type DomainError } from '../api/errors'
import { USER_TYPES, type UserType } from '../access/types'
import type { Settings } from '../catalog/types'
import type { User } from './types'

/**
 * A recipient's phone: digits, spaces and dashes, at least 7 characters, with an optional
 * extension.
 */
const DELIVERY_PHONE = /^\+?[0-9\s-]{7,}(?:(?:#|x\.?|ext\.?|extension)\s*[0-9]+)?$/i

/**
 * Returns true when a recipient's phone can be dialed: it matches the pattern and is longer than 6
 * characters.
 */
export const isDeliveryPhone = (phone: string): boolean => {
  const trimmed = phone.trim()
  return trimmed.length > 6 && /[0-9]/.test(trimmed) && DELIVERY_PHONE.test(trimmed)
}

/**
 * Letters and digits, an at sign, letters and digits, a dot and letters, with the punctuation of
 * real addresses.
 */
export const EMAIL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]+$/
export const isValidEmail = (email: string): boolean => EMAIL_PATTERN.test(email.trim())

/**
 * Returns a phone number without punctuation and with a leading '+'; null when it cannot be an
 * international number.
 */
export const normalizeMobile = (mobile: string): string | null => {
  const digits = mobile.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}

/** Returns true for a sign-in code of six digits. One code in ten begins with zero. */
export const isLoginCode = (code: string): boolean => /^[0-9]{6}$/.test(code)

/**
 * Returns true for a code of local mode: six digits between 100000 and 999999, both excluded. A
 * deployed Kerbside accepts every `isLoginCode`, because Firebase sends codes that begin with zero.
 */
export const isLocalLoginCode = (code: string): boolean =>
  isLoginCode(code) && Number(code) > 100_000 && Number(code) < 999_999

export const formatFullName = ({
  firstName,
  lastName,
}: Pick<User, 'firstName' | 'lastName'>): string => `${firstName} ${lastName}`.trim()

/** Returns true when a stored user type is one of the four. */
export const isUserType = (usertype: unknown): usertype is UserType =>
  (USER_TYPES as readonly unknown[]).includes(usertype)

/**
 * Returns the reason a signed-in account may not continue: user_issue_contact_admin,
 * not_valid_user_type, require_approval.
 */
export const checkSignIn = (
  user: { usertype?: unknown; approved?: boolean } | null,
): DomainError | undefined => {
  if (!user) return domainError('user_issue_contact_admin')
  if (!isUserType(user.usertype)) return domainError('not_valid_user_type')
  return user.approved === true ? undefined : domainError('require_approval')
}

/**
 * Returns the reason a user with this phone and email address cannot be added, given the users
 * found with either: user_exists, and the field.
 */
export const checkUserIsUnique = (
  matchingUsers: readonly Pick<User, 'id' | 'mobile' | 'email'>[],
  candidate: { id?: string; mobile?: string; email?: string },
): DomainError | undefined => {
  const others = matchingUsers.filter(({ id }) => id !== candidate.id)
  if (candidate.mobile && others.some(({ mobile }) => mobile === candidate.mobile))
    return domainError('user_exists', 'mobile')
  const email = candidate.email?.toLowerCase()
  if (email && others.some((other) => other.email.toLowerCase() === email))
    return domainError('user_exists', 'email')
  return undefined
}

interface NewAccount {
  uid: string
  now: number
  /** Reserved for the account by the caller. */
  referralId: string
}
type NewUserFields = Pick<User, 'firstName' | 'lastName' | 'mobile' | 'email'>

const createUser = (
  usertype: UserType,
  fields: NewUserFields & Partial<User>,
  { uid, now, referralId }: NewAccount,
): User => ({
  ...fields,
  id: uid,
  usertype,
  createdAt: new Date(now).toISOString(),
  approved: fields.approved ?? true,
  walletBalance: 0,
  referralId,
  ...(usertype === 'driver' && {
    queue: false,
    driverActiveStatus: fields.driverActiveStatus ?? false,
  }),
})

/** Creates the rider of a first sign-in: approved, with an empty wallet. */
export const createRider = (
  {
    mobile = '',
    email = '',
    ...proved
  }: Partial<Pick<User, 'mobile' | 'email' | 'emailVerified' | 'loginType'>>,
  beginning: NewAccount,
): User => createUser('rider', { firstName: '', lastName: '', mobile, email, ...proved }, beginning)

/**
 * Creates the user of user_signup: an approved rider, or a driver, approved unless the settings
 * require a review.
 */
export const createSignedUpUser = (
  usertype: 'rider' | 'driver',
  fields: NewUserFields & Partial<User>,
  beginning: NewAccount,
  settings: Pick<Settings, 'driver_approval'>,
): User =>
  createUser(
    usertype,
    { ...fields, approved: usertype === 'rider' || !settings.driver_approval },
    beginning,
  )

/**
 * Creates a user in the back office. A fleet admin's driver belongs to them, and is approved unless
 * the settings require a review.
 */
export const createOfficeUser = (
  usertype: UserType,
  fields: NewUserFields & Partial<User>,
  beginning: NewAccount,
  {
    actor,
    settings,
  }: {
    actor: { uid: string; usertype: 'admin' | 'fleetadmin' }
    settings: Pick<Settings, 'driver_approval'>
  },
): User => ({
  ...createUser(usertype, fields, beginning),
  createdByAdmin: true,
  ...(actor.usertype === 'fleetadmin' && {
    fleetadmin: actor.uid,
    approved: !settings.driver_approval,
  }),
})
