import { describe, expect, it } from 'vitest'
import { applyBookingEvent } from '../booking/applyBookingEvent'
import { toJson } from '../data/databaseValue'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  anEventContext,
  aPaymentAttempt,
  aRider,
  aSettings,
  NOON,
} from '../testing/builders'
import { sumWalletHistory } from '../money/wallet'
import { applyPaymentEvent } from './applyPaymentEvent'
import { getAttemptAccount } from './attemptAccount'
import { createEventKey, type PaymentAttempt, type PaymentEvent } from './paymentAttempt'
import type { PaymentOutcome } from './paymentChange'
import { getNetPayment, getPaymentRows } from './paymentStatement'
import { findPaymentViolations } from './paymentViolations'
import { beginRefund } from './refunds/openRefund'
import { resolveUnmatched } from './unmatchedPayment'
import type { Booking, Status } from '../booking/types'
import type { User } from '../accounts/types'

const ID = aBooking().id
const WHOLE = 4313
const paidFor = (over: Partial<PaymentAttempt> = {}) =>
  aPaymentAttempt({
    kind: 'booking',
    booking: ID,
    status: 'paid',
    applied_to: 'booking',
    ref: 'ch_1',
    ...over,
  })
const topUp = (over: Partial<PaymentAttempt> = {}) =>
  aPaymentAttempt({ status: 'paid', applied_to: 'wallet', ref: 'ch_1', ...over })
const bookingIn = (status: Status, over: Partial<Booking> = {}) =>
  aBooking({
    status,
    prepaid: true,
    cardPaymentAmount: 43.13,
    paymentPacket: aCardPacket(),
    event_log: {
      pay_PAYMENT_PENDING: {
        event: 'pay',
        by: 'kerbside-server',
        at: NOON,
        status: 'NEW',
        revision: 2,
        ref: 'pay1',
      },
    },
    ...over,
  })

