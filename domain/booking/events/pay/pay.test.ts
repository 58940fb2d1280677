import { describe, expect, test } from 'vitest'
import {
  aBooking,
  aDriver,
  admin,
  aPromo,
  aRider,
  aSettings,
  anEventContext,
  driver,
  NOON,
  rider,
  system,
} from '../../../testing/builders'
import { commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { DAY_MS } from '../../../language/timeUnits'
import { applyBookingEvent } from '../../applyBookingEvent'
import type { Actor } from '../../eventTypes'
import type { EventInput } from '../../eventInput'
import type { EventContext } from '../../eventContext'
import { quoteBookingPayment } from './bill'
import type { Booking, PaymentPacket } from '../../types'
import type { User } from '../../../accounts/types'

const ID = aBooking().id
const rich = aRider({ walletBalance: 100 })

/** Commits one event to an in-memory database and returns the results. */
const after = (
  over: Partial<Booking>,
  input: EventInput,
  context: Partial<EventContext> = {},
  actor: Actor = rider,
) => {
  const booking = aBooking({ status: 'PAYMENT_PENDING', ...over })
  const result = applyBookingEvent(booking, input, {
    actor,
    context: anEventContext({ customer: rich, ...context }),
    now: NOON,
  })
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(booking)) },
    users: { rider: { walletBalance: 100 }, driver: { walletBalance: 0 } },
    promos: { spring: { user_avail: 0 } },
  }
  if (result.ok) commitChange(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: readValue(tree, `bookings/${ID}`) as unknown as Booking,
    packet: readValue(tree, `bookings/${ID}/paymentPacket`) as unknown as PaymentPacket,
    value: (path: string) => readValue(tree, path),
    pushes: result.ok ? result.value.pushes.map(({ to, title }) => `${to} ${title}`) : [],
  }
}
const card = (amount: number, over: object = {}): EventInput => ({
  event: 'pay',
  payment: { id: 'p1', gateway: 'test', amount, currency: 'UYU' },
  ...over,
})

describe('a negative amount from the wallet', () => {
  test.each<[string, Partial<Booking>, EventInput, Actor]>([
    ['with cash', {}, { event: 'pay', payment_mode: 'cash', usedWalletMoney: -5 }, rider],
    [
      'with the wallet itself',
      {},
      { event: 'pay', payment_mode: 'wallet', usedWalletMoney: -5 },
      rider,
    ],
    ['with a card that pays the difference', {}, card(48.13, { usedWalletMoney: -5 }), system],
    [
      'after the trip',
      { status: 'PENDING' },
      { event: 'pay', payment_mode: 'wallet', usedWalletMoney: -0.01 },
      rider,
    ],
  ])('is refused %s, and nothing is written', (_, over, input, actor) => {
    const { key, booking, value } = after(over, input, {}, actor)
    expect(key).toBe('bad_input')
    expect(booking.status).toBe(over.status ?? 'PAYMENT_PENDING')
    expect(value('users/rider/walletBalance')).toBe(100)
  })
})

