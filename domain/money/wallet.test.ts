import { describe, expect, test } from 'vitest'
import { aDriver, aRider, aSettings, NOON } from '../testing/builders'
import { commitChange, checkRaceGuards, readValue, type Tree } from '../data/memoryTree'
import {
  addAdminCredit,
  sumWalletHistory,
  takeFromWallet,
  topUpWallet,
  buildWalletUpdates,
} from './wallet'
import { completeWithdrawal, returnWithdrawal, requestWithdrawal } from './withdrawals'
import type { Withdrawal } from './types'

const settings = aSettings()

test('adds an admin’s credit as an entry and the same amount to the balance', () => {
  const rider = aRider({ walletBalance: 1 })
  const added = addAdminCredit(rider, { id: 'r1', amount: 12.345, now: NOON }, settings)
  const tree: Tree = { users: { rider: { walletBalance: 1 } } }
  if (added.ok) commitChange(tree, added.value)
  expect(readValue(tree, 'users/rider')).toEqual({
    walletBalance: 13.35,
    walletHistory: {
      'r1-admin': { type: 'Credit', amount: 12.35, date: NOON, txRef: 'AdminCredit' },
    },
    walletMove: {
      code: 'UYU',
      scale: 100,
      before: 100,
      after: 1335,
      slots: { a: { entry: 'r1-admin', units: 1235 } },
    },
  })
  // A repeat of the request finds its own entry.
  expect(added.ok && checkRaceGuards(tree, added.value)).toBe('entry exists')
})

test.each([
  ['a missing user', null, 5],
  ['zero', aRider(), 0],
  ['a negative amount', aRider(), -5],
  ['an amount below a cent', aRider(), 0.004],
  ['an amount that is not a number', aRider(), Number.NaN],
])('refuses to credit %s with no_details_error', (_, user, amount) => {
  const result = addAdminCredit(user, { id: 'r1', amount, now: NOON }, settings)
  expect(!result.ok && result.error.key).toBe('no_details_error')
})

test('records a correction as a debit with its reason, and a repeat debits nothing more', () => {
  const rider = aRider({ walletBalance: 12.35 })
  const taken = takeFromWallet(
    rider,
    { id: 'r1', amount: 12.345, note: 'Credited twice', now: NOON },
    settings,
  )
  if (!taken.ok) throw new Error(taken.error.key)
  const tree: Tree = { users: { rider: { walletBalance: 12.35 } } }
  commitChange(tree, taken.value)
  expect(readValue(tree, 'users/rider')).toMatchObject({
    walletBalance: 0,
    walletHistory: {
      'r1-correction': {
        type: 'Debit',
        amount: 12.35,
        date: NOON,
        txRef: 'AdminDebit',
        note: 'Credited twice',
      },
    },
  })
  expect(taken.value.pushes).toMatchObject([
    { to: 'rider', title: 'push_wallet_corrected_title', params: { amount: 12.35 } },
  ])
  expect(checkRaceGuards(tree, taken.value)).toBe('entry exists')
})

test.each([
  ['for a missing user', null, 5, 'no_details_error', 'uid', undefined],
  ['of zero', aRider(), 0, 'no_details_error', 'amount', undefined],
  [
    'of an amount that is not a number',
    aRider(),
    Number.NaN,
    'no_details_error',
    'amount',
    undefined,
  ],
  ['of a negative amount', aRider(), -5, 'no_details_error', 'amount', undefined],
  ['above the balance', aRider({ walletBalance: 5 }), 5.01, 'withdraw_too_much', 'amount', 5],
  [
    'of a wallet with a debt',
    aRider({ walletBalance: -5 }),
    0.01,
    'withdraw_too_much',
    'amount',
    0,
  ],
])('refuses a correction %s', (_, user, amount, key, field, most) => {
  const result = takeFromWallet(user, { id: 'r1', amount, note: 'x', now: NOON }, settings)
  const params = most === undefined ? {} : { params: { most } }
  expect(result).toEqual({ ok: false, error: { key, field, ...params } })
})

