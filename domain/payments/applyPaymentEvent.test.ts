import { describe, expect, it } from 'vitest'
import { plain } from '../booking/draft'
import type { Booking } from '../entities'
import { aBooking, anAttempt, aRider, aSettings, aWorld, NOON } from '../testing/builders'
import { commit, valueAt, type Tree } from '../testing/tree'
import { applyPaymentEvent, type PaymentOutcome } from './applyPaymentEvent'
import type { PaymentAttempt, PaymentEvent } from './attempt'
import { eventKey, NEXT_STATUS, PAYMENT_STATUSES } from './attempt'
import { resolveParked } from './resolve'
import { paymentViolations } from './violations'

const forBooking = (over: Partial<PaymentAttempt> = {}) =>
  anAttempt({ kind: 'booking', booking: aBooking().id, ...over })
const anEvent = (over: Partial<PaymentEvent> = {}): PaymentEvent => ({
  payment: 'pay1',
  gateway: 'test',
  ref: 'ch_1',
  status: 'paid',
  minor: 4313,
  currency: 'UYU',
  ...over,
})

/** A database with one rider, one booking and some attempts, that takes events as the functions do. */
const desk = (attempts: PaymentAttempt[], booking: Booking | null = null) => {
  const tree: Tree = plain({
    users: { rider: aRider({ walletBalance: 0 }) },
    payments: Object.fromEntries(attempts.map((attempt) => [attempt.id, attempt])),
    ...(booking && { bookings: { [booking.id]: booking } }),
  }) as Tree
  const at = <T>(path: string) => valueAt(tree, path) as T
  return {
    at,
    violations: () => paymentViolations(tree as never),
    balance: () => at<number>('users/rider/walletBalance'),
    attempt: (id = 'pay1') => at<PaymentAttempt>(`payments/${id}`),
    booking: () => at<Booking>(`bookings/${booking?.id ?? ''}`),
    hears: (event: PaymentEvent): PaymentOutcome => {
      const attempt = at<PaymentAttempt | null>(`payments/${event.payment}`)
      const customer = at<ReturnType<typeof aRider>>('users/rider')
      const change = applyPaymentEvent(
        event,
        {
          attempt,
          seen: at(`payment_events/${eventKey(event)}`) !== null,
          booking: attempt?.booking ? at<Booking | null>(`bookings/${attempt.booking}`) : null,
          world: aWorld({ customer, settings: aSettings() }),
          payerExists: customer !== null,
        },
        NOON,
      )
      commit(tree, change)
      return change.outcome
    },
    resolve: (how: 'credit' | 'dismiss') => {
      const attempt = at<PaymentAttempt>('payments/pay1')
      const result = resolveParked(attempt, how, { settings: aSettings(), payerExists: true }, NOON)
      if (result.ok) commit(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
  }
}

describe('a top-up', () => {
  it('goes into the wallet once, however often it is said', () => {
    const d = desk([anAttempt()])
    expect([d.hears(anEvent()), d.hears(anEvent()), d.hears(anEvent())]).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
    expect(d.balance()).toBe(43.13)
    expect(d.attempt()).toMatchObject({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })
    expect(d.at('users/rider/walletHistory/pay1-topup')).toMatchObject({ type: 'Credit' })
  })
  it.each([
    ['one unit less', { minor: 4312 }, 'amount_mismatch'],
    ['one unit more', { minor: 4314 }, 'amount_mismatch'],
    ['another currency', { currency: 'USD' }, 'currency_mismatch'],
  ])('%s is parked for the office, and nobody is credited', (_, over, problem) => {
    const d = desk([anAttempt()])
    expect(d.hears(anEvent(over))).toBe('parked')
    expect(d.balance()).toBe(0)
    expect(d.attempt()).toMatchObject({ status: 'pending', problem, parked: { ref: 'ch_1' } })
  })
  it('keeps the number that a refund will have to name, unless the checkout has one', () => {
    const fresh = desk([anAttempt()])
    fresh.hears(anEvent({ handle: 'txn-1' }))
    expect(fresh.attempt()).toMatchObject({ ref: 'ch_1', checkout_ref: 'txn-1' })
    const opened = desk([anAttempt({ checkout_ref: 'cs_1' })])
    opened.hears(anEvent({ handle: 'txn-1' }))
    expect(opened.attempt().checkout_ref).toBe('cs_1')
  })
  it('the right money after the wrong money still counts', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent({ minor: 1 }))
    expect(d.hears(anEvent({ ref: 'ch_2' }))).toBe('applied')
    expect(d.balance()).toBe(43.13)
    expect(d.attempt().problem).toBe('amount_mismatch')
  })
  it('paid twice within one checkout is the office’s to decide', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent())
    expect(d.hears(anEvent({ ref: 'ch_2' }))).toBe('parked')
    expect(d.balance()).toBe(43.13)
    expect(d.attempt()).toMatchObject({ status: 'paid', problem: 'paid_twice' })
  })
  it('another provider, or an unknown attempt, is nobody', () => {
    const d = desk([anAttempt()])
    expect(d.hears(anEvent({ gateway: 'stripe' }))).toBe('unknown')
    expect(d.hears(anEvent({ payment: 'other' }))).toBe('unknown')
    expect(d.balance()).toBe(0)
  })
})

