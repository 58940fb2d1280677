import { describe, expect, it } from 'vitest'
import { aBooking, aPaymentAttempt, aPromo, aRider, aSettings } from '~/domain/testing/builders'
import {
  aProject,
  createUserContext,
  createProjectPorts,
  getErrorKey,
} from '../../testing/testPorts'
import { createPaymentService } from '../../services/payments/paymentService'
import { add_to_wallet } from './addToWallet'
import { complete_withdraw } from './completeWithdraw'
import { return_withdraw } from './returnWithdraw'
import { quote_payment } from '../payments/quotePayment'
import { request_withdraw } from './requestWithdraw'
import { start_payment } from '../payments/startPayment'
import { take_from_wallet } from './takeFromWallet'
import type { Booking, DistanceReview } from '~/domain/booking/types'

const rich = aRider({ walletBalance: 100 })
const credit = { type: 'Credit', amount: 100, date: 1, txRef: 'start' }
const project = (more: object = {}) => {
  const { users } = aProject()
  const history = { walletHistory: { start: credit } }
  const driver = { ...users.driver, walletBalance: 100, ...history }
  return createProjectPorts({
    users: { ...users, rider: { ...rich, ...history }, driver },
    ...more,
  })
}
type Project = ReturnType<typeof project>

describe('crediting a wallet', () => {
  const input = { credit_id: 'c1', uid: 'rider', amount: 12.345 }
  it('updates balance and history together, rounded, once for each credit id', async () => {
    const given = project()
    const first = await add_to_wallet.handle(input, createUserContext('admin', 'admin', given))
    expect(first).toEqual({ uid: 'rider', amount: 12.35, walletBalance: 112.35 })
    expect(await add_to_wallet.handle(input, createUserContext('admin', 'admin', given))).toEqual(
      first,
    )
    const entries = Object.values(given.db.at('users/rider/walletHistory') as object)
    expect(entries).toContainEqual(expect.objectContaining({ txRef: 'AdminCredit', amount: 12.35 }))
    expect(entries).toHaveLength(2)
    expect(Object.keys(given.db.at('inbox/rider') as object)).toHaveLength(1)
    expect(Object.keys(given.db.at('audit') as object)).toHaveLength(1)
  })
  it('requires an existing user and a nonzero amount', async () => {
    const call = (more: object) =>
      getErrorKey(
        add_to_wallet.handle({ ...input, ...more }, createUserContext('admin', 'admin', project())),
      )
    expect(await call({ uid: 'nobody' })).toBe('no_details_error')
    expect(await call({ amount: 0.001 })).toBe('no_details_error')
  })
})

describe('two identical concurrent requests, of which one is written between the reads of the other', () => {
  /** Runs `first` once, when `path` is about to be read. */
  const writeBeforeRead = (
    given: Project,
    path: string,
    first: () => Promise<unknown>,
  ): Project => {
    let isDone = false
    return {
      ...given,
      db: {
        ...given.db,
        async read<T>(read: string) {
          if (read === path && !isDone) {
            isDone = true
            await first()
          }
          return given.db.read<T>(read)
        },
      },
    }
  }
  const as = (uid: 'admin' | 'driver', given: Project) => createUserContext(uid, uid, given)

  const credit = { credit_id: 'c1', uid: 'rider', amount: 5 }
  const debit = { debit_id: 'c1', uid: 'rider', amount: 5, note: 'Twice' }
  const creditAs = (given: Project) => add_to_wallet.handle(credit, as('admin', given))
  const correctAs = (given: Project) => take_from_wallet.handle(debit, as('admin', given))

  it.each([
    ['credit', creditAs, 'c1-admin', 105],
    ['correction', correctAs, 'c1-correction', 95],
  ])('both return the balance after the %s', async (_, adjust, key, walletBalance) => {
    const given = project()
    const answers: unknown[] = []
    const path = `users/rider/walletHistory/${key}`
    const raced = writeBeforeRead(given, path, async () => answers.push(await adjust(given)))
    answers.push(await adjust(raced))
    expect(answers).toEqual(Array(2).fill({ uid: 'rider', amount: 5, walletBalance }))
  })

  it('both return the balance after the withdrawal', async () => {
    const given = project()
    const input = { withdraw_id: 'w1', amount: 60 }
    const answers: unknown[] = []
    const raced = writeBeforeRead(given, 'withdraws/w1', async () =>
      answers.push(await request_withdraw.handle(input, as('driver', given))),
    )
    answers.push(await request_withdraw.handle(input, as('driver', raced)))
    expect(answers).toEqual(Array(2).fill({ withdraw_id: 'w1', amount: 60, walletBalance: 40 }))
  })
})

