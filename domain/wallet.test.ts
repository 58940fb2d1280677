import { expect, test } from 'vitest'
import { aDriver, aRider, aSettings, NOON } from './testing/builders'
import { commit, guarded, valueAt, type Tree } from './testing/tree'
import { addToWallet, balanceOf, topUp } from './wallet'
import { completeWithdraw, requestWithdraw } from './withdraws'

const settings = aSettings()

test('an admin’s credit is an entry and the same amount of balance', () => {
  const added = addToWallet(aRider(), { id: 'r1', amount: 12.345, now: NOON }, settings)
  const tree: Tree = { users: { rider: { walletBalance: 1 } } }
  if (added.ok) commit(tree, added.value)
  expect(valueAt(tree, 'users/rider')).toEqual({
    walletBalance: 13.35,
    walletHistory: {
      'r1-admin': { type: 'Credit', amount: 12.35, date: NOON, txRef: 'AdminCredit' },
    },
  })
  // The same request again finds its own entry.
  expect(added.ok && guarded(tree, added.value)).toBe('entry exists')
})

test.each([
  ['nobody', null, 5],
  ['nothing', aRider(), 0],
  ['less than nothing', aRider(), -5],
  ['less than a cent', aRider(), 0.004],
  ['no number', aRider(), Number.NaN],
])('crediting %s says no_details_error', (_, user, amount) => {
  const result = addToWallet(user, { id: 'r1', amount, now: NOON }, settings)
  expect(!result.ok && result.error.key).toBe('no_details_error')
})

test('a top-up is keyed by its payment', () => {
  expect(Object.keys(topUp(aRider(), { id: 'p1', amount: 5 }, NOON).updates)).toContain(
    'users/rider/walletHistory/p1-topup',
  )
})

test('a balance is credits less debits and withdraws', () => {
  const entry = { date: NOON, txRef: 'x' }
  expect(
    balanceOf(
      {
        a: { ...entry, type: 'Credit', amount: 0.3 },
        b: { ...entry, type: 'Debit', amount: 0.1 },
        c: { ...entry, type: 'Withdraw', amount: 0.2 },
      },
      2,
    ),
  ).toBe(0)
})

test('a withdraw takes the money at once, so that two at the same moment can’t both have it', () => {
  const driver = aDriver({ walletBalance: 30, bankName: 'BROU', bankAccount: '001' })
  const tree: Tree = { users: { driver: { walletBalance: 30 } } }
  const [first, second] = ['w1', 'w2'].map((id) =>
    requestWithdraw(driver, { id, amount: 20, now: NOON }, settings),
  )
  if (!first?.ok || !second?.ok) throw new Error('both see the money')
  expect(guarded(tree, first.value)).toBeUndefined()
  commit(tree, first.value)
  expect(guarded(tree, second.value)).toBe('wallet below 0')
  expect(valueAt(tree, 'withdraws/w1')).toEqual({
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
  ['a rider, when riders can’t', aRider({ walletBalance: 50 }), 5, 'not_allowed'],
  ['more than there is', aDriver({ walletBalance: 5 }), 5.01, 'withdraw_too_much'],
  ['nothing', aDriver({ walletBalance: 5 }), 0, 'no_details_error'],
])('a withdraw by or of %s is refused', (_, user, amount, key) => {
  const result = requestWithdraw(user, { id: 'w1', amount, now: NOON }, settings)
  expect(!result.ok && result.error.key).toBe(key)
})

test('bank fields travel with a withdraw only when they are asked for', () => {
  const driver = aDriver({ walletBalance: 30, bankAccount: '001' })
  const result = requestWithdraw(
    driver,
    { id: 'w1', amount: 20, now: NOON },
    aSettings({ bank_fields: false }),
  )
  expect(result.ok && result.value.withdraw.bankAccount).toBeUndefined()
})

test('an admin completes a withdraw once', () => {
  const withdraw = {
    id: 'w1',
    uid: 'driver',
    name: 'Beto',
    amount: 20,
    date: NOON,
    processed: false,
  }
  const done = completeWithdraw(withdraw, NOON + 1)
  expect(done.ok && done.value.updates).toEqual({
    'withdraws/w1/processed': true,
    'withdraws/w1/procesDate': NOON + 1,
  })
  const again = completeWithdraw({ ...withdraw, processed: true }, NOON + 2)
  expect(!again.ok && again.error.key).toBe('already_processed')
  const missing = completeWithdraw(null, NOON)
  expect(!missing.ok && missing.error.key).toBe('not_found')
})
