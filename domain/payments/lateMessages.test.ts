import { describe, expect, it } from 'vitest'
import { toJson } from '../data/databaseValue'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import {
  aBooking,
  aCardPacket,
  admin,
  anEventContext,
  aPaymentAttempt,
  aRider,
  aSettings,
  NOON,
} from '../testing/builders'
import { applyPaymentEvent } from './applyPaymentEvent'
import { getAttemptAccount } from './attemptAccount'
import { createEventKey, type PaymentAttempt, type PaymentEvent } from './paymentAttempt'
import { findPayerViolations, findPaymentViolations } from './paymentViolations'
import { advanceRefund, beginRefund, beginSending, failRefund } from './refunds/openRefund'
import { reconcileRefunds } from './refunds/reconciliation'
import { resolveUnmatched } from './unmatchedPayment'
import type { Booking } from '../booking/types'
import type { User } from '../accounts/types'

const ID = aBooking().id
const topUp = aPaymentAttempt({ amount: 100, status: 'paid', applied_to: 'wallet', ref: 'ch_1' })
const paidBooking = (status: Booking['status']) =>
  aBooking({
    status,
    trip_cost: 100,
    paymentPacket: aCardPacket({ customer_paid: 100, cardPaymentAmount: 100, payableAmount: 100 }),
  })
const forBooking: PaymentAttempt = {
  ...topUp,
  kind: 'booking',
  booking: ID,
  applied_to: 'booking',
}

