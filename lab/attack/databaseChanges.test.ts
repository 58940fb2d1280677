import { expect, it } from 'vitest'
import type { AttackerGroup } from './attackers'
import { findChanges, isAllowedChange, isAllowedForAdmin } from './databaseChanges'

const all = (['visitor', 'pending', 'rider', 'driver', 'fleetadmin'] as const).map((kind) => ({
  kind,
  uid: kind === 'visitor' ? null : `a-${kind}`,
  token: null,
}))
const attackers: AttackerGroup = {
  all,
  uids: new Set(all.flatMap(({ uid }) => uid ?? [])),
  removeAccounts: () => Promise.resolve(),
}
const isChangeAllowed = (before: object, after: object) =>
  findChanges(before, after).map((change) => [change.path, isAllowedChange(change, attackers)])

const rider = { usertype: 'rider', approved: true, walletBalance: 0 }

it.each([
  ['their own name', { 'a-rider': rider }, { 'a-rider': { ...rider, firstName: 'x' } }, true],
  ['their own role', { 'a-rider': rider }, { 'a-rider': { ...rider, usertype: 'admin' } }, false],
  ['their own wallet', { 'a-rider': rider }, { 'a-rider': { ...rider, walletBalance: 5 } }, false],
  ["another user's name", { b: rider }, { b: { ...rider, firstName: 'x' } }, false],
  [
    'their own name before approval',
    { 'a-pending': rider },
    { 'a-pending': { ...rider, lang: 'x' } },
    false,
  ],
  ['a user is deleted', { b: rider }, {}, false],
  ['an account without a verified phone number', {}, { c: rider }, false],
  [
    'a driver of their own fleet',
    {},
    { c: { ...rider, usertype: 'driver', fleetadmin: 'a-fleetadmin' } },
    true,
  ],
  [
    'a driver of another fleet',
    {},
    { c: { ...rider, usertype: 'driver', approved: false } },
    false,
  ],
  [
    'their own approval withdrawn for a review',
    { 'a-driver': { ...rider, usertype: 'driver' } },
    { 'a-driver': { ...rider, usertype: 'driver', approved: false } },
    true,
  ],
  ['another user suspended', { b: rider }, { b: { ...rider, approved: false } }, false],
  ['a new admin', {}, { c: { ...rider, usertype: 'admin' } }, false],
  ['a new account with money', {}, { c: { ...rider, walletBalance: 1 } }, false],
  ['a new approved driver', {}, { c: { ...rider, usertype: 'driver' } }, false],
])('checks a change of users: %s', (_, before, after, legal) => {
  expect(isChangeAllowed({ users: before }, { users: after }).map(([, is]) => is)).toEqual([legal])
})

it('lets an attacker take over a device whose token they know, and give none away', () => {
  const move = (from: string, to: string) =>
    isChangeAllowed(
      { push_tokens: { h: { uid: from, token: 't', at: 1 } } },
      { push_tokens: { h: { uid: to, token: 't', at: 2 } } },
    ).map(([, is]) => is)
  expect(move('b', 'a-rider')).toEqual([true, true])
  expect(move('a-rider', 'b')).toEqual([false, true])
})

it.each([
  ['their own device', {}, { 'a-rider': { token: 'x', revision: 1 } }, true],
  ["another user's device", {}, { b: { token: 'x', revision: 1 } }, false],
  ['a device moved from another user', { b: { token: 'x', revision: 1 } }, {}, true],
])('checks a change of named devices: %s', (_, before, after, legal) => {
  const found = isChangeAllowed(
    { internal: { named_devices: before } },
    { internal: { named_devices: after } },
  )
  expect(found.map(([, is]) => is)).toEqual([legal])
})

it('lets an attacker create and release their own reservations and leave pending sign-ups', () => {
  const device = (uid: string) => ({ uid, token: 't', at: 1 })
  for (const [branch, mine, others] of [
    ['user_emails', 'a-rider', 'b'],
    ['push_tokens', device('a-rider'), device('b')],
  ] as const)
    expect([
      ...isChangeAllowed({}, { [branch]: { h: mine } }),
      ...isChangeAllowed({ [branch]: { h: mine } }, {}),
      ...isChangeAllowed({ [branch]: { h: others } }, {}),
    ]).toEqual([
      [`${branch}/h`, true],
      [`${branch}/h`, true],
      [`${branch}/h`, false],
    ])
  expect(isChangeAllowed({}, { pending_registrations: { h: { at: 1 } } })).toEqual([
    ['pending_registrations/h', true],
  ])
})

it('allows an attacker’s own first payment, refuses another user’s and notices a lost branch', () => {
  const payment = (uid: string) => ({ uid, status: 'created' })
  expect(isChangeAllowed({}, { payments: { p: payment('a-rider') } })).toEqual([
    ['payments/p', true],
  ])
  expect(isChangeAllowed({}, { payments: { p: payment('b') } })).toEqual([['payments/p', false]])
  expect(isChangeAllowed({ promos: { p: 1 } }, {})).toEqual([['promos/p', false]])
  expect(isChangeAllowed({ rate_limits: { a: 1 } }, { rate_limits: { a: 2 } })).toEqual([
    ['rate_limits/a', true],
  ])
})

it.each([
  ['the role of a new rider', {}, { c: 'rider' }, true],
  ['the role of a new admin', {}, { c: 'admin' }, false],
  ['their own role, raised', { 'a-rider': 'rider' }, { 'a-rider': 'admin' }, false],
  ["another user's role, removed", { b: 'rider' }, {}, false],
])('checks a change of roles: %s', (_, before, after, legal) => {
  expect(isChangeAllowed({ roles: before }, { roles: after }).map(([, is]) => is)).toEqual([legal])
})

it.each([
  ['the app name', 'settings/appName', 'a', 'b', true],
  ['the setting that protects the demo', 'settings/AllowCriticalEditsAdmin', false, true, false],
  ['the currency', 'settings/code', 'UYU', 'USD', false],
  ['the decimals of the currency', 'settings/decimal', 2, 0, false],
  ['the currency symbol', 'settings/symbol', '$', '$U', true],
  ['a hold of the currency', 'currency/hold', undefined, 1, false],
  ['a driver’s approval', 'users/b/approved', false, true, true],
  ['their own approval', 'users/boss/approved', true, false, false],
  ['a driver’s role', 'roles/b', undefined, 'driver', true],
  ['their own role', 'roles/boss', 'admin', undefined, false],
  ['their own account, deleted', 'users/boss', { usertype: 'admin' }, undefined, false],
  ['a rider, deleted', 'users/b', { usertype: 'rider' }, undefined, true],
  ['a new credit', 'users/b/walletHistory/c', undefined, { amount: 5 }, true],
  ['an earlier credit', 'users/b/walletHistory/c', { amount: 5 }, undefined, false],
  ['the status of a booking', 'bookings/k/status', 'NEW', 'CANCELLED', true],
  ['a whole booking', 'bookings/k', { status: 'NEW' }, undefined, false],
  ['a new audit entry', 'audit/a', undefined, { by: 'boss' }, true],
  ['an earlier audit entry', 'audit/a', { by: 'boss' }, undefined, false],
])('checks a change by an admin: %s', (_, path, before, after, legal) => {
  expect(isAllowedForAdmin({ path, before, after }, 'boss')).toBe(legal)
})