describe('before the trip', () => {
  test('moves no money for promised cash, and the booking is not prepaid', () => {
    const { booking, packet, value } = after({}, { event: 'pay', payment_mode: 'cash' })
    expect(booking).toMatchObject({ status: 'NEW', payment_mode: 'cash', prepaid: false })
    expect(packet).toEqual({
      appcat: 'delivery',
      payment_mode: 'cash',
      customer_paid: 43.13,
      discount_amount: 0,
      usedWalletMoney: 0,
      cardPaymentAmount: 0,
      cashPaymentAmount: 43.13,
      payableAmount: 43.13,
      promo_applied: false,
    })
    expect(value('users/rider')).toEqual({ walletBalance: 100 })
  })

  test('charges the wallet the full amount once, with its own entry', () => {
    const { booking, packet, value } = after({}, { event: 'pay', payment_mode: 'wallet' })
    expect(booking).toMatchObject({ status: 'NEW', prepaid: true })
    expect(packet).toMatchObject({ usedWalletMoney: 43.13, cashPaymentAmount: 0, payableAmount: 0 })
    expect(value('users/rider/walletBalance')).toBe(56.87)
    expect(value(`users/rider/walletHistory/${ID}-wallet`)).toEqual({
      type: 'Debit',
      amount: 43.13,
      date: NOON,
      txRef: ID,
    })
  })

  test('refuses a wallet with a lower balance', () => {
    const poor = aRider({ walletBalance: 43.12 })
    expect(after({}, { event: 'pay', payment_mode: 'wallet' }, { customer: poor }).key).toBe(
      'wallet_too_low',
    )
  })

  test('accepts a wallet with exactly the amount, despite floating-point noise', () => {
    const exact = aRider({ walletBalance: 43.13 - 1e-13 })
    expect(
      after({}, { event: 'pay', payment_mode: 'wallet' }, { customer: exact }).key,
    ).toBeUndefined()
  })

  test('adds up a part from the wallet and the rest in cash', () => {
    const { booking, packet, value } = after(
      {},
      {
        event: 'pay',
        payment_mode: 'cash',
        usedWalletMoney: 13.13,
      },
    )
    expect(booking.prepaid).toBe(false)
    expect(packet).toMatchObject({
      usedWalletMoney: 13.13,
      cashPaymentAmount: 30,
      payableAmount: 30,
    })
    expect(value('users/rider/walletBalance')).toBe(86.87)
  })

  test('refuses more from the wallet than is due', () => {
    expect(after({}, { event: 'pay', payment_mode: 'cash', usedWalletMoney: 50 }).key).toBe(
      'bad_input',
    )
  })

  test('accepts a verified card payment as prepayment', () => {
    const { booking, packet } = after({}, card(43.13), {}, system)
    expect(booking).toMatchObject({
      status: 'NEW',
      prepaid: true,
      gateway: 'test',
      payment_mode: 'card',
    })
    expect(packet).toMatchObject({ cardPaymentAmount: 43.13, customer_paid: 43.13 })
  })

  test('adds up card and wallet', () => {
    const { packet, booking } = after({}, card(33.13, { usedWalletMoney: 10 }), {}, system)
    expect(packet).toMatchObject({
      cardPaymentAmount: 33.13,
      usedWalletMoney: 10,
      cashPaymentAmount: 0,
    })
    expect(booking.prepaid).toBe(true)
  })

  test.each([
    ['less than is due', card(43.12)],
    ['more than is due', card(43.14)],
    [
      'another currency',
      { event: 'pay', payment: { id: 'p1', gateway: 'test', amount: 43.13, currency: 'USD' } },
    ],
  ] as [string, EventInput][])('refuses a card payment of %s', (_, input) => {
    expect(after({}, input, {}, system).key).toBe('payment_mismatch')
  })

  test('accepts a card payment only from a provider’s webhook', () => {
    expect(after({}, card(43.13)).key).toBe('not_allowed')
    expect(after({}, card(43.13), {}, admin).key).toBe('not_allowed')
    expect(after({}, { event: 'pay', payment_mode: 'cash' }, {}, system).key).toBe('not_allowed')
  })
})

