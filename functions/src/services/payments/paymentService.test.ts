import { describe, expect, it } from 'vitest'
import { ATTEMPT_REUSE_MS, type PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { get_providers } from '../../endpoints/payments/getProviders'
import { refund_payment } from '../../endpoints/payments/refundPayment'
import { resolve_payment } from '../../endpoints/payments/resolvePayment'
import { start_payment } from '../../endpoints/payments/startPayment'
import {
  aProject,
  createUserContext,
  createRequestContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { readPaymentKeys } from './paymentService'
import { CHALLENGE_CODE, signTestMessage } from '../../adapters/payments/providers/testProvider'
import { reconcilePayments } from './paymentReconciliation'
import { createTestPayments, LOCAL_ENV } from '../../testing/fakeProvider'
import type { Booking } from '~/domain/booking/types'

type TestPayments = ReturnType<typeof createTestPayments>
const unpaidBooking = aBooking({ status: 'PAYMENT_PENDING' })
const withBooking = (over: Partial<Booking> = {}) =>
  createTestPayments({ bookings: { [unpaidBooking.id]: { ...unpaidBooking, ...over } } })

const topUp = async (testPayments: TestPayments, amount = 20) => {
  const input = { payment_mode: 'topup', provider: 'test', amount } as const
  const started = await start_payment.handle(
    input,
    createUserContext('rider', 'rider', testPayments),
  )
  return (started as { payment_id: string }).payment_id
}
const card = async (testPayments: TestPayments, more: object = {}) => {
  const input = {
    payment_mode: 'card',
    provider: 'test',
    booking_id: unpaidBooking.id,
    ...more,
  } as const
  const started = await start_payment.handle(
    input,
    createUserContext('rider', 'rider', testPayments),
  )
  return (started as { payment_id: string }).payment_id
}
const submit = (testPayments: TestPayments, order_id: string, more: Record<string, string>) =>
  testPayments.postCheckout({ order_id, cust_id: 'rider', step: 'card', choice: 'pay', ...more })
const attempt = (testPayments: TestPayments, id: string) =>
  testPayments.listAttempts().find((a) => a.id === id)

describe('the list of providers', () => {
  const list = (testPayments: TestPayments) =>
    get_providers.handle({}, createRequestContext(null, testPayments))
  it('includes the test provider in local mode, at our own address', async () => {
    expect(await list(createTestPayments())).toEqual([
      {
        name: 'test',
        link: 'http://127.0.0.1:5001/demo-kerbside/us-central1/pay_test',
        step: 0.01,
        minimum: 0.01,
      },
    ])
  })
  it.each([
    ['in production', { GCLOUD_PROJECT: 'kerbside-live' }],
    ['on a real project in the emulator', { ...LOCAL_ENV, GCLOUD_PROJECT: 'kerbside-live' }],
    ['with an empty secret', { ...LOCAL_ENV, KERBSIDE_TEST_PAYMENT_SECRET: '' }],
  ])('excludes the test provider %s', async (_, env) => {
    const testPayments = createTestPayments({}, env)
    expect(await list(testPayments)).toEqual([])
    expect((await testPayments.postWebhook('{}')).response.status).toBe(404)
    expect((await testPayments.postCheckout({ order_id: 'x' })).response.status).toBe(404)
  })
  it('reads keys from one secret and from the environment, which takes precedence', () => {
    const env = readPaymentKeys({ PAYMENT_KEYS: '{"A":"1","B":"2"}', B: '3' })
    expect([env.A, env.B]).toEqual(['1', '3'])
  })
})

describe('the checkout form', () => {
  it('opens the page of the attempt it names and ignores its other fields', async () => {
    const testPayments = createTestPayments()
    const order_id = await topUp(testPayments)
    const { response } = await testPayments.postCheckout({
      order_id,
      amount: '0.01',
      currency: 'USD',
      product_name: '"><script>alert(1)</script>',
      first_name: '"><script>',
      last_name: '',
      quantity: '1',
      cust_id: 'rider',
      mobile_no: '',
      email: '',
    })
    expect(response.status).toBe(200)
    expect(response.body).toContain('UYU 20.00')
    expect(response.body).not.toContain('<script')
    expect(response.headers['Content-Security-Policy']).toContain("default-src 'none'")
    expect(response.headers['Content-Security-Policy']).toContain("script-src 'none'")
  })
  it('shows a rider’s name as plain text', async () => {
    const { users } = aProject()
    const name = '"><script>alert(1)</script>'
    const testPayments = createTestPayments({
      users: { ...users, rider: aRider({ firstName: name }) },
      settings: aSettings({ appName: name }),
    })
    const { response } = await testPayments.postCheckout({
      order_id: await topUp(testPayments),
      cust_id: 'rider',
    })
    expect(response.body).not.toContain('<script>')
  })
  it('may name the booking itself, which starts an attempt for the full amount due', async () => {
    const testPayments = withBooking()
    const { response } = await testPayments.postCheckout({
      order_id: unpaidBooking.id,
      cust_id: 'rider',
    })
    expect(response.body).toContain('UYU 43.13')
    expect(testPayments.listAttempts()).toMatchObject([
      { booking: unpaidBooking.id, amount: 43.13, uid: 'rider' },
    ])
  })
  it.each([
    ['an unknown order', { order_id: 'nothing', cust_id: 'rider' }],
    ['a path', { order_id: '../users/rider', cust_id: 'rider' }],
    ["another user's booking", { order_id: unpaidBooking.id, cust_id: 'driver' }],
    ['a booking without its payer', { order_id: unpaidBooking.id }],
    ['an empty form', {}],
  ])('does not open a page for %s', async (_, form) => {
    const testPayments = withBooking()
    expect((await testPayments.postCheckout(form as Record<string, string>)).response.status).toBe(
      404,
    )
    expect(testPayments.listAttempts()).toEqual([])
  })
  it('does not open another payer’s or provider’s attempt', async () => {
    const testPayments = createTestPayments()
    const order_id = await topUp(testPayments)
    expect((await testPayments.postCheckout({ order_id, cust_id: 'driver' })).response.status).toBe(
      404,
    )
    expect(
      (await testPayments.postCheckout({ order_id, cust_id: 'rider' }, 'stripe')).response.status,
    ).toBe(404)
  })
  it('redirects a paid attempt to the app', async () => {
    const testPayments = createTestPayments()
    const order_id = await topUp(testPayments)
    await submit(testPayments, order_id, { card: 'pays' })
    const { response } = await testPayments.postCheckout({ order_id, cust_id: 'rider' })
    expect([response.status, response.headers.Location]).toEqual([
      303,
      `http://127.0.0.1:5050/payment-return?payment=${order_id}`,
    ])
  })
  it('can’t be opened after a day', async () => {
    const testPayments = createTestPayments()
    const order_id = await topUp(testPayments)
    testPayments.advanceClock(25 * 60 * MINUTE_MS)
    expect((await testPayments.postCheckout({ order_id, cust_id: 'rider' })).response.status).toBe(
      404,
    )
  })
})

describe('the test provider', () => {
  it('tops up the wallet once with a valid card', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const { response } = await submit(testPayments, id, { card: 'pays' })
    expect(response.headers.Location).toContain('/payment_return/test?payment=')
    expect(testPayments.getBalance()).toBe(20)
    const { response: home } = await testPayments.openReturn(id)
    expect(home.headers.Location).toBe(`http://127.0.0.1:5050/payment-return?payment=${id}`)
    expect(testPayments.getBalance()).toBe(20)
  })
  it('pays a booking by card and partly from the wallet', async () => {
    const { users } = aProject()
    const history = { start: { type: 'Credit', amount: 10, date: 1, txRef: 'start' } }
    const rich = { ...users.rider, walletBalance: 10, walletHistory: history }
    const testPayments = createTestPayments({
      users: { ...users, rider: rich },
      bookings: { [unpaidBooking.id]: unpaidBooking },
    })
    const id = await card(testPayments, { usedWalletMoney: 10 })
    expect(attempt(testPayments, id)?.amount).toBe(33.13)
    await submit(testPayments, id, { card: 'pays' })
    expect(testPayments.db.at(`bookings/${unpaidBooking.id}`)).toMatchObject({
      status: 'NEW',
      gateway: 'test',
      cardPaymentAmount: 33.13,
      usedWalletMoney: 10,
    })
    expect(testPayments.getBalance()).toBe(0)
  })
  it('credits once for twenty simultaneous deliveries', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const body = JSON.stringify({
      type: 'payment.paid',
      order_id: id,
      payment_id: 'p1',
      amount: 2000,
      currency: 'UYU',
    })
    const signature = signTestMessage('kerbside-test-provider', body, TEST_NOW / 1000)
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        testPayments.postWebhook(body, { 'x-test-signature': signature }),
      ),
    )
    expect(new Set(all.map(({ response }) => response.status))).toEqual(new Set([200]))
    expect(testPayments.getBalance()).toBe(20)
    expect(Object.keys(testPayments.db.at('payment_events') as object)).toEqual(['test-p1'])
  })
  it('reports a declined card and accepts another one', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const { response } = await submit(testPayments, id, { card: 'declined' })
    expect(response.body).toContain('declined')
    expect(attempt(testPayments, id)?.status).toBe('failed')
    await submit(testPayments, id, { card: 'pays' })
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['paid', 20])
  })
  it('requires the correct code from the bank', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    expect((await submit(testPayments, id, { card: 'challenge' })).response.body).toContain(
      'Your bank',
    )
    const wrong = await submit(testPayments, id, { step: 'challenge', code: '1' })
    expect(wrong.response.body).toContain('The code is incorrect')
    expect(testPayments.getBalance()).toBe(0)
    await submit(testPayments, id, { step: 'challenge', code: CHALLENGE_CODE })
    expect(testPayments.getBalance()).toBe(20)
  })
  it('returns without a charge when the payer leaves', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const { response } = await submit(testPayments, id, { choice: 'leave' })
    expect(response.headers.Location).toContain('hint=cancelled')
    const back = await testPayments.openReturn(id, { hint: 'cancelled' })
    expect(back.response.headers.Location).toContain('hint=cancelled')
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['created', 0])
  })
  it('applies a late message to its payment', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'late' })
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['pending', 0])
    testPayments.advanceClock(5000)
    await testPayments.runDelayed()
    await expect.poll(() => testPayments.getBalance()).toBe(20)
  })
  it('counts a message once when it arrives twice', async () => {
    const testPayments = createTestPayments()
    await submit(testPayments, await topUp(testPayments), { card: 'twice' })
    expect(testPayments.requests).toHaveLength(3)
    expect(testPayments.getBalance()).toBe(20)
  })
  it('parks a different amount for the back office, which credits it', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'less' })
    await testPayments.openReturn(id)
    expect(attempt(testPayments, id)).toMatchObject({
      status: 'pending',
      problem: 'amount_mismatch',
      parked: { amount: 19.99 },
    })
    expect(testPayments.getBalance()).toBe(0)
    const resolve = () =>
      resolve_payment.handle(
        { payment_id: id, how: 'credit' },
        createUserContext('admin', 'admin', testPayments),
      )
    expect(await resolve()).toEqual({ payment_id: id, status: 'cancelled' })
    expect(await getErrorKey(resolve())).toBe('already_processed')
    expect(testPayments.getBalance()).toBe(19.99)
  })
  it.each([
    ['forged', 'other-secret', 0, ''],
    ['stale', 'kerbside-test-provider', 301, ''],
    ['from the future', 'kerbside-test-provider', -301, ''],
    ['truncated', 'kerbside-test-provider', 0, 'cut'],
  ])('refuses a %s message and changes nothing', async (_, secret, age, cut) => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const body = `{"type":"payment.paid","order_id":"${id}","payment_id":"p","amount":2000,"currency":"UYU"}`
    const signature = signTestMessage(secret, body, TEST_NOW / 1000 - age)
    const sent = cut ? body.slice(0, -3) : body
    const { response } = await testPayments.postWebhook(sent, { 'x-test-signature': signature })
    expect([response.status, response.body]).toEqual([400, ''])
    expect((await testPayments.postWebhook(body)).response.status).toBe(400)
    expect(testPayments.getBalance()).toBe(0)
  })
})

