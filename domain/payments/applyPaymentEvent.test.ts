import { describe, expect, it } from 'vitest'
import { toJson } from '../data/databaseValue'
import {
  aBooking,
  aPaymentAttempt,
  aRider,
  aSettings,
  anEventContext,
  NOON,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { applyPaymentEvent } from './applyPaymentEvent'
import type { PaymentAttempt, PaymentEvent } from './paymentAttempt'
import { createEventKey, NEXT_PAYMENT_STATUSES, PAYMENT_STATUSES } from './paymentAttempt'
import type { PaymentOutcome } from './paymentChange'
import { resolveUnmatched } from './unmatchedPayment'
import { findPayerViolations, findPaymentViolations } from './paymentViolations'
import type { Booking } from '../booking/types'

const forBooking = (over: Partial<PaymentAttempt> = {}) =>
  aPaymentAttempt({ kind: 'booking', booking: aBooking().id, ...over })
const anEvent = (over: Partial<PaymentEvent> = {}): PaymentEvent => ({
  payment: 'pay1',
  gateway: 'test',
  ref: 'ch_1',
  status: 'paid',
  minor: 4313,
  currency: 'UYU',
  ...over,
})

/**
 * Returns an in-memory database with one rider, one booking and some attempts, which processes
 * events like the functions.
 */
const testPayments = (attempts: PaymentAttempt[], booking: Booking | null = null) => {
  let settings = aSettings()
  const tree: Tree = toJson({
    users: { rider: aRider({ walletBalance: 0 }) },
    payments: Object.fromEntries(attempts.map((attempt) => [attempt.id, attempt])),
    ...(booking && { bookings: { [booking.id]: booking } }),
  }) as Tree
  const at = <T>(path: string) => readValue(tree, path) as T
  return {
    at,
    /** Switches the platform to another currency. */
    nowIn: (code: string) => void (settings = aSettings({ code })),
    leaves: () => commitChange(tree, { updates: { 'users/rider': null } }),
    violations: () => [...findPayerViolations(tree), ...findPaymentViolations(tree)],
    balance: () => at<number>('users/rider/walletBalance'),
    attempt: (id = 'pay1') => at<PaymentAttempt>(`payments/${id}`),
    booking: () => at<Booking>(`bookings/${booking?.id ?? ''}`),
    receives: (event: PaymentEvent): PaymentOutcome => {
      const attempt = at<PaymentAttempt | null>(`payments/${event.payment}`)
      const customer = at<ReturnType<typeof aRider>>('users/rider')
      const change = applyPaymentEvent(
        event,
        {
          attempt,
          isAlreadyProcessed: at(`payment_events/${createEventKey(event)}`) !== null,
          booking: attempt?.booking ? at<Booking | null>(`bookings/${attempt.booking}`) : null,
          eventContext: anEventContext({ customer, settings }),
          payer: customer,
        },
        NOON,
      )
      commitChange(tree, change)
      return change.outcome
    },
    resolve: (how: 'credit' | 'dismiss') => {
      const attempt = at<PaymentAttempt>('payments/pay1')
      const payer = at<ReturnType<typeof aRider>>('users/rider')
      const result = resolveUnmatched(attempt, how, { settings, payer }, NOON)
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
  }
}

describe('a top-up', () => {
  it('is credited to the wallet once, however often the event arrives', () => {
    const d = testPayments([aPaymentAttempt()])
    expect([d.receives(anEvent()), d.receives(anEvent()), d.receives(anEvent())]).toEqual([
      'applied',
      'duplicate',
      'duplicate',
    ])
    expect(d.balance()).toBe(43.13)
    expect(d.attempt()).toMatchObject({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })
    expect(d.at('users/rider/walletHistory/pay1-topup')).toMatchObject({ type: 'Credit' })
  })
  it.each([
    ['one minor unit less', { minor: 4312 }, 'amount_mismatch'],
    ['one minor unit more', { minor: 4314 }, 'amount_mismatch'],
    ['another currency', { currency: 'USD' }, 'currency_mismatch'],
  ])('with %s is parked for the back office and credited to no wallet', (_, over, problem) => {
    const d = testPayments([aPaymentAttempt()])
    expect(d.receives(anEvent(over))).toBe('parked')
    expect(d.balance()).toBe(0)
    expect(d.attempt()).toMatchObject({ status: 'pending', problem, parked: { ref: 'ch_1' } })
  })
  it('keeps the reference that a refund needs, unless the checkout has one', () => {
    const fresh = testPayments([aPaymentAttempt()])
    fresh.receives(anEvent({ refundReference: 'txn-1' }))
    expect(fresh.attempt()).toMatchObject({ ref: 'ch_1', checkout_ref: 'txn-1' })
    const opened = testPayments([aPaymentAttempt({ checkout_ref: 'cs_1' })])
    opened.receives(anEvent({ refundReference: 'txn-1' }))
    expect(opened.attempt().checkout_ref).toBe('cs_1')
  })
  it('counts the correct payment after a wrong one', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 1 }))
    expect(d.receives(anEvent({ ref: 'ch_2' }))).toBe('applied')
    expect(d.balance()).toBe(43.13)
    expect(d.attempt().problem).toBe('amount_mismatch')
  })
  it('is parked for the back office when paid twice in one checkout', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    expect(d.receives(anEvent({ ref: 'ch_2' }))).toBe('parked')
    expect(d.balance()).toBe(43.13)
    expect(d.attempt()).toMatchObject({ status: 'paid', problem: 'paid_twice' })
  })
  it('ignores another provider and an unknown attempt', () => {
    const d = testPayments([aPaymentAttempt()])
    expect(d.receives(anEvent({ gateway: 'stripe' }))).toBe('unknown')
    expect(d.receives(anEvent({ payment: 'other' }))).toBe('unknown')
    expect(d.balance()).toBe(0)
  })
})