/** Returns one payment, its payer and its booking, which receive messages like the functions. */
const testDispute = (
  attempt: PaymentAttempt,
  booking: Booking | null = null,
  walletBalance = 0,
) => {
  let settings = aSettings()
  const start = { type: 'Credit', amount: walletBalance, date: NOON, txRef: 'AdminCredit' }
  const tree = toJson({
    users: { rider: aRider({ walletBalance, walletHistory: { start } as User['walletHistory'] }) },
    payments: { pay1: attempt },
    ...(attempt.ref && { payment_events: { 'test-ch_5f_1': { payment: 'pay1' } } }),
    ...(booking && { bookings: { [ID]: booking } }),
  }) as Tree
  const at = <T>(path: string) => structuredClone(readValue(tree, path)) as T
  const getFacts = (event?: PaymentEvent) => {
    const customer = at<User | null>('users/rider')
    const found = at<PaymentAttempt>('payments/pay1')
    return {
      attempt: found,
      isAlreadyProcessed: event ? at(`payment_events/${createEventKey(event)}`) !== null : false,
      booking: at<Booking | null>(`bookings/${ID}`),
      eventContext: anEventContext({
        customer,
        driver: aDriver(),
        settings,
        cardPayments: event ? [] : [found],
      }),
      payer: customer,
    }
  }
  const receive = (over: Partial<PaymentEvent>): PaymentOutcome => {
    const event: PaymentEvent = {
      payment: 'pay1',
      gateway: 'test',
      ref: 'ch_1',
      status: 'chargeback',
      minor: WHOLE,
      currency: 'UYU',
      refundId: 'dp_1',
      ...over,
    }
    const change = applyPaymentEvent(event, getFacts(event), NOON)
    commitChange(tree, change)
    return change.outcome
  }
  return {
    receive,
    win: (over: Partial<PaymentEvent> = {}) => receive({ status: 'chargeback_won', ...over }),
    attempt: () => at<PaymentAttempt>('payments/pay1'),
    account: () => getAttemptAccount(at<PaymentAttempt>('payments/pay1')),
    booking: () => at<Booking>(`bookings/${ID}`),
    balance: () => at<number>('users/rider/walletBalance'),
    setBooking: (over: Partial<Booking>) =>
      commitChange(tree, {
        updates: { [`bookings/${ID}`]: toJson({ ...at<Booking>(`bookings/${ID}`), ...over }) },
      }),
    leave: () => commitChange(tree, { updates: { 'users/rider': null } }),
    useCurrency: (code: string) => void (settings = aSettings({ code })),
    resolve: (how: 'credit' | 'dismiss') => {
      const { attempt: found, payer } = getFacts()
      const result = resolveUnmatched(found, how, { settings, payer }, NOON)
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
    refund: () => {
      const begun = beginRefund(getFacts().attempt, { by: admin.uid }, getFacts(), NOON)
      return begun.ok ? 'begun' : begun.error.key
    },
    compensate: (rider: number) => {
      const done = applyBookingEvent(
        at<Booking>(`bookings/${ID}`),
        { event: 'compensate', request_id: '-OAcompensation00001', reason: 'late', rider },
        { actor: admin, context: getFacts().eventContext, now: NOON },
      )
      if (!done.ok) throw new Error(done.error.key)
      commitChange(tree, done.value)
    },
    /** Checks that the wallet equals its entries, and that no more went back than came. */
    expectSound: () => {
      const user = at<User | null>('users/rider')
      if (user) expect(user.walletBalance).toBe(sumWalletHistory(user.walletHistory))
      expect(findPaymentViolations(tree as never)).toEqual([])
    },
  }
}

describe('a won dispute', () => {
  it('returns the money of a top-up to the wallet, once', () => {
    const d = testDispute(topUp(), null, 43.13)
    expect([d.receive({}), d.receive({})]).toEqual(['parked', 'duplicate'])
    expect([d.balance(), d.account()]).toMatchObject([0, { chargedBack: WHOLE, applied: 0 }])
    expect([d.win(), d.win()]).toEqual(['applied', 'duplicate'])
    expect(d.balance()).toBe(43.13)
    expect(d.account()).toMatchObject({ chargedBack: 0, wonBack: WHOLE, applied: WHOLE })
    expect(d.attempt().problem ?? null).toBeNull()
    d.expectSound()
  })

  it.each(['NEW', 'STARTED', 'PENDING'] as const)(
    'pays for a %s booking again, whose customer then owes nothing',
    (status) => {
      const d = testDispute(paidFor(), bookingIn(status))
      const before = d.booking()
      d.receive({})
      expect(d.booking()).toMatchObject({ prepaid: false, cashPaymentAmount: 43.13 })
      expect(d.win()).toBe('applied')
      const { promo_details, ...packet } = before.paymentPacket ?? {}
      expect(promo_details ?? null).toBeNull()
      expect(d.booking()).toMatchObject({ paymentPacket: packet, prepaid: true })
      expect(getNetPayment(d.booking(), 2)).toBe(43.13)
      d.expectSound()
    },
  )

  it('ends the platform’s loss of a paid booking', () => {
    const d = testDispute(paidFor(), bookingIn('COMPLETE', { paid_at: NOON }))
    d.receive({})
    expect(d.booking().refunded).toBe(43.13)
    d.win()
    expect(d.booking().refunded).toBe(0)
    expect(getNetPayment(d.booking(), 2)).toBe(43.13)
    const labels = getPaymentRows(d.booking(), aSettings(), (key) => key).map(({ label }) => label)
    expect(labels).toContain('receipt_chargeback_won')
    d.expectSound()
  })

  it('returns to the wallet what an amendment had returned there', () => {
    const d = testDispute(
      paidFor({ returned: 30 }),
      bookingIn('NEW', {
        trip_cost: 13.13,
        paymentPacket: aCardPacket({ customer_paid: 13.13, cardPaymentAmount: 13.13 }),
      }),
      30,
    )
    d.receive({})
    expect([d.balance(), d.account()]).toMatchObject([0, { returned: 0, chargedBack: WHOLE }])
    d.win()
    expect([d.balance(), d.account()]).toMatchObject([
      30,
      { returned: 3000, chargedBack: 0, applied: 1313 },
    ])
    expect(d.booking().paymentPacket?.cardPaymentAmount).toBe(13.13)
    d.expectSound()
  })

  it('takes nothing back from anybody when the message comes before that of the chargeback', () => {
    const d = testDispute(topUp(), null, 43.13)
    expect(d.win()).toBe('applied')
    expect(d.receive({})).toBe('duplicate')
    expect([d.balance(), d.account().chargedBack]).toEqual([43.13, 0])
    expect(d.attempt().problem ?? null).toBeNull()
    d.expectSound()
  })

  it('takes nothing back when it came first and the provider names the chargeback differently', () => {
    const d = testDispute(topUp(), null, 43.13)
    expect(d.win({ minor: 2000, refundId: 'PP-D-1' })).toBe('applied')
    expect(d.receive({ minor: 2000, refundId: 're_1' })).toBe('applied')
    expect([d.balance(), d.account()]).toMatchObject([43.13, { chargedBack: 0, wonBack: 2000 }])
    expect(d.attempt().problem ?? null).toBeNull()
    d.expectSound()
    expect(d.win({ minor: 2000, refundId: 're_1' })).toBe('duplicate')
    // Each decision answers one chargeback.
    expect(d.receive({ minor: 2000, refundId: 're_2' })).toBe('parked')
    expect([d.balance(), d.account().chargedBack]).toEqual([23.13, 2000])
    d.expectSound()
  })

  it.each<[string, Partial<PaymentEvent>, Partial<PaymentAttempt>, number]>([
    ['of another amount', { minor: 1999 }, {}, 23.14],
    [
      'of a payment that was paid twice',
      { minor: 2000 },
      { parked: { amount: 43.13, currency: 'UYU', ref: 'ch_2', at: NOON }, problem: 'paid_twice' },
      23.13,
    ],
  ])('does not answer a chargeback under another id %s', (_, chargeback, over, balance) => {
    const d = testDispute(topUp(over), null, 43.13)
    d.win({ minor: 2000, refundId: 'PP-D-1' })
    expect(d.receive({ ...chargeback, refundId: 're_1' })).toBe('parked')
    expect(d.balance()).toBe(balance)
    d.expectSound()
  })

  it('does not answer the chargeback of a second payment that is not known yet', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.win({ minor: 2000, refundId: 'PP-D-1' })
    expect(d.receive({ minor: 2000, refundId: 're_1', ref: 'ch_2' })).toBe('too_early')
    expect(d.receive({ minor: 2000, refundId: 're_2' })).toBe('applied')
    expect(d.balance()).toBe(43.13)
    d.expectSound()
  })

  describe('before its chargeback, while another dispute is open', () => {
    const paidTwiceDisputed = () => {
      const d = testDispute(paidFor(), bookingIn('COMPLETE', { paid_at: NOON }))
      d.receive({ minor: 3000 })
      expect(d.win({ minor: 1000, refundId: 'dp_2' })).toBe('parked')
      expect(d.attempt().problem).toBe('dispute_won')
      return d
    }
    const getHeld = (d: ReturnType<typeof testDispute>) =>
      Math.round((getNetPayment(d.booking(), 2) + d.balance()) * 100)

    it.each([
      ['the office credits it and then the other is won', ['credit', 'win']],
      ['the other is won before the office decides', ['win', 'credit']],
      ['the office decides nothing', ['win']],
    ] as const)('returns each amount once when %s', (_, steps) => {
      const d = paidTwiceDisputed()
      for (const step of steps)
        if (step === 'win') d.win({ minor: 3000 })
        else d.resolve('credit')
      d.receive({ minor: 1500, refundId: 'dp_2' })
      expect([getHeld(d), d.account().chargedBack]).toEqual([WHOLE - 500, 500])
      d.expectSound()
    })

    it('lets the office credit nothing that the other dispute has returned', () => {
      const d = paidTwiceDisputed()
      d.win({ minor: 3000 })
      expect([d.attempt().problem ?? null, d.resolve('credit')]).toEqual([
        null,
        'already_processed',
      ])
      expect(getHeld(d)).toBe(WHOLE)
      d.expectSound()
    })
  })

  it('returns only the part that was won, and of each dispute its own', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({ minor: 1000 })
    d.receive({ minor: 2000, refundId: 'dp_2' })
    expect(d.balance()).toBe(13.13)
    expect(d.win({ minor: 400 })).toBe('applied')
    expect(d.balance()).toBe(17.13)
    expect(d.attempt().problem).toBe('chargeback')
    expect(d.win({ minor: 9999, refundId: 'dp_2' })).toBe('applied')
    expect(d.balance()).toBe(37.13)
    expect(d.account()).toMatchObject({ chargedBack: 600, wonBack: 2400 })
    d.expectSound()
  })

  it('is found by its amount when the provider names it differently', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({ minor: 1000, refundId: 're_1' })
    d.receive({ minor: 2000, refundId: 're_2' })
    expect(d.win({ minor: 2000, refundId: 'PP-D-1' })).toBe('applied')
    expect(d.balance()).toBe(33.13)
  })
})