describe('promos', () => {
  const pay = { event: 'pay', payment_mode: 'cash', promo: 'spring' } as const
  const withPromo = (promo = aPromo(), context: Partial<EventContext> = {}) =>
    after({}, pay, { promo, ...context })

  test('takes a percentage off the trip cost and counts the use once', () => {
    const { packet, booking, value } = withPromo()
    expect(packet).toMatchObject({
      discount_amount: 4.31,
      customer_paid: 38.82,
      cashPaymentAmount: 38.82,
      promo_applied: true,
      promo_details: { id: 'spring', promo_name: 'SPRING' },
    })
    expect(booking).toMatchObject({ discount: 4.31, discount_amount: 4.31, promo_applied: true })
    expect(value('promos/spring/user_avail')).toBe(1)
    expect(value('promo_uses/spring/rider')).toBe(ID)
  })

  test.each([
    [
      'a percentage stops at the maximum discount',
      { promo_discount_value: 90, max_promo_discount_value: 20 },
      20,
    ],
    ['a flat amount is not capped', { promo_discount_type: 'flat', promo_discount_value: 7 }, 7],
    [
      'the discount stops at the cost of the trip',
      { promo_discount_type: 'flat', promo_discount_value: 70, max_promo_discount_value: 0 },
      43.13,
    ],
  ] as const)('limits the discount: %s', (_, over, discount) => {
    expect(withPromo(aPromo(over)).packet.discount_amount).toBe(discount)
  })

  test('takes off no more than is still owed when a part was paid before', () => {
    const free = aPromo({ promo_discount_value: 100, max_promo_discount_value: 0 })
    const first = after({}, { event: 'pay', payment_mode: 'cash', usedWalletMoney: 5 })
    const { packet } = after(
      { ...first.booking, status: 'PENDING' },
      { event: 'pay', payment_mode: 'wallet', promo: 'spring' },
      { promo: free },
    )
    expect(packet).toMatchObject({
      discount_amount: 38.13,
      customer_paid: 5,
      usedWalletMoney: 5,
      cashPaymentAmount: 0,
    })
  })
  test('leaves nothing to collect when the promo covers everything', () => {
    const free = aPromo({ promo_discount_value: 100, max_promo_discount_value: 0 })
    expect(withPromo(free).booking).toMatchObject({ prepaid: true, customer_paid: 0 })
  })

  test.each([
    ['unknown', null, {}, 'promo_invalid'],
    ['expired', aPromo({ promo_validity: NOON - 1 }), {}, 'promo_expired'],
    ['for more expensive trips', aPromo({ min_order: 43.14 }), {}, 'promo_min_order'],
    ['used by this rider before', aPromo(), { isPromoUsed: true }, 'promo_already_used'],
    ['used up', aPromo({ promo_usage_limit: 3, user_avail: 3 }), {}, 'promo_used_up'],
  ] as const)('refuses a promo that is %s', (_, promo, context, key) => {
    expect(after({}, pay, { promo, ...context }).key).toBe(key)
  })

  test('accepts a trip cost exactly at the minimum order', () => {
    expect(withPromo(aPromo({ min_order: 43.13 })).key).toBeUndefined()
  })
})

