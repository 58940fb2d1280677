import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { sumAmounts } from '~/domain/money/money'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { findPaymentViolations } from '~/domain/payments/paymentViolations'
import { aBooking, admin, aSettings } from '~/domain/testing/builders'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { refund_payment } from '../../endpoints/payments/refundPayment'
import { resolve_payment } from '../../endpoints/payments/resolvePayment'
import { start_payment } from '../../endpoints/payments/startPayment'
import { createUserContext, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import type { Adapter } from '../../ports/paymentAdapter'
import { ProviderError, ProviderRejectedError } from '../../ports/paymentAdapter'
import { signTestMessage } from '../../adapters/payments/providers/testProvider'
import { reconcilePayments } from './paymentReconciliation'
import { createTestPayments } from '../../testing/fakeProvider'
import type { Booking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { WalletEntry } from '~/domain/money/types'

type TestPayments = ReturnType<typeof createTestPayments>
const unpaidBooking = aBooking({ status: 'PAYMENT_PENDING' })

const startPayment = async (
  testPayments: TestPayments,
  input: Parameters<typeof start_payment.handle>[0],
) => {
  const started = await start_payment.handle(
    input,
    createUserContext('rider', 'rider', testPayments),
  )
  return (started as { payment_id: string }).payment_id
}
const startTopUp = (testPayments: TestPayments) =>
  startPayment(testPayments, { payment_mode: 'topup', provider: 'test', amount: 20 })
/** Pays a started payment with one of the test provider's cards. */
const payByCard = (testPayments: TestPayments, order_id: string, card = 'pays') =>
  testPayments.postCheckout({ order_id, cust_id: 'rider', step: 'card', choice: 'pay', card })

/** Creates a rider whose wallet was topped up by 20 through the test provider. */
const topUpWallet = async (more: object = {}) => {
  const testPayments = createTestPayments(more)
  const id = await startTopUp(testPayments)
  await payByCard(testPayments, id)
  return { desk: testPayments, id }
}
const refund = (testPayments: TestPayments, payment_id: string, amount?: number) =>
  refund_payment.handle({ payment_id, amount }, createUserContext('admin', 'admin', testPayments))
const callResolvePayment = (
  testPayments: TestPayments,
  payment_id: string,
  how: 'credit' | 'dismiss' | 'refunded' | 'not_refunded' | 'check',
) => resolve_payment.handle({ payment_id, how }, createUserContext('admin', 'admin', testPayments))
const attempt = (testPayments: TestPayments, id: string) =>
  testPayments.listAttempts().find((one) => one.id === id)
const getBankRefunded = (testPayments: TestPayments, id: string) =>
  (testPayments.db.at(`payments/${id}/details/bank/refunded`) ?? 0) as number
const violations = (testPayments: TestPayments) =>
  findPaymentViolations(testPayments.db.at('') as never)

/** Runs the scheduled job this many milliseconds after the start. */
const reconcileAt = (testPayments: TestPayments, ms: number) => {
  testPayments.advanceClock(TEST_NOW + ms - testPayments.getTime())
  return reconcilePayments(testPayments, TEST_NOW + ms)
}
/** Returns the test payments with a modified provider adapter. */
const withAdapter = (
  testPayments: TestPayments,
  over: (adapter: Adapter) => Partial<Adapter>,
): TestPayments => ({
  ...testPayments,
  payments: {
    ...testPayments.payments,
    getAdapter: (name: string) => {
      const adapter = testPayments.payments.getAdapter(name)
      return adapter && { ...adapter, ...over(adapter) }
    },
  },
})
/** Returns the test payments with a provider that has no API to list refunds. */
const withoutStatusApi = (testPayments: TestPayments): TestPayments => ({
  ...testPayments,
  payments: {
    ...testPayments.payments,
    getAdapter: (gateway: string) => {
      const adapter = testPayments.payments.getAdapter(gateway)
      if (!adapter) return null
      const rest = { ...adapter }
      delete rest.listRefunds
      return rest
    },
  },
})
/** Returns the test payments with a provider that refunds but whose response is lost. */
const withLostResponse = (testPayments: TestPayments): TestPayments =>
  withAdapter(testPayments, (adapter) => ({
    async refund(...given) {
      await adapter.refund?.(...given)
      throw new ProviderError('The answer was lost.')
    },
  }))
const withRefundList = (testPayments: TestPayments, listed: Adapter['listRefunds']): TestPayments =>
  withAdapter(testPayments, () => (listed ? { listRefunds: listed } : {}))
const listNoRefunds = () => Promise.resolve([])

describe('a refund', () => {
  it('leaves the wallet before the provider receives the request', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const seen: number[] = []
    await refund(
      withAdapter(testPayments, (adapter) => ({
        refund(...given) {
          seen.push(testPayments.getBalance())
          return adapter.refund?.(...given) ?? Promise.reject(new Error())
        },
      })),
      id,
      15,
    )
    expect([seen, testPayments.getBalance(), getBankRefunded(testPayments, id)]).toEqual([
      [5],
      5,
      1500,
    ])
    expect(attempt(testPayments, id)).toMatchObject({
      refunded: 15,
      refunds: { r1: { state: 'confirmed', amount: 15, from_wallet: true } },
    })
    expect(violations(testPayments)).toEqual([])
  })

  it('of a canceled booking that the provider refuses leaves entries and messages that add up', async () => {
    const desk = createTestPayments({ bookings: { [unpaidBooking.id]: toJson(unpaidBooking) } })
    const booking_id = unpaidBooking.id
    const id = await startPayment(desk, { payment_mode: 'card', provider: 'test', booking_id })
    await payByCard(desk, id)
    const given = { event: 'cancel', reason: 'changed_mind' } as const
    await desk.bookings.applyEvent(booking_id, given, { uid: 'rider', role: 'rider' })
    desk.advanceClock(MINUTE_MS)
    const refusing = withAdapter(desk, () => ({
      refund: () => Promise.reject(new ProviderRejectedError('No.')),
    }))
    expect(await getErrorKey(refund(refusing, id))).toBe('event_not_possible')
    expect(desk.getBalance()).toBe(43.13)
    const entries = Object.values(
      desk.db.at('users/rider/walletHistory') as Record<string, WalletEntry>,
    )
    expect(entries.map(({ type, amount, reason }) => [type, amount, reason])).toEqual(
      expect.arrayContaining([
        ['Credit', 43.13, undefined],
        ['Debit', 43.13, 'card_refund'],
        ['Credit', 43.13, 'card_refund_failed'],
      ]),
    )
    const inbox = Object.values(desk.db.at('inbox/rider') as Record<string, InboxEntry>)
    const told = inbox.filter(({ params }) => params?.amount !== undefined)
    expect(told.map(({ title, params }) => [title, params?.amount])).toEqual(
      expect.arrayContaining([
        ['push_returned_title', 43.13],
        ['push_card_refund_started_title', 43.13],
        ['push_card_refund_failed_title', 43.13],
      ]),
    )
    expect(told).toHaveLength(3)
    expect(violations(desk)).toEqual([])
  })

  it('returns the money when the provider refuses, and the next one gets a new key', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const keys: string[] = []
    const refusing = withAdapter(testPayments, () => ({
      refund(_asked, _minor, key) {
        keys.push(key)
        return Promise.reject(new ProviderRejectedError('No.'))
      },
    }))
    expect(await getErrorKey(refund(refusing, id, 15))).toBe('event_not_possible')
    expect([testPayments.getBalance(), getBankRefunded(testPayments, id)]).toEqual([20, 0])
    expect(await getErrorKey(refund(refusing, id, 15))).toBe('event_not_possible')
    expect(keys).toEqual([`${id}.r1`, `${id}.r2`])
    expect(await refund(testPayments, id, 15)).toMatchObject({ refunded: 15, refund: 'confirmed' })
    expect(testPayments.getBalance()).toBe(5)
    expect(violations(testPayments)).toEqual([])
  })

  it('runs one at a time when fifty are requested at once, and the totals agree', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const presses = await Promise.allSettled(
      Array.from({ length: 50 }, () => refund(testPayments, id, 6)),
    )
    const done = presses.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThanOrEqual(1)
    expect([
      attempt(testPayments, id)?.refunded,
      getBankRefunded(testPayments, id),
      testPayments.getBalance(),
    ]).toEqual([6 * done, 600 * done, 20 - 6 * done])
    expect(violations(testPayments)).toEqual([])
  })

  it('is impossible in a former currency or with more decimals than the currency allows', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    testPayments.db.put({ 'settings/decimal': 0 })
    expect(await getErrorKey(refund(testPayments, id, 1.5))).toBe('bad_input')
    testPayments.db.put({ 'settings/decimal': 2, 'settings/code': 'USD' })
    expect(await getErrorKey(refund(testPayments, id, 1))).toBe('payment_mismatch')
    expect([testPayments.getBalance(), getBankRefunded(testPayments, id)]).toEqual([20, 0])
  })
})