describe('a won dispute that cannot be decided waits for the office', () => {
  const waits = (d: ReturnType<typeof testDispute>) => {
    expect(d.attempt().problem).toBe('dispute_won')
    expect(d.balance()).toBe(0)
    expect(d.refund()).not.toBe('begun')
  }

  it('when the booking was paid in cash meanwhile, and is then credited once', () => {
    const d = testDispute(paidFor(), bookingIn('PENDING'))
    d.receive({})
    d.setBooking({ status: 'PAID', paid_at: NOON })
    expect(d.win()).toBe('parked')
    waits(d)
    expect([d.resolve('credit'), d.resolve('credit')]).toEqual(['done', 'already_processed'])
    expect(d.balance()).toBe(43.13)
    expect(d.account()).toMatchObject({ chargedBack: 0, returned: WHOLE, applied: 0 })
    expect(d.refund()).toBe('event_not_possible')
    d.expectSound()
  })

  it('when the booking was canceled meanwhile', () => {
    const d = testDispute(paidFor(), bookingIn('NEW'))
    d.receive({})
    d.setBooking({ status: 'CANCELLED' })
    expect(d.win()).toBe('parked')
    waits(d)
    expect([d.resolve('dismiss'), d.balance()]).toEqual(['done', 0])
    d.expectSound()
  })

  it('when several disputes may be meant', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({ minor: 2000, refundId: 're_1' })
    d.receive({ minor: 2000, refundId: 're_2' })
    expect(d.win({ minor: 2000, refundId: 'PP-D-1' })).toBe('parked')
    expect([d.attempt().problem, d.balance()]).toEqual(['dispute_won', 3.13])
    d.resolve('credit')
    expect(d.balance()).toBe(23.13)
    expect(d.account()).toMatchObject({ chargedBack: 2000, returned: 2000 })
    d.expectSound()
  })

  it('when the message is in another currency', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({})
    expect(d.win({ currency: 'USD', minor: 100 })).toBe('parked')
    waits(d)
  })

  it('when the platform has another currency now', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({})
    d.useCurrency('USD')
    d.win()
    waits(d)
    expect(d.resolve('credit')).toBe('payment_mismatch')
  })

  it('when the payer’s account was deleted', () => {
    const d = testDispute(topUp(), null, 43.13)
    d.receive({})
    d.leave()
    expect(d.win()).toBe('parked')
    expect(d.resolve('credit')).toBe('not_found')
    expect(d.resolve('dismiss')).toBe('done')
  })

  it('when the chargeback is one of an earlier release, without a record of its source', () => {
    const d = testDispute(topUp({ charged_back: 43.13, problem: 'chargeback' }))
    d.receive({})
    expect(d.win()).toBe('parked')
    waits(d)
    d.resolve('credit')
    expect([d.balance(), d.account().returned]).toEqual([43.13, WHOLE])
    d.expectSound()
  })
})