describe('a booking paid by card', () => {
  const automatic = { settings: aSettings({ autoDispatch: true }) }
  const requested = (testPayments: TestPayments) =>
    testPayments.db.at(`bookings/${unpaidBooking.id}/requestedDrivers`)
  it('sends offers to nearby drivers at once, and only once, when the message arrives twice and the payer returns', async () => {
    const testPayments = createTestPayments({
      ...automatic,
      bookings: { [unpaidBooking.id]: unpaidBooking },
    })
    const id = await card(testPayments)
    await Promise.all([submit(testPayments, id, { card: 'twice' }), testPayments.openReturn(id)])
    expect(requested(testPayments)).toEqual({ driver: true })
    const listed = Object.values(
      testPayments.db.at('inbox/driver') as Record<string, { screen: string }>,
    )
    expect(listed.map(({ screen }) => screen)).toEqual(['DriverTrips'])
  })
  it('sends no offers when the back office assigns drivers or the pickup time is far away', async () => {
    const byHand = withBooking()
    await submit(byHand, await card(byHand), { card: 'pays' })
    expect([byHand.db.at(`bookings/${unpaidBooking.id}/status`), requested(byHand)]).toEqual([
      'NEW',
      null,
    ])
    const later = { ...unpaidBooking, bookLater: true, tripdate: TEST_NOW + 24 * 60 * MINUTE_MS }
    const testPayments = createTestPayments({
      ...automatic,
      bookings: { [unpaidBooking.id]: later },
    })
    await submit(testPayments, await card(testPayments), { card: 'pays' })
    expect([
      testPayments.db.at(`bookings/${unpaidBooking.id}/status`),
      requested(testPayments),
    ]).toEqual(['NEW', null])
  })
})