it('parks a refused refund in a former currency instead of crediting a wallet', async () => {
  const { desk: testPayments, id } = await topUpWallet()
  const refusing = withAdapter(testPayments, () => ({
    // `change_currency` waits for open refunds; this test changes the currency without it.
    async refund() {
      testPayments.db.put({ 'settings/code': 'USD' })
      throw new ProviderRejectedError('No.')
    },
  }))
  expect(await getErrorKey(refund(refusing, id, 15))).toBe('event_not_possible')
  expect(testPayments.getBalance()).toBe(5)
  expect(attempt(testPayments, id)).toMatchObject({
    status: 'paid',
    problem: 'currency_mismatch',
    parked: { amount: 15, currency: 'UYU' },
    refunds: { r1: { state: 'refused' } },
  })
})

describe('a process that stops', () => {
  /**
   * Makes all writes fail from the nth one on, as if the process had stopped before or after that
   * write.
   */
  const killAt = (testPayments: TestPayments, nth: number, when: 'before' | 'after') => {
    const { update } = testPayments.db
    let count = 0
    let isDead = false
    testPayments.db.update = async (updates) => {
      if (isDead) throw new Error('The process is dead.')
      count += 1
      isDead = count === nth
      if (isDead && when === 'before') throw new Error('The process is dead.')
      await update(updates)
      if (isDead) throw new Error('The process is dead.')
    }
    return { revive: () => (testPayments.db.update = update), writes: () => count }
  }
  it.each(['before', 'after'] as const)(
    'right %s any of its writes neither loses nor doubles money',
    async (when) => {
      let ended = false
      for (let nth = 1; !ended; nth++) {
        const { desk: testPayments, id } = await topUpWallet()
        const { revive } = killAt(testPayments, nth, when)
        ended = await refund(testPayments, id, 15).then(
          () => true,
          () => false,
        )
        revive()
        for (const ms of [3 * MINUTE_MS, 10 * MINUTE_MS, 2 * HOUR_MS])
          await reconcileAt(testPayments, ms)
        const sent = getBankRefunded(testPayments, id)
        expect([0, 1500], `write ${nth}`).toContain(sent)
        expect(testPayments.getBalance() * 100, `write ${nth}`).toBe(2000 - sent)
        expect((attempt(testPayments, id)?.refunded ?? 0) * 100, `write ${nth}`).toBe(sent)
        expect(attempt(testPayments, id)?.refund, `write ${nth}`).toBeUndefined()
        expect(violations(testPayments), `write ${nth}`).toEqual([])
        // A refund that was not sent can be sent now; one that was sent is not repeated.
        if (sent === 0) await refund(testPayments, id, 15)
        expect([getBankRefunded(testPayments, id), testPayments.getBalance()]).toEqual([1500, 5])
        if (ended) expect(nth).toBeGreaterThan(4)
      }
    },
  )
})

