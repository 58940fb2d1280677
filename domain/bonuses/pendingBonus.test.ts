import { describe, expect, test } from 'vitest'
import type { Booking } from '../entities'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import { aBooking, aPaymentAttempt, aSettings, NOON } from '../testing/builders'
import { DAY_MS } from '../timeUnits'
import {
  getBonusDelayMs,
  isPaymentReturned,
  payPendingBonus,
  type PendingBonus,
} from './pendingBonus'

const BONUS: PendingBonus = {
  uid: 'friend',
  referred: 'rider',
  booking: aBooking().id,
  amount: 10,
  code: 'UYU',
  at: NOON,
  due: NOON + 14 * DAY_MS,
  revision: 1,
}
const price = 43.13
/** A booking that was paid in cash; `refunds` are the amounts that went back to the card. */
const paid = (over: Partial<Booking> = {}, ...refunds: number[]) =>
  aBooking({
    status: 'PAID',
    customer_paid: price,
    cashPaymentAmount: price,
    ...over,
    fare_history: Object.fromEntries(
      refunds.map((amount, n) => [
        `r${n}`,
        {
          kind: 'refund',
          cause: 'refund',
          at: NOON,
          total: 0,
          lines: [{ label: 'card', amount: -amount }],
        },
      ]),
    ),
  })
const credit = (reason: 'wrong_fare' | 'goodwill' | 'tip', rider: number): Partial<Booking> => ({
  adjustments: { a: { at: NOON, reason, rider } },
})

describe('all that was paid for a booking has gone back: a booking', () => {
  test.each<[string, Booking, boolean]>([
    ['without a refund has not', paid(), false],
    ['with a refund of a part has not', paid({}, 1), false],
    ['with a refund of all has', paid({}, price), true],
    ['with a refund that the bank reversed has not', paid({}, price, -price), false],
    ['with credit of all for a complaint has', paid(credit('wrong_fare', price)), true],
    ['with a refund and credit of the rest has', paid(credit('wrong_fare', price - 1), 1), true],
    ['with as much goodwill has not', paid(credit('goodwill', price)), false],
    ['that was free with a promo has not', paid({ customer_paid: 0, cashPaymentAmount: 0 }), false],
  ])('%s', (_, booking, isReturned) => {
    expect(isPaymentReturned(booking, [])).toBe(isReturned)
  })

  test('with a refund of all under way has', () => {
    const refund = { amount: price } as NonNullable<PaymentAttempt['refund']>
    expect(isPaymentReturned(paid(), [aPaymentAttempt({ refund })])).toBe(true)
  })
})

describe('a bonus that is due', () => {
  const pay = (over: Partial<Parameters<typeof payPendingBonus>[1]> = {}, bonus = BONUS) =>
    payPendingBonus(
      bonus,
      {
        wallet: { id: 'friend', walletBalance: 5 },
        isPaid: false,
        booking: paid(),
        cardPayments: [],
        settings: aSettings({ bonus: 700 }),
        ...over,
      },
      NOON,
    )

  test('is paid and removed in one write, with a push', () => {
    const { updates, pushes } = pay()
    expect(updates).toMatchObject({
      'internal/pending_bonuses/friend_rider': null,
      'users/friend/walletHistory/rider-referral': {
        type: 'Credit',
        amount: 10,
        txRef: 'Referral',
      },
      'users/friend/walletBalance': 15,
    })
    expect(pushes).toMatchObject([{ to: 'friend', params: { amount: 10 } }])
  })

  test.each<[string, Parameters<typeof pay>[0]]>([
    ['its account is deleted', { wallet: null }],
    ['the wallet has it', { isPaid: true }],
    ['the booking does not exist', { booking: null }],
    ['the payment went back', { booking: paid({}, price) }],
  ])('is removed without a credit when %s', (_, over) => {
    const removal = { 'internal/pending_bonuses/friend_rider': null }
    expect(pay(over)).toEqual({ updates: removal, pushes: [] })
  })

  test('of an earlier currency is what the settings give now', () => {
    expect(pay({}, { ...BONUS, code: 'USD' }).updates).toMatchObject({
      'users/friend/walletBalance': 705,
    })
  })
})

test('bonuses wait only if the office says so', () => {
  expect(getBonusDelayMs(aSettings())).toBe(0)
  expect(getBonusDelayMs(aSettings({ bonusDelayDays: 14 }))).toBe(14 * DAY_MS)
})
