import { describe, expect, it } from 'vitest'
import type { Booking } from '~/domain/entities'
import { aBooking, aPromo, aRider, aSettings } from '~/domain/testing/builders'
import { aProject, as, projectPorts, refusedKey } from '../testing'
import { add_to_wallet } from './addToWallet'
import { complete_withdraw } from './completeWithdraw'
import { quote_payment } from './quotePayment'
import { request_withdraw } from './requestWithdraw'
import { start_payment } from './startPayment'

const rich = aRider({ walletBalance: 100 })
const credit = { type: 'Credit', amount: 100, date: 1, txRef: 'start' }
const project = (more: object = {}) => {
  const { users } = aProject()
  const history = { walletHistory: { start: credit } }
  const driver = { ...users.driver, walletBalance: 100, ...history }
  return projectPorts({ users: { ...users, rider: { ...rich, ...history }, driver }, ...more })
}

describe('crediting a wallet', () => {
  const input = { credit_id: 'c1', uid: 'rider', amount: 12.345 }
  it('moves balance and history together, rounded, and once a credit id', async () => {
    const given = project()
    const first = await add_to_wallet.handle(input, as('admin', 'admin', given))
    expect(first).toEqual({ uid: 'rider', amount: 12.35, walletBalance: 112.35 })
    expect(await add_to_wallet.handle(input, as('admin', 'admin', given))).toEqual(first)
    const entries = Object.values(given.db.at('users/rider/walletHistory') as object)
    expect(entries).toContainEqual(expect.objectContaining({ txRef: 'AdminCredit', amount: 12.35 }))
    expect(entries).toHaveLength(2)
    expect(Object.keys(given.db.at('inbox/rider') as object)).toHaveLength(1)
    expect(Object.keys(given.db.at('audit') as object)).toHaveLength(1)
  })
  it('needs a user who exists and an amount that is something', async () => {
    const call = (more: object) =>
      refusedKey(add_to_wallet.handle({ ...input, ...more }, as('admin', 'admin', project())))
    expect(await call({ uid: 'nobody' })).toBe('no_details_error')
    expect(await call({ amount: 0.001 })).toBe('no_details_error')
  })
})

describe('withdrawing', () => {
  const input = { withdraw_id: 'w1', amount: 60 }
  it('takes the amount out at once, and asks once a withdraw id', async () => {
    const given = project()
    const first = await request_withdraw.handle(input, as('driver', 'driver', given))
    expect(first).toEqual({ withdraw_id: 'w1', amount: 60, walletBalance: 40 })
    expect(await request_withdraw.handle(input, as('driver', 'driver', given))).toEqual(first)
    expect(given.db.at('withdraws/w1')).toMatchObject({ uid: 'driver', processed: false })
  })
  it('more than there is, is refused', async () => {
    const call = request_withdraw.handle(
      { ...input, amount: 101 },
      as('driver', 'driver', project()),
    )
    expect(await refusedKey(call)).toBe('withdraw_too_much')
  })
  it('riders only when the setting lets them', async () => {
    const call = request_withdraw.handle(input, as('rider', 'rider', project()))
    expect(await refusedKey(call)).toBe('not_allowed')
    const open = project({ settings: aSettings({ RiderWithDraw: true }) })
    expect(await request_withdraw.handle(input, as('rider', 'rider', open))).toMatchObject({
      walletBalance: 40,
    })
  })
  it('somebody else’s withdraw id is not mine', async () => {
    const given = project({ settings: aSettings({ RiderWithDraw: true }) })
    await request_withdraw.handle(input, as('driver', 'driver', given))
    const call = request_withdraw.handle(input, as('rider', 'rider', given))
    expect(await refusedKey(call)).toBe('not_allowed')
  })
  it('is completed once, with its date', async () => {
    const given = project()
    await request_withdraw.handle(input, as('driver', 'driver', given))
    const complete = () =>
      complete_withdraw.handle({ withdraw_id: 'w1' }, as('admin', 'admin', given))
    const first = await complete()
    expect(first).toMatchObject({ processed: true })
    expect(await complete()).toEqual(first)
    expect(given.db.at('users/driver/walletBalance')).toBe(40)
    const unknown = complete_withdraw.handle({ withdraw_id: 'w2' }, as('admin', 'admin', given))
    expect(await refusedKey(unknown)).toBe('not_found')
  })
})

describe('paying', () => {
  const booking = aBooking({ status: 'PAYMENT_PENDING' })
  const booking_id = booking.id
  const pending = (more: object = {}) => project({ bookings: { [booking_id]: booking }, ...more })

  it('a quote says what is left after promo and wallet, and writes nothing', async () => {
    const given = pending({ promos: { spring: aPromo() } })
    const { packet, due } = await quote_payment.handle(
      { booking_id, promo: 'spring', usedWalletMoney: 5 },
      as('rider', 'rider', given),
    )
    expect(packet.discount_amount).toBeGreaterThan(0)
    expect(packet.usedWalletMoney).toBe(5)
    expect(due).toBeCloseTo(booking.trip_cost - packet.discount_amount - 5, 2)
    expect(given.db.commits()).toBe(0)
  })
  it.each([
    ['a booking of somebody else', 'driver', {}, 'not_allowed'],
    ['an unknown promo', 'rider', { promo: 'nothing' }, 'promo_invalid'],
    ['more wallet than is due', 'rider', { usedWalletMoney: 1e6 }, 'bad_input'],
  ] as const)('%s is refused', async (_, uid, more, key) => {
    const call = quote_payment.handle({ booking_id, ...more }, as(uid, 'rider', pending()))
    expect(await refusedKey(call)).toBe(key)
  })
  it('cash and wallet pay at once; a repeat pays nothing more', async () => {
    const given = pending()
    const pay = () =>
      start_payment.handle({ booking_id, payment_mode: 'wallet' }, as('rider', 'rider', given))
    const first = await pay()
    expect(first).toMatchObject({ booking_id, status: 'NEW' })
    expect(await pay()).toEqual(first)
    const balance = given.db.at('users/rider/walletBalance')
    expect(balance).toBeCloseTo(100 - booking.trip_cost, 2)
    expect((given.db.at(`bookings/${booking_id}`) as Booking).prepaid).toBe(true)
  })
  it('a provider that is not configured is not pretended', async () => {
    const given = pending()
    const card = { booking_id, payment_mode: 'card', provider: 'stripe' } as const
    expect(await refusedKey(start_payment.handle(card, as('rider', 'rider', given)))).toBe(
      'not_found',
    )
    expect(given.db.commits()).toBe(0)
  })
})
