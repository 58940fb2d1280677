import { describe, expect, test } from 'vitest'
import {
  createdByOffice,
  isDeliveryPhone,
  isLoginCode,
  isProperEmail,
  newRider,
  normalMobile,
  referralIdFor,
  signedUp,
  signInRefused,
  userExists,
} from './people'
import { aRider, aSettings, NOON } from './testing/builders'

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
])('the recipient’s phone %j: %s', (phone, proper) => {
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
])('the e-mail %j: %s', (email, proper) => {
  expect(isProperEmail(email)).toBe(proper)
})

test.each([
  ['+1 (555) 555-0100', '+15555550100'],
  ['0059899123456', '+59899123456'],
  ['99123456', null],
  ['+0123456789', null],
  ['+123', null],
  ['+59899x23456', null],
])('the mobile %j is %j', (typed, mobile) => {
  expect(normalMobile(typed)).toBe(mobile)
})

test.each([
  ['123456', true],
  ['100001', true],
  ['999998', true],
  ['100000', false],
  ['999999', false],
  ['012345', false],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
])('the sign-in code %s: %s', (code, valid) => {
  expect(isLoginCode(code)).toBe(valid)
})

test('a referral id is the first name lowercased and the number', () => {
  expect(referralIdFor('José María', 1234)).toBe('josémaría1234')
  expect(referralIdFor('', 9999)).toBe('code9999')
})

test.each([
  [null, 'user_issue_contact_admin'],
  [{ usertype: 'superuser', approved: true }, 'not_valid_user_type'],
  [{ usertype: 'driver', approved: false }, 'require_approval'],
  [{ usertype: 'driver' }, 'require_approval'],
  [{ usertype: 'rider', approved: true }, undefined],
])('the account %j goes in, or %s', (user, key) => {
  expect(signInRefused(user)?.key).toBe(key)
})

describe('profiles begin', () => {
  const beginning = { uid: 'u', now: NOON, number: 1000 }
  const names = {
    firstName: 'Eva',
    lastName: 'Paz',
    mobile: '+15555550111',
    email: 'eva@kerbside.example',
  }
  const careful = aSettings({ driver_approval: true })

  test('at the first sign-in as an approved rider with an empty wallet', () => {
    expect(newRider({ mobile: '+15555550111' }, beginning)).toEqual({
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

  test('by sign-up: riders approved, drivers when nobody has to look first', () => {
    expect(signedUp('rider', names, beginning, careful).approved).toBe(true)
    expect(signedUp('driver', names, beginning, careful)).toMatchObject({
      approved: false,
      queue: false,
      driverActiveStatus: false,
    })
    expect(
      signedUp('driver', names, beginning, aSettings({ driver_approval: false })).approved,
    ).toBe(true)
  })

  test('never with money, whatever was sent along', () => {
    const sent = { ...names, walletBalance: 1000, usertype: 'admin' as const, approved: true }
    expect(signedUp('driver', sent, beginning, careful)).toMatchObject({
      walletBalance: 0,
      usertype: 'driver',
      approved: false,
    })
  })

  test('in the office: a fleet admin’s driver is his own', () => {
    const own = createdByOffice(
      'driver',
      { ...names, fleetadmin: 'other', approved: true },
      beginning,
      { uid: 'fleet', usertype: 'fleetadmin' },
      careful,
    )
    expect(own).toMatchObject({ fleetadmin: 'fleet', createdByAdmin: true, approved: false })
    const byAdmin = createdByOffice(
      'admin',
      names,
      beginning,
      { uid: 'admin', usertype: 'admin' },
      careful,
    )
    expect(byAdmin).toMatchObject({ usertype: 'admin', approved: true, createdByAdmin: true })
  })
})

test('who has the phone or the e-mail already is in the way, unless it is himself', () => {
  const found = [aRider({ id: 'a', mobile: '+15555550111', email: 'Eva@Kerbside.example' })]
  expect(userExists(found, { mobile: '+15555550111' })).toEqual({
    key: 'user_exists',
    field: 'mobile',
  })
  expect(userExists(found, { email: 'eva@kerbside.example' })).toEqual({
    key: 'user_exists',
    field: 'email',
  })
  expect(userExists(found, { id: 'a', mobile: '+15555550111' })).toBeUndefined()
  expect(userExists(found, { mobile: '', email: '' })).toBeUndefined()
})
