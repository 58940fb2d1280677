import { describe, expect, test } from 'vitest'
import type { Booking, PaymentPacket } from '../entities'
import {
  aBooking,
  aDriver,
  admin,
  aPromo,
  aRider,
  aSettings,
  aWorld,
  driver,
  NOON,
  rider,
  system,
} from '../testing/builders'
import { commit, valueAt, type Tree } from '../testing/tree'
import { apply } from './apply'
import type { Actor, EventInput, World } from './change'

const ID = aBooking().id
const rich = aRider({ walletBalance: 100 })

/** Commits one event to a little database and looks at it. */
const after = (
  over: Partial<Booking>,
  input: EventInput,
  world: Partial<World> = {},
  actor: Actor = rider,
) => {
  const booking = aBooking({ status: 'PAYMENT_PENDING', ...over })
  const result = apply(booking, input, actor, aWorld({ customer: rich, ...world }), NOON)
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(booking)) },
    users: { rider: { walletBalance: 100 }, driver: { walletBalance: 0 } },
    promos: { spring: { user_avail: 0 } },
  }
  if (result.ok) commit(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: valueAt(tree, `bookings/${ID}`) as unknown as Booking,
    packet: valueAt(tree, `bookings/${ID}/paymentPacket`) as unknown as PaymentPacket,
    value: (path: string) => valueAt(tree, path),
    pushes: result.ok ? result.value.pushes.map(({ to, title }) => `${to} ${title}`) : [],
  }
}
const card = (amount: number, over: object = {}): EventInput => ({
  event: 'pay',
  payment: { id: 'p1', gateway: 'test', amount, currency: 'UYU' },
  ...over,
})

