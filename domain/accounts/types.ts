import type { LatLng } from '../geo/types'
import type { UserType } from '../access/types'
import type { WalletEntry, WalletMove } from '../money/types'

export interface SavedAddress extends LatLng {
  description: string
  count: number
}

interface Ratings {
  userrating: number
  /**
   * Number of `details`. Of two simultaneous ratings, the rules accept only one with the next
   * count.
   */
  count?: number
  details: Record<string, { user: string; rate: number }>
}

export interface User {
  id: string
  usertype: UserType
  firstName: string
  lastName: string
  mobile: string
  email: string
  /** True when a sign-in provider has verified the address; otherwise a person typed it. */
  emailVerified?: boolean
  /** ISO 8601 text. */
  createdAt: string
  createdByAdmin?: boolean
  approved: boolean
  walletBalance: number
  /** The referrer's uid. */
  signupViaReferral?: string
  /** True once the referral bonus was given, at the first paid booking. */
  referralRewarded?: boolean
  referralId?: string
  /** Promos that the same person used with a deleted account. */
  formerPromos?: Record<string, true>
  /**
   * Earlier phone numbers and verified emails of the account, and its social accounts, hashed as in
   * `former_users`.
   */
  formerPhones?: Record<string, true>
  loginType?: 'facebook' | 'apple' | 'google'
  /** Sign-ins before this time have ended: ms, a whole second as in ID tokens. */
  sessionsEnd?: number
  profile_image?: string
  lang?: { langLocale: string; dateLocale: string }
  bankName?: string
  bankCode?: string
  bankAccount?: string
  savedAddresses?: Record<string, SavedAddress>
  walletHistory?: Record<string, WalletEntry>
  /** Absent until money moves. */
  walletMove?: WalletMove
  notifications?: Record<string, unknown>
  // Drivers only.
  vehicleMake?: string
  vehicleModel?: string
  vehicleNumber?: string
  other_info?: string
  /** The vehicle type's id. */
  carType?: string
  driverActiveStatus?: boolean
  licenseImage?: string
  ratings?: Ratings
  /** True while the driver is busy with a booking. */
  queue?: boolean
  location?: LatLng
  /** The key under which riders see the free car. Riders cannot read whose key it is. */
  shift?: string
  /** The fleet admin's uid. */
  fleetadmin?: string
}

/** The bank account that a person's withdrawals go to. */
export const BANK_FIELDS = ['bankName', 'bankCode', 'bankAccount'] as const satisfies (keyof User)[]

/** A sign-up with a phone number that is not verified yet. */
export interface PendingRegistration {
  /** Milliseconds. */
  expires: number
  /** The sign-up as JSON. */
  registration: string
}

/**
 * Fields that identify people in the back office, kept at people/{uid} apart from the growing
 * record.
 */
export const DIRECTORY_FIELDS = [
  'usertype',
  'fleetadmin',
  'firstName',
  'lastName',
  'mobile',
  'email',
  'createdAt',
  'referralId',
  'vehicleNumber',
] as const satisfies (keyof User)[]

export interface DirectoryEntry extends Pick<User, (typeof DIRECTORY_FIELDS)[number]> {
  /** The user type and the name, by which the lists of the office are in order. */
  sortKey?: string
}

/** A person in a list without contacts. */
export type ListedPerson = Omit<DirectoryEntry, 'mobile' | 'email'> & { id: string }

/** The office's note about a person, which the person never sees. */
export interface PersonNote {
  text: string
  /** The uid of the admin who wrote it. */
  by: string
  at: number
  revision: number
}

/**
 * Counts the decisions about an account's approval, so that a deletion that fails restores only the
 * approval that it took away itself.
 */
export interface ApprovalDecision {
  revision: number
}

/** When the bank details of a person last changed, for the functions only. */
export interface BankChange {
  at: number
  revision: number
}

/** The remains of a deleted account, without personal data. */
export interface ClosedAccount {
  at: number
  /** The balance waived with the account; 0 if none. */
  waived: number
  /** True until sign-in, files and bookings are cleared by the scheduled job. */
  open?: true
}

/** A device that receives a person's pushes, under the hash of its token. */
export interface PushDevice {
  uid: string
  /** The token that Firebase Cloud Messaging gave the app or the browser. */
  token: string
  platform?: 'ANDROID' | 'IOS' | 'WEB'
  /** Time of the last registration, ms. */
  at: number
}

/**
 * The device of a person that was registered last, for the functions only: a caller who knows a
 * token can end the pushes to it.
 */
export interface NamedDevice extends Pick<PushDevice, 'token' | 'platform'> {
  revision: number
}

/** The benefits that a deleted account has used, under a keyed hash of its phone number. */
export interface FormerUser {
  /** Time of the last write, ms. */
  at: number
  promos?: Record<string, true>
  /** True when the referral bonus was paid for this person. */
  referred?: true
}