describe('a provider that charges from our page', () => {
  const keys = {
    CULQI_PUBLIC_KEY: 'pk_test_1',
    CULQI_SECRET_KEY: 'sk_test_1',
    CULQI_WEBHOOK_USER: 'user',
    CULQI_WEBHOOK_PASS: 'pass',
  }
  const good = { object: 'charge', id: 'chr_1', amount: 2000, currency_code: 'PEN' }
  const open = async (answer: (body: { authentication_3DS?: object }) => Response) => {
    const settings = aSettings({ code: 'PEN' })
    const testPayments = createTestPayments({ settings }, { ...LOCAL_ENV, ...keys }, ({ json }) =>
      answer(json as object),
    )
    const input = { payment_mode: 'topup', provider: 'culqi', amount: 20 } as const
    const started = await start_payment.handle(
      input,
      createUserContext('rider', 'rider', testPayments),
    )
    const { payment_id: order_id } = started as { payment_id: string }
    const send = (more: Record<string, string>) =>
      testPayments.postCheckout(
        { order_id, cust_id: 'rider', token: 'tkn_test_1', ...more },
        'culqi',
      )
    const paid = { ...good, outcome: { type: 'venta_exitosa' }, metadata: { payment: order_id } }
    return { desk: testPayments, id: order_id, send, paid }
  }
  const reply = (json: object, status: number) => new Response(JSON.stringify(json), { status })

  it('accepts the bank’s proof after the bank’s challenge', async () => {
    const {
      desk: testPayments,
      id,
      send,
      paid,
    } = await open((body) =>
      body.authentication_3DS ? reply(paid, 201) : reply({ action_code: 'REVIEW' }, 200),
    )
    const { response } = await send({ step: 'token' })
    expect(response.body).toContain('Culqi3DS.initAuthentication')
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['failed', 0])
    await send({ step: 'bank', proof: '{"eci":"05"}' })
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['paid', 20])
  })
  it('charges once when the form is sent several times at once', async () => {
    let charges = 0
    const {
      desk: testPayments,
      id,
      send,
      paid,
    } = await open(() => {
      charges += 1
      return reply(paid, 201)
    })
    await Promise.all(Array.from({ length: 50 }, () => send({ step: 'token' })))
    expect([charges, attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual([
      1,
      'paid',
      20,
    ])
  })
})

