import { expect, test } from 'vitest'
import {
  checkAction,
  getHomePage,
  mayManageUser,
  mayOpenPage,
  mayWithdraw,
  OFFICE_ACTIONS,
  PAGE_ROLES,
  shouldShowBankFields,
  type OfficeAction,
  type PagePath,
} from './permissions'
import { USER_TYPES, type UserType } from './types'

test.each(Object.entries(PAGE_ROLES))('opens %s only to %j', (route, permitted) => {
  for (const usertype of USER_TYPES)
    expect(mayOpenPage(route, usertype), usertype).toBe(
      (permitted as readonly UserType[]).includes(usertype),
    )
  expect(mayOpenPage(route, undefined)).toBe(false)
})

test.each(['/', '/about-us', '/privacy-policy', '/login', '/nowhere'])(
  'opens %s to visitors',
  (route) => {
    expect(mayOpenPage(route, undefined)).toBe(true)
  },
)

test('limits a fleet admin to bookings, profile, dashboard, drivers and driver earnings', () => {
  const reached = (Object.keys(PAGE_ROLES) as PagePath[]).filter((route) =>
    mayOpenPage(route, 'fleetadmin'),
  )
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
] as const)('sends a %s after sign-in to %s', (usertype, home) => {
  expect(getHomePage(usertype)).toBe(home)
})

test.each(Object.keys(OFFICE_ACTIONS) as OfficeAction[])(
  'allows %s only to its roles and refuses it in demo mode where configured',
  (action) => {
    const { by, demo }: { by: readonly UserType[]; demo: boolean } = OFFICE_ACTIONS[action]
    for (const usertype of USER_TYPES) {
      const live = checkAction(action, usertype, { AllowCriticalEditsAdmin: true })?.key
      const shown = checkAction(action, usertype, { AllowCriticalEditsAdmin: false })?.key
      expect(live).toBe(by.includes(usertype) ? undefined : 'not_allowed')
      expect(shown).toBe(!by.includes(usertype) ? 'not_allowed' : demo ? undefined : 'demo_mode')
    }
    expect(checkAction(action, undefined, { AllowCriticalEditsAdmin: true })?.key).toBe(
      'not_allowed',
    )
  },
)

test('refuses actions that damage the demo, and allows adding a promo, in demo mode', () => {
  const refused = (Object.keys(OFFICE_ACTIONS) as OfficeAction[]).filter(
    (action) =>
      checkAction(action, 'admin', { AllowCriticalEditsAdmin: false })?.key === 'demo_mode',
  )
  expect(refused.sort()).toEqual([
    'appinfo_save',
    'booking_cancel',
    'booking_no_show',
    'booking_release',
    'booking_step',
    'booking_take',
    'cancel_reasons_save',
    'cartype_delete',
    'cartype_save',
    'driver_message',
    'fare_review',
    'language_default',
    'language_delete',
    'language_save',
    'notification_send',
    'panic_answer',
    'promo_delete',
    'promo_update',
    'sessions_end',
    'settings_save',
    'table_export',
    'user_delete',
  ])
})

test('lets a fleet admin manage only their own drivers', () => {
  const fleet = { uid: 'fleet', usertype: 'fleetadmin' } as const
  expect(mayManageUser(fleet, { usertype: 'driver', fleetadmin: 'fleet' })).toBe(true)
  expect(mayManageUser(fleet, { usertype: 'driver', fleetadmin: 'other' })).toBe(false)
  expect(mayManageUser(fleet, { usertype: 'driver' })).toBe(false)
  expect(mayManageUser(fleet, { usertype: 'rider', fleetadmin: 'fleet' })).toBe(false)
  expect(mayManageUser({ uid: 'driver', usertype: 'driver' }, { usertype: 'driver' })).toBe(false)
})

test('lets drivers withdraw, and riders when enabled; shows bank fields unless disabled', () => {
  expect(mayWithdraw('driver', { RiderWithDraw: false })).toBe(true)
  expect(mayWithdraw('rider', { RiderWithDraw: false })).toBe(false)
  expect(mayWithdraw('rider', { RiderWithDraw: true })).toBe(true)
  expect(mayWithdraw('fleetadmin', { RiderWithDraw: true })).toBe(false)
  expect([shouldShowBankFields({}), shouldShowBankFields({ bank_fields: false })]).toEqual([
    true,
    false,
  ])
})