describe('a refund whose response was lost', () => {
  it('keeps the money held and is shown to the back office until a query to the provider resolves it', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    expect(await refund(withLostResponse(testPayments), id, 15)).toMatchObject({
      refund: 'unknown',
      refunded: 0,
    })
    expect(attempt(testPayments, id)).toMatchObject({
      problem: 'refund_unknown',
      refund: { id: 'r1', state: 'unknown' },
    })
    expect(testPayments.getBalance()).toBe(5)
    expect((await reconcileAt(testPayments, 30_000)).settled).toEqual([])
    expect((await reconcileAt(testPayments, 2 * MINUTE_MS)).settled).toEqual([id])
    expect(attempt(testPayments, id)).toMatchObject({ refunded: 15, status: 'partially_refunded' })
    expect(attempt(testPayments, id)?.problem).toBeUndefined()
    expect([
      testPayments.getBalance(),
      getBankRefunded(testPayments, id),
      violations(testPayments),
    ]).toEqual([5, 1500, []])
  })

  it('is resolved by requesting it again, which sends no further refund', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    await refund(withLostResponse(testPayments), id, 15)
    expect(await refund(testPayments, id, 15)).toMatchObject({ refunded: 15, refund: 'confirmed' })
    expect([testPayments.getBalance(), getBankRefunded(testPayments, id)]).toEqual([5, 1500])
  })

  it('returns the money after an hour if the provider has no record of it', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const silent = withAdapter(testPayments, () => ({
      refund: () => Promise.reject(new ProviderError('No answer.')),
    }))
    await refund(silent, id, 15)
    expect(await getErrorKey(refund(testPayments, id, 15))).toBe('refund_open')
    for (const ms of [2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 59 * MINUTE_MS])
      await reconcileAt(testPayments, ms)
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refund?.state]).toEqual([
      5,
      'unknown',
    ])
    await reconcileAt(testPayments, 2 * HOUR_MS)
    expect(attempt(testPayments, id)?.refund).toBeUndefined()
    expect(attempt(testPayments, id)?.problem).toBeUndefined()
    expect(testPayments.getBalance()).toBe(20)
    expect(await refund(testPayments, id, 15)).toMatchObject({ refund: 'confirmed' })
    expect([testPayments.getBalance(), getBankRefunded(testPayments, id)]).toEqual([5, 1500])
  })

  it('is queried less and less often, and not at all after a month', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    let requestCount = 0
    const pending = withRefundList(
      withAdapter(testPayments, () => ({ refund: () => Promise.resolve('pending' as const) })),
      () => {
        requestCount += 1
        return Promise.resolve([{ minor: 1500, state: 'pending', key: `${id}.r1` }])
      },
    )
    await refund(pending, id, 15)
    requestCount = 0
    for (let ms = MINUTE_MS; ms < HOUR_MS; ms += MINUTE_MS) await reconcileAt(pending, ms)
    expect(requestCount).toBeGreaterThan(5)
    expect(requestCount).toBeLessThan(15)
    for (let ms = HOUR_MS; ms < 40 * DAY_MS; ms += HOUR_MS) await reconcileAt(pending, ms)
    expect(requestCount).toBeLessThan(200)
    const before = requestCount
    await reconcileAt(pending, 45 * DAY_MS)
    expect(requestCount).toBe(before)
    expect(attempt(testPayments, id)).toMatchObject({
      refund: { state: 'pending' },
      problem: 'refund_unknown',
    })
    expect(attempt(testPayments, id)?.refund_due).toBeUndefined()
  })

  it('stays unknown until the back office enters the outcome, if the provider can’t be queried', async () => {
    for (const how of ['refunded', 'not_refunded'] as const) {
      const { desk: testPayments, id } = await topUpWallet()
      const failing = withoutStatusApi(withLostResponse(testPayments))
      await refund(failing, id, 15)
      for (const ms of [2 * MINUTE_MS, DAY_MS, 60 * DAY_MS]) await reconcileAt(failing, ms)
      expect(attempt(testPayments, id)).toMatchObject({
        problem: 'refund_unknown',
        refund: { state: 'unknown' },
      })
      expect(testPayments.getBalance()).toBe(5)
      expect(await getErrorKey(callResolvePayment(testPayments, id, 'dismiss'))).toBe('refund_open')
      expect(await getErrorKey(callResolvePayment(testPayments, id, 'credit'))).toBe('refund_open')
      await callResolvePayment(testPayments, id, how)
      expect(await getErrorKey(callResolvePayment(testPayments, id, how))).toBe('already_processed')
      expect(testPayments.getBalance()).toBe(how === 'refunded' ? 5 : 20)
      expect(attempt(testPayments, id)?.refunds?.r1).toMatchObject({
        state: how === 'refunded' ? 'confirmed' : 'refused',
        settled_by: 'admin',
      })
      expect(violations(testPayments)).toEqual([])
      const actions = Object.values(
        testPayments.db.at('audit') as Record<string, { action: string }>,
      )
      expect(actions.map(({ action }) => action)).toContain(`payment_${how}`)
    }
  })

  it('is deducted from the wallet again if it turns up after it was given up', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    let answer: () => void = () => undefined
    const late = withAdapter(testPayments, (adapter) => ({
      async refund(...given) {
        await new Promise<void>((resolve) => (answer = resolve))
        return adapter.refund?.(...given) ?? 'pending'
      },
    }))
    const pressed = refund(late, id, 15)
    await expect.poll(() => attempt(testPayments, id)?.refund?.state).toBe('sent')
    for (const ms of [3 * MINUTE_MS, 2 * HOUR_MS]) await reconcileAt(testPayments, ms)
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refund]).toEqual([20, undefined])
    answer()
    await expect(pressed).rejects.toThrow()
    expect([
      testPayments.getBalance(),
      getBankRefunded(testPayments, id),
      attempt(testPayments, id)?.refunded,
    ]).toEqual([5, 1500, 15])
  })
})