describe('the order of events', () => {
  it('failed after paid is ignored', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent())
    for (const status of ['failed', 'cancelled', 'pending'] as const)
      expect(d.hears(anEvent({ status }))).toBe('ignored')
    expect(d.attempt().status).toBe('paid')
  })
  it('paid after failed or cancelled is money all the same', () => {
    for (const status of ['failed', 'cancelled'] as const) {
      const d = desk([anAttempt()])
      expect(d.hears(anEvent({ status, ref: 'ch_0' }))).toBe('applied')
      expect(d.hears(anEvent())).toBe('applied')
      expect(d.balance()).toBe(43.13)
    }
  })
  it('a refund before its payment is to be said again', () => {
    const d = desk([anAttempt()])
    expect(d.hears(anEvent({ status: 'refunded', minor: 1 }))).toBe('too_early')
    d.hears(anEvent())
    expect(d.hears(anEvent({ status: 'refunded', minor: 4313, refundId: 'r1' }))).toBe('applied')
    expect(d.balance()).toBe(0)
  })
  it('no status goes back to created, nothing follows refunded', () => {
    for (const status of PAYMENT_STATUSES) expect(NEXT_STATUS[status]).not.toContain('created')
    expect(NEXT_STATUS.refunded).toEqual([])
  })
  it('any order of everything, thrice, credits once', () => {
    const said = [
      anEvent(),
      anEvent({ status: 'failed' }),
      anEvent({ status: 'pending' }),
      anEvent({ status: 'cancelled' }),
    ]
    for (let first = 0; first < said.length; first++) {
      const d = desk([anAttempt()])
      for (let i = 0; i < 12; i++) d.hears(said[(first + i * 3) % said.length] ?? anEvent())
      expect([d.balance(), d.attempt().status]).toEqual([43.13, 'paid'])
      expect(d.violations()).toEqual([])
    }
  })
})

describe('a booking', () => {
  const waiting = aBooking({ status: 'PAYMENT_PENDING' })
  it('is paid in the same write', () => {
    const d = desk([forBooking()], waiting)
    expect(d.hears(anEvent())).toBe('applied')
    expect(d.booking()).toMatchObject({
      status: 'NEW',
      revision: 2,
      gateway: 'test',
      prepaid: true,
    })
    expect(d.booking().paymentPacket).toMatchObject({ payment_mode: 'card', customer_paid: 43.13 })
    expect(d.attempt().applied_to).toBe('booking')
    expect(d.balance()).toBe(0)
  })
  it('after the trip becomes PAID', () => {
    const d = desk([forBooking()], aBooking({ status: 'PENDING' }))
    d.hears(anEvent())
    expect(d.booking().status).toBe('PAID')
    expect(d.at('users/driver/walletHistory')).toMatchObject({
      [`${waiting.id}-share`]: { type: 'Credit' },
    })
  })
  it('a second paid attempt goes to the payer’s wallet', () => {
    const d = desk([forBooking(), forBooking({ id: 'pay2' })], waiting)
    d.hears(anEvent())
    expect(d.hears(anEvent({ payment: 'pay2', ref: 'ch_2' }))).toBe('applied')
    expect(d.booking().revision).toBe(2)
    expect(d.balance()).toBe(43.13)
    expect(d.violations()).toEqual([])
    expect(d.attempt('pay2')).toMatchObject({
      applied_to: 'wallet',
      applied_because: 'event_not_possible',
    })
  })
  it.each([
    ['cancelled', aBooking({ status: 'CANCELLED' })],
    ['gone on without the payment', aBooking({ status: 'STARTED' })],
    ['now of another price', aBooking({ status: 'PAYMENT_PENDING', trip_cost: 50 })],
    ['gone', null],
  ])('that is %s by then: the money goes to the payer’s wallet', (_, booking) => {
    const d = desk([forBooking()], booking)
    expect(d.hears(anEvent())).toBe('applied')
    expect(d.balance()).toBe(43.13)
    if (booking) expect(d.booking().status).toBe(booking.status)
  })
})