/** Returns one payment of 100 that receives messages and the office's actions in a chosen order. */
const testPayment = (attempt: PaymentAttempt = topUp, booking: Booking | null = null) => {
  const inWallet = attempt.applied_to === 'wallet' ? 100 : 0
  const entry = { type: 'Credit', amount: 100, date: NOON, txRef: 'pay1' }
  const tree = toJson({
    payments: { pay1: attempt },
    payment_events: { 'test-ch_5f_1': { payment: 'pay1' } },
    users: {
      rider: aRider({
        walletBalance: inWallet,
        ...(inWallet && { walletHistory: { 'pay1-topup': entry } as User['walletHistory'] }),
      }),
    },
    ...(booking && { bookings: { [ID]: booking } }),
  }) as Tree
  const at = <T>(path: string) => structuredClone(readValue(tree, path)) as T
  const settings = aSettings()
  const getFacts = (event?: PaymentEvent) => {
    const customer = at<User>('users/rider')
    return {
      attempt: at<PaymentAttempt>('payments/pay1'),
      isAlreadyProcessed: event ? at(`payment_events/${createEventKey(event)}`) !== null : false,
      booking: at<Booking | null>(`bookings/${ID}`),
      eventContext: anEventContext({ customer, settings }),
      payer: customer,
    }
  }
  return {
    receive: (status: PaymentEvent['status'], minor: number, over: Partial<PaymentEvent> = {}) => {
      const event = { payment: 'pay1', gateway: 'test', ref: 'ch_1', currency: 'UYU', ...over }
      const full: PaymentEvent = { ...event, status, minor }
      const change = applyPaymentEvent(full, getFacts(full), NOON)
      commitChange(tree, change)
      return change.outcome
    },
    begin: (amount?: number) => {
      const begun = beginRefund(getFacts().attempt, { by: admin.uid, amount }, getFacts(), NOON)
      if (begun.ok) commitChange(tree, begun.value)
      return begun.ok ? begun.value.refund : begun.error.key
    },
    giveUp: (id: string) => commitChange(tree, failRefund(getFacts(), id, NOON)),
    send: (id: string) => commitChange(tree, beginSending(getFacts(), id, NOON)),
    loseResponse: (id: string) =>
      commitChange(tree, advanceRefund(getFacts().attempt, { id, state: 'unknown' }, NOON)),
    list: (...listed: Parameters<typeof reconcileRefunds>[1]) =>
      commitChange(tree, reconcileRefunds(getFacts(), listed, NOON)),
    credit: () => {
      const { attempt: found, payer } = getFacts()
      const result = resolveUnmatched(found, 'credit', { settings, payer }, NOON)
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
    attempt: () => at<PaymentAttempt>('payments/pay1'),
    account: () => getAttemptAccount(at<PaymentAttempt>('payments/pay1')),
    walletHistory: () => at<User['walletHistory']>('users/rider/walletHistory') ?? {},
    balance: () => at<number>('users/rider/walletBalance'),
    violations: () => [
      ...findPayerViolations(tree),
      ...findPaymentViolations(tree as never).filter((one) => !one.includes('not where it says')),
    ],
  }
}

describe('messages in another order', () => {
  it('a chargeback before the won dispute that makes room for it takes nothing twice', () => {
    const d = testPayment()
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    expect(d.receive('chargeback', 4000, { refundId: 'dp_2' })).toBe('parked')
    d.receive('chargeback_won', 10_000, { refundId: 'dp_1' })
    expect([d.balance(), d.account().chargedBack]).toEqual([60, 4000])
    d.receive('chargeback_won', 4000, { refundId: 'dp_2' })
    expect([d.balance(), d.account().chargedBack, d.violations()]).toEqual([100, 0, []])
  })

  it('a partly won dispute before its chargeback leaves the rest with the bank', () => {
    const d = testPayment()
    d.receive('chargeback_won', 3000, { refundId: 'dp_1' })
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    expect([d.balance(), d.account().chargedBack, d.violations()]).toEqual([30, 7000, []])
  })

  it.each([
    ['the office has credited', ['credit']],
    ['waits for the office', []],
  ] as const)('a partly won dispute of parked money that %s leaves what was won', (_, steps) => {
    const d = testPayment()
    d.receive('paid', 10_000, { ref: 'ch_2' })
    if (steps.length > 0) d.credit()
    d.receive('chargeback_won', 3000, { ref: 'ch_2', refundId: 'dp_1' })
    d.receive('chargeback', 10_000, { ref: 'ch_2', refundId: 'dp_1' })
    if (steps.length === 0) d.credit()
    expect([d.balance(), d.violations()]).toEqual([130, []])
  })

  it('a dashboard refund before the won dispute that makes room for it counts once', () => {
    const d = testPayment()
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    d.receive('refunded', 4000, { refundId: 're_1' })
    d.receive('chargeback_won', 10_000, { refundId: 'dp_1' })
    expect([d.balance(), d.attempt().refunded, d.violations()]).toEqual([60, 40, []])
  })

  it('a refund of a second payment in the checkout waits for the message of that payment', () => {
    const d = testPayment()
    expect(d.receive('refunded', 5000, { ref: 'ch_2', refundId: 're_1' })).toBe('too_early')
    expect(d.receive('chargeback', 5000, { ref: 'ch_2', refundId: 'dp_1' })).toBe('too_early')
    expect([d.balance(), d.attempt().problem]).toEqual([100, 'chargeback'])
  })

  it('a refund that a query has found is not settled again by its message', () => {
    const d = testPayment()
    d.list({ minor: 3000, state: 'done' })
    expect(d.receive('refunded', 3000, { refundId: 're_1' })).toBe('duplicate')
    expect([d.balance(), d.attempt().refunded]).toEqual([70, 30])
    expect(d.receive('refunded', 3000, { refundId: 're_2' })).toBe('applied')
    expect(d.balance()).toBe(40)
  })
})

describe('money that may go back only once', () => {
  it.each([
    ['by name', (key: string) => ({ key, refundId: 're_1' })],
    ['in a total', () => ({ isCumulative: true })],
  ])('is back in the wallet when a confirmation %s comes after the failure', (_, describeIt) => {
    const d = testPayment()
    const id = d.begin()
    d.send(id)
    const key = `pay1.${id}`
    d.receive('refund_failed', 10_000, { key, refundId: 'failed' })
    expect(d.balance()).toBe(100)
    d.receive('refunded', 10_000, describeIt(key))
    expect([d.balance(), d.account().refunded, d.violations()]).toEqual([100, 0, []])
  })

  it('leaves the wallet again when one that was given up is confirmed after all', () => {
    const d = testPayment()
    const id = d.begin()
    d.send(id)
    d.giveUp(id)
    expect(d.balance()).toBe(100)
    d.receive('refunded', 10_000, { key: `pay1.${id}`, refundId: 're_1' })
    expect([d.balance(), d.account().refunded, d.violations()]).toEqual([0, 10_000, []])
  })

  it('is named in the wallet as not delivered, whatever came after the failure', () => {
    const d = testPayment(forBooking, paidBooking('COMPLETE'))
    const id = d.begin(40)
    d.send(id)
    d.receive('refunded', 4000, { key: `pay1.${id}`, refundId: 're_1' })
    d.receive('refund_failed', 4000, { key: `pay1.${id}`, refundId: 'failed' })
    d.receive('chargeback', 1000, { refundId: 'dp_1' })
    expect([d.attempt().problem, d.credit()]).toEqual(['chargeback', 'done'])
    expect(Object.values(d.walletHistory())).toMatchObject([
      { type: 'Credit', amount: 40, reason: 'card_refund_failed' },
    ])
  })

  it('leaves the wallet again when the bank takes a refund that was not delivered and credited', () => {
    const d = testPayment()
    const id = d.begin()
    d.send(id)
    const key = `pay1.${id}`
    d.receive('refunded', 10_000, { key, refundId: 're_1' })
    d.receive('refund_failed', 10_000, { key, refundId: 'failed' })
    expect([d.balance(), d.account().undelivered]).toEqual([0, 10_000])
    expect([d.credit(), d.balance()]).toEqual(['done', 100])
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    expect([d.balance(), d.account().chargedBack, d.violations()]).toEqual([0, 10_000, []])
  })

  it('leaves the wallet again when it is refunded to the same total after a failure', () => {
    const d = testPayment()
    const id = d.begin(60)
    d.send(id)
    d.receive('refunded', 6000, { key: `pay1.${id}`, refundId: 're_1' })
    d.receive('refunded', 4000, { refundId: 're_2' })
    d.receive('refund_failed', 6000, { key: `pay1.${id}`, refundId: 'failed' })
    expect([d.credit(), d.balance()]).toEqual(['done', 60])
    expect(d.receive('refunded', 6000, { refundId: 're_3' })).toBe('applied')
    expect([d.balance(), d.account().refunded, d.violations()]).toEqual([0, 10_000, []])
    const refunds = Object.keys(d.walletHistory()).filter((key) => key.startsWith('pay1-refund-'))
    expect(refunds).toHaveLength(2)
  })

  it('cannot be credited when the bank took it while it waited for the office', () => {
    const d = testPayment()
    const id = d.begin()
    d.send(id)
    d.receive('refunded', 10_000, { key: `pay1.${id}`, refundId: 're_1' })
    d.receive('refund_failed', 10_000, { key: `pay1.${id}`, refundId: 'failed' })
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    expect([d.credit(), d.balance()]).toEqual(['not_found', 0])
  })

  it('is not sent when the bank took it after the refund was begun', () => {
    const d = testPayment(forBooking, paidBooking('STARTED'))
    const id = d.begin()
    d.receive('chargeback', 4000, { refundId: 'dp_1' })
    d.send(id)
    expect(d.attempt().refund).toBeUndefined()
    expect(d.attempt().refunds?.[id]?.state).toBe('refused')
  })

  it('is a problem again after the office has decided about a second payment', () => {
    const d = testPayment()
    const id = d.begin()
    d.send(id)
    d.loseResponse(id)
    expect(d.attempt().problem).toBe('refund_unknown')
    d.receive('paid', 10_000, { ref: 'ch_2' })
    expect([d.attempt().problem, d.credit()]).toEqual(['paid_twice', 'done'])
    expect(d.attempt().problem).toBe('refund_unknown')
  })

  it('leaves the office a chargeback when a second payment is refunded in the dashboard', () => {
    const d = testPayment()
    d.receive('paid', 10_000, { ref: 'ch_2' })
    d.receive('chargeback', 10_000, { refundId: 'dp_1' })
    d.receive('refunded', 10_000, { ref: 'ch_2', refundId: 're_1' })
    expect(d.attempt()).toMatchObject({ problem: 'chargeback', parked: { settled: 'refunded' } })
  })

  it('is not refunded before a cancellation, also when the payment has a problem', () => {
    const d = testPayment({ ...forBooking, problem: 'paid_twice' }, paidBooking('NEW'))
    expect(d.begin()).toBe('cancel_first')
  })

  it('is not credited after a refund of more than was left', () => {
    const d = testPayment()
    d.receive('refunded', 10_000, { refundId: 're_1' })
    d.receive('refunded', 5000, { refundId: 're_2' })
    expect([d.attempt().problem, d.credit(), d.balance()]).toEqual([
      'refund_unbalanced',
      'event_not_possible',
      0,
    ])
  })
})
