import { describe, expect, it } from 'vitest'
import { toJson } from '../data/databaseValue'
import { findViolations } from '../data/invariants'
import type { DatabaseTree } from '../data/databaseTree'
import {
  aBooking,
  aCardPacket,
  aPaymentAttempt,
  aRider,
  aSettings,
  NOON,
} from '../testing/builders'
import { findBookingPaymentViolations } from './accountViolations'
import type { PaymentAttempt } from './paymentAttempt'
import { findPayerViolations, findPaymentViolations } from './paymentViolations'
import type { Booking } from '../booking/types'
import type { User } from '../accounts/types'

const ID = aBooking().id
const topUp = (over: Partial<PaymentAttempt> = {}) =>
  aPaymentAttempt({ status: 'paid', applied_to: 'wallet', ref: 'ch_1', ...over })
const paidFor = (over: Partial<PaymentAttempt> = {}) =>
  topUp({ kind: 'booking', booking: ID, applied_to: 'booking', ...over })
const entry = (type: 'Credit' | 'Debit', amount: number) => ({
  type,
  amount,
  date: NOON,
  txRef: 'pay1',
})
const booking = (over: Partial<Booking> = {}) =>
  aBooking({ status: 'STARTED', paymentPacket: aCardPacket(), ...over })

/** Returns the sentences about one payment, its payer's wallet and its booking. */
const find = (
  attempt: PaymentAttempt,
  history: NonNullable<User['walletHistory']> = {},
  ...bookings: Booking[]
): string[] => {
  const tree = toJson({
    settings: aSettings(),
    payments: { pay1: attempt },
    payment_events: { 'test-ch_5f_1': { payment: 'pay1' } },
    users: { rider: aRider({ walletHistory: history }) },
    bookings: Object.fromEntries(bookings.map((one) => [one.id, one])),
  }) as DatabaseTree
  const findCurrency = () => ({ code: 'UYU', decimal: 2 })
  return [
    ...findPayerViolations(tree),
    ...findPaymentViolations(tree).filter((sentence) => !sentence.includes('not where it says')),
    ...findBookingPaymentViolations({ ...tree, findCurrency } as never),
  ]
}

const topUpEntry = { 'pay1-topup': entry('Credit', 43.13) }
const dispute = { at: NOON, amount: 20, taken: 20, wallet: 20 }

