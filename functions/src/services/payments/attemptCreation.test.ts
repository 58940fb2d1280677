import { describe, expect, it } from 'vitest'
import { ATTEMPT_REUSE_MS, MAX_UNPAID_ATTEMPTS } from '~/domain/payments/paymentAttempt'
import { aBooking, aSettings } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { start_payment } from '../../endpoints/payments/startPayment'
import { createUserContext, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import { reconcilePayments } from './paymentReconciliation'
import { signPayu } from '../../adapters/payments/providers/payulatam'
import { createTestPayments, LOCAL_ENV, type RecordedRequest } from '../../testing/fakeProvider'

type TestPayments = ReturnType<typeof createTestPayments>
const unpaidBooking = aBooking({ status: 'PAYMENT_PENDING' })
const withBooking = () => createTestPayments({ bookings: { [unpaidBooking.id]: unpaidBooking } })

const at = (payments: TestPayments, ms: number) => ({
  ...createUserContext('rider', 'rider', payments),
  now: TEST_NOW + ms,
})
const getPaymentId = (started: unknown) => (started as { payment_id: string }).payment_id
const topUp = async (payments: TestPayments, amount = 20, ms = 0) => {
  const input = { payment_mode: 'topup', provider: 'test', amount } as const
  return getPaymentId(await start_payment.handle(input, at(payments, ms)))
}
const card = async (payments: TestPayments, more: object = {}, ms = 0) => {
  const input = {
    payment_mode: 'card',
    provider: 'test',
    booking_id: unpaidBooking.id,
    ...more,
  } as const
  return getPaymentId(await start_payment.handle(input, at(payments, ms)))
}
const pays = (payments: TestPayments, order_id: string) =>
  payments.postCheckout({ order_id, cust_id: 'rider', step: 'card', choice: 'pay', card: 'pays' })

describe('starting a payment', () => {
  it('reuses the open attempt when the same payment is requested again', async () => {
    const payments = withBooking()
    const first = await card(payments)
    for (let ms = 0; ms < ATTEMPT_REUSE_MS; ms += ATTEMPT_REUSE_MS / 30)
      expect(await card(payments, {}, ms)).toBe(first)
    expect(payments.listAttempts()).toHaveLength(1)
  })

  it('creates one attempt for fifty simultaneous requests, for a booking and for the wallet', async () => {
    for (const begin of [
      (payments: TestPayments) => card(payments),
      (payments: TestPayments) => topUp(payments),
    ]) {
      const payments = withBooking()
      const ids = await Promise.all(Array.from({ length: 50 }, () => begin(payments)))
      expect(new Set(ids).size).toBe(1)
      expect(payments.listAttempts()).toHaveLength(1)
    }
  })

  it('creates one attempt for thirty forms that only name the booking and rider', async () => {
    const payments = withBooking()
    for (let i = 0; i < 30; i++)
      expect(
        (await payments.postCheckout({ order_id: unpaidBooking.id, cust_id: 'rider' })).response
          .status,
      ).toBe(200)
    expect(payments.listAttempts()).toHaveLength(1)
    expect(await card(payments)).toBe(payments.listAttempts()[0]?.id)
  })

  it('creates another attempt for another amount, promo or time', async () => {
    const payments = withBooking()
    const first = await topUp(payments)
    expect(await topUp(payments, 21)).not.toBe(first)
    const begun = [await card(payments)]
    payments.db.put({ 'users/rider/walletBalance': 10 })
    begun.push(await card(payments, { usedWalletMoney: 5 }))
    begun.push(await card(payments, { usedWalletMoney: 6 }))
    begun.push(await card(payments, { usedWalletMoney: 6 }, ATTEMPT_REUSE_MS))
    expect(new Set(begun).size).toBe(4)
  })

  it('creates another attempt after a declined card or a pending one', async () => {
    const payments = createTestPayments()
    const first = await topUp(payments)
    await payments.postCheckout({
      order_id: first,
      cust_id: 'rider',
      step: 'card',
      choice: 'pay',
      card: 'declined',
    })
    const second = await topUp(payments)
    await payments.postCheckout({
      order_id: second,
      cust_id: 'rider',
      step: 'card',
      choice: 'pay',
      card: 'late',
    })
    expect(new Set([first, second, await topUp(payments)]).size).toBe(3)
  })

  it('creates another attempt for another currency', async () => {
    const payments = createTestPayments()
    const first = await topUp(payments)
    payments.db.put({ settings: { ...aSettings({ code: 'USD' }) } })
    expect(await topUp(payments)).not.toBe(first)
  })

  it('is refused after too many unpaid attempts in a day, and allowed the next day', async () => {
    const payments = withBooking()
    for (let i = 0; i < MAX_UNPAID_ATTEMPTS.wallet; i++) await topUp(payments, 20 + i, i)
    expect(await getErrorKey(topUp(payments, 1))).toBe('too_many_requests')
    expect(await getErrorKey(topUp(payments, 2, 23 * HOUR_MS))).toBe('too_many_requests')
    // A booking is a separate purpose, and each payer's attempts count separately.
    expect(await card(payments)).toBeTruthy()
    expect(await topUp(payments, 1, 24 * HOUR_MS)).toBeTruthy()
  })

  it('counts each booking’s attempts separately', async () => {
    const payments = withBooking()
    payments.db.put({ 'users/rider/walletBalance': 40 })
    for (let i = 0; i < MAX_UNPAID_ATTEMPTS.booking; i++)
      await card(payments, { usedWalletMoney: 1 + i }, i)
    expect(await getErrorKey(card(payments))).toBe('too_many_requests')
    expect(
      (await payments.postCheckout({ order_id: unpaidBooking.id, cust_id: 'rider' })).response
        .status,
    ).toBe(404)
    expect(payments.listAttempts()).toHaveLength(MAX_UNPAID_ATTEMPTS.booking)
  })

  it('restarts the count after a successful payment', async () => {
    const payments = createTestPayments()
    for (let i = 0; i < MAX_UNPAID_ATTEMPTS.wallet - 1; i++) await topUp(payments, 20 + i, i)
    await pays(payments, await topUp(payments, 5))
    expect(payments.db.at('open_payments')).toBeNull()
    for (let i = 0; i < MAX_UNPAID_ATTEMPTS.wallet; i++) await topUp(payments, 20 + i, HOUR_MS + i)
    expect(await getErrorKey(topUp(payments, 1, 2 * HOUR_MS))).toBe('too_many_requests')
  })
})

it.each([
  ['below the provider’s minimum', 'NGN', { PAYSTACK_SECRET_KEY: 'sk_test_1' }, 'paystack', 49.99],
  [
    'off the provider’s step',
    'KWD',
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    'stripe',
    12.345,
  ],
] as const)(
  'refuses a payment %s before the payer leaves',
  async (_, code, keys, provider, amount) => {
    const decimal = code === 'KWD' ? 3 : 2
    const payments = createTestPayments(
      { settings: aSettings({ code, decimal }) },
      { ...LOCAL_ENV, ...keys },
    )
    const input = { payment_mode: 'topup', provider, amount } as const
    await expect(
      start_payment.handle(input, createUserContext('rider', 'rider', payments)),
    ).rejects.toMatchObject({ error: { key: 'amount_not_chargeable', field: 'amount' } })
    expect(payments.listAttempts()).toEqual([])
  },
)

describe('a provider’s page that is already open', () => {
  const keys = { PAYSTACK_SECRET_KEY: 'sk_test_abc' }
  /** Returns a Paystack that opens each reference only once. */
  const paystack = () => {
    const opened = new Set<unknown>()
    return ({ json }: RecordedRequest) => {
      const { reference } = json as { reference: string }
      if (opened.has(reference)) return new Response('{}', { status: 400 })
      opened.add(reference)
      return { data: { authorization_url: `https://checkout.paystack.com/${opened.size}` } }
    }
  }
  const scene = async () => {
    const payments = createTestPayments(
      { settings: aSettings({ code: 'NGN' }) },
      { ...LOCAL_ENV, ...keys },
      paystack(),
    )
    const input = { payment_mode: 'topup', provider: 'paystack', amount: 50 } as const
    const order_id = getPaymentId(
      await start_payment.handle(input, createUserContext('rider', 'rider', payments)),
    )
    return {
      desk: payments,
      open: () => payments.postCheckout({ order_id, cust_id: 'rider' }, 'paystack'),
    }
  }
  it('is reused while it is fresh', async () => {
    const { desk: payments, open } = await scene()
    for (let i = 0; i < 3; i++)
      expect((await open()).response.headers.Location).toBe('https://checkout.paystack.com/1')
    expect(payments.requests).toHaveLength(1)
  })
  it('is used by a second request that opens it at the same time', async () => {
    const { open } = await scene()
    const both = await Promise.all([open(), open(), open()])
    expect(both.map(({ response }) => response.status)).toEqual([303, 303, 303])
    expect((await open()).response.headers.Location).toBe('https://checkout.paystack.com/1')
  })
})

describe('a PayU test payment replayed against the live account', () => {
  const keys = {
    PAYU_MERCHANT_ID: '508029',
    PAYU_ACCOUNT_ID: '512321',
    PAYU_API_KEY: 'key',
    PAYU_API_LOGIN: 'login',
    PAYU_ENV: 'live',
  }
  /** Builds the scene; `known` returns the live payments that PayU lists. */
  const scene = async (known: () => object | null) => {
    const payments = createTestPayments(
      { settings: aSettings({ code: 'USD' }) },
      { ...LOCAL_ENV, ...keys },
      () => ({
        code: 'SUCCESS',
        result: known(),
      }),
    )
    const input = { payment_mode: 'topup', provider: 'payulatam', amount: 20 } as const
    const id = getPaymentId(
      await start_payment.handle(input, createUserContext('rider', 'rider', payments)),
    )
    const confirm = (more: Record<string, string> = {}) => {
      const body = new URLSearchParams({
        merchant_id: '508029',
        reference_sale: id,
        value: '20.00',
        currency: 'USD',
        state_pol: '4',
        sign: signPayu(`key~508029~${id}~20.0~USD~4`, 'HMAC-SHA256', 'key'),
        ...more,
      }).toString()
      return payments.postWebhook(body, {}, 'payulatam')
    }
    return { desk: payments, id, confirm }
  }
  it('has no effect, with or without its test mark', async () => {
    const { desk: payments, confirm } = await scene(() => null)
    expect((await confirm({ test: '1' })).response.status).toBe(200)
    // The test mark is not signed, so a forger can remove it. We query PayU, which lists no such
    // payment.
    for (const confirmed of [await confirm(), await confirm({ test: '0' })])
      expect(confirmed.response.status).toBe(500)
    expect([payments.listAttempts()[0]?.status, payments.getBalance()]).toEqual(['created', 0])
  })
  const order = {
    id: 1,
    transactions: [
      {
        id: 't',
        type: 'AUTHORIZATION_AND_CAPTURE',
        transactionResponse: { state: 'APPROVED' },
        additionalValues: { TX_VALUE: { value: 20, currency: 'USD' } },
      },
    ],
  }
  it.each([true, 'true', 1])('has no effect when PayU lists it with isTest %j', async (isTest) => {
    const { desk: payments, confirm } = await scene(() => ({ payload: [{ ...order, isTest }] }))
    expect((await confirm()).response.status).toBe(500)
    expect((await reconcilePayments(payments, TEST_NOW + HOUR_MS / 10)).settled).toEqual([])
    expect([payments.listAttempts()[0]?.status, payments.getBalance()]).toEqual(['created', 0])
  })
  it('is refused, while a real payment counts when PayU lists it', async () => {
    const { desk: payments, confirm } = await scene(() => ({
      payload: [{ ...order, isTest: false }],
    }))
    expect((await confirm()).response.status).toBe(200)
    expect([payments.listAttempts()[0]?.status, payments.getBalance()]).toEqual(['paid', 20])
    expect(payments.requests[0]?.url).toBe('https://api.payulatam.com/reports-api/4.0/service.cgi')
  })
})
