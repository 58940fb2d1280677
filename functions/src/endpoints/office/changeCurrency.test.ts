import { describe, expect, it } from 'vitest'
import type { CurrencyChangePlan } from '~/domain/money/currencyChange'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { aBooking, aDriver, aPaymentAttempt, aRider, aSettings } from '~/domain/testing/builders'
import { DAY_MS } from '~/domain/language/timeUnits'
import { parseInput } from '../../http/requestHandler'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'
import { aProject, createUserContext, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import { change_currency } from './changeCurrency'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

const project = (more: object = {}) => createTestDatabase(aProject(more))
const call = (db: DatabasePort, asked: object = {}) =>
  change_currency.handle(
    parseInput(change_currency.input, { code: 'JPY', symbol: '¥', ...asked }),
    createUserContext('admin', 'admin', { db }),
  )
const plan = async (db: DatabasePort) =>
  (await call(db, { dry_run: true })).plan as unknown as CurrencyChangePlan

const currency = (db: { at(path: string): unknown }) => {
  const { code, decimal, symbol } = db.at('settings') as Record<string, unknown>
  return { code, decimal, symbol }
}
const UYU = { code: 'UYU', decimal: 2, symbol: '$' }
const JPY = { code: 'JPY', decimal: 0, symbol: '¥' }

const people = (more: Record<string, Partial<User>>) => ({
  users: {
    ...aProject().users,
    ...Object.fromEntries(
      Object.entries(more).map(([id, user]) => [id, { ...aRider({ id }), ...user }]),
    ),
  },
})
const bookings = (...list: Partial<Booking>[]) => ({
  bookings: Object.fromEntries(
    list.map((booking, n) => [`b${n}`, aBooking({ id: `b${n}`, ...booking })]),
  ),
})
const payments = (...list: Partial<PaymentAttempt>[]) => ({
  payments: Object.fromEntries(
    list.map((attempt, n) => [
      `p${n}`,
      aPaymentAttempt({ id: `p${n}`, createdAt: TEST_NOW - 60_000, ...attempt }),
    ]),
  ),
})
const withdraws = (...list: Partial<Withdrawal>[]) => ({
  withdraws: Object.fromEntries(
    list.map((withdraw, n) => [
      `w${n}`,
      { id: `w${n}`, uid: 'driver', name: 'D', amount: 5, date: 1, processed: false, ...withdraw },
    ]),
  ),
})
const refund = {
  id: 'r1',
  amount: 5,
  by: 'admin',
  at: 1,
  state: 'unknown',
  from_wallet: true,
} as const
const parked = { amount: 5, currency: 'UYU', ref: 'r', at: 1 }

describe('a platform with no open amounts in its currency', () => {
  it('changes code, decimals and symbol in one write, and records when the old currency ended', async () => {
    const db = project()
    expect(await call(db)).toMatchObject({ ...JPY, changed: true })
    expect(currency(db)).toEqual(JPY)
    expect(db.at(`currency/ended/${TEST_NOW}`)).toEqual(UYU)
    expect(db.at('currency/hold')).toBeNull()
    expect(db.getCommitCount()).toBe(2)
  })
  it('writes an audit entry with both currencies', async () => {
    const db = project()
    await call(db)
    expect(Object.values(db.at('audit') as object)).toEqual([
      expect.objectContaining({ by: 'admin', action: 'currency_change', from: UYU, to: JPY }),
    ])
  })
  it('gives a repeated request the same response and writes nothing', async () => {
    const db = project()
    await call(db)
    const commits = db.getCommitCount()
    expect(await call(db)).toMatchObject({ ...JPY, changed: true })
    expect(db.getCommitCount()).toBe(commits)
  })
  it('returns the plan and changes nothing in a dry run', async () => {
    const db = project()
    expect(await plan(db)).toEqual({
      from: UYU,
      to: JPY,
      wallets: { count: 0, more: false, held: 0, owed: 0 },
      bookings: { count: 0, more: false },
      payments: { count: 0, more: false },
      withdraws: { count: 0, more: false },
    })
    expect(db.getCommitCount()).toBe(0)
  })
  it('allows the change when only settled amounts remain', async () => {
    const db = project({
      ...bookings({ status: 'PAID' }, { status: 'COMPLETE' }, { status: 'CANCELLED' }),
      ...payments(
        { status: 'paid' },
        { status: 'cancelled' },
        { createdAt: TEST_NOW - 2 * DAY_MS },
        { status: 'cancelled', parked },
        { status: 'paid', problem: 'chargeback', createdAt: TEST_NOW - 9 * DAY_MS },
      ),
      ...withdraws({ processed: true }),
      // The balance has drifted by less than the smallest unit of any currency.
      ...people({ drifted: { walletBalance: -1.3642420526593924e-12 } }),
    })
    expect(await call(db)).toMatchObject({ changed: true })
  })
  it('uses the decimals of the currency code instead of those in the settings', async () => {
    const db = project({ settings: aSettings({ code: 'JPY', decimal: 2, symbol: '¥' }) })
    expect(await call(db, { symbol: undefined })).toMatchObject({ ...JPY, changed: true })
    expect(currency(db)).toEqual(JPY)
  })
  it('changes only the symbol without checking for open amounts', async () => {
    const db = project(bookings({ status: 'NEW' }))
    expect(await call(db, { code: 'UYU', symbol: '$U' })).toMatchObject({ changed: true })
    expect(currency(db)).toEqual({ ...UYU, symbol: '$U' })
    expect(db.at('currency')).toBeNull()
  })
  it('uses the code as the symbol when no symbol is given', async () => {
    const db = project()
    await call(db, { code: 'KWD', symbol: undefined })
    expect(currency(db)).toEqual({ code: 'KWD', decimal: 3, symbol: 'KWD' })
  })
})

describe('money left in the old currency', () => {
  const unsettled = [
    'PAYMENT_PENDING',
    'NEW',
    'ACCEPTED',
    'ARRIVED',
    'STARTED',
    'REACHED',
    'PENDING',
  ]
  const openAmounts: [string, object, object][] = [
    [
      'a wallet with money',
      people({ rich: { walletBalance: 12.5 } }),
      { wallets: { count: 1, more: false, held: 12.5, owed: 0 } },
    ],
    [
      'a wallet with the smallest coin',
      people({ poor: { walletBalance: 0.01 } }),
      { wallets: { count: 1, more: false, held: 0.01, owed: 0 } },
    ],
    [
      'a wallet below zero',
      people({ owes: { walletBalance: -3.1 }, rich: { walletBalance: 1 } }),
      { wallets: { count: 2, more: false, held: 1, owed: 3.1 } },
    ],
    [
      'more wallets than are read',
      people(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [`user${n}`, { walletBalance: 2 }]),
        ),
      ),
      { wallets: { count: 50, more: true, held: 100, owed: 0 } },
    ],
    ...unsettled.map((status): [string, object, object] => [
      `a booking that is ${status}`,
      bookings({ status: status as Booking['status'] }),
      { bookings: { count: 1, more: false } },
    ]),
    [
      'a payment that has started',
      payments({ status: 'created' }),
      { payments: { count: 1, more: false } },
    ],
    [
      'a failed payment that may be retried',
      payments({ status: 'failed' }),
      { payments: { count: 1, more: false } },
    ],
    [
      'a payment that the back office has not assigned yet',
      payments({ problem: 'amount_mismatch', parked, createdAt: TEST_NOW - 9 * DAY_MS }),
      { payments: { count: 1, more: false } },
    ],
    [
      'a refund that is still open',
      payments({
        status: 'paid',
        refund,
        refund_due: TEST_NOW + DAY_MS,
        createdAt: TEST_NOW - 9 * DAY_MS,
      }),
      { payments: { count: 1, more: false } },
    ],
    [
      'a refund whose outcome stays unknown',
      payments({ status: 'paid', refund, problem: 'refund_unknown', createdAt: 1 }),
      { payments: { count: 1, more: false } },
    ],
    [
      'a new payment with a problem and a refund, counted once,',
      payments({ status: 'paid', refund, refund_due: TEST_NOW, problem: 'paid_twice', parked }),
      { payments: { count: 1, more: false } },
    ],
    ['a withdrawal that is not paid out', withdraws({}), { withdraws: { count: 1, more: false } }],
  ]
  it.each(openAmounts)('%s appears in the plan and blocks the change', async (_, more, left) => {
    const db = project(more)
    expect(await plan(db)).toMatchObject(left)
    expect(await getErrorKey(call(db))).toBe('currency_in_use')
    expect(currency(db)).toEqual(UYU)
    expect(db.at('currency/hold')).toBeNull()
    expect(db.at('audit')).toBeNull()
  })
})