describe('the account of a stored payment', () => {
  it('is sound when each part is where the payment says', () => {
    expect(
      find(
        topUp({
          status: 'partially_refunded',
          refunded: 10,
          charged_back: 12,
          details: { disputes: { d: { ...dispute, wallet: 12, won: 8 } } },
          refunds: {
            r1: {
              amount: 10,
              by: 'admin',
              at: NOON,
              state: 'confirmed',
              from_wallet: true,
              settled_at: NOON,
              settled_by: 'admin',
            },
          },
        }),
        {
          ...topUpEntry,
          'pay1-r1-hold': entry('Debit', 10),
          'pay1-dispute-d': entry('Debit', 20),
          'pay1-dispute-d-won': entry('Credit', 8),
        },
      ),
    ).toEqual([])
    expect(find(paidFor({ returned: 3.13 }), {}, booking({ refunded: 3.13 }))).toEqual([])
  })

  it('is sound when a dispute is won and credited before its chargeback comes', () => {
    const pending = { at: NOON, amount: 32.94, taken: 32.94, unbooked: 32.94 }
    const wonFirst = { at: NOON, amount: 8.59, taken: 8.59, unbooked: 8.59, won: 8.59 }
    const disputes = { pending, first: { ...wonFirst, credited: 8.59 } }
    const account = { charged_back: 32.94, returned: 8.59 }
    expect(find(paidFor({ ...account, details: { disputes } }))).toEqual([])
    // Without the credit both have left.
    expect(
      find(paidFor({ charged_back: 32.94, details: { disputes: { pending, first: wonFirst } } })),
    ).toEqual(['payments/pay1: its disputes took 41.53, and charged_back is 32.94'])
  })

  it.each<[string, PaymentAttempt, NonNullable<User['walletHistory']>]>([
    [
      'payments/pay1: more went back than came',
      topUp({ refunded: 20, returned: 20, charged_back: 3.14 }),
      topUpEntry,
    ],
    [
      'payments/pay1: its disputes took 20, and charged_back is 5',
      topUp({ charged_back: 5, details: { disputes: { d: dispute } } }),
      { ...topUpEntry, 'pay1-dispute-d': entry('Debit', 20) },
    ],
    [
      'payments/pay1: dispute d moved more than was disputed',
      topUp({
        charged_back: 20,
        details: { disputes: { d: { ...dispute, won: 21, covered: 1 } } },
      }),
      { ...topUpEntry, 'pay1-dispute-d': entry('Debit', 20) },
    ],
    [
      'payments/pay1: its disputes and the payer’s wallet say something else',
      topUp({ charged_back: 20, details: { disputes: { d: dispute } } }),
      topUpEntry,
    ],
    [
      'payments/pay1: its disputes and the payer’s wallet say something else',
      topUp({ details: { disputes: { d: { ...dispute, wallet: 0, won: 20 } } } }),
      {
        ...topUpEntry,
        'pay1-dispute-d': entry('Debit', 20),
        'pay1-dispute-d-won': entry('Credit', 21),
      },
    ],
    [
      'payments/pay1: 43.13 came, 50 reached the payer’s wallet',
      topUp(),
      { 'pay1-topup': entry('Credit', 50) },
    ],
    [
      'payments/pay1: 30 left the wallet for the card, which got 20',
      topUp({ status: 'partially_refunded', refunded: 20 }),
      { ...topUpEntry, 'pay1-refund-2000': entry('Debit', 30) },
    ],
    [
      'payments/pay1: 25 of won disputes was credited, which is more than was won',
      topUp({ details: { disputes: { d: { ...dispute, wallet: 0, won: 20 } } } }),
      {
        ...topUpEntry,
        'pay1-dispute-d': entry('Debit', 20),
        'pay1-won-7': entry('Credit', 25),
      },
    ],
    [
      'payments/pay1: 5 is parked, 9 was credited',
      topUp({ parked: { amount: 5, currency: 'UYU', ref: 'x', at: 1, settled: 'credited' } }),
      { ...topUpEntry, 'pay1-parked-1': entry('Credit', 9) },
    ],
  ])('is reported: %s', (sentence, attempt, history) => {
    expect(find(attempt, history)).toEqual([sentence])
  })

  const money = { amount: 5, currency: 'UYU', ref: 'x', at: 1 }
  it.each<[string, Partial<PaymentAttempt>]>([
    [
      'parked money behind other',
      { parked: { ...money, settled: 'dismissed' }, details: { otherParked: { 'y-2': money } } },
    ],
    [
      'money of a won dispute',
      { details: { disputes: { d: { ...dispute, taken: 0, wallet: 0, won: 20, waiting: 20 } } } },
    ],
  ])('is reported when the office does not see %s that waits', (_, over) => {
    const sentence = 'payments/pay1: money waits for the back office, which sees no problem'
    expect(find(topUp(over), topUpEntry)).toEqual([sentence])
    expect(find(topUp({ ...over, problem: 'chargeback' }), topUpEntry)).toEqual([])
  })

  it.each<[string, PaymentAttempt, Booking, string[]]>([
    [
      'has less than its booking',
      paidFor({ charged_back: 43.13 }),
      booking(),
      [`bookings/${ID}: 43.13 of its price was paid by card, and its payments have 0`],
    ],
    [
      'is in the wallet after a cancellation',
      paidFor({ refunded: 43.13 }),
      booking({ status: 'CANCELLED' }),
      [],
    ],
    ['is of an earlier currency', paidFor({ currency: 'USD', charged_back: 43.13 }), booking(), []],
    [
      'went to the wallet as credit for a complaint',
      paidFor({ charged_back: 3.13 }),
      booking({ status: 'PAID', adjustments: { a: { at: NOON, reason: 'late', rider: 40 } } }),
      [],
    ],
  ])('that %s is compared with it', (_, attempt, one, expected) => {
    expect(find(attempt, {}, one)).toEqual(expected)
  })

  it('is checked with all the data', () => {
    const tree = toJson({
      settings: aSettings(),
      payments: { pay1: paidFor({ charged_back: 43.13 }) },
      bookings: { [ID]: booking() },
    }) as DatabaseTree
    expect(findViolations(tree)).toContain(
      `bookings/${ID}: 43.13 of its price was paid by card, and its payments have 0`,
    )
  })
})
