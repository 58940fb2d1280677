import { describe, expect, test } from 'vitest'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import { aBooking, aDriver, aPaymentAttempt, aRider, aSettings, NOON } from '../testing/builders'
import { DAY_MS, HOUR_MS } from '../language/timeUnits'
import type { BonusFacts } from './bonusDecision'
import { payPendingBonus } from './bonusPayment'
import type { PendingBonus } from './pendingBonus'
import type { Booking, DistanceReview, FareHistoryEntry } from '../booking/types'

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
const PRICE = 43.13
const toRefund = (amount: number, cause = 'refund'): FareHistoryEntry => ({
  kind: 'refund',
  cause,
  at: NOON,
  total: 0,
  lines: [{ label: 'fare_refund', amount: -amount }],
})
/** A booking that was paid in cash, with these refunds of a card. */
const paid = (over: Partial<Booking> = {}, ...refunds: FareHistoryEntry[]) =>
  aBooking({
    status: 'PAID',
    customer_paid: PRICE,
    cashPaymentAmount: PRICE,
    ...over,
    fare_history: Object.fromEntries(refunds.map((entry, n) => [`r${n}`, entry])),
  })
const credited = (reason: 'wrong_fare' | 'goodwill' | 'tip', rider: number) =>
  paid({ adjustments: { a: { at: NOON, reason, rider } } })
const flagged = (over: Partial<DistanceReview> = {}) =>
  paid({ distance_review: { verdict: 'flagged', dropped_points: 0, charged_time: 1, ...over } })
const refundUnderWay = { amount: PRICE } as NonNullable<PaymentAttempt['refund']>

const PEOPLE: BonusFacts['people'] = {
  referred: aRider({ signupViaReferral: 'friend', walletBalance: 2 }),
  referrer: aRider({ id: 'friend', walletBalance: 5 }),
  customer: aRider({ signupViaReferral: 'friend' }),
  driver: aDriver(),
}
type Facts = Partial<Omit<BonusFacts, 'people'>> & { people?: Partial<BonusFacts['people']> }
const pay = ({ people, ...facts }: Facts = {}, bonus = BONUS, now = BONUS.due) =>
  payPendingBonus(
    bonus,
    {
      people: { ...PEOPLE, ...people },
      isPaid: false,
      booking: paid(),
      cardPayments: [],
      settings: aSettings({ bonus: 700 }),
      ...facts,
    },
    now,
  )
const PENDING = 'internal/pending_bonuses/friend_rider'
/** Returns the reason that the office reads, or undefined when the bonus is not dropped. */
const findDropReason = (...args: Parameters<typeof pay>): unknown => {
  const audit = Object.entries(pay(...args).updates).find(([path]) => path.startsWith('audit/'))
  return (audit?.[1] as { to: { drop_reason: string } } | undefined)?.to.drop_reason
}

describe('a bonus that is due', () => {
  test('is paid and removed in one write, with a push', () => {
    const { updates, pushes } = pay()
    expect(updates).toMatchObject({
      [PENDING]: null,
      'users/friend/walletHistory/rider-referral': {
        type: 'Credit',
        amount: 10,
        txRef: 'Referral',
      },
      'users/friend/walletBalance': 15,
    })
    expect(pushes).toMatchObject([{ to: 'friend', params: { amount: 10 } }])
  })

  test('of the new user is paid into their wallet', () => {
    expect(pay({}, { ...BONUS, uid: 'rider' }).updates).toMatchObject({
      'internal/pending_bonuses/rider_rider': null,
      'users/rider/walletBalance': 12,
    })
  })

  test('of an earlier currency is replaced by the bonus of the settings', () => {
    expect(pay({}, { ...BONUS, code: 'USD' }).updates).toMatchObject({
      'users/friend/walletBalance': 705,
    })
  })

  test.each([
    ['is paid', 33.13, 705],
    ['is not paid', 33.14, undefined],
  ])('of an earlier currency %s when %d of 43.13 went back', (_, refund, balance) => {
    const { updates } = pay({ booking: paid({}, toRefund(refund)) }, { ...BONUS, code: 'USD' })
    expect(updates['users/friend/walletBalance']).toBe(balance)
  })

  test.each<[string, Booking]>([
    ['a part of the payment went back, and the rest is the bonus', paid({}, toRefund(33.13))],
    ['the trip cost less than the bonus', paid({ customer_paid: 4, cashPaymentAmount: 4 })],
    ['the bank reversed the refund', paid({}, toRefund(PRICE), toRefund(-PRICE))],
    [
      'the platform won the dispute',
      paid({}, toRefund(PRICE, 'chargeback'), toRefund(-PRICE, 'chargeback_won')),
    ],
    ['as much was credited out of goodwill', credited('goodwill', PRICE)],
    ['the trip was free with a promo', paid({ customer_paid: 0, cashPaymentAmount: 0 })],
    ['the office has kept the fare of a flagged trip', flagged({ decision: 'keep' })],
    ['the office has raised the fare of a flagged trip', flagged({ decision: 'planned' })],
  ])('is paid when %s', (_, booking) => {
    expect(pay({ booking }).updates).toMatchObject({ 'users/friend/walletBalance': 15 })
  })
})