describe('two attempts on one booking', () => {
  it('credit the second payment to the payer’s wallet', async () => {
    const testPayments = withBooking()
    const first = await card(testPayments)
    testPayments.db.put({ [`payments/${first}/createdAt`]: TEST_NOW - ATTEMPT_REUSE_MS })
    const second = await card(testPayments)
    expect(second).not.toBe(first)
    await Promise.all([
      submit(testPayments, first, { card: 'pays' }),
      submit(testPayments, second, { card: 'pays' }),
    ])
    expect(testPayments.db.at(`bookings/${unpaidBooking.id}/status`)).toBe('NEW')
    expect(testPayments.getBalance()).toBe(43.13)
    expect(testPayments.listAttempts().map(({ applied_to }) => applied_to)).toEqual(
      expect.arrayContaining(['booking', 'wallet']),
    )
  })
})

describe('reconciliation', () => {
  it('queries attempts without a message and skips fresh ones', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'late' })
    testPayments.advanceClock(4 * MINUTE_MS)
    expect((await reconcilePayments(testPayments, TEST_NOW + 4 * MINUTE_MS)).settled).toEqual([])
    testPayments.advanceClock(2 * MINUTE_MS)
    expect((await reconcilePayments(testPayments, TEST_NOW + 6 * MINUTE_MS)).settled).toEqual([id])
    expect(testPayments.getBalance()).toBe(20)
    await testPayments.runDelayed()
    expect(testPayments.getBalance()).toBe(20)
  })
  it('ends attempts unpaid after a day, and still accepts a payment that arrives later', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    const later = TEST_NOW + 25 * 60 * MINUTE_MS
    testPayments.advanceClock(25 * 60 * MINUTE_MS)
    expect(await reconcilePayments(testPayments, later)).toEqual({ settled: [], ended: [id] })
    await testPayments.payments.applyEvent({
      payment: id,
      gateway: 'test',
      ref: 'late',
      status: 'paid',
      minor: 2000,
      currency: 'UYU',
    })
    expect([attempt(testPayments, id)?.status, testPayments.getBalance()]).toEqual(['paid', 20])
  })
})