describe('after the trip', () => {
  const promised = after({}, { event: 'pay', payment_mode: 'cash' }).booking
  const ended = {
    ...promised,
    ...aBooking({ status: 'PENDING' }),
    paymentPacket: promised.paymentPacket,
  }

  test('credits the driver share and lets the driver keep the cash', () => {
    const { booking, value, pushes } = after(ended, { event: 'collect' }, {}, driver)
    expect(booking).toMatchObject({ status: 'PAID', paid_at: NOON, cashPaymentAmount: 43.13 })
    expect(value(`users/driver/walletHistory/${ID}-share`)).toMatchObject({
      type: 'Credit',
      amount: 37.5,
    })
    expect(value(`users/driver/walletHistory/${ID}-cash`)).toMatchObject({
      type: 'Debit',
      amount: 43.13,
    })
    expect(value('users/driver/walletBalance')).toBe(-5.63)
    expect(pushes).toEqual(['driver push_kept_cash_title', 'rider push_paid_title'])
  })

  test('does not free a driver who already has the next booking', () => {
    const { value } = after(
      ended,
      { event: 'collect' },
      { driver: aDriver({ queue: true }) },
      driver,
    )
    expect(value('users/driver/queue')).toBeNull()
  })

  test('lets the wallet pay instead of the promised cash', () => {
    const { booking, value, packet } = after(ended, { event: 'pay', payment_mode: 'wallet' })
    expect(booking.status).toBe('PAID')
    expect(packet).toMatchObject({
      payment_mode: 'wallet',
      usedWalletMoney: 43.13,
      cashPaymentAmount: 0,
    })
    expect(value('users/driver/walletBalance')).toBe(37.5)
    expect(value('users/rider/walletBalance')).toBe(56.87)
  })

  test('lets a card pay what the wallet did not, each under its own key', () => {
    const part = after({}, { event: 'pay', payment_mode: 'cash', usedWalletMoney: 10 }).booking
    const later = { ...aBooking({ status: 'PENDING' }), paymentPacket: part.paymentPacket }
    expect(after(later, card(43.13), {}, system).key).toBe('payment_mismatch')
    expect(after(later, card(33.13), {}, system).packet).toMatchObject({
      usedWalletMoney: 10,
      cardPaymentAmount: 33.13,
      cashPaymentAmount: 0,
      customer_paid: 43.13,
    })
    const rest = after(later, { event: 'pay', payment_mode: 'wallet' })
    expect(rest.value(`users/rider/walletHistory/${ID}-rest-wallet`)).toMatchObject({
      amount: 33.13,
    })
    expect(rest.packet.usedWalletMoney).toBe(43.13)
  })

  test('refuses a rider’s own confirmation of cash, which only the driver can give', () => {
    expect(after(ended, { event: 'pay', payment_mode: 'cash' }).key).toBe('event_not_possible')
  })

  test('settles a prepaid booking when the driver finishes', () => {
    const prepaid = after({}, { event: 'pay', payment_mode: 'wallet' }).booking
    const reached = {
      ...prepaid,
      ...aBooking({ status: 'REACHED' }),
      prepaid: true,
      paymentPacket: prepaid.paymentPacket,
    }
    const { booking, value } = after(reached, { event: 'finish' }, {}, driver)
    expect(booking.status).toBe('PAID')
    expect(value('users/driver/walletBalance')).toBe(37.5)
    expect(value('users/driver/queue')).toBe(false)
  })

  test('charges a discount to the platform and keeps the driver share', () => {
    const discounted = after(
      {},
      { event: 'pay', payment_mode: 'cash', promo: 'spring' },
      { promo: aPromo() },
    ).booking
    const later = { ...aBooking({ status: 'PENDING' }), paymentPacket: discounted.paymentPacket }
    const { booking, value } = after(later, { event: 'collect' }, {}, driver)
    expect(booking).toMatchObject({
      customer_paid: 38.82,
      discount_amount: 4.31,
      cashPaymentAmount: 38.82,
    })
    expect(value('users/driver/walletBalance')).toBe(-1.32)
    expect(value('stats/total/minor/UYU2')).toMatchObject({
      discountAmount: 431,
      customerPaid: 3882,
      driverShare: 3750,
      rideCost: 3750,
    })
  })

  test('does not treat a second card payment as a repeat of the first', () => {
    const log = {
      ...ended.event_log,
      pay_PENDING: {
        event: 'pay',
        by: system.uid,
        at: NOON,
        status: 'PAID' as const,
        revision: 7,
        ref: 'p1',
      },
    }
    const paid = { ...aBooking({ status: 'PAID' }), event_log: log }
    expect(after(paid, card(43.13), {}, system)).toMatchObject({ key: undefined, pushes: [] })
    expect(
      after(
        paid,
        { event: 'pay', payment: { id: 'p2', gateway: 'test', amount: 43.13, currency: 'UYU' } },
        {},
        system,
      ).key,
    ).toBe('event_not_possible')
  })
})

