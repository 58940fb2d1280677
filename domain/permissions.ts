import type { Settings, UserType } from './entities'
import { refusal, type Refusal } from './errors'

/** The back office's routes and who may open them (specification 2, to the letter). */
export const ROUTES = {
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
export type Route = keyof typeof ROUTES

/** Routes of ours beside the specification's. Those under /bookings/:id ask the booking who its parties are. */
export const MORE_ROUTES = {
  '/bookings/:id': ['rider', 'admin', 'driver', 'fleetadmin'],
  '/bookings/:id/chat': ['rider', 'driver', 'admin'],
  '/wallet': ['rider', 'driver', 'fleetadmin', 'admin'],
  '/trips': ['driver'],
  '/vehicle': ['driver'],
  '/payments': ['admin'],
  '/audit': ['admin'],
} as const satisfies Record<string, readonly UserType[]>

export const OPEN_ROUTES = ['/', '/about-us', '/privacy-policy', '/login'] as const

const PERMITTED: Record<string, readonly UserType[]> = { ...ROUTES, ...MORE_ROUTES }

/** The user types a guarded route admits; undefined for a route that is open or unknown. */
export const permittedOn = (route: string): readonly UserType[] | undefined => PERMITTED[route]

/** Whether someone may open a route; open and unknown ones are everybody's. */
export const mayOpen = (route: string, usertype: UserType | undefined): boolean => {
  const permitted = PERMITTED[route]
  return !permitted || (usertype !== undefined && permitted.includes(usertype))
}

/** Where a user lands after signing in. */
export const homeOf = (usertype: UserType): '/dashboard' | '/bookings' | '/' => {
  if (usertype === 'admin' || usertype === 'fleetadmin') return '/dashboard'
  return usertype === 'driver' ? '/bookings' : '/'
}

export interface MenuEntry {
  route: '/' | Route | '/payments' | '/audit'
  group?: 'users' | 'wallet' | 'settings'
}

/** The side menu in its order: the specification's, with ours beside it. Groups stand where their first entry does. */
const MENU: readonly MenuEntry[] = [
  { route: '/' },
  { route: '/dashboard' },
  { route: '/bookings' },
  { route: '/addbookings' },
  { route: '/riders', group: 'users' },
  { route: '/drivers', group: 'users' },
  { route: '/fleetadmins', group: 'users' },
  { route: '/alladmin', group: 'users' },
  { route: '/cartypes' },
  { route: '/cancelreasons' },
  { route: '/earningreports', group: 'wallet' },
  { route: '/driverearning', group: 'wallet' },
  { route: '/addtowallet', group: 'wallet' },
  { route: '/withdraws', group: 'wallet' },
  { route: '/payments', group: 'wallet' },
  { route: '/promos' },
  { route: '/notifications' },
  { route: '/appinfo', group: 'settings' },
  { route: '/settings', group: 'settings' },
  { route: '/languagesetting', group: 'settings' },
  { route: '/audit' },
  { route: '/profile' },
]

/** The side menu of a user type. */
export const menuFor = (usertype: UserType): MenuEntry[] =>
  MENU.filter(({ route }) => mayOpen(route, usertype))

/** What is done in the back office, by whom, and whether demo mode (AllowCriticalEditsAdmin off) refuses it. */
export const OFFICE_ACTIONS = {
  booking_create: { by: ['admin'], demo: true },
  booking_assign: { by: ['admin'], demo: true },
  booking_cancel: { by: ['admin'], demo: false },
  cartype_save: { by: ['admin'], demo: false },
  cartype_delete: { by: ['admin'], demo: false },
  promo_add: { by: ['admin'], demo: true },
  promo_update: { by: ['admin'], demo: false },
  promo_delete: { by: ['admin'], demo: false },
  user_add: { by: ['admin'], demo: true },
  user_update: { by: ['admin'], demo: true },
  user_approve: { by: ['admin'], demo: true },
  user_delete: { by: ['admin'], demo: false },
  driver_add: { by: ['admin', 'fleetadmin'], demo: true },
  driver_update: { by: ['admin', 'fleetadmin'], demo: true },
  notification_send: { by: ['admin'], demo: false },
  language_save: { by: ['admin'], demo: false },
  language_delete: { by: ['admin'], demo: false },
  language_default: { by: ['admin'], demo: false },
  settings_save: { by: ['admin'], demo: false },
  appinfo_save: { by: ['admin'], demo: false },
  cancel_reasons_save: { by: ['admin'], demo: false },
  wallet_credit: { by: ['admin'], demo: true },
  withdraw_complete: { by: ['admin'], demo: true },
  table_export: { by: ['admin', 'fleetadmin', 'driver', 'rider'], demo: false },
} as const satisfies Record<string, { by: readonly UserType[]; demo: boolean }>
export type OfficeAction = keyof typeof OFFICE_ACTIONS

/** Why someone may not do this in the back office: not_allowed by his type, demo_mode by the settings. */
export const actionRefused = (
  action: OfficeAction,
  usertype: UserType | undefined,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): Refusal | undefined => {
  const { by, demo }: { by: readonly UserType[]; demo: boolean } = OFFICE_ACTIONS[action]
  if (usertype === undefined || !by.includes(usertype)) return refusal('not_allowed')
  return demo || settings.AllowCriticalEditsAdmin ? undefined : refusal('demo_mode')
}

/** Whether phone numbers and e-mails read 'Hidden for Demo' in the back office. */
export const hidesContacts = (settings: Pick<Settings, 'AllowCriticalEditsAdmin'>): boolean =>
  !settings.AllowCriticalEditsAdmin

/** Whether bank fields are shown: always, unless the setting says no. */
export const showsBankFields = (settings: Partial<Pick<Settings, 'bank_fields'>>): boolean =>
  settings.bank_fields !== false

/** Whether this user may ask for money out of his wallet. */
export const mayWithdraw = (
  usertype: UserType,
  settings: Pick<Settings, 'RiderWithDraw'>,
): boolean => usertype === 'driver' || (usertype === 'rider' && settings.RiderWithDraw)

/** Whether the back office shows someone's record: admins all, a fleet admin his own drivers. */
export const mayManage = (
  actor: { uid: string; usertype: UserType },
  user: { usertype: UserType; fleetadmin?: string | undefined },
): boolean =>
  actor.usertype === 'admin' ||
  (actor.usertype === 'fleetadmin' && user.usertype === 'driver' && user.fleetadmin === actor.uid)