describe('refunds', () => {
  const refund = (minor: number, refundId: string) =>
    anEvent({ status: 'refunded', minor, refundId })
  it('in parts leave the wallet, each once, and never more than came', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent())
    expect(d.hears(refund(1000, 'r1'))).toBe('applied')
    expect(d.hears(refund(1000, 'r1'))).toBe('duplicate')
    expect(d.attempt()).toMatchObject({ status: 'partially_refunded', refunded: 10 })
    expect(d.hears(refund(3313, 'r2'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', refunded: 43.13 })
    expect(d.balance()).toBeCloseTo(0, 6)
    expect(d.hears(refund(1, 'r3'))).toBe('parked')
  })
  it('said as a running total count only what is new', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent())
    const total = (minor: number) => anEvent({ status: 'refunded', minor, cumulative: true })
    expect([d.hears(total(1000)), d.hears(total(1500)), d.hears(total(1000))]).toEqual([
      'applied',
      'applied',
      'duplicate',
    ])
    expect(d.balance()).toBeCloseTo(28.13, 6)
  })
  it('of a cancelled booking take back what cancelling gave', () => {
    const d = desk(
      [forBooking({ status: 'paid', ref: 'ch_1', applied_to: 'booking' })],
      aBooking({ status: 'CANCELLED' }),
    )
    expect(d.hears(refund(4313, 'r1'))).toBe('applied')
    expect(d.balance()).toBe(-43.13)
  })
  it('of a booking that goes on are the office’s to look at', () => {
    const d = desk([forBooking()], aBooking({ status: 'PAYMENT_PENDING' }))
    d.hears(anEvent())
    expect(d.hears(refund(4313, 'r1'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', problem: 'refund_unbalanced' })
    expect(d.balance()).toBe(0)
  })
  it('a chargeback is shown to the office', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent())
    expect(d.hears(anEvent({ status: 'chargeback' }))).toBe('parked')
    expect(d.attempt()).toMatchObject({ status: 'paid', problem: 'chargeback' })
  })
})

describe('what was parked', () => {
  it('is credited once, and ends the attempt', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent({ minor: 4000 }))
    expect([d.resolve('credit'), d.resolve('credit')]).toEqual(['done', 'already_processed'])
    expect(d.balance()).toBe(40)
    expect(d.attempt()).toMatchObject({ status: 'cancelled' })
  })
  it('or was settled elsewhere', () => {
    const d = desk([anAttempt()])
    d.hears(anEvent({ currency: 'USD' }))
    expect(d.resolve('credit')).toBe('payment_mismatch')
    expect(d.resolve('dismiss')).toBe('done')
    expect(d.balance()).toBe(0)
  })
})

it('money that is not where its attempt says is found', () => {
  const paid = anAttempt({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })
  expect(desk([paid]).violations()).toHaveLength(2)
  expect(desk([anAttempt()]).violations()).toEqual([])
})

it('event keys are legal and different for different things', () => {
  const keys = [
    eventKey(anEvent({ ref: 'a.b' })),
    eventKey(anEvent({ ref: 'a_b' })),
    eventKey(anEvent({ ref: 'a/b' })),
    eventKey(anEvent({ status: 'refunded', refundId: 'r' })),
    eventKey(anEvent({ status: 'refunded', cumulative: true })),
  ]
  expect(new Set(keys).size).toBe(5)
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]+$/)
})