describe('status checks', () => {
  const rows = (count: number, createdAt = TEST_NOW) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => {
        const id = `-P${String(i).padStart(4, '0')}`
        const attempt: PaymentAttempt = {
          id,
          uid: 'rider',
          kind: 'wallet',
          gateway: 'test',
          amount: 20,
          currency: 'UYU',
          createdAt,
          revision: 1,
          status: 'created',
        }
        return [id, attempt]
      }),
    )
  /** Returns how often the provider is queried at these ages (minutes). */
  const asks = async (testPayments: TestPayments, minutes: number[], hasTime?: () => boolean) => {
    let count = 0
    const counting = {
      ...testPayments.payments,
      getAdapter: (name: string) => {
        const adapter = testPayments.payments.getAdapter(name)
        return adapter && { ...adapter, fetchStatus: () => Promise.resolve(void count++ as never) }
      },
    }
    for (const age of minutes)
      await reconcilePayments(
        { ...testPayments, payments: counting },
        TEST_NOW + age * MINUTE_MS,
        hasTime,
      )
    return count
  }
  it('become less frequent over time', async () => {
    const testPayments = createTestPayments({ payments: rows(1) })
    const each = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
    expect(await asks(testPayments, each(0, 30))).toBe(25)
    expect(await asks(testPayments, each(30, 24 * 60))).toBe(47)
  })
  it('reach attempts beyond the first page', async () => {
    expect(await asks(createTestPayments({ payments: rows(450) }), [6])).toBe(450)
  })
  it('stop when time runs out and continue in the next minute', async () => {
    let left = 3
    expect(await asks(createTestPayments({ payments: rows(450) }), [6], () => left-- > 0)).toBe(24)
  })
  it('are skipped when the provider has no status API, and the attempt still ends on time', async () => {
    const testPayments = createTestPayments({ payments: rows(1) })
    const silent = {
      ...testPayments.payments,
      getAdapter: (name: string) => {
        const adapter = testPayments.payments.getAdapter(name)
        if (!adapter) return null
        const { id, isCurrencySupported, checkout, parseWebhook } = adapter
        return { id, isCurrencySupported, checkout, parseWebhook }
      },
    }
    const at = (age: number) =>
      reconcilePayments({ ...testPayments, payments: silent }, TEST_NOW + age * MINUTE_MS)
    expect(await at(6)).toEqual({ settled: [], ended: [] })
    expect((await at(25 * 60)).ended).toEqual(['-P0000'])
  })
})

describe('a pending payment', () => {
  it('ends after a week', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await testPayments.payments.applyEvent({
      payment: id,
      gateway: 'test',
      ref: 'slow',
      status: 'pending',
      minor: 2000,
      currency: 'UYU',
    })
    const after = (days: number) =>
      reconcilePayments(testPayments, TEST_NOW + days * 24 * 60 * MINUTE_MS)
    expect((await after(6)).ended).toEqual([])
    expect((await after(8)).ended).toEqual([id])
  })
})

