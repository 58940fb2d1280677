import { USER_TYPES, type Settings, type User, type UserType } from './entities'
import { refusal, type Refusal } from './errors'

/** A recipient's phone (specification 5): digits, spaces and dashes, at least 7 characters, with an optional extension. */
const DELIVERY_PHONE = /^\+?[0-9\s-]{7,}(?:(?:#|x\.?|ext\.?|extension)\s*[0-9]+)?$/i

/** Whether a recipient's phone can be dialled: by the pattern, and longer than 6 characters. */
export const isDeliveryPhone = (phone: string): boolean => {
  const trimmed = phone.trim()
  return trimmed.length > 6 && /[0-9]/.test(trimmed) && DELIVERY_PHONE.test(trimmed)
}

/** Letters and digits, an at sign, letters and digits, a dot and letters; with the marks real addresses have. */
export const PROPER_EMAIL = /^[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]+$/
export const isProperEmail = (email: string): boolean => PROPER_EMAIL.test(email.trim())

/** A phone number without the marks people type, '+' in front; null when it can't be an international number. */
export const normalMobile = (mobile: string): string | null => {
  const digits = mobile.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}

/** The code typed at sign-in: six digits, between 100000 and 999999 exclusive. */
export const isLoginCode = (code: string): boolean =>
  /^[0-9]{6}$/.test(code) && Number(code) > 100_000 && Number(code) < 999_999

/** The first name lowercased and a number from 1000 to 9999, which the caller draws; 'code' when there is no name. */
export const referralIdFor = (firstName: string, number: number): string =>
  `${
    firstName
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .slice(0, 50) || 'code'
  }${number}`

export const fullName = ({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

/** Whether a stored user type is one of the four. */
const isUserType = (usertype: unknown): usertype is UserType =>
  (USER_TYPES as readonly unknown[]).includes(usertype)

/** Why a signed-in account may not go on: user_issue_contact_admin, not_valid_user_type, require_approval. */
export const signInRefused = (
  user: { usertype?: unknown; approved?: boolean } | null,
): Refusal | undefined => {
  if (!user) return refusal('user_issue_contact_admin')
  if (!isUserType(user.usertype)) return refusal('not_valid_user_type')
  return user.approved === true ? undefined : refusal('require_approval')
}

/** Why a user with this phone and e-mail can't be added beside the ones found with either: user_exists, and the field. */
export const userExists = (
  found: readonly Pick<User, 'id' | 'mobile' | 'email'>[],
  wanted: { id?: string; mobile?: string; email?: string },
): Refusal | undefined => {
  const others = found.filter(({ id }) => id !== wanted.id)
  if (wanted.mobile && others.some(({ mobile }) => mobile === wanted.mobile))
    return refusal('user_exists', 'mobile')
  const email = wanted.email?.toLowerCase()
  if (email && others.some((other) => other.email.toLowerCase() === email))
    return refusal('user_exists', 'email')
  return undefined
}

interface Beginning {
  uid: string
  now: number
  /** 1000 to 9999, drawn by the caller. */
  number: number
}
type Named = Pick<User, 'firstName' | 'lastName' | 'mobile' | 'email'>

const begun = (
  usertype: UserType,
  fields: Named & Partial<User>,
  { uid, now, number }: Beginning,
): User => ({
  ...fields,
  id: uid,
  usertype,
  createdAt: new Date(now).toISOString(),
  approved: fields.approved ?? true,
  walletBalance: 0,
  referralId: referralIdFor(fields.firstName, number),
  ...(usertype === 'driver' && {
    queue: false,
    driverActiveStatus: fields.driverActiveStatus ?? false,
  }),
})

/** The rider a first sign-in makes: approved, with an empty wallet. */
export const newRider = (
  { mobile = '', email = '', loginType }: Partial<Pick<User, 'mobile' | 'email' | 'loginType'>>,
  beginning: Beginning,
): User =>
  begun(
    'rider',
    { firstName: '', lastName: '', mobile, email, ...(loginType && { loginType }) },
    beginning,
  )

/** What user_signup makes: a rider, approved; or a driver, approved unless the settings want to look first. */
export const signedUp = (
  usertype: 'rider' | 'driver',
  fields: Named & Partial<User>,
  beginning: Beginning,
  settings: Pick<Settings, 'driver_approval'>,
): User =>
  begun(
    usertype,
    { ...fields, approved: usertype === 'rider' || !settings.driver_approval },
    beginning,
  )

/** What the back office makes. A fleet admin's driver is his own, and approved unless the settings want to look first. */
export const createdByOffice = (
  usertype: UserType,
  fields: Named & Partial<User>,
  beginning: Beginning,
  actor: { uid: string; usertype: 'admin' | 'fleetadmin' },
  settings: Pick<Settings, 'driver_approval'>,
): User => ({
  ...begun(usertype, fields, beginning),
  createdByAdmin: true,
  ...(actor.usertype === 'fleetadmin' && {
    fleetadmin: actor.uid,
    approved: !settings.driver_approval,
  }),
})