describe('before the trip', () => {
  test('cash moves nothing: it is promised, and the booking is not prepaid', () => {
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

  test('the wallet pays all of it now, once, with an entry of its own', () => {
    const { booking, packet, value } = after({}, { event: 'pay', payment_mode: 'wallet' })
    expect(booking).toMatchObject({ status: 'NEW', prepaid: true })
    expect(packet).toMatchObject({ usedWalletMoney: 43.13, cashPaymentAmount: 0, payableAmount: 0 })
    expect(value('users/rider/walletBalance')).toBeCloseTo(56.87, 9)
    expect(value(`users/rider/walletHistory/${ID}-wallet`)).toEqual({
      type: 'Debit',
      amount: 43.13,
      date: NOON,
      txRef: ID,
    })
  })

  test('a wallet with less is refused', () => {
    const poor = aRider({ walletBalance: 43.12 })
    expect(after({}, { event: 'pay', payment_mode: 'wallet' }, { customer: poor }).key).toBe(
      'wallet_too_low',
    )
  })

  test('a wallet with exactly enough will do, whatever the floats say', () => {
    const exact = aRider({ walletBalance: 43.13 - 1e-13 })
    expect(
      after({}, { event: 'pay', payment_mode: 'wallet' }, { customer: exact }).key,
    ).toBeUndefined()
  })

  test('part from the wallet and the rest in cash adds up', () => {
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
    expect(value('users/rider/walletBalance')).toBeCloseTo(86.87, 9)
  })

  test('more from the wallet than is due is refused', () => {
    expect(after({}, { event: 'pay', payment_mode: 'cash', usedWalletMoney: 50 }).key).toBe(
      'bad_input',
    )
  })

  test('a verified card payment prepays', () => {
    const { booking, packet } = after({}, card(43.13), {}, system)
    expect(booking).toMatchObject({
      status: 'NEW',
      prepaid: true,
      gateway: 'test',
      payment_mode: 'card',
    })
    expect(packet).toMatchObject({ cardPaymentAmount: 43.13, customer_paid: 43.13 })
  })

  test('card and wallet together add up', () => {
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
  ] as [string, EventInput][])('a card payment of %s is refused', (_, input) => {
    expect(after({}, input, {}, system).key).toBe('payment_mismatch')
  })

  test('nobody but a provider’s callback can say that a card paid', () => {
    expect(after({}, card(43.13)).key).toBe('not_allowed')
    expect(after({}, card(43.13), {}, admin).key).toBe('not_allowed')
    expect(after({}, { event: 'pay', payment_mode: 'cash' }, {}, system).key).toBe('not_allowed')
  })
})

describe('promos', () => {
  const pay = { event: 'pay', payment_mode: 'cash', promo: 'spring' } as const
  const withPromo = (promo = aPromo(), world: Partial<World> = {}) =>
    after({}, pay, { promo, ...world })

  test('a percentage comes off the trip cost, and the use is counted once', () => {
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
    ['never more than its maximum', { promo_discount_value: 90, max_promo_discount_value: 20 }, 20],
    ['a flat amount as it is', { promo_discount_type: 'flat', promo_discount_value: 7 }, 7],
    [
      'never more than the trip costs',
      { promo_discount_type: 'flat', promo_discount_value: 70, max_promo_discount_value: 0 },
      43.13,
    ],
  ] as const)('the discount is %s', (_, over, discount) => {
    expect(withPromo(aPromo(over)).packet.discount_amount).toBe(discount)
  })

  test('a promo that pays for everything leaves nothing to collect', () => {
    const free = aPromo({ promo_discount_value: 100, max_promo_discount_value: 0 })
    expect(withPromo(free).booking).toMatchObject({ prepaid: true, customer_paid: 0 })
  })

  test.each([
    ['unknown', null, {}, 'promo_invalid'],
    ['over', aPromo({ promo_validity: NOON - 1 }), {}, 'promo_expired'],
    ['for more expensive trips', aPromo({ min_order: 43.14 }), {}, 'promo_min_order'],
    ['used by this rider before', aPromo(), { promoUsedBefore: true }, 'promo_already_used'],
    ['used up', aPromo({ promo_usage_limit: 3, user_avail: 3 }), {}, 'promo_used_up'],
  ] as const)('a promo that is %s is refused', (_, promo, world, key) => {
    expect(after({}, pay, { promo, ...world }).key).toBe(key)
  })

  test('the minimum order may be met exactly', () => {
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

  test('the driver who collects is owed his share and keeps the cash', () => {
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
    expect(value('users/driver/walletBalance')).toBeCloseTo(-5.63, 9)
    expect(pushes).toEqual(['driver push_earned_title', 'rider push_paid_title'])
  })

  test('collecting does not free a driver who already has his next booking', () => {
    const { value } = after(
      ended,
      { event: 'collect' },
      { driver: aDriver({ queue: true }) },
      driver,
    )
    expect(value('users/driver/queue')).toBeNull()
  })

  test('the wallet pays instead of the promised cash', () => {
    const { booking, value, packet } = after(ended, { event: 'pay', payment_mode: 'wallet' })
    expect(booking.status).toBe('PAID')
    expect(packet).toMatchObject({
      payment_mode: 'wallet',
      usedWalletMoney: 43.13,
      cashPaymentAmount: 0,
    })
    expect(value('users/driver/walletBalance')).toBe(37.5)
    expect(value('users/rider/walletBalance')).toBeCloseTo(56.87, 9)
  })

  test('a card pays what the wallet did not, each under its own key', () => {
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

  test('a rider can’t say that he paid cash: his driver does', () => {
    expect(after(ended, { event: 'pay', payment_mode: 'cash' }).key).toBe('event_not_possible')
  })

  test('what was prepaid is settled when the driver finishes', () => {
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

  test('a discount is the platform’s: the driver’s share stays', () => {
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
    expect(value('users/driver/walletBalance')).toBeCloseTo(-1.32, 9)
    expect(value('stats/total')).toMatchObject({
      discountAmount: 4.31,
      customerPaid: 38.82,
      driverShare: 37.5,
      rideCost: 37.5,
    })
  })

  test('a second card payment is no repeat of the first', () => {
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

describe('referrals', () => {
  const referred = aRider({ signupViaReferral: 'friend' })
  const referrer = aRider({ id: 'friend' })
  const collected = (world: Partial<World>) =>
    after({ status: 'PENDING' }, { event: 'collect' }, world, driver)

  test('both sides get the bonus at the referred rider’s first paid booking', () => {
    const { value } = collected({ customer: referred, referrer })
    const entry = { type: 'Credit', amount: 10, date: NOON, txRef: 'Referral' }
    expect(value('users/rider/walletHistory/rider-referral')).toEqual(entry)
    expect(value('users/friend/walletHistory/rider-referral')).toEqual(entry)
    expect(value('users/friend/walletBalance')).toBe(10)
    expect(value('users/rider/referralRewarded')).toBe(true)
  })

  test('never a second time', () => {
    const { value } = collected({ customer: { ...referred, referralRewarded: true }, referrer })
    expect(value('users/friend')).toBeNull()
  })

  test('a referrer who has left does not come back through it', () => {
    const { value } = collected({ customer: referred, referrer: null })
    expect(value('users/friend')).toBeNull()
    expect(value('users/rider/walletBalance')).toBe(110)
  })

  test('no bonus, no entry', () => {
    const { value } = collected({ customer: referred, referrer, settings: aSettings({ bonus: 0 }) })
    expect(value('users/rider/walletHistory')).toBeNull()
  })
})
