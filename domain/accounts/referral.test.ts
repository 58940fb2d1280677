import { expect, test } from 'vitest'
import {
  checkReferral,
  createReferralId,
  isReferralIdRenewed,
  isReferrerAsked,
  listReferralNumberBounds,
} from './referral'
import { aDriver, aRider } from '../testing/builders'

const referrer = aRider({ id: 'friend', createdAt: '2026-01-01T00:00:00.000Z' })
const newcomer = aRider({ createdAt: '2026-02-01T00:00:00.000Z' })

test.each([
  ['a new rider', newcomer, 0],
  ['a new driver', aDriver({ createdAt: newcomer.createdAt }), 0],
])('allows %s to name a referrer', (_, user, bookings) => {
  expect(checkReferral(user, referrer, bookings)).toBeUndefined()
})

test.each([
  ['who already has a referrer', { ...newcomer, signupViaReferral: 'friend' }, 0, 'not_allowed'],
  ['whose bonus was paid', { ...newcomer, referralRewarded: true }, 0, 'not_allowed'],
  ['who has a booking', newcomer, 1, 'not_allowed'],
  ['who is an admin', { ...newcomer, usertype: 'admin' as const }, 0, 'not_allowed'],
])('refuses a referrer for a user %s', (_, user, bookings, key) => {
  expect(checkReferral(user, referrer, bookings)).toEqual({ key, field: 'referralId' })
})

test.each([
  ['an unknown user', null],
  ['themselves', newcomer],
  ['an account that is newer', { ...referrer, createdAt: '2026-03-01T00:00:00.000Z' }],
])('refuses the referral of a new rider by %s', (_, one) => {
  expect(checkReferral(newcomer, one, 0)).toEqual({ key: 'bad_input', field: 'referralId' })
})

test.each([
  ['a rider in the first week', newcomer, 6, true],
  ['a driver in the first week', aDriver({ createdAt: newcomer.createdAt }), 6, true],
  ['a rider after a week', newcomer, 7, false],
  ['a rider with a referrer', { ...newcomer, signupViaReferral: 'friend' }, 0, false],
  ['a rider whose bonus was paid', { ...newcomer, referralRewarded: true }, 0, false],
  ['an admin', { ...newcomer, usertype: 'admin' as const }, 0, false],
])('says whether %s is asked who invited them', (_, user, days, isAsked) => {
  const now = Date.parse(newcomer.createdAt) + days * 86_400_000
  expect(isReferrerAsked(user, now)).toBe(isAsked)
})

test('builds a referral id from the first name in lowercase and the number', () => {
  expect(createReferralId('José María', 1234)).toBe('josémaría1234')
  expect(createReferralId('', 9999)).toBe('code9999')
})

test.each([
  ['code1234', 'Eva', true],
  ['code12345', 'Eva', true],
  ['code1234', '  ', false],
  ['code1234', '!', false],
  ['code1234', 'Code', false],
  ['eva1234', 'Ana', false],
  [undefined, 'Eva', false],
])(
  'tells whether the referral id %s is renewed by the first name %j: %s',
  (id, name, isRenewed) => {
    expect(isReferralIdRenewed(id === undefined ? {} : { referralId: id }, name)).toBe(isRenewed)
  },
)

test('searches 30 numbers for a referral id, from 4 to 9 digits', () => {
  const bounds = [...listReferralNumberBounds()]
  expect(bounds).toHaveLength(30)
  expect(bounds[0]).toEqual([1000, 9999])
  expect(bounds.at(-1)).toEqual([100_000_000, 999_999_999])
})