describe('correcting a wallet', () => {
  const input = { debit_id: 'd1', uid: 'rider', amount: 12.345, note: 'Credited twice' }
  it('takes money back once a debit id, with the reason in history and audit log', async () => {
    const given = project()
    const first = await take_from_wallet.handle(input, createUserContext('admin', 'admin', given))
    expect(first).toEqual({ uid: 'rider', amount: 12.35, walletBalance: 87.65 })
    expect(
      await take_from_wallet.handle(input, createUserContext('admin', 'admin', given)),
    ).toEqual(first)
    expect(given.db.at('users/rider/walletHistory/d1-correction')).toMatchObject({
      type: 'Debit',
      amount: 12.35,
      txRef: 'AdminDebit',
      note: 'Credited twice',
    })
    expect(Object.values(given.db.at('audit') as object)).toEqual([
      expect.objectContaining({
        by: 'admin',
        action: 'wallet_debit',
        path: 'users/rider',
        from: { walletBalance: 100 },
        to: { walletBalance: 87.65, amount: 12.35, note: 'Credited twice' },
      }),
    ])
    expect(Object.keys(given.db.at('inbox/rider') as object)).toHaveLength(1)
  })
  it('keeps the note of a credit in history and audit log', async () => {
    const given = project()
    const credit = { credit_id: 'c1', uid: 'rider', amount: 5, note: 'Late driver' }
    await add_to_wallet.handle(credit, createUserContext('admin', 'admin', given))
    expect(given.db.at('users/rider/walletHistory/c1-admin')).toMatchObject({ note: 'Late driver' })
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { from: { walletBalance: 100 }, to: { walletBalance: 105, amount: 5, note: 'Late driver' } },
    ])
  })
  it('takes everything and leaves exactly zero', async () => {
    const given = project()
    const all = { ...input, amount: 100 }
    await take_from_wallet.handle(all, createUserContext('admin', 'admin', given))
    expect(Object.is(given.db.at('users/rider/walletBalance'), 0)).toBe(true)
  })
})