describe('refunds', () => {
  const refund = (testPayments: TestPayments, payment_id: string, amount?: number) =>
    refund_payment.handle({ payment_id, amount }, createUserContext('admin', 'admin', testPayments))
  it('return money from the wallet to the card in parts, with audit entries', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'pays' })
    expect(await refund(testPayments, id, 5)).toMatchObject({
      status: 'partially_refunded',
      refunded: 5,
    })
    expect(await refund(testPayments, id)).toMatchObject({ status: 'refunded', refunded: 20 })
    expect(testPayments.getBalance()).toBe(0)
    expect(await getErrorKey(refund(testPayments, id))).toBe('event_not_possible')
    expect(Object.keys(testPayments.db.at('audit') as object)).toHaveLength(2)
  })
  it('happen once when two admins press at once or the first response was lost', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'pays' })
    const both = await Promise.allSettled([
      refund(testPayments, id, 5),
      refund(testPayments, id, 5),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const bank = () => testPayments.db.at(`payments/${id}/details/bank/refunded`)
    expect([bank(), testPayments.getBalance(), attempt(testPayments, id)?.refunded]).toEqual([
      500, 15, 5,
    ])
    // The bank has refunded, but its response is lost.
    const failing = {
      ...testPayments.payments,
      applyEvent: () => Promise.reject(new Error('lost')),
    }
    await expect(refund({ ...testPayments, payments: failing }, id, 5)).rejects.toThrow('lost')
    await refund(testPayments, id, 5)
    expect([bank(), testPayments.getBalance(), attempt(testPayments, id)?.refunded]).toEqual([
      1000, 10, 10,
    ])
  })
  it('can’t start while another refund is pending', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'pays' })
    let beside = ''
    const slow = {
      ...testPayments.payments,
      getAdapter: (name: string) => {
        const adapter = testPayments.payments.getAdapter(name)
        const send = adapter?.refund
        if (!adapter || !send) return null
        const refundSlowly: typeof send = async (...given) => {
          beside = await getErrorKey(refund(testPayments, id, 5))
          return send(...given)
        }
        return { ...adapter, refund: refundSlowly }
      },
    }
    await refund({ ...testPayments, payments: slow }, id, 5)
    expect([beside, attempt(testPayments, id)?.refunded]).toEqual(['refund_open', 5])
    expect((await refund(testPayments, id, 5)).refunded).toBe(10)
  })
  it('are recorded before the money moves, even if the outcome is lost', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    await submit(testPayments, id, { card: 'pays' })
    const failing = {
      ...testPayments.payments,
      applyEvent: () => Promise.reject(new Error('lost')),
    }
    await expect(refund({ ...testPayments, payments: failing }, id, 5)).rejects.toThrow('lost')
    expect(Object.values(testPayments.db.at('audit') as object)).toMatchObject([
      { by: 'admin', action: 'payment_refund', to: { amount: 5 } },
    ])
  })
  it('return a booking’s money to the card only after cancellation, and only once', async () => {
    const testPayments = withBooking()
    const id = await card(testPayments)
    await submit(testPayments, id, { card: 'pays' })
    expect(await getErrorKey(refund(testPayments, id))).toBe('cancel_first')
    const given = { event: 'cancel', reason: 'changed_mind' } as const
    await testPayments.bookings.applyEvent(unpaidBooking.id, given, { uid: 'rider', role: 'rider' })
    expect(testPayments.getBalance()).toBe(43.13)
    testPayments.db.put({ 'users/rider/walletBalance': 40 })
    expect(await getErrorKey(refund(testPayments, id))).toBe('wallet_too_low')
    expect(await refund(testPayments, id, 40)).toMatchObject({ refunded: 40 })
    expect(testPayments.getBalance()).toBe(0)
  })
  it('can’t exceed the payment or include money already spent', async () => {
    const testPayments = createTestPayments()
    const id = await topUp(testPayments)
    expect(await getErrorKey(refund(testPayments, id))).toBe('event_not_possible')
    await submit(testPayments, id, { card: 'pays' })
    expect(await getErrorKey(refund(testPayments, id, 20.01))).toBe('bad_input')
    testPayments.db.put({ 'users/rider/walletBalance': 3 })
    expect(await getErrorKey(refund(testPayments, id))).toBe('wallet_too_low')
    expect(await getErrorKey(refund(testPayments, 'nothing'))).toBe('not_found')
  })
})

describe('a new payment', () => {
  it('is refused when the currency can’t represent its amount, while a top-up is rounded', async () => {
    const yen = createTestPayments({
      settings: aSettings({ code: 'JPY' }),
      bookings: { [unpaidBooking.id]: unpaidBooking },
    })
    expect(await getErrorKey(card(yen))).toBe('bad_input')
    expect(attempt(yen, await topUp(yen, 20.4))?.amount).toBe(20)
    const dinar = createTestPayments({ settings: aSettings({ code: 'KWD', decimal: 3 }) })
    expect(attempt(dinar, await topUp(dinar, 1.2345))?.amount).toBe(1.235)
  })
})
