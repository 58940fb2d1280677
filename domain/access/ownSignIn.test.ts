import { describe, expect, it } from 'vitest'
import { getOwnSignIn, isOwnSignIn } from './ownSignIn'

const OWN = '+15555550100'
const FOREIGN = '+15555550199'

describe('isOwnSignIn', () => {
  it.each([
    ['a member of the office with their number', true, { phone: OWN }, 'admin'],
    ['a member of the office with an added number', false, { phone: FOREIGN }, 'admin'],
    ['a member of the office after their number was removed', false, {}, 'admin'],
    [
      'a member of the office with an added social account',
      false,
      { phone: OWN, provider: 'google' },
      'fleetadmin',
    ],
    ['a rider with an added number', false, { phone: FOREIGN }, 'rider'],
    // Records of earlier releases do not have the social account of a rider.
    ['a rider with a social account', true, { phone: OWN, provider: 'google' }, 'rider'],
  ] as const)('judges %s by the number of the record: %s', (_, isOwn, signIn, usertype) => {
    expect(isOwnSignIn(signIn, getOwnSignIn({ mobile: OWN, usertype }))).toBe(isOwn)
  })

  it.each([
    ['a rider, who may use both', true, 'rider'],
    ['a member of the office, who signs in with the number', false, 'admin'],
  ] as const)('judges the social account of a record with a number of %s', (_, isOwn, usertype) => {
    const own = getOwnSignIn({ mobile: OWN, loginType: 'google', usertype })
    expect(isOwnSignIn({ phone: OWN, provider: 'google' }, own)).toBe(isOwn)
    expect(isOwnSignIn({ phone: OWN }, own)).toBe(true)
    expect(isOwnSignIn({ phone: OWN, provider: 'apple' }, own)).toBe(false)
  })

  it('accepts only the social account of a record without a number', () => {
    const own = getOwnSignIn({ loginType: 'apple', usertype: 'fleetadmin' })
    expect(isOwnSignIn({ provider: 'apple' }, own)).toBe(true)
    expect(isOwnSignIn({ phone: FOREIGN }, own)).toBe(false)
    expect(isOwnSignIn({ phone: FOREIGN, provider: 'google' }, own)).toBe(false)
  })

  it('accepts any for a record that names no way to sign in', () => {
    const own = getOwnSignIn({ usertype: 'admin' })
    expect(isOwnSignIn({ phone: OWN }, own)).toBe(true)
    expect(isOwnSignIn({ provider: 'google' }, own)).toBe(true)
  })

  it.each([
    ['with spaces', '+1 555 555 0100', true],
    ['in the format of its country, which cannot be compared', '011 5555 0100', true],
    ['of another person', FOREIGN, false],
  ])('compares a number of an earlier release %s', (_, mobile, isOwn) => {
    const own = getOwnSignIn({ mobile, usertype: 'admin' })
    expect(isOwnSignIn({ phone: OWN }, own)).toBe(isOwn)
  })
})
