import { describe, expect, test } from 'vitest'
import { bookingColumnsFor, BOOKING_COLUMNS } from './bookingColumns'
import { USER_TYPES, type UserType } from './entities'
import {
  actionRefused,
  homeOf,
  mayManage,
  mayOpen,
  mayWithdraw,
  menuFor,
  OFFICE_ACTIONS,
  ROUTES,
  showsBankFields,
  type OfficeAction,
  type Route,
} from './permissions'

test.each(Object.entries(ROUTES))('%s is open to %j and to nobody else', (route, permitted) => {
  for (const usertype of USER_TYPES)
    expect(mayOpen(route, usertype), usertype).toBe(
      (permitted as readonly UserType[]).includes(usertype),
    )
  expect(mayOpen(route, undefined)).toBe(false)
})

test.each(['/', '/about-us', '/privacy-policy', '/login', '/nowhere'])(
  '%s is open to visitors',
  (route) => {
    expect(mayOpen(route, undefined)).toBe(true)
  },
)

test('a fleet admin reaches only bookings, profile, dashboard, drivers and driver earnings', () => {
  const reached = (Object.keys(ROUTES) as Route[]).filter((route) => mayOpen(route, 'fleetadmin'))
  expect(reached.sort()).toEqual([
    '/bookings',
    '/dashboard',
    '/driverearning',
    '/drivers',
    '/profile',
  ])
})

test.each([
  ['admin', '/dashboard'],
  ['fleetadmin', '/dashboard'],
  ['driver', '/bookings'],
  ['rider', '/'],
] as const)('after signing in a %s goes to %s', (usertype, home) => {
  expect(homeOf(usertype)).toBe(home)
})

test('the menu shows each what he may open', () => {
  const routes = (usertype: UserType) => menuFor(usertype).map(({ route }) => route)
  expect(routes('rider')).toEqual(['/', '/bookings', '/profile'])
  expect(routes('driver')).toEqual(['/', '/bookings', '/profile'])
  expect(routes('fleetadmin')).toEqual([
    '/',
    '/dashboard',
    '/bookings',
    '/drivers',
    '/driverearning',
    '/profile',
  ])
  expect(routes('admin')).toEqual([
    '/',
    '/dashboard',
    '/bookings',
    '/addbookings',
    '/riders',
    '/drivers',
    '/fleetadmins',
    '/alladmin',
    '/cartypes',
    '/cancelreasons',
    '/earningreports',
    '/driverearning',
    '/addtowallet',
    '/withdraws',
    '/payments',
    '/promos',
    '/notifications',
    '/appinfo',
    '/settings',
    '/languagesetting',
    '/audit',
    '/profile',
  ])
})

describe('the bookings table', () => {
  const columns = (usertype: UserType, appcat: 'taxi' | 'delivery' = 'delivery') =>
    bookingColumnsFor(usertype, { appcat })
  test('hides driver share and convenience fee from riders', () => {
    for (const column of ['driver_share', 'convenience_fees'] as const) {
      expect(columns('rider')).not.toContain(column)
      for (const usertype of ['driver', 'admin', 'fleetadmin'] as const)
        expect(columns(usertype)).toContain(column)
    }
  })
  test('shows delivery columns only in the delivery category', () => {
    expect(columns('admin')).toEqual(Object.keys(BOOKING_COLUMNS))
    for (const column of ['deliveryPerson', 'parcelTypeSelected', 'deliver_image'] as const)
      expect(columns('admin', 'taxi')).not.toContain(column)
  })
  test('shows the code to those who may know it', () => {
    expect(USER_TYPES.filter((usertype) => columns(usertype).includes('otp'))).toEqual([
      'rider',
      'admin',
    ])
  })
})

test.each(Object.keys(OFFICE_ACTIONS) as OfficeAction[])(
  '%s is done by those it names, and refused in demo mode if it says so',
  (action) => {
    const { by, demo }: { by: readonly UserType[]; demo: boolean } = OFFICE_ACTIONS[action]
    for (const usertype of USER_TYPES) {
      const live = actionRefused(action, usertype, { AllowCriticalEditsAdmin: true })?.key
      const shown = actionRefused(action, usertype, { AllowCriticalEditsAdmin: false })?.key
      expect(live).toBe(by.includes(usertype) ? undefined : 'not_allowed')
      expect(shown).toBe(!by.includes(usertype) ? 'not_allowed' : demo ? undefined : 'demo_mode')
    }
    expect(actionRefused(action, undefined, { AllowCriticalEditsAdmin: true })?.key).toBe(
      'not_allowed',
    )
  },
)

test('demo mode refuses what the specification lists, and adding a promo is not on the list', () => {
  const refused = (Object.keys(OFFICE_ACTIONS) as OfficeAction[]).filter(
    (action) =>
      actionRefused(action, 'admin', { AllowCriticalEditsAdmin: false })?.key === 'demo_mode',
  )
  expect(refused.sort()).toEqual([
    'appinfo_save',
    'booking_cancel',
    'cancel_reasons_save',
    'cartype_delete',
    'cartype_save',
    'language_default',
    'language_delete',
    'language_save',
    'notification_send',
    'promo_delete',
    'promo_update',
    'settings_save',
    'table_export',
    'user_delete',
  ])
})

test('a fleet admin manages his own drivers, nobody else’s and no other people', () => {
  const fleet = { uid: 'fleet', usertype: 'fleetadmin' } as const
  expect(mayManage(fleet, { usertype: 'driver', fleetadmin: 'fleet' })).toBe(true)
  expect(mayManage(fleet, { usertype: 'driver', fleetadmin: 'other' })).toBe(false)
  expect(mayManage(fleet, { usertype: 'driver' })).toBe(false)
  expect(mayManage(fleet, { usertype: 'rider', fleetadmin: 'fleet' })).toBe(false)
  expect(mayManage({ uid: 'driver', usertype: 'driver' }, { usertype: 'driver' })).toBe(false)
})

test('drivers withdraw, riders when the settings let them; bank fields show unless switched off', () => {
  expect(mayWithdraw('driver', { RiderWithDraw: false })).toBe(true)
  expect(mayWithdraw('rider', { RiderWithDraw: false })).toBe(false)
  expect(mayWithdraw('rider', { RiderWithDraw: true })).toBe(true)
  expect(mayWithdraw('fleetadmin', { RiderWithDraw: true })).toBe(false)
  expect([showsBankFields({}), showsBankFields({ bank_fields: false })]).toEqual([true, false])
})