describe('a withdrawal', () => {
  const input = { withdraw_id: 'w1', amount: 60 }
  it('deducts the amount immediately, once for each withdrawal id', async () => {
    const given = project()
    const first = await request_withdraw.handle(input, createUserContext('driver', 'driver', given))
    expect(first).toEqual({ withdraw_id: 'w1', amount: 60, walletBalance: 40 })
    expect(
      await request_withdraw.handle(input, createUserContext('driver', 'driver', given)),
    ).toEqual(first)
    expect(given.db.at('withdraws/w1')).toMatchObject({ uid: 'driver', processed: false })
  })
  it('of the whole balance leaves exactly zero, and another one is refused', async () => {
    const { users } = aProject()
    const driver = { ...users.driver, walletBalance: 3082.2699999999986 }
    const given = createProjectPorts({ users: { ...users, driver } })
    const all = { withdraw_id: 'w1', amount: 3082.27 }
    const answer = await request_withdraw.handle(all, createUserContext('driver', 'driver', given))
    expect(answer).toEqual({ withdraw_id: 'w1', amount: 3082.27, walletBalance: 0 })
    expect(Object.is(given.db.at('users/driver/walletBalance'), 0)).toBe(true)
    const more = request_withdraw.handle(
      { withdraw_id: 'w2', amount: 0.01 },
      createUserContext('driver', 'driver', given),
    )
    const refused = await more.catch((error: unknown) => error)
    expect(refused).toMatchObject({ error: { key: 'withdraw_too_much', params: { most: 0 } } })
  })
  it('of more than the balance is refused', async () => {
    const call = request_withdraw.handle(
      { ...input, amount: 101 },
      createUserContext('driver', 'driver', project()),
    )
    expect(await getErrorKey(call)).toBe('withdraw_too_much')
  })
  it('is available to riders only when the setting allows it', async () => {
    const call = request_withdraw.handle(input, createUserContext('rider', 'rider', project()))
    expect(await getErrorKey(call)).toBe('not_allowed')
    const open = project({ settings: aSettings({ RiderWithDraw: true }) })
    expect(
      await request_withdraw.handle(input, createUserContext('rider', 'rider', open)),
    ).toMatchObject({
      walletBalance: 40,
    })
  })
  it('cannot reuse another user’s withdrawal id', async () => {
    const given = project({ settings: aSettings({ RiderWithDraw: true }) })
    await request_withdraw.handle(input, createUserContext('driver', 'driver', given))
    const call = request_withdraw.handle(input, createUserContext('rider', 'rider', given))
    expect(await getErrorKey(call)).toBe('not_allowed')
  })
  it('is completed once and records the date', async () => {
    const given = project()
    await request_withdraw.handle(input, createUserContext('driver', 'driver', given))
    const complete = () =>
      complete_withdraw.handle({ withdraw_id: 'w1' }, createUserContext('admin', 'admin', given))
    const first = await complete()
    expect(first).toMatchObject({ processed: true })
    expect(await complete()).toEqual(first)
    expect(given.db.at('users/driver/walletBalance')).toBe(40)
    const unknown = complete_withdraw.handle(
      { withdraw_id: 'w2' },
      createUserContext('admin', 'admin', given),
    )
    expect(await getErrorKey(unknown)).toBe('not_found')
  })

  it('is returned to the wallet once, and then not paid out', async () => {
    const given = project()
    const as = (uid: 'driver' | 'admin') => createUserContext(uid, uid, given)
    await request_withdraw.handle(input, as('driver'))
    const sendBack = () =>
      return_withdraw.handle({ withdraw_id: 'w1', note: 'Unknown account' }, as('admin'))
    const first = await sendBack()
    expect(await sendBack()).toEqual(first)
    expect(given.db.at('users/driver/walletBalance')).toBe(100)
    const payout = complete_withdraw.handle({ withdraw_id: 'w1' }, as('admin'))
    expect(await getErrorKey(payout)).toBe('already_processed')
    const { returned_at } = first
    expect(given.db.at('withdraws/w1')).toMatchObject({ processed: true, returned_at })
    expect(given.db.at('withdraws/w1')).not.toHaveProperty('procesDate')
  })

  it('is not returned to the wallet after its payout', async () => {
    const given = project()
    const as = (uid: 'driver' | 'admin') => createUserContext(uid, uid, given)
    await request_withdraw.handle(input, as('driver'))
    await complete_withdraw.handle({ withdraw_id: 'w1' }, as('admin'))
    const call = return_withdraw.handle({ withdraw_id: 'w1', note: 'Late' }, as('admin'))
    expect(await getErrorKey(call)).toBe('already_processed')
    expect(given.db.at('users/driver/walletBalance')).toBe(40)
  })

  it('is not paid out after a chargeback took the money that it was to pay', async () => {
    const history = { walletHistory: { 'p1-topup': { ...credit, txRef: 'p1' } } }
    const topUp = aPaymentAttempt({
      id: 'p1',
      kind: 'wallet',
      uid: 'rider',
      amount: 100,
      status: 'paid',
      gateway: 'test',
      ref: 'ref1',
      applied_to: 'wallet',
      booking: undefined,
    })
    const given = project({
      settings: aSettings({ RiderWithDraw: true }),
      users: { ...aProject().users, rider: { ...rich, ...history } },
      payments: { p1: topUp },
    })
    const as = (role: 'rider' | 'admin') => createUserContext(role, role, given)
    await request_withdraw.handle({ withdraw_id: 'w1', amount: 100 }, as('rider'))
    await createPaymentService({ ...given, adapters: {}, env: {} }).applyEvent({
      payment: 'p1',
      gateway: 'test',
      ref: 'ref1',
      minor: 10000,
      currency: given.db.at('settings/code') as string,
      status: 'chargeback',
      refundId: 'd1',
    })
    expect(given.db.at('users/rider/walletBalance')).toBe(-100)
    const payout = complete_withdraw.handle({ withdraw_id: 'w1' }, as('admin'))
    expect(await getErrorKey(payout)).toBe('payout_wallet_negative')
    expect(given.db.at('withdraws/w1/processed')).toBe(false)
  })
})

