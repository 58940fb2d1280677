import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJson } from '../data/databaseValue'
import { findViolations } from '../data/invariants'
import { toDirectory } from '../accounts/directory'
import { getRoles } from '../access/roles'
import { aDriver, aRider, aSettings, NOON } from '../testing/builders'
import { toSignedAmount } from '../money/wallet'
import { roundWallet, roundWallets } from './walletRounding'
import type { User } from '../accounts/types'
import type { WalletEntry } from '../money/types'

const settings = aSettings()
const entry = (type: WalletEntry['type'], amount: number, date = NOON): WalletEntry => ({
  type,
  amount,
  date,
  txRef: 'x',
})
const wrong = (user: ReturnType<typeof aRider>, decimal = 2) => {
  const users = { [user.id]: user }
  return findViolations({
    settings: aSettings({ decimal }),
    users,
    people: toDirectory(users) as never,
    roles: getRoles(users),
  })
}

test('sets a drifted balance to the sum of its history', () => {
  const drifted = aRider({
    walletBalance: 3082.2699999999986,
    walletHistory: { a: entry('Credit', 3000), b: entry('Credit', 100), c: entry('Debit', 17.73) },
  })
  expect(wrong(drifted)).not.toEqual([])
  const exact = roundWallet(drifted, settings, NOON)
  expect(exact).toEqual({ ...drifted, walletBalance: 3082.27 })
  expect(wrong(exact)).toEqual([])
})

test('keeps a balance that contradicts its history, for verify-data to report', () => {
  const user = aRider({ walletBalance: 6, walletHistory: { a: entry('Credit', 5) } })
  expect(roundWallet(user, settings, NOON)).toEqual(user)
})

test('says the balances of each wallet that it changes, and the correction in its history', () => {
  const describe = (before: User) => {
    const after = roundWallet(before, settings, NOON)
    return roundWallets.describeRow?.({ users: toJson(before) }, { users: toJson(after) }, 'rita')
  }
  const history = { a: entry('Credit', 0.125), b: entry('Credit', 0.125), c: entry('Credit', 2) }
  expect(describe(aRider({ walletBalance: 2.2500000001, walletHistory: history }))).toBe(
    'The wallet of rita: 2.2500000001 → 2.25, with a correction of -0.01 in its history.',
  )
  expect(
    describe(aRider({ walletBalance: 1.0000001, walletHistory: { a: entry('Credit', 1) } })),
  ).toBe('The wallet of rita: 1.0000001 → 1.')
})

test('sets an emptied wallet to zero, not negative zero', () => {
  const emptied = aRider({
    walletBalance: -1.3642420526593924e-12,
    walletHistory: { a: entry('Credit', 0.3), b: entry('Debit', 0.1), c: entry('Debit', 0.2) },
  })
  expect(Object.is(roundWallet(emptied, settings, NOON).walletBalance, 0)).toBe(true)
})

test('leaves exact wallets and wallets without a history unchanged', () => {
  for (const user of [
    aRider({ walletBalance: 5, walletHistory: { a: entry('Credit', 5) } }),
    aRider(),
    { firstName: 'Half a record' } as Partial<User>,
  ])
    expect(roundWallet(user, settings, NOON)).toEqual(user)
})

test('makes every wallet moved by increments exact, and changes nothing the second time', () => {
  const moves = fc.tuple(
    fc.constantFrom('Credit', 'Debit', 'Withdraw'),
    fc.integer({ min: 1, max: 10 ** 6 }),
  )
  const wallets = fc.record({
    decimal: fc.nat(4),
    // The default bias prefers short histories, in which few errors add up.
    moves: fc.noBias(fc.array(moves, { maxLength: 200, size: 'max' })),
  })
  const becomesExact = fc.property(wallets, ({ decimal, moves }) => {
    const entries = moves.map(([type, minor]) => entry(type, minor / 10 ** decimal))
    const walletHistory = Object.fromEntries(entries.map((one, n) => [`e${n}`, one]))
    // Adds like the database's increments.
    const walletBalance = entries.reduce((balance, one) => balance + toSignedAmount(one), 0)
    const user = aDriver({ walletBalance, walletHistory })
    const exact = roundWallet(user, { decimal }, NOON)
    const found = wrong(exact, decimal)
    expect(found.filter((sentence) => !sentence.includes('left without a request'))).toEqual([])
    expect(exact.walletHistory).toEqual(walletHistory)
    expect(roundWallet(exact, { decimal }, NOON + 1)).toEqual(exact)
  })
  fc.assert(becomesExact, { seed: 1, numRuns: 200 })
})

test('rounds entries with more decimals than the current currency and keeps the balance', () => {
  const user = aRider({
    walletBalance: 179.116,
    walletHistory: {
      a: entry('Credit', 100.004),
      b: entry('Credit', 79.104),
      c: entry('Credit', 0.008),
      d: entry('Credit', 0.004),
      e: entry('Debit', 0.004),
    },
  })
  const exact = roundWallet(user, settings, NOON + 1)
  expect(exact).toMatchObject({
    walletBalance: 179.12,
    walletHistory: {
      a: { amount: 100 },
      b: { amount: 79.1 },
      c: { amount: 0.01 },
      rounding: { type: 'Credit', amount: 0.01, date: NOON + 1, txRef: 'rounding' },
    },
  })
  expect(Object.keys(exact.walletHistory ?? {})).toEqual(['a', 'b', 'c', 'rounding'])
  expect(wrong(exact)).toEqual([])
  expect(roundWallet(exact, settings, NOON + 2)).toEqual(exact)
})
