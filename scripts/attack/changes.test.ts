import { expect, it } from 'vitest'
import type { Attackers } from './attackers'
import { changesBetween, isLegal, isLegalForOffice } from './changes'

const all = (['visitor', 'pending', 'rider', 'fleetadmin'] as const).map((kind) => ({
  kind,
  uid: kind === 'visitor' ? null : `a-${kind}`,
  token: null,
}))
const attackers: Attackers = {
  all,
  uids: new Set(all.flatMap(({ uid }) => uid ?? [])),
  leave: () => Promise.resolve(),
}
const judged = (before: object, after: object) =>
  changesBetween(before, after).map((change) => [change.path, isLegal(change, attackers)])

const rider = { usertype: 'rider', approved: true, walletBalance: 0 }

it.each([
  ['his own name', { 'a-rider': rider }, { 'a-rider': { ...rider, firstName: 'x' } }, true],
  ['his own role', { 'a-rider': rider }, { 'a-rider': { ...rider, usertype: 'admin' } }, false],
  ['his own wallet', { 'a-rider': rider }, { 'a-rider': { ...rider, walletBalance: 5 } }, false],
  ['somebody else’s name', { b: rider }, { b: { ...rider, firstName: 'x' } }, false],
  ['his name unapproved', { 'a-pending': rider }, { 'a-pending': { ...rider, lang: 'x' } }, false],
  ['somebody is gone', { b: rider }, {}, false],
  ['somebody signed up', {}, { c: rider }, true],
  ['as an admin', {}, { c: { ...rider, usertype: 'admin' } }, false],
  ['with money', {}, { c: { ...rider, walletBalance: 1 } }, false],
  ['as an approved driver', {}, { c: { ...rider, usertype: 'driver' } }, false],
])('a change of users is judged: %s', (_, before, after, legal) => {
  expect(judged({ users: before }, { users: after }).map(([, is]) => is)).toEqual([legal])
})

it('a first payment of one’s own is legal, another’s is not, and a lost branch is seen', () => {
  const payment = (uid: string) => ({ uid, status: 'created' })
  expect(judged({}, { payments: { p: payment('a-rider') } })).toEqual([['payments/p', true]])
  expect(judged({}, { payments: { p: payment('b') } })).toEqual([['payments/p', false]])
  expect(judged({ promos: { p: 1 } }, {})).toEqual([['promos/p', false]])
  expect(judged({ rate_limits: { a: 1 } }, { rate_limits: { a: 2 } })).toEqual([
    ['rate_limits/a', true],
  ])
})

it.each([
  ['the name of the app', 'settings/appName', 'a', 'b', true],
  ['what keeps a demo whole', 'settings/AllowCriticalEditsAdmin', false, true, false],
  ['a driver’s approval', 'users/b/approved', false, true, true],
  ['his own approval', 'users/boss/approved', true, false, false],
  ['himself', 'users/boss', { usertype: 'admin' }, undefined, false],
  ['a rider', 'users/b', { usertype: 'rider' }, undefined, true],
  ['a credit', 'users/b/walletHistory/c', undefined, { amount: 5 }, true],
  ['an old credit', 'users/b/walletHistory/c', { amount: 5 }, undefined, false],
  ['a booking’s status', 'bookings/k/status', 'NEW', 'CANCELLED', true],
  ['a whole booking', 'bookings/k', { status: 'NEW' }, undefined, false],
  ['a new trace', 'audit/a', undefined, { by: 'boss' }, true],
  ['an old trace', 'audit/a', { by: 'boss' }, undefined, false],
])('a change by the office is judged: %s', (_, path, before, after, legal) => {
  expect(isLegalForOffice({ path, before, after }, 'boss')).toBe(legal)
})