describe('paying', () => {
  const booking = aBooking({ status: 'PAYMENT_PENDING' })
  const booking_id = booking.id
  const pending = (more: object = {}) => project({ bookings: { [booking_id]: booking }, ...more })

  it('quotes the amount left after promo and wallet, and writes nothing', async () => {
    const given = pending({ promos: { spring: aPromo() } })
    const { packet, due } = await quote_payment.handle(
      { booking_id, promo: 'spring', usedWalletMoney: 5 },
      createUserContext('rider', 'rider', given),
    )
    expect(packet.discount_amount).toBeGreaterThan(0)
    expect(packet.usedWalletMoney).toBe(5)
    expect(due).toBeCloseTo(booking.trip_cost - packet.discount_amount - 5, 2)
    expect(given.db.getCommitCount()).toBe(0)
  })
  it.each([
    ["another user's booking", 'driver', {}, 'not_allowed'],
    ['an unknown promo', 'rider', { promo: 'nothing' }, 'promo_invalid'],
    ['more wallet money than is due', 'rider', { usedWalletMoney: 1e6 }, 'bad_input'],
  ] as const)('refuses %s', async (_, uid, more, key) => {
    const call = quote_payment.handle(
      { booking_id, ...more },
      createUserContext(uid, 'rider', pending()),
    )
    expect(await getErrorKey(call)).toBe(key)
  })
  it('settles cash and wallet payments immediately, and a repeat pays nothing more', async () => {
    const given = pending()
    const pay = () =>
      start_payment.handle(
        { booking_id, payment_mode: 'wallet' },
        createUserContext('rider', 'rider', given),
      )
    const first = await pay()
    expect(first).toMatchObject({ booking_id, status: 'NEW' })
    expect(await pay()).toEqual(first)
    const balance = given.db.at('users/rider/walletBalance')
    expect(balance).toBeCloseTo(100 - booking.trip_cost, 2)
    expect((given.db.at(`bookings/${booking_id}`) as Booking).prepaid).toBe(true)
  })
  it('refuses a provider that is not configured', async () => {
    const given = pending()
    const card = { booking_id, payment_mode: 'card', provider: 'stripe' } as const
    expect(
      await getErrorKey(start_payment.handle(card, createUserContext('rider', 'rider', given))),
    ).toBe('not_found')
    expect(given.db.getCommitCount()).toBe(0)
  })
})

describe('a driver with a trip that waits for a fare review', () => {
  const reasons: DistanceReview['reasons'] = ['end_impossible']
  const flagged = (over: object = {}) => ({
    bookings: {
      b1: aBooking({
        ...{ id: 'b1', status: 'PAID', driver: 'driver', driver_share: 30 },
        distance_review: {
          verdict: 'flagged',
          reasons,
          dropped_points: 0,
          charged_time: 600,
          ...over,
        },
      }),
    },
    fare_reviews: { b1: { at: 1, driver: 'driver' }, b2: { at: 1, driver: 'another' } },
  })
  const withdraw = (given: Project, amount: number) =>
    request_withdraw.handle(
      { withdraw_id: 'w1', amount },
      createUserContext('driver', 'driver', given),
    )
  it('withdraws all but their share of it', async () => {
    const given = project(flagged())
    expect(await getErrorKey(withdraw(given, 70.01))).toBe('withdraw_in_review')
    expect(await withdraw(given, 70)).toMatchObject({ walletBalance: 30 })
  })
  it('withdraws nothing while they have more reviews than are counted', async () => {
    const withReviews = (count: number) => {
      const { bookings } = flagged()
      const ids = Array.from({ length: count }, (_, n) => `b${n + 1}`)
      const fare_reviews = Object.fromEntries(ids.map((id) => [id, { at: 1, driver: 'driver' }]))
      return project({ bookings, fare_reviews })
    }
    expect(await getErrorKey(withdraw(withReviews(101), 0.01))).toBe('withdraw_in_review')
    expect(await withdraw(withReviews(100), 70)).toMatchObject({ walletBalance: 30 })
  })
  it('holds no share that the driver kept in cash', async () => {
    const { bookings, fare_reviews } = flagged()
    const cash = { ...bookings.b1, id: 'b2', driver_share: 30, cashPaymentAmount: 50 }
    const given = project({
      bookings: { ...bookings, b2: cash },
      fare_reviews: { ...fare_reviews, b2: { at: 1, driver: 'driver' } },
    })
    expect(await getErrorKey(withdraw(given, 70.01))).toBe('withdraw_in_review')
    expect(await withdraw(given, 70)).toMatchObject({ walletBalance: 30 })
  })
  it('withdraws everything after the decision', async () => {
    const decided = project(flagged({ decision: 'keep', decided_by: 'admin' }))
    expect(await withdraw(decided, 100)).toMatchObject({ walletBalance: 0 })
  })
})