describe('a change of the currency is refused', () => {
  it.each([
    ['an unknown code', { code: 'XYZ' }],
    ['a code in lowercase', { code: 'jpy' }],
    ['an empty symbol', { symbol: ' ' }],
    ['a long symbol', { symbol: 'pesos uruguayos' }],
  ])('because of %s, and writes nothing', async (_, asked) => {
    const db = project()
    expect(await getErrorKey(Promise.resolve().then(() => call(db, asked)))).toBe('bad_input')
    expect(db.getCommitCount()).toBe(0)
  })
  it('in demo mode, with or without a dry run', async () => {
    const settings = aSettings({ AllowCriticalEditsAdmin: false })
    for (const dry_run of [true, false]) {
      const db = project({ settings })
      expect(await getErrorKey(call(db, { dry_run }))).toBe('demo_mode')
      expect(db.getCommitCount()).toBe(0)
    }
  })
  it('for every role except admin', () => {
    expect(change_currency.allow).toEqual(['admin'])
  })
  it('while another change is in progress', async () => {
    const db = project()
    const refusing: DatabasePort = {
      ...db,
      update: (updates) =>
        'currency/hold' in updates ? Promise.reject(new WriteConflictError()) : db.update(updates),
    }
    expect(await getErrorKey(call(refusing))).toBe('changed_meanwhile')
    expect(currency(db)).toEqual(UYU)
  })
  it('when its hold expires before the checks finish, and removes the hold', async () => {
    const db = project()
    const slow: DatabasePort = {
      ...db,
      update: (updates) =>
        'settings/code' in updates ? Promise.reject(new WriteConflictError()) : db.update(updates),
    }
    expect(await getErrorKey(call(slow))).toBe('changed_meanwhile')
    expect(currency(db)).toEqual(UYU)
    expect(db.at('currency/hold')).toBeNull()
  })
})

it('does not count a wallet with a zero balance as a wallet with money', async () => {
  const db = project({ users: { ...aProject().users, driver: aDriver({ walletBalance: 0 }) } })
  expect((await plan(db)).wallets.count).toBe(0)
})
