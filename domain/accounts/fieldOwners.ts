/**
 * The owners of the fields of people. The functions, the office's form and the tests of the rules
 * read them. A new field does not compile until its owner is decided.
 */
import type { Actor } from '../booking/eventTypes'
import type { User } from './types'

/** The person, the fleet admin of a driver, and admins of other people than themselves. */
const FIELD_SETTERS = ['person', 'fleetadmin', 'admin'] as const
export type FieldSetter = (typeof FIELD_SETTERS)[number]

interface FieldOwner {
  /** The setters of the field in a new record. Without any, functions alone decide about it. */
  enteredBy: readonly FieldSetter[]
  /** The setters of the field with `save_user`. Without any, functions alone decide about it. */
  setBy: readonly FieldSetter[]
  /** True when the person's own app writes it to the database. */
  isWrittenByApp?: true
}

const functionsOnly = { enteredBy: [], setBy: [] } as const
/** The number and the address identify a person, so only that person changes them later. */
const contact = { enteredBy: FIELD_SETTERS, setBy: ['person'] } as const
const admin = { enteredBy: ['admin'], setBy: ['admin'] } as const
const everyone = { enteredBy: FIELD_SETTERS, setBy: FIELD_SETTERS } as const
/** A new person owns no file yet that the office could name. */
const picture = { enteredBy: ['person'], setBy: FIELD_SETTERS } as const
/** Money goes there, so a fleet admin does not set it. */
const payout = { enteredBy: ['person', 'admin'], setBy: ['person', 'admin'] } as const
/**
 * A wish of the person or the fleet admin, which the admin's approval confirms where
 * `driver_approval` is on.
 */
const confirmed = { enteredBy: FIELD_SETTERS, setBy: ['admin'] } as const
const app = { enteredBy: [], setBy: [], isWrittenByApp: true } as const

const USER_FIELD_OWNERS = {
  id: functionsOnly,
  usertype: functionsOnly,
  firstName: everyone,
  lastName: everyone,
  mobile: contact,
  email: contact,
  emailVerified: functionsOnly,
  createdAt: functionsOnly,
  createdByAdmin: functionsOnly,
  approved: admin,
  walletBalance: functionsOnly,
  walletHistory: functionsOnly,
  walletMove: functionsOnly,
  // Bonuses are paid by these. `save_user` decides itself whether a new account names a referrer.
  signupViaReferral: functionsOnly,
  referralRewarded: functionsOnly,
  referralId: functionsOnly,
  formerPromos: functionsOnly,
  formerPhones: functionsOnly,
  loginType: functionsOnly,
  sessionsEnd: functionsOnly,
  profile_image: picture,
  lang: { ...everyone, isWrittenByApp: true },
  bankName: payout,
  bankCode: payout,
  bankAccount: payout,
  savedAddresses: functionsOnly,
  notifications: functionsOnly,
  vehicleMake: everyone,
  vehicleModel: everyone,
  vehicleNumber: everyone,
  other_info: everyone,
  // The vehicle type sets a driver's pay, and the fleet admin reads their earnings.
  carType: confirmed,
  fleetadmin: admin,
  licenseImage: picture,
  ratings: functionsOnly,
  queue: functionsOnly,
  driverActiveStatus: app,
  location: app,
  shift: app,
} as const satisfies Record<keyof User, FieldOwner>

type Owners = typeof USER_FIELD_OWNERS
export type UserField = keyof Owners
/** The fields that a person or the office sets with `save_user`. */
export type EditableField = {
  [Field in UserField]: Owners[Field]['setBy'] extends readonly [] ? never : Field
}[UserField]

const OWNERS: Readonly<Record<UserField, FieldOwner>> = USER_FIELD_OWNERS
export const USER_FIELDS = Object.keys(USER_FIELD_OWNERS) as UserField[]

/** Returns true for a field that a person or the office sets with `save_user`. */
export const isEditableField = (field: UserField): field is EditableField =>
  OWNERS[field].setBy.length > 0

/** Returns true when this person or member of the office sets the field of an account. */
export const maySetField = (field: UserField, setter: FieldSetter): boolean =>
  OWNERS[field].setBy.includes(setter)

/** Returns true when this person or member of the office enters the field of a new account. */
export const mayEnterField = (field: UserField, setter: FieldSetter): boolean =>
  OWNERS[field].enteredBy.includes(setter)

/** Returns true when the app of the account's own person writes the field to the database. */
export const isWrittenByApp = (field: UserField): boolean => OWNERS[field].isWrittenByApp === true

/**
 * Returns what a caller is to an account: its person, even when they are an admin, or the office.
 * `owner` is null for an account that is only being added.
 */
export const getFieldSetter = ({ uid, role }: Actor, owner: string | null): FieldSetter => {
  if (uid === owner) return 'person'
  return role === 'admin' ? 'admin' : 'fleetadmin'
}