describe('a refund that the provider accepts and completes later', () => {
  const pending = (testPayments: TestPayments, id: string) => {
    let state: 'pending' | 'done' | 'failed' = 'pending'
    return {
      becomes: (next: typeof state) => void (state = next),
      slow: withRefundList(
        withAdapter(testPayments, () => ({ refund: () => Promise.resolve('pending' as const) })),
        () => Promise.resolve([{ minor: 1500, state, key: `${id}.r1` }]),
      ),
    }
  }
  it('holds the money until it is complete', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const { slow, becomes } = pending(testPayments, id)
    expect(await refund(withRefundList(slow, listNoRefunds), id, 15)).toMatchObject({
      refund: 'pending',
      refunded: 0,
    })
    expect(attempt(testPayments, id)?.problem).toBeUndefined()
    await reconcileAt(slow, 5 * MINUTE_MS)
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refund?.state]).toEqual([
      5,
      'pending',
    ])
    becomes('done')
    await reconcileAt(slow, DAY_MS)
    expect(attempt(testPayments, id)).toMatchObject({
      refunded: 15,
      refunds: { r1: { state: 'confirmed' } },
    })
    expect(testPayments.getBalance()).toBe(5)
  })
  it('returns the money when the provider declines it days later', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const { slow, becomes } = pending(testPayments, id)
    await refund(withRefundList(slow, listNoRefunds), id, 15)
    becomes('failed')
    await reconcileAt(slow, 3 * DAY_MS)
    expect(attempt(testPayments, id)).toMatchObject({ refunds: { r1: { state: 'refused' } } })
    expect([testPayments.getBalance(), violations(testPayments)]).toEqual([20, []])
  })
  it('stays open while the provider is slow to list it', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const { slow } = pending(testPayments, id)
    const unlisted = withRefundList(slow, listNoRefunds)
    await refund(unlisted, id, 15)
    for (const ms of [2 * HOUR_MS, DAY_MS, 5 * DAY_MS]) await reconcileAt(unlisted, ms)
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refund?.state]).toEqual([
      5,
      'pending',
    ])
  })
  it('is parked for the back office when it is returned after completion', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    await refund(testPayments, id, 15)
    const returned = withRefundList(testPayments, () =>
      Promise.resolve([{ minor: 1500, state: 'failed', key: `${id}.r1` }]),
    )
    await callResolvePayment(returned, id, 'check')
    await callResolvePayment(returned, id, 'check')
    expect(attempt(testPayments, id)).toMatchObject({
      problem: 'refund_failed',
      parked: { amount: 15 },
      refunds: { r1: { state: 'returned' } },
    })
    await callResolvePayment(returned, id, 'credit')
    expect(testPayments.getBalance()).toBe(20)
    await callResolvePayment(returned, id, 'check')
    expect([attempt(testPayments, id)?.problem, testPayments.getBalance()]).toEqual([undefined, 20])
  })
})