describe('a chargeback', () => {
  it('in another currency takes all that is left, so that nothing else can return', () => {
    const d = testDispute(paidFor(), bookingIn('STARTED'))
    d.receive({ currency: 'USD', minor: 100 })
    expect(d.account()).toMatchObject({ chargedBack: WHOLE, applied: 0 })
    expect(d.refund()).toBe('event_not_possible')
  })

  it('is requested again when it arrives before its payment', () => {
    const d = testDispute(aPaymentAttempt())
    expect(d.receive({})).toBe('too_early')
    expect(d.receive({ status: 'paid' })).toBe('applied')
    expect(d.receive({})).toBe('parked')
    expect(d.balance()).toBe(0)
  })

  it('takes the credit for a complaint out of the wallet again', () => {
    const d = testDispute(paidFor(), bookingIn('COMPLETE', { paid_at: NOON, customer_paid: 43.13 }))
    d.compensate(40)
    expect(d.balance()).toBe(40)
    d.receive({})
    expect([d.balance(), d.booking().refunded]).toEqual([0, 3.13])
    d.win()
    expect([d.balance(), d.booking().refunded]).toEqual([40, 0])
    d.expectSound()
  })

  it('of a second payment of one checkout ends its credit, before and after the office gave it', () => {
    const parked = { amount: 43.13, currency: 'UYU', ref: 'ch_2', at: NOON }
    const early = testDispute(topUp({ parked, problem: 'paid_twice' }))
    early.receive({ ref: 'ch_2' })
    expect([early.resolve('credit'), early.balance()]).toEqual(['not_found', 0])
    const late = testDispute(topUp({ parked, problem: 'paid_twice' }))
    late.resolve('credit')
    late.receive({ ref: 'ch_2' })
    expect(late.balance()).toBe(0)
    expect(late.win({ ref: 'ch_2' })).toBe('parked')
    late.resolve('credit')
    expect(late.balance()).toBe(43.13)
    late.expectSound()
  })

  describe('of the money that the office sees, while other money waits', () => {
    const paidThrice = () => {
      const d = testDispute(topUp())
      for (const ref of ['ch_2', 'ch_3']) d.receive({ status: 'paid', ref, refundId: undefined })
      d.receive({ ref: 'ch_2' })
      expect(d.attempt()).toMatchObject({ problem: 'chargeback', parked: { settled: 'refunded' } })
      return d
    }
    const isOtherShown = (d: ReturnType<typeof testDispute>) => {
      expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_3' } })
      expect([d.resolve('credit'), d.balance()]).toEqual(['done', 43.13])
      expect(d.attempt().problem).toBeUndefined()
      d.expectSound()
    }

    it('shows the other money once the dispute is won and nothing of it waits', () => {
      const d = testDispute(topUp())
      const dollars = { ref: 'ch_2', currency: 'USD' }
      d.receive({ ...dollars, status: 'paid', refundId: undefined })
      d.receive({ status: 'paid', ref: 'ch_3', refundId: undefined })
      d.receive(dollars)
      expect(d.win(dollars)).toBe('applied')
      isOtherShown(d)
    })

    it('shows the other money once the office has decided', () => {
      const d = paidThrice()
      expect(d.resolve('dismiss')).toBe('done')
      isOtherShown(d)
    })

    it('shows the other money once the dispute is won, and then what was won', () => {
      const d = paidThrice()
      expect(d.win({ ref: 'ch_2' })).toBe('parked')
      expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_3' } })
      d.resolve('credit')
      expect(d.attempt().problem).toBe('dispute_won')
      d.resolve('credit')
      expect(d.balance()).toBe(86.26)
      d.expectSound()
    })
  })

  it('leaves a second payment to be decided about once its notice is dismissed', () => {
    const d = testDispute(topUp())
    d.receive({ status: 'paid', ref: 'ch_2', refundId: undefined })
    d.receive({})
    expect(d.attempt()).toMatchObject({ problem: 'chargeback', parked: { ref: 'ch_2' } })
    d.resolve('dismiss')
    expect(d.attempt()).toMatchObject({ problem: 'paid_twice', parked: { ref: 'ch_2' } })
    d.resolve('dismiss')
    expect(d.attempt()).toMatchObject({ parked: { settled: 'dismissed' } })
    expect(d.attempt().problem).toBeUndefined()
    d.expectSound()
  })

  it('leaves the rest of a second payment when the bank took a part', () => {
    const parked = { amount: 43.13, currency: 'UYU', ref: 'ch_2', at: NOON }
    const d = testDispute(topUp({ parked, problem: 'paid_twice' }))
    d.receive({ ref: 'ch_2', minor: 4000 })
    expect([d.resolve('credit'), d.balance()]).toEqual(['done', 3.13])
  })
})