describe('a bonus that is due is dropped, and the office reads the reason, when', () => {
  test.each<[string, string, Facts]>([
    ['the wallet has it', 'already_paid', { isPaid: true }],
    ['the booking does not exist', 'booking_missing', { booking: null }],
    ['the referrer’s account is deleted', 'account_deleted', { people: { referrer: null } }],
    ['the new user’s account is deleted', 'account_deleted', { people: { referred: null } }],
    ['the driver’s account is deleted', 'account_deleted', { people: { driver: null } }],
    ['the rider’s account is deleted', 'account_deleted', { people: { customer: null } }],
    [
      'the rider of a referred driver is blocked',
      'account_blocked',
      { people: { customer: aRider({ approved: false }) } },
    ],
    [
      'a blocked driver and the rider now have one bank account',
      'accounts_tied',
      {
        people: {
          customer: aRider({ bankAccount: 'DE1' }),
          driver: aDriver({ bankAccount: 'DE1', approved: false }),
        },
      },
    ],
    [
      'the referrer is blocked',
      'account_blocked',
      { people: { referrer: aRider({ id: 'friend', approved: false }) } },
    ],
    [
      'the new user is blocked',
      'account_blocked',
      { people: { referred: aRider({ approved: false }) } },
    ],
    [
      'the driver and the rider now have one bank account',
      'accounts_tied',
      {
        people: {
          customer: aRider({ bankAccount: 'DE1' }),
          driver: aDriver({ bankAccount: 'de 1' }),
        },
      },
    ],
    [
      'the referrer and the driver now have one bank account',
      'accounts_tied',
      {
        people: {
          referrer: aRider({ id: 'friend', bankAccount: 'DE1' }),
          driver: aDriver({ bankAccount: 'DE1' }),
        },
      },
    ],
    ['all of the payment went back', 'payment_refunded', { booking: paid({}, toRefund(PRICE)) }],
    [
      'less than the bonus is left of the payment',
      'payment_refunded',
      { booking: paid({}, toRefund(33.14)) },
    ],
    [
      'a complaint gave back the price',
      'payment_refunded',
      { booking: credited('wrong_fare', PRICE) },
    ],
    [
      'a refund of all is under way',
      'payment_refunded',
      { cardPayments: [aPaymentAttempt({ refund: refundUnderWay })] },
    ],
    [
      'a part was charged back',
      'payment_charged_back',
      { booking: paid({}, toRefund(1, 'chargeback')) },
    ],
    [
      'the bank has money of the card payment',
      'payment_charged_back',
      { cardPayments: [aPaymentAttempt({ charged_back: 1 })] },
    ],
  ])('%s', (_, reason, facts) => {
    expect(findDropReason(facts)).toBe(reason)
    const { updates, pushes } = pay(facts)
    expect(updates[PENDING]).toBeNull()
    expect(Object.keys(updates)).toHaveLength(2)
    expect(pushes).toEqual([])
  })

  test('the settings of a new currency have no bonus', () => {
    const settings = aSettings({ bonus: 0 })
    expect(findDropReason({ settings }, { ...BONUS, code: 'USD' })).toBe('no_bonus')
  })

  test('and two runs write one entry', () => {
    const getKeys = (now: number) => Object.keys(pay({ isPaid: true }, BONUS, now).updates)
    expect(getKeys(BONUS.due)).toEqual(getKeys(BONUS.due + HOUR_MS))
  })
})

describe('a bonus that is due waits for the office', () => {
  const unapproved = {
    people: { referrer: aDriver({ id: 'friend', approved: false }) },
  }
  const unapprovedDriver = { people: { driver: aDriver({ approved: false }) } }
  test.each<[string, string, Facts]>([
    ['while its trip is flagged and not reviewed', 'not_reviewed', { booking: flagged() }],
    ['while a driver of the referral has no approval', 'account_blocked', unapproved],
    ['while the driver of the trip has no approval', 'account_blocked', unapprovedDriver],
  ])('%s, and is dropped 90 days after the payment', (_, reason, facts) => {
    expect(pay(facts)).toEqual({
      updates: { [PENDING]: { ...BONUS, due: BONUS.due + HOUR_MS, revision: 2 } },
      pushes: [],
    })
    expect(findDropReason(facts, BONUS, NOON + 90 * DAY_MS)).toBe(reason)
  })

  test('but not when the payment of a flagged trip went back', () => {
    const booking = { ...flagged(), ...paid({}, toRefund(PRICE)) }
    expect(findDropReason({ booking })).toBe('payment_refunded')
  })
})