describe('a refund from the provider’s dashboard', () => {
  const says = (testPayments: TestPayments, id: string, minor: number, refund_id: string) => {
    const payment_id = attempt(testPayments, id)?.ref ?? 'test_none'
    const body = JSON.stringify({
      type: 'payment.refunded',
      order_id: id,
      payment_id,
      amount: minor,
      currency: 'UYU',
      refund_id,
    })
    const signature = signTestMessage(
      'kerbside-test-provider',
      body,
      Math.floor(testPayments.getTime() / 1000),
    )
    return testPayments.postWebhook(body, { 'x-test-signature': signature })
  }
  it('is deducted from the wallet once, however often and concurrently it is reported', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const all = await Promise.all(
      Array.from({ length: 50 }, () => says(testPayments, id, 700, 're_1')),
    )
    expect(new Set(all.map(({ response }) => response.status))).toEqual(new Set([200]))
    expect(attempt(testPayments, id)).toMatchObject({ status: 'partially_refunded', refunded: 7 })
    expect([testPayments.getBalance(), violations(testPayments)]).toEqual([13, []])
    const entries = Object.values(testPayments.db.at('audit') as object)
    expect(entries).toMatchObject([{ action: 'payment_refund_outside', to: { amount: 7 } }])
    expect(Object.values(testPayments.db.at('inbox/rider') as object)).toContainEqual(
      expect.objectContaining({ title: 'push_refunded_title', params: { amount: 7 } }),
    )
  })
  it('may take the wallet below zero, because the provider has already paid it out', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    testPayments.db.put({ 'users/rider/walletBalance': 1 })
    await says(testPayments, id, 2000, 're_1')
    expect([testPayments.getBalance(), attempt(testPayments, id)?.status]).toEqual([
      -19,
      'refunded',
    ])
  })
  it('is refused with a 503 before its payment arrives, and settled on redelivery', async () => {
    const testPayments = createTestPayments()
    const id = await startTopUp(testPayments)
    const early = await says(testPayments, id, 700, 're_1')
    expect([early.response.status, attempt(testPayments, id)?.status]).toEqual([503, 'created'])
    await payByCard(testPayments, id)
    expect((await says(testPayments, id, 700, 're_1')).response.status).toBe(200)
    expect(testPayments.getBalance()).toBe(13)
  })
  it('is found when the back office checks the payment, and before another refund is sent', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    await testPayments.db.update({ [`payments/${id}/details/bank/refunded`]: 700 })
    await callResolvePayment(testPayments, id, 'check')
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refunded]).toEqual([13, 7])
    await testPayments.db.update({ [`payments/${id}/details/bank/refunded`]: 1700 })
    expect(await getErrorKey(refund(testPayments, id, 4))).toBe('bad_input')
    expect([
      testPayments.getBalance(),
      attempt(testPayments, id)?.refunded,
      getBankRefunded(testPayments, id),
    ]).toEqual([3, 17, 1700])
    expect(await refund(testPayments, id)).toMatchObject({ status: 'refunded', refunded: 20 })
    expect([testPayments.getBalance(), violations(testPayments)]).toEqual([0, []])
  })
  it('counts once if its amount equals our own unknown refund', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    const silent = withAdapter(testPayments, () => ({
      refund: () => Promise.reject(new ProviderError('No answer.')),
    }))
    await refund(silent, id, 15)
    await testPayments.db.update({ [`payments/${id}/details/bank/refunded`]: 1500 })
    await reconcileAt(testPayments, 5 * MINUTE_MS)
    expect([testPayments.getBalance(), attempt(testPayments, id)?.refunded]).toEqual([5, 15])
    expect([attempt(testPayments, id)?.refund, violations(testPayments)]).toEqual([undefined, []])
  })
  it('makes the customer of an active booking owe the amount, and a cancellation returns only the rest', async () => {
    const testPayments = createTestPayments({ bookings: { [unpaidBooking.id]: unpaidBooking } })
    const id = await startPayment(testPayments, {
      payment_mode: 'card',
      provider: 'test',
      booking_id: unpaidBooking.id,
    })
    await payByCard(testPayments, id)
    await says(testPayments, id, 4000, 're_1')
    expect(testPayments.db.at(`bookings/${unpaidBooking.id}`)).toMatchObject({
      status: 'NEW',
      prepaid: false,
      cardPaymentAmount: 3.13,
      cashPaymentAmount: 40,
    })
    expect(testPayments.getBalance()).toBe(0)
    const given = { event: 'cancel', reason: 'changed_mind' } as const
    await testPayments.bookings.applyEvent(unpaidBooking.id, given, { uid: 'rider', role: 'rider' })
    expect(testPayments.getBalance()).toBe(3.13)
    expect(attempt(testPayments, id)?.problem).toBeUndefined()
  })
})