test('keys a top-up by its payment', () => {
  expect(
    Object.keys(topUpWallet(aRider(), { id: 'p1', amount: 5 }, NOON, settings).updates),
  ).toContain('users/rider/walletHistory/p1-topup')
})

test('leaves exactly zero when a driver withdraws everything', () => {
  const drifted = aDriver({ walletBalance: 3082.2699999999986 })
  const asked = requestWithdrawal(drifted, { id: 'w1', amount: 3082.27, now: NOON }, settings)
  const tree: Tree = { users: { driver: { walletBalance: drifted.walletBalance } } }
  if (!asked.ok) throw new Error(asked.error.key)
  expect(checkRaceGuards(tree, asked.value)).toBeUndefined()
  commitChange(tree, asked.value)
  expect(Object.is(readValue(tree, 'users/driver/walletBalance'), 0)).toBe(true)
  const more = requestWithdrawal(
    { ...drifted, walletBalance: 0 },
    { id: 'w2', amount: 0.01, now: NOON },
    settings,
  )
  expect(!more.ok && more.error.params).toEqual({ most: 0 })
})

test('leaves exactly zero in a wallet emptied in cents', () => {
  let balance = 0
  for (const [index, amount] of [0.01, 0.66, 178.45, -179.12].entries()) {
    const entry = {
      type: amount > 0 ? ('Credit' as const) : ('Debit' as const),
      amount: Math.abs(amount),
      date: NOON,
      txRef: 'x',
    }
    const updates = buildWalletUpdates(
      { id: 'rider', walletBalance: balance },
      { [`e${index}`]: entry },
      settings,
    )
    balance = updates['users/rider/walletBalance'] as number
  }
  expect(Object.is(balance, 0)).toBe(true)
})

test('omits entries of zero and writes nothing without other entries', () => {
  const entry = { type: 'Credit' as const, amount: 0.004, date: NOON, txRef: 'x' }
  expect(buildWalletUpdates(aRider(), { a: entry }, settings)).toEqual({})
  const both = buildWalletUpdates(aRider(), { a: entry, b: { ...entry, amount: 1 } }, settings)
  expect(Object.keys(both)).toEqual([
    'users/rider/walletHistory/b',
    'users/rider/walletBalance',
    'users/rider/walletMove',
  ])
})

test('refuses a fifth entry of one wallet in a write', () => {
  const entry = { type: 'Credit' as const, amount: 1, date: NOON, txRef: 'x' }
  const five = Object.fromEntries([...'abcde'].map((key) => [key, entry]))
  expect(() => buildWalletUpdates(aRider(), five, settings)).toThrow('at most 4')
})

test('sums a balance as credits minus debits and withdrawals', () => {
  const entry = { date: NOON, txRef: 'x' }
  expect(
    sumWalletHistory({
      a: { ...entry, type: 'Credit', amount: 0.3 },
      b: { ...entry, type: 'Debit', amount: 0.1 },
      c: { ...entry, type: 'Withdraw', amount: 0.2 },
    }),
  ).toBe(0)
})

test('deducts a withdrawal at once, so that two simultaneous ones cannot take the same money', () => {
  const driver = aDriver({ walletBalance: 30, bankName: 'BROU', bankAccount: '001' })
  const tree: Tree = { users: { driver: { walletBalance: 30 } } }
  const [first, second] = ['w1', 'w2'].map((id) =>
    requestWithdrawal(driver, { id, amount: 20, now: NOON }, settings),
  )
  if (!first?.ok || !second?.ok) throw new Error('both see the money')
  expect(checkRaceGuards(tree, first.value)).toBeUndefined()
  commitChange(tree, first.value)
  expect(checkRaceGuards(tree, second.value)).toBe('balance')
  // After another read, the second one is refused for its actual reason.
  const left = { ...driver, walletBalance: readValue(tree, 'users/driver/walletBalance') as number }
  const again = requestWithdrawal(left, { id: 'w2', amount: 20, now: NOON }, settings)
  expect(!again.ok && again.error).toMatchObject({
    key: 'withdraw_too_much',
    params: { most: 10 },
  })
  expect(readValue(tree, 'withdraws/w1')).toEqual({
    id: 'w1',
    uid: 'driver',
    name: 'Beto Silva',
    amount: 20,
    date: NOON,
    bankName: 'BROU',
    bankAccount: '001',
    processed: false,
  })
})