describe('a promo', () => {
  const promo = aPromo()
  const pay = (driverUser: Partial<User>, referrer: User | null = null) =>
    quoteBookingPayment(
      {
        booking: aBooking({ status: 'PENDING', driver: 'driver' }),
        context: {
          settings: aSettings(),
          promo,
          isPromoUsed: false,
          customer: aRider(),
          driver: aDriver(driverUser),
          referrer,
        },
        now: NOON,
      },
      promo.id,
    )

  test('is refused when the driver is the rider or invited them', () => {
    expect(pay({}).ok).toBe(true)
    expect(pay({ id: 'rider' })).toMatchObject({ error: { key: 'promo_invalid' } })
    expect(pay({ signupViaReferral: 'rider' })).toMatchObject({ error: { key: 'promo_invalid' } })
  })

  test('is refused when the driver is tied to who invited the rider', () => {
    const friend = aRider({ id: 'friend', bankAccount: 'DE1' })
    expect(pay({ bankAccount: 'DE2' }, friend).ok).toBe(true)
    expect(pay({ bankAccount: 'de 1' }, friend)).toMatchObject({ error: { key: 'promo_invalid' } })
  })
})

describe('referrals', () => {
  const referred = aRider({ signupViaReferral: 'friend' })
  const referrer = aRider({ id: 'friend' })
  const collected = (context: Partial<EventContext>) =>
    after({ status: 'PENDING' }, { event: 'collect' }, context, driver)

  test('gives both sides the bonus at the referred rider’s first paid booking', () => {
    const { value } = collected({ customer: referred, referrer })
    const entry = { type: 'Credit', amount: 10, date: NOON, txRef: 'Referral' }
    expect(value('users/rider/walletHistory/rider-referral')).toEqual(entry)
    expect(value('users/friend/walletHistory/rider-referral')).toEqual(entry)
    expect(value('users/friend/walletBalance')).toBe(10)
    expect(value('users/rider/referralRewarded')).toBe(true)
  })

  test('gives the bonus only once', () => {
    const { value } = collected({ customer: { ...referred, referralRewarded: true }, referrer })
    expect(value('users/friend')).toBeNull()
  })

  test.each<[string, Partial<EventContext>, string[]]>([
    ['the referrer is deleted', { referrer: null }, ['rider_rider']],
    ['the driver is deleted', { driver: null }, ['friend_rider', 'rider_rider']],
    [
      'the referrer is blocked',
      { referrer: { ...referrer, approved: false } },
      ['friend_rider', 'rider_rider'],
    ],
    [
      'the driver is blocked',
      { driver: aDriver({ approved: false }) },
      ['friend_rider', 'rider_rider'],
    ],
  ])('pays no bonus at once when %s, also without a delay', (_, context, keys) => {
    const customer = { ...referred, walletBalance: 100 }
    const { value } = collected({ customer, referrer, ...context })
    const waiting = value('internal/pending_bonuses') as Record<string, { due: number }>
    expect(Object.keys(waiting).sort()).toEqual(keys)
    expect(Object.values(waiting).every(({ due }) => due === NOON)).toBe(true)
    expect(value('users/friend')).toBeNull()
    expect(value('users/rider/walletHistory/rider-referral')).toBeNull()
  })

  test('gives both sides the bonus at the referred driver’s first paid booking', () => {
    const recruit = aDriver({ signupViaReferral: 'friend' })
    const { value } = collected({ driver: recruit, driverReferrer: referrer })
    const entry = { type: 'Credit', amount: 10, date: NOON, txRef: 'Referral' }
    expect(value('users/driver/walletHistory/driver-referral')).toEqual(entry)
    expect(value('users/friend/walletHistory/driver-referral')).toEqual(entry)
    expect(value('users/friend/walletBalance')).toBe(10)
    expect(value('users/driver/referralRewarded')).toBe(true)
    const again = collected({
      driver: { ...recruit, referralRewarded: true },
      driverReferrer: referrer,
    })
    expect(again.value('users/friend')).toBeNull()
  })

  test('gives two bonuses to one friend who referred both the rider and the driver', () => {
    const { value } = collected({
      customer: referred,
      referrer,
      driver: aDriver({ signupViaReferral: 'friend' }),
      driverReferrer: referrer,
    })
    expect(Object.keys(value('users/friend/walletHistory') as object).sort()).toEqual([
      'driver-referral',
      'rider-referral',
    ])
    expect(value('users/friend/walletBalance')).toBe(20)
  })

  test('rounds a bonus with more decimals than the currency', () => {
    const { value } = collected({
      customer: referred,
      referrer,
      settings: aSettings({ bonus: 1.005 }),
    })
    expect(value('users/friend/walletHistory/rider-referral/amount')).toBe(1.01)
    expect(value('users/friend/walletBalance')).toBe(1.01)
  })

  test.each([
    ['the referrer drives', { referrer: aDriver() }],
    ['the rider has the driver’s bank account', { driver: aDriver({ bankAccount: 'DE1' }) }],
  ])('gives no bonus yet when %s', (_, context) => {
    const customer = aRider({ signupViaReferral: 'driver', bankAccount: 'DE 1' })
    const { value } = collected({ customer, referrer, ...context })
    expect(value('users/rider/walletHistory')).toBeNull()
    expect(value('users/rider/referralRewarded')).toBeNull()
  })

  test('gives no bonus yet for a trip that drove only a part of the planned road', () => {
    const rewarded = (driven_distance: number) =>
      after(
        { status: 'PENDING', estimateDistance: 5.2, driven_distance },
        { event: 'collect' },
        { customer: referred, referrer },
        driver,
      ).value('users/rider/referralRewarded')
    expect([rewarded(2.5), rewarded(2.7)]).toEqual([null, true])
  })

  test('lets both bonuses wait when the office has set a delay', () => {
    const { value, pushes } = collected({
      customer: referred,
      referrer,
      settings: aSettings({ bonusDelayDays: 14 }),
    })
    const bonus = {
      referred: 'rider',
      booking: ID,
      amount: 10,
      code: 'UYU',
      at: NOON,
      due: NOON + 14 * DAY_MS,
      revision: 1,
    }
    expect(value('internal/pending_bonuses')).toEqual({
      rider_rider: { uid: 'rider', ...bonus },
      friend_rider: { uid: 'friend', ...bonus },
    })
    expect(value('users/rider/referralRewarded')).toBe(true)
    expect(value('users/rider/walletHistory/rider-referral')).toBeNull()
    expect(value('users/friend')).toBeNull()
    expect(pushes.filter((push) => push.includes('referral'))).toEqual([])
  })

  describe('of a flagged trip', () => {
    const collectFlagged = (review: Partial<Booking['distance_review']>) =>
      after(
        {
          status: 'PENDING',
          distance_review: { verdict: 'flagged', dropped_points: 0, charged_time: 1, ...review },
        },
        { event: 'collect' },
        { customer: referred, referrer },
        driver,
      )

    test('let both bonuses wait for the office, also without a delay', () => {
      const { value, pushes } = collectFlagged({})
      const waiting = value('internal/pending_bonuses') as Record<string, { due: number }>
      expect(Object.keys(waiting).sort()).toEqual(['friend_rider', 'rider_rider'])
      expect(Object.values(waiting).map(({ due }) => due)).toEqual([NOON, NOON])
      expect(value('users/rider/walletHistory/rider-referral')).toBeNull()
      expect(value('users/friend')).toBeNull()
      expect(pushes.filter((push) => push.includes('referral'))).toEqual([])
    })

    test.each([
      ['reviewed before the payment', { decision: 'keep' as const }],
      ['found plausible', { verdict: 'ok' as const }],
    ])('pay both bonuses at once when it was %s', (_, review) => {
      const { value } = collectFlagged(review)
      expect(value('internal/pending_bonuses')).toBeNull()
      expect(value('users/friend/walletBalance')).toBe(10)
    })
  })

  test('writes no entry without a bonus', () => {
    const { value } = collected({ customer: referred, referrer, settings: aSettings({ bonus: 0 }) })
    expect(value('users/rider/walletHistory')).toBeNull()
  })
})