describe('the order of events', () => {
  it('ignores failed after paid', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    for (const status of ['failed', 'cancelled', 'pending'] as const)
      expect(d.receives(anEvent({ status }))).toBe('ignored')
    expect(d.attempt().status).toBe('paid')
  })
  it('counts paid after failed or canceled', () => {
    for (const status of ['failed', 'cancelled'] as const) {
      const d = testPayments([aPaymentAttempt()])
      expect(d.receives(anEvent({ status, ref: 'ch_0' }))).toBe('applied')
      expect(d.receives(anEvent())).toBe('applied')
      expect(d.balance()).toBe(43.13)
    }
  })
  it('requests redelivery of a refund that arrives before its payment', () => {
    const d = testPayments([aPaymentAttempt()])
    expect(d.receives(anEvent({ status: 'refunded', minor: 1 }))).toBe('too_early')
    d.receives(anEvent())
    expect(d.receives(anEvent({ status: 'refunded', minor: 4313, refundId: 'r1' }))).toBe('applied')
    expect(d.balance()).toBe(0)
  })
  it('never returns to created, and allows nothing after refunded', () => {
    for (const status of PAYMENT_STATUSES)
      expect(NEXT_PAYMENT_STATUSES[status]).not.toContain('created')
    expect(NEXT_PAYMENT_STATUSES.refunded).toEqual([])
  })
  it('credits once for all events in any order, three times each', () => {
    const response = [
      anEvent(),
      anEvent({ status: 'failed' }),
      anEvent({ status: 'pending' }),
      anEvent({ status: 'cancelled' }),
    ]
    for (let first = 0; first < response.length; first++) {
      const d = testPayments([aPaymentAttempt()])
      for (let i = 0; i < 12; i++)
        d.receives(response[(first + i * 3) % response.length] ?? anEvent())
      expect([d.balance(), d.attempt().status]).toEqual([43.13, 'paid'])
      expect(d.violations()).toEqual([])
    }
  })
})

