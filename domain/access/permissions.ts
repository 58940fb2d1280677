import { getOwn } from '../data/ownValue'
import { domainError, type DomainError } from '../api/errors'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'
import type { UserType } from './types'

/** Back office routes and the user types that may open them. */
export const PAGE_ROLES = {
  '/bookings': ['rider', 'admin', 'driver', 'fleetadmin'],
  '/profile': ['rider', 'admin', 'driver', 'fleetadmin'],
  '/dashboard': ['admin', 'fleetadmin'],
  '/cartypes': ['admin'],
  '/cancelreasons': ['admin'],
  '/addbookings': ['admin'],
  '/promos': ['admin'],
  '/riders': ['admin'],
  '/drivers': ['admin', 'fleetadmin'],
  '/alladmin': ['admin'],
  '/fleetadmins': ['admin'],
  '/driverearning': ['admin', 'fleetadmin'],
  '/notifications': ['admin'],
  '/earningreports': ['admin'],
  '/addtowallet': ['admin'],
  '/withdraws': ['admin'],
  '/settings': ['admin'],
  '/appinfo': ['admin'],
  '/languagesetting': ['admin'],
} as const satisfies Record<string, readonly UserType[]>
export type PagePath = keyof typeof PAGE_ROLES

/** Additional routes. Those under /bookings/:id check the parties of the booking. */
export const EXTRA_PAGE_ROLES = {
  '/bookings/:id': ['rider', 'admin', 'driver', 'fleetadmin'],
  '/bookings/:id/chat': ['rider', 'driver', 'admin'],
  '/wallet': ['rider', 'driver', 'fleetadmin', 'admin'],
  '/trips': ['driver'],
  '/vehicle': ['driver'],
  '/recurring': ['rider', 'admin'],
  '/board': ['admin', 'fleetadmin'],
  '/payments': ['admin'],
  '/messages': ['admin'],
  '/audit': ['admin'],
} as const satisfies Record<string, readonly UserType[]>

export const PUBLIC_PAGES = ['/', '/about-us', '/privacy-policy', '/login'] as const

const ALL_PAGE_ROLES: Record<string, readonly UserType[]> = { ...PAGE_ROLES, ...EXTRA_PAGE_ROLES }

/** Returns the user types that may open a guarded route; undefined for an open or unknown route. */
export const getPermittedRoles = (route: string): readonly UserType[] | undefined =>
  getOwn(ALL_PAGE_ROLES, route)

/** Returns true when the user may open a route. Open and unknown routes admit everyone. */
export const mayOpenPage = (route: string, usertype: UserType | undefined): boolean => {
  const permitted = getOwn(ALL_PAGE_ROLES, route)
  return !permitted || (usertype !== undefined && permitted.includes(usertype))
}

/** Returns true for the roles that work in the back office. */
export const isOfficeRole = (role: UserType | undefined): boolean =>
  role === 'admin' || role === 'fleetadmin'

/** Returns the landing page after sign-in. */
export const getHomePage = (usertype: UserType): '/dashboard' | '/bookings' | '/' => {
  if (isOfficeRole(usertype)) return '/dashboard'
  return usertype === 'driver' ? '/bookings' : '/'
}

/**
 * Back office actions, the roles that may perform them, and whether demo mode
 * (AllowCriticalEditsAdmin off) refuses them.
 */