describe('a payment that arrives after a change of the platform’s currency', () => {
  it('is parked when the change came between checkout and message, and settled by the back office', async () => {
    const testPayments = createTestPayments()
    const id = await startTopUp(testPayments)
    testPayments.db.put({ settings: { ...aSettings({ code: 'USD' }) } })
    await payByCard(testPayments, id)
    expect(attempt(testPayments, id)).toMatchObject({
      status: 'pending',
      problem: 'currency_mismatch',
      parked: { amount: 20, currency: 'UYU' },
    })
    expect(testPayments.getBalance()).toBe(0)
    expect(await getErrorKey(callResolvePayment(testPayments, id, 'credit'))).toBe(
      'payment_mismatch',
    )
    expect(await callResolvePayment(testPayments, id, 'dismiss')).toMatchObject({
      status: 'cancelled',
    })
    expect(testPayments.getBalance()).toBe(0)
  })
})

describe('querying the provider about a payment', () => {
  it('finds a payment whose message never arrived', async () => {
    const testPayments = createTestPayments()
    const id = await startTopUp(testPayments)
    await payByCard(testPayments, id, 'late')
    testPayments.advanceClock(MINUTE_MS)
    expect(await callResolvePayment(testPayments, id, 'check')).toMatchObject({ status: 'paid' })
    expect(testPayments.getBalance()).toBe(20)
  })
  it('is refused for an unknown payment and for a provider that can’t be queried', async () => {
    const { desk: testPayments, id } = await topUpWallet()
    expect(await getErrorKey(callResolvePayment(testPayments, 'nothing', 'check'))).toBe(
      'not_found',
    )
    expect(await getErrorKey(callResolvePayment(withoutStatusApi(testPayments), id, 'check'))).toBe(
      'event_not_possible',
    )
    const down = withRefundList(testPayments, () => Promise.reject(new ProviderError('Down.')))
    expect(await getErrorKey(callResolvePayment(down, id, 'check'))).toBe('event_not_possible')
  })
})