test.each([
  ['by a rider while riders cannot withdraw', aRider({ walletBalance: 50 }), 5, 'not_allowed'],
  ['of an amount above the balance', aDriver({ walletBalance: 5 }), 5.01, 'withdraw_too_much'],
  ['of zero', aDriver({ walletBalance: 5 }), 0, 'no_details_error'],
])('refuses a withdrawal %s', (_, user, amount, key) => {
  const result = requestWithdrawal(user, { id: 'w1', amount, now: NOON }, settings)
  expect(!result.ok && result.error.key).toBe(key)
})

test('stores bank fields in a withdrawal only when the settings require them', () => {
  const driver = aDriver({ walletBalance: 30, bankAccount: '001' })
  const result = requestWithdrawal(
    driver,
    { id: 'w1', amount: 20, now: NOON },
    aSettings({ bank_fields: false }),
  )
  expect(result.ok && result.value.withdraw.bankAccount).toBeUndefined()
})

const withdraw: Withdrawal = {
  id: 'w1',
  uid: 'driver',
  name: 'Beto',
  amount: 20,
  date: NOON,
  processed: false,
}

describe('the return of a withdrawal', () => {
  const wallet = { id: 'driver', walletBalance: -5 }
  const given = { wallet, note: 'The bank knows no such account', settings, now: NOON + 1 }

  test('credits the wallet and ends the withdrawal without a payout', () => {
    const done = returnWithdrawal(withdraw, given)
    expect(done.ok && done.value.updates).toMatchObject({
      'withdraws/w1/processed': true,
      'withdraws/w1/returned_at': NOON + 1,
      'users/driver/walletBalance': 15,
      'users/driver/walletHistory/w1-unpaid': { type: 'Credit', amount: 20, note: given.note },
    })
    expect(done.ok && done.value.pushes).toMatchObject([{ to: 'driver', params: { amount: 20 } }])
  })

  test.each([
    ['that is unknown', null, wallet, 'not_found'],
    ['that is paid or returned', { ...withdraw, processed: true }, wallet, 'already_processed'],
    ['of a deleted account', withdraw, null, 'not_found'],
  ])('is refused for one %s', (_, stored, owner, key) => {
    const result = returnWithdrawal(stored, { ...given, wallet: owner })
    expect(result.ok ? undefined : result.error.key).toBe(key)
  })
})

describe('the payout of a withdrawal', () => {
  const complete = (stored: Withdrawal | null, walletBalance: number | null = 0) => {
    const wallet = walletBalance === null ? null : { id: 'driver', walletBalance }
    return completeWithdrawal(stored, { wallet, settings, now: NOON + 1 })
  }

  test('is recorded once by an admin', () => {
    const done = complete(withdraw)
    expect(done.ok && done.value.updates).toEqual({
      'withdraws/w1/processed': true,
      'withdraws/w1/procesDate': NOON + 1,
    })
    const again = complete({ ...withdraw, processed: true })
    expect(!again.ok && again.error.key).toBe('already_processed')
    const missing = complete(null)
    expect(!missing.ok && missing.error.key).toBe('not_found')
  })

  test.each([
    ['is refused while the wallet is below zero', -0.01, 'payout_wallet_negative'],
    ['is possible while the wallet is below zero by less than a cent', -0.001, undefined],
    ['is possible after the account was deleted', null, undefined],
  ])('%s', (_, balance, key) => {
    const result = complete(withdraw, balance)
    expect(result.ok ? undefined : result.error.key).toBe(key)
  })
})