export const OFFICE_ACTIONS = {
  booking_create: { by: ['admin'], demo: true },
  booking_assign: { by: ['admin'], demo: true },
  booking_amend: { by: ['admin'], demo: true },
  booking_take: { by: ['admin'], demo: false },
  booking_release: { by: ['admin'], demo: false },
  booking_step: { by: ['admin'], demo: false },
  booking_no_show: { by: ['admin'], demo: false },
  booking_cancel: { by: ['admin'], demo: false },
  fare_review: { by: ['admin'], demo: false },
  booking_compensate: { by: ['admin'], demo: true },
  panic_answer: { by: ['admin'], demo: false },
  booking_note: { by: ['admin'], demo: true },
  help_answer: { by: ['admin'], demo: true },
  receipt_send: { by: ['admin'], demo: true },
  cartype_save: { by: ['admin'], demo: false },
  cartype_delete: { by: ['admin'], demo: false },
  promo_add: { by: ['admin'], demo: true },
  promo_update: { by: ['admin'], demo: false },
  promo_delete: { by: ['admin'], demo: false },
  user_add: { by: ['admin'], demo: true },
  user_update: { by: ['admin'], demo: true },
  user_approve: { by: ['admin'], demo: true },
  user_delete: { by: ['admin'], demo: false },
  sessions_end: { by: ['admin'], demo: false },
  driver_add: { by: ['admin', 'fleetadmin'], demo: true },
  driver_update: { by: ['admin', 'fleetadmin'], demo: true },
  notification_send: { by: ['admin'], demo: false },
  driver_message: { by: ['admin', 'fleetadmin'], demo: false },
  language_save: { by: ['admin'], demo: false },
  language_delete: { by: ['admin'], demo: false },
  language_default: { by: ['admin'], demo: false },
  settings_save: { by: ['admin'], demo: false },
  appinfo_save: { by: ['admin'], demo: false },
  cancel_reasons_save: { by: ['admin'], demo: false },
  wallet_credit: { by: ['admin'], demo: true },
  wallet_debit: { by: ['admin'], demo: true },
  withdraw_complete: { by: ['admin'], demo: true },
  withdraw_return: { by: ['admin'], demo: true },
  table_export: { by: ['admin', 'fleetadmin', 'driver', 'rider'], demo: false },
} as const satisfies Record<string, { by: readonly UserType[]; demo: boolean }>
export type OfficeAction = keyof typeof OFFICE_ACTIONS

/**
 * Returns the reason a user may not perform a back office action: not_allowed by their type,
 * demo_mode by the settings.
 */
export const checkAction = (
  action: OfficeAction,
  usertype: UserType | undefined,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): DomainError | undefined => {
  const { by, demo }: { by: readonly UserType[]; demo: boolean } = OFFICE_ACTIONS[action]
  if (usertype === undefined || !by.includes(usertype)) return domainError('not_allowed')
  return demo || settings.AllowCriticalEditsAdmin ? undefined : domainError('demo_mode')
}

/**
 * Returns true when the back office shows 'Hidden for Demo' instead of phone numbers and email
 * addresses.
 */
export const shouldHideContacts = (settings: Pick<Settings, 'AllowCriticalEditsAdmin'>): boolean =>
  !settings.AllowCriticalEditsAdmin

/** Returns true when a role reads no contacts, which is in demo mode for the office. */
export const areContactsHidden = (
  role: UserType,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): boolean => isOfficeRole(role) && shouldHideContacts(settings)

/**
 * The fields of a person that the office does not read in demo mode: contacts, and what no screen
 * of it shows.
 */
export const DEMO_HIDDEN_FIELDS = [
  'mobile',
  'email',
  'savedAddresses',
  'formerPhones',
  'lang',
  'notifications',
  'shift',
  'walletMove',
] as const satisfies (keyof User)[]

/** Returns true when bank fields are shown, which is the default. */
export const shouldShowBankFields = (settings: Partial<Pick<Settings, 'bank_fields'>>): boolean =>
  settings.bank_fields !== false

/** Returns true when this user may withdraw from their wallet. */
export const mayWithdraw = (
  usertype: UserType,
  settings: Pick<Settings, 'RiderWithDraw'>,
): boolean => usertype === 'driver' || (usertype === 'rider' && settings.RiderWithDraw)

/**
 * Returns true when the back office shows this record: all records to admins, and a fleet admin's
 * own drivers to them.
 */
export const mayManageUser = (
  actor: { uid: string; usertype: UserType },
  user: { usertype: UserType; fleetadmin?: string | undefined },
): boolean =>
  actor.usertype === 'admin' ||
  (actor.usertype === 'fleetadmin' && user.usertype === 'driver' && user.fleetadmin === actor.uid)