describe('a booking payment', () => {
  const waiting = aBooking({ status: 'PAYMENT_PENDING' })
  it('marks the booking as paid in the same write', () => {
    const d = testPayments([forBooking()], waiting)
    expect(d.receives(anEvent())).toBe('applied')
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
  it('moves the booking to PAID after the trip', () => {
    const d = testPayments([forBooking()], aBooking({ status: 'PENDING' }))
    d.receives(anEvent())
    expect(d.booking().status).toBe('PAID')
    expect(d.at('users/driver/walletHistory')).toMatchObject({
      [`${waiting.id}-share`]: { type: 'Credit' },
    })
  })
  it('credits a second paid attempt to the payer’s wallet', () => {
    const d = testPayments([forBooking(), forBooking({ id: 'pay2' })], waiting)
    d.receives(anEvent())
    expect(d.receives(anEvent({ payment: 'pay2', ref: 'ch_2' }))).toBe('applied')
    expect(d.booking().revision).toBe(2)
    expect(d.balance()).toBe(43.13)
    expect(d.violations()).toEqual([])
    expect(d.attempt('pay2')).toMatchObject({
      applied_to: 'wallet',
      applied_because: 'event_not_possible',
    })
  })
  it.each([
    ['canceled', aBooking({ status: 'CANCELLED' })],
    ['already under way without the payment', aBooking({ status: 'STARTED' })],
    ['at another price', aBooking({ status: 'PAYMENT_PENDING', trip_cost: 50 })],
    ['deleted', null],
  ])('credits the payer’s wallet when the booking is %s', (_, booking) => {
    const d = testPayments([forBooking()], booking)
    expect(d.receives(anEvent())).toBe('applied')
    expect(d.balance()).toBe(43.13)
    if (booking) expect(d.booking().status).toBe(booking.status)
  })
})

describe('refunds', () => {
  const refund = (minor: number, refundId: string) =>
    anEvent({ status: 'refunded', minor, refundId })
  it('leave the wallet in parts, each once, and never exceed the payment', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    expect(d.receives(refund(1000, 'r1'))).toBe('applied')
    expect(d.receives(refund(1000, 'r1'))).toBe('duplicate')
    expect(d.attempt()).toMatchObject({ status: 'partially_refunded', refunded: 10 })
    expect(d.receives(refund(3313, 'r2'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', refunded: 43.13 })
    expect(d.balance()).toBeCloseTo(0, 6)
    expect(d.receives(refund(1, 'r3'))).toBe('parked')
  })
  it('count only the difference when sent as a running total', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    const total = (minor: number) => anEvent({ status: 'refunded', minor, isCumulative: true })
    expect([d.receives(total(1000)), d.receives(total(1500)), d.receives(total(1000))]).toEqual([
      'applied',
      'applied',
      'duplicate',
    ])
    expect(d.balance()).toBe(28.13)
  })
  it('of a canceled booking leave the wallet that the cancellation credited', () => {
    const d = testPayments(
      [forBooking({ status: 'paid', ref: 'ch_1', applied_to: 'booking' })],
      aBooking({ status: 'CANCELLED' }),
    )
    expect(d.receives(refund(4313, 'r1'))).toBe('applied')
    expect(d.balance()).toBe(-43.13)
  })
  it('of an active booking increase the amount its customer owes', () => {
    const d = testPayments([forBooking()], aBooking({ status: 'PAYMENT_PENDING' }))
    d.receives(anEvent())
    expect(d.receives(refund(4000, 'r1'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'partially_refunded', refunded: 40 })
    expect(d.attempt().problem ?? null).toBeNull()
    expect(d.booking()).toMatchObject({
      status: 'NEW',
      prepaid: false,
      cardPaymentAmount: 3.13,
      cashPaymentAmount: 40,
    })
    expect(d.balance()).toBe(0)
    expect(d.violations()).toEqual([])
  })
  it('of more than the booking’s card payment need review by the back office', () => {
    const d = testPayments(
      [forBooking({ status: 'paid', ref: 'ch_1', applied_to: 'booking' })],
      aBooking({ status: 'NEW' }),
    )
    expect(d.receives(refund(4313, 'r1'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', problem: 'refund_unbalanced' })
    expect(d.balance()).toBe(0)
  })
  it('made elsewhere are written to the audit once each', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    for (const id of ['r1', 'r2', 'r1']) d.receives(refund(1000, id))
    const entries = Object.values(d.at<Record<string, object>>('audit'))
    expect(entries).toHaveLength(2)
    expect(entries).toContainEqual(
      expect.objectContaining({
        by: 'kerbside-server',
        action: 'payment_refund_outside',
        path: 'payments/pay1',
        to: { amount: 10 },
      }),
    )
  })
  it('for a deleted payer are kept for the back office', () => {
    const d = testPayments([aPaymentAttempt({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })])
    d.leaves()
    expect(d.receives(refund(4313, 'r1'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', problem: 'payer_gone' })
  })
  it('of a payment in an earlier currency change no wallet', () => {
    const d = testPayments([aPaymentAttempt({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })])
    d.nowIn('USD')
    expect(d.receives(refund(4313, 'r1'))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'refunded', problem: 'refund_unbalanced' })
    expect(d.balance()).toBe(0)
  })
  it('reports a chargeback to the back office', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    expect(d.receives(anEvent({ status: 'chargeback' }))).toBe('parked')
    expect(d.attempt()).toMatchObject({ status: 'paid', problem: 'chargeback' })
  })
})

describe('a payment that arrives after a change of the platform’s currency', () => {
  it.each([
    ['a top-up', aPaymentAttempt(), null],
    ['a booking', forBooking(), aBooking({ status: 'PAYMENT_PENDING' })],
  ])('is parked for %s, and nothing else changes', (_, attempt, booking) => {
    const d = testPayments([attempt], booking)
    d.nowIn('USD')
    expect(d.receives(anEvent())).toBe('parked')
    expect(d.balance()).toBe(0)
    expect(d.attempt()).toMatchObject({
      status: 'pending',
      problem: 'currency_mismatch',
      parked: { amount: 43.13, currency: 'UYU' },
    })
    if (booking) expect(d.booking().status).toBe('PAYMENT_PENDING')
    expect(d.resolve('credit')).toBe('payment_mismatch')
    expect(d.resolve('dismiss')).toBe('done')
    expect(d.attempt()).toMatchObject({ status: 'cancelled', parked: { settled: 'dismissed' } })
  })
})

describe('parked money', () => {
  const back = (over: Partial<PaymentEvent> = {}) =>
    anEvent({ status: 'refunded', minor: 4000, isCumulative: true, ...over })
  it('that is sent back to the card needs no decision by the back office', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    expect([d.receives(back()), d.receives(back())]).toEqual(['applied', 'duplicate'])
    expect(d.attempt()).toMatchObject({ status: 'cancelled', parked: { settled: 'refunded' } })
    expect(d.attempt().problem ?? null).toBeNull()
    expect(d.balance()).toBe(0)
    expect(d.resolve('credit')).toBe('already_processed')
  })
  it('that was credited leaves the wallet again when it is sent back to the card', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    d.resolve('credit')
    expect(d.balance()).toBe(40)
    expect([d.receives(back()), d.receives(back())]).toEqual(['applied', 'duplicate'])
    expect(d.balance()).toBe(0)
  })
  it('that was credited in an earlier currency leaves the wallet unchanged when it is sent back', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    d.resolve('credit')
    d.nowIn('USD')
    expect([d.receives(back()), d.receives(back())]).toEqual(['parked', 'duplicate'])
    expect(d.balance()).toBe(40)
    expect(d.attempt()).toMatchObject({ problem: 'refund_unbalanced' })
  })
  it('that was settled elsewhere changes nothing when it is sent back to the card', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    d.resolve('dismiss')
    expect(d.receives(back())).toBe('ignored')
    expect(d.balance()).toBe(0)
  })
  it('that is sent back in part leaves the rest for a decision by the back office', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    expect([d.receives(back({ minor: 1000 })), d.receives(back({ minor: 1000 }))]).toEqual([
      'applied',
      'duplicate',
    ])
    expect(d.attempt()).toMatchObject({ problem: 'amount_mismatch', parked: { amount: 30 } })
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 30])
    expect([d.receives(back({ minor: 2500 })), d.balance()]).toEqual(['applied', 15])
    expect([d.receives(back()), d.balance()]).toEqual(['applied', 0])
    expect(d.violations()).toEqual([])
  })
  it('received in addition to a valid payment is sent back without a change to that payment', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    d.receives(anEvent({ ref: 'ch_2' }))
    expect(d.attempt().problem).toBe('paid_twice')
    expect(d.receives(back({ ref: 'ch_2', minor: 4313 }))).toBe('applied')
    expect(d.attempt()).toMatchObject({ status: 'paid', parked: { settled: 'refunded' } })
    expect(d.attempt().refunded ?? 0).toBe(0)
    expect(d.balance()).toBe(43.13)
  })

  const chargeback = (ref: string) =>
    anEvent({ ref, status: 'chargeback', refundId: `dp_${ref}`, minor: 4313 })
  it('stays known after a third payment of the same checkout, so that none goes back twice', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    d.receives(anEvent({ ref: 'ch_2' }))
    d.resolve('credit')
    d.receives(anEvent({ ref: 'ch_3' }))
    expect(d.balance()).toBe(86.26)
    expect([d.receives(chargeback('ch_2')), d.receives(chargeback('ch_2'))]).toEqual([
      'parked',
      'duplicate',
    ])
    expect(d.balance()).toBe(43.13)
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 86.26])
    expect([d.receives(back({ ref: 'ch_3', minor: 4313 })), d.balance()]).toEqual([
      'applied',
      43.13,
    ])
    expect(d.violations()).toEqual([])
  })
  it('waits for a decision behind money that waits already', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent())
    for (const ref of ['ch_2', 'ch_3', 'ch_4']) d.receives(anEvent({ ref }))
    expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_2' } })
    expect(d.receives(back({ ref: 'ch_4', minor: 4313 }))).toBe('applied')
    expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_2' } })
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 86.26])
    expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_3' } })
    expect([d.resolve('dismiss'), d.resolve('credit')]).toEqual(['done', 'already_processed'])
    expect(d.balance()).toBe(86.26)
    expect(d.receives(chargeback('ch_2'))).toBe('parked')
    expect(d.balance()).toBe(43.13)
    expect(d.violations()).toEqual([])
  })
  it('stays known after a refund of the first payment that was not delivered', () => {
    const refund = { amount: 43.13, by: 'admin', at: NOON, from_wallet: false } as const
    const settled = { state: 'confirmed', settled_at: NOON, settled_by: 'server' } as const
    const first = aPaymentAttempt({
      ...{ status: 'refunded', ref: 'ch_1', applied_to: 'booking', refunded: 43.13 },
      refunds: { r1: { ...refund, ...settled } },
    })
    const d = testPayments([first])
    d.receives(anEvent({ ref: 'ch_2' }))
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 43.13])
    const failure = { status: 'refund_failed', key: 'pay1.r1', refundId: 'failed' } as const
    expect(d.receives(anEvent(failure))).toBe('parked')
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 86.26])
    expect([d.receives(chargeback('ch_2')), d.balance()]).toEqual(['parked', 43.13])
  })
  it('of three payments of which none fits is decided one by one, and then the attempt ends', () => {
    const d = testPayments([aPaymentAttempt()])
    for (const ref of ['ch_1', 'ch_2']) d.receives(anEvent({ ref, minor: 4000 }))
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 40])
    expect(d.attempt()).toMatchObject({ status: 'pending', problem: 'amount_mismatch' })
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 80])
    expect(d.attempt()).toMatchObject({ status: 'cancelled' })
    expect(d.violations()).toEqual([])
  })

  it('is credited once and ends the attempt', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ minor: 4000 }))
    expect([d.resolve('credit'), d.resolve('credit')]).toEqual(['done', 'already_processed'])
    expect(d.balance()).toBe(40)
    expect(d.attempt()).toMatchObject({ status: 'cancelled' })
  })
  it('can be marked as settled elsewhere', () => {
    const d = testPayments([aPaymentAttempt()])
    d.receives(anEvent({ currency: 'USD' }))
    expect(d.resolve('credit')).toBe('payment_mismatch')
    expect(d.resolve('dismiss')).toBe('done')
    expect(d.balance()).toBe(0)
  })
})

it('reports money that is not where its attempt says', () => {
  const paid = aPaymentAttempt({ status: 'paid', ref: 'ch_1', applied_to: 'wallet' })
  expect(testPayments([paid]).violations()).toHaveLength(2)
  expect(testPayments([aPaymentAttempt()]).violations()).toEqual([])
})

it('creates valid event keys that differ for different events', () => {
  const keys = [
    createEventKey(anEvent({ ref: 'a.b' })),
    createEventKey(anEvent({ ref: 'a_b' })),
    createEventKey(anEvent({ ref: 'a/b' })),
    createEventKey(anEvent({ status: 'refunded', refundId: 'r' })),
    createEventKey(anEvent({ status: 'refunded', isCumulative: true })),
  ]
  expect(new Set(keys).size).toBe(5)
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]+$/)
})
