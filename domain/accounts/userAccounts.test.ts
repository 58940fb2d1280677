import { describe, expect, test } from 'vitest'
import {
  createOfficeUser,
  isDeliveryPhone,
  isLocalLoginCode,
  isLoginCode,
  isValidEmail,
  createRider,
  normalizeMobile,
  createSignedUpUser,
  checkSignIn,
  checkUserIsUnique,
} from './userAccounts'
import { aRider, aSettings, NOON } from '../testing/builders'

test.each([
  ['099 123 456', true],
  ['099-123-456', true],
  ['+598 99 123 456', true],
  ['1234567', true],
  ['1234567 x12', true],
  ['1234567 ext. 12', true],
  ['1234567#9', true],
  ['123456', false],
  ['123-45', false],
  ['       ', false],
  ['call me maybe', false],
  ['1234567 or so', false],
])("checks whether the recipient's phone number %j is valid: %s", (phone, proper) => {
  expect(isDeliveryPhone(phone)).toBe(proper)
})

test.each([
  ['ana@kerbside.example', true],
  ['ana.lima+x@mail.kerbside.example', true],
  [' ana@kerbside.example ', true],
  ['ana@kerbside', false],
  ['@kerbside.example', false],
  ['ana@.example', false],
  ['ana kerbside.example', false],
  ['ana@kerbside.1', false],
  ['', false],
])('checks whether the email address %j is valid: %s', (email, proper) => {
  expect(isValidEmail(email)).toBe(proper)
})

test.each([
  ['+1 (555) 555-0100', '+15555550100'],
  ['0059899123456', '+59899123456'],
  ['99123456', null],
  ['+0123456789', null],
  ['+123', null],
  ['+59899x23456', null],
])('normalizes the mobile number %j to %j', (typed, mobile) => {
  expect(normalizeMobile(typed)).toBe(mobile)
})

test.each([
  ['123456', true],
  ['100001', true],
  ['999998', true],
  ['100000', true],
  ['999999', true],
  ['012345', true],
  ['000000', true],
  ['', false],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
])('checks whether the sign-in code %s is valid: %s', (code, valid) => {
  expect(isLoginCode(code)).toBe(valid)
})

test.each([
  ['100001', true],
  ['999998', true],
  ['100000', false],
  ['999999', false],
  ['012345', false],
  ['000000', false],
  ['12345', false],
  ['1234567', false],
])('checks whether local mode can have the sign-in code %s: %s', (code, valid) => {
  expect(isLocalLoginCode(code)).toBe(valid)
})

test.each([
  [null, 'user_issue_contact_admin'],
  [{ usertype: 'superuser', approved: true }, 'not_valid_user_type'],
  [{ usertype: 'driver', approved: false }, 'require_approval'],
  [{ usertype: 'driver' }, 'require_approval'],
  [{ usertype: 'rider', approved: true }, undefined],
])('checks whether the account %j may sign in: %s', (user, key) => {
  expect(checkSignIn(user)?.key).toBe(key)
})

describe('a new profile', () => {
  const beginning = { uid: 'u', now: NOON, referralId: 'code1000' }
  const names = {
    firstName: 'Eva',
    lastName: 'Paz',
    mobile: '+15555550111',
    email: 'eva@kerbside.example',
  }
  const careful = aSettings({ driver_approval: true })

  test('is an approved rider with an empty wallet after the first sign-in', () => {
    expect(createRider({ mobile: '+15555550111' }, beginning)).toEqual({
      id: 'u',
      usertype: 'rider',
      firstName: '',
      lastName: '',
      mobile: '+15555550111',
      email: '',
      createdAt: new Date(NOON).toISOString(),
      approved: true,
      walletBalance: 0,
      referralId: 'code1000',
    })
  })

  test('is approved at sign-up for riders, and for drivers without a required review', () => {
    expect(createSignedUpUser('rider', names, beginning, careful).approved).toBe(true)
    expect(createSignedUpUser('driver', names, beginning, careful)).toMatchObject({
      approved: false,
      queue: false,
      driverActiveStatus: false,
    })
    expect(
      createSignedUpUser('driver', names, beginning, aSettings({ driver_approval: false }))
        .approved,
    ).toBe(true)
  })

  test('never has money, whatever the request contains', () => {
    const sent = { ...names, walletBalance: 1000, usertype: 'admin' as const, approved: true }
    expect(createSignedUpUser('driver', sent, beginning, careful)).toMatchObject({
      walletBalance: 0,
      usertype: 'driver',
      approved: false,
    })
  })

  test('belongs to the fleet admin who creates a driver in the back office', () => {
    const own = createOfficeUser(
      'driver',
      { ...names, fleetadmin: 'other', approved: true },
      beginning,
      { actor: { uid: 'fleet', usertype: 'fleetadmin' }, settings: careful },
    )
    expect(own).toMatchObject({ fleetadmin: 'fleet', createdByAdmin: true, approved: false })
    const byAdmin = createOfficeUser('admin', names, beginning, {
      actor: { uid: 'admin', usertype: 'admin' },
      settings: careful,
    })
    expect(byAdmin).toMatchObject({ usertype: 'admin', approved: true, createdByAdmin: true })
  })
})

test('refuses a phone or email address of another user, but not the user’s own', () => {
  const found = [aRider({ id: 'a', mobile: '+15555550111', email: 'Eva@Kerbside.example' })]
  expect(checkUserIsUnique(found, { mobile: '+15555550111' })).toEqual({
    key: 'user_exists',
    field: 'mobile',
  })
  expect(checkUserIsUnique(found, { email: 'eva@kerbside.example' })).toEqual({
    key: 'user_exists',
    field: 'email',
  })
  expect(checkUserIsUnique(found, { id: 'a', mobile: '+15555550111' })).toBeUndefined()
  expect(checkUserIsUnique(found, { mobile: '', email: '' })).toBeUndefined()
})