it('sends no refund when the provider’s refunds can’t be queried', async () => {
  const { desk: testPayments, id } = await topUpWallet()
  const down = withRefundList(testPayments, () => Promise.reject(new ProviderError('Down.')))
  expect(await getErrorKey(refund(down, id, 5))).toBe('event_not_possible')
  const garbled = withRefundList(testPayments, () =>
    Promise.resolve([{ minor: NaN, state: 'done' }]),
  )
  expect(await getErrorKey(refund(garbled, id, 5))).toBe('event_not_possible')
  expect([
    testPayments.getBalance(),
    getBankRefunded(testPayments, id),
    attempt(testPayments, id)?.refund,
  ]).toEqual([20, 0, undefined])
})

describe('a refund for a complaint', () => {
  const complaint = { reason: 'wrong_fare', text: 'Charged twice' } as const
  const paidByCard = async () => {
    const desk = createTestPayments({ bookings: { [unpaidBooking.id]: toJson(unpaidBooking) } })
    const id = await startPayment(desk, {
      payment_mode: 'card',
      provider: 'test',
      booking_id: unpaidBooking.id,
    })
    await payByCard(desk, id)
    const { paymentPacket } = desk.db.at(`bookings/${unpaidBooking.id}`) as Booking
    const status = {
      [`bookings/${unpaidBooking.id}/status`]: 'PAID',
      [`bookings/${unpaidBooking.id}/paid_at`]: TEST_NOW,
      [`bookings/${unpaidBooking.id}/customer_paid`]: paymentPacket?.customer_paid ?? 0,
    }
    desk.db.put(status)
    return { desk, id }
  }
  /** A booking of 43.13 that two cards have paid: 30 before the trip, the rest after it. */
  const paidByTwoCards = async () => {
    const { desk, id: first } = await paidByCard()
    const second = '-OAsecondpayment0001'
    const { details, ...paid } = desk.db.at(`payments/${first}`) as PaymentAttempt & {
      details: object
    }
    const log = `bookings/${unpaidBooking.id}/event_log`
    const entry = (desk.db.at(log) as Booking['event_log'])['pay_PAYMENT_PENDING']
    desk.db.put({
      [`payments/${first}/amount`]: 30,
      [`payments/${second}`]: toJson({ ...paid, id: second, amount: 13.13, details }),
      [`${log}/pay_PENDING`]: toJson({ ...entry, ref: second }),
    })
    return { desk, first, second }
  }
  const withLostResponse = (desk: TestPayments) =>
    withAdapter(desk, () => ({ refund: () => Promise.reject(new ProviderError('No answer.')) }))
  const refundFor = (desk: TestPayments, payment_id: string, amount: number, n = 1) =>
    refund_payment.handle(
      { payment_id, amount, complaint, request_id: `-OArefundcomplaint0${n}` },
      createUserContext('admin', 'admin', desk),
    )

  it('says why in the booking’s history and in the message to the rider', async () => {
    const { desk, id } = await paidByCard()
    expect(await refundFor(desk, id, 10)).toMatchObject({ refunded: 10, refund: 'confirmed' })
    const { event_log, fare_history, refunded, words } = desk.db.at(
      `bookings/${unpaidBooking.id}`,
    ) as Booking
    expect(refunded).toBe(10)
    const [key = '', entry] =
      Object.entries(event_log).find(([, { event }]) => event === 'refund') ?? []
    expect(entry?.reason).toBe('wrong_fare')
    expect(words).toEqual({ [key]: 'Charged twice' })
    const { payments, audit } = desk.db.at('') as Record<string, unknown>
    expect(JSON.stringify([payments, audit])).not.toContain('Charged twice')
    expect(Object.values(fare_history).find(({ kind }) => kind === 'refund')?.cause).toBe(
      'wrong_fare',
    )
    expect(Object.values(desk.db.at('inbox/rider') as object)).toContainEqual(
      expect.objectContaining({
        title: 'push_complaint_refunded_title',
        params: { amount: 10, reference: unpaidBooking.reference, reason: 'wrong_fare' },
      }),
    )
  })

  it('is at most what the rider has not got back as a credit', async () => {
    const { desk, id } = await paidByCard()
    await desk.bookings.applyEvent(
      unpaidBooking.id,
      { event: 'compensate', request_id: '-OAcompensation00001', reason: 'late', rider: 40 },
      admin,
    )
    expect(await getErrorKey(refundFor(desk, id, 3.14))).toBe('bad_input')
    expect(await refundFor(desk, id, 3.13)).toMatchObject({ refund: 'confirmed' })
  })

  it('is made once when its request is repeated, alone or fifty times at once', async () => {
    const { desk, id } = await paidByCard()
    const first = await refundFor(desk, id, 10)
    expect(await refundFor(desk, id, 10)).toEqual(first)
    expect(await getErrorKey(refundFor(desk, id, 11))).toBe('already_processed')
    await Promise.all(Array.from({ length: 50 }, () => refundFor(desk, id, 5, 2)))
    expect((desk.db.at(`bookings/${unpaidBooking.id}`) as Booking).refunded).toBe(15)
    expect(getBankRefunded(desk, id)).toBe(1500)
    expect(Object.keys(attempt(desk, id)?.refunds ?? {})).toHaveLength(2)
  })

  it('counts the open refund of the booking’s other payment, also when both begin at once', async () => {
    for (let run = 0; run < 50; run++) {
      const { desk, first, second } = await paidByTwoCards()
      await desk.bookings.applyEvent(
        unpaidBooking.id,
        { event: 'compensate', request_id: '-OAcompensation00001', reason: 'late', rider: 20 },
        admin,
      )
      const settled = await Promise.allSettled([
        refundFor(withLostResponse(desk), first, 20, 1),
        refundFor(withLostResponse(desk), second, 13, 2),
      ])
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      // 43.13 was paid, and 20 came back as a credit.
      const open = desk.listAttempts().flatMap(({ refund: one }) => one?.amount ?? [])
      expect(sumAmounts(open, 2)).toBeLessThanOrEqual(23.13)
    }
  })

  it('is refused without the id of its request', async () => {
    const { desk, id } = await paidByCard()
    const call = refund_payment.handle(
      { payment_id: id, amount: 5, complaint },
      createUserContext('admin', 'admin', desk),
    )
    expect(await getErrorKey(call)).toBe('bad_input')
  })

  it('leaves no words when the provider refuses it', async () => {
    const { desk, id } = await paidByCard()
    const refusing = withAdapter(desk, () => ({
      refund: () => Promise.reject(new ProviderRejectedError('No.')),
    }))
    expect(await getErrorKey(refundFor(refusing, id, 5))).toBe('event_not_possible')
    expect(await getErrorKey(refundFor(refusing, id, 5))).toBe('event_not_possible')
    expect((desk.db.at(`bookings/${unpaidBooking.id}`) as Booking).words).toBeUndefined()
  })
})
