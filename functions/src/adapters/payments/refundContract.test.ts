import { describe, expect, it } from 'vitest'
import { aPaymentAttempt, aRider, aSettings } from '~/domain/testing/builders'
import { refund_payment } from '../../endpoints/payments/refundPayment'
import { aProject, createUserContext, TEST_NOW } from '../../testing/testPorts'
import type { PaymentRef, Env } from '../../ports/paymentAdapter'
import type { ProviderId } from '~/domain/payments/providers'
import { ProviderError, ProviderRejectedError } from '../../ports/paymentAdapter'
import { ADAPTERS } from './adapters'
import { reconcilePayments } from '../../services/payments/paymentReconciliation'
import {
  createTestPayments,
  LOCAL_ENV,
  createFakeDeps,
  type RecordedRequest,
} from '../../testing/fakeProvider'

/** Each provider refunds part of a payment of 19.99. */
const ID = '-Opay_ment-1'
const KEY = `${ID}.r1`

type State = 'done' | 'pending' | 'failed'
interface ProviderRefundRecord {
  minor: number
  state: State
  /** The idempotency key of our request. */
  key: string
}
/** A provider's state: its refunds in its own documented format. */
interface ProviderState {
  refunds: ProviderRefundRecord[]
  /** The state of the next requested refund. */
  nextState: State
}
interface RefundCase {
  currency: string
  env: Env
  ref: string
  checkout_ref?: string
  /** Returns true for a request that refunds money. */
  isRefundRequest: (request: RecordedRequest) => boolean
  /** Returns the amount and the key of such a request. */
  parseRefundRequest: (request: RecordedRequest) => { minor: number; key: string }
  /**
   * Returns the response to such a request; `respondToQuery` returns the response to every other
   * one.
   */
  respondToRefund: (kept: ProviderRefundRecord) => unknown
  respondToQuery: (side: ProviderState, request: RecordedRequest) => unknown
  /** The provider recognizes the key of a repeated request and performs it only once. */
  isIdempotent?: true
  /** The provider can't report a refund as pending or as declined later. */
  isAlwaysDone?: true
}

const json = (request: RecordedRequest) => request.json as Record<string, unknown>
const cents = (text: unknown) => Math.round(Number(text) * 100)
const major = (minor: number) => minor / 100
const toForm = (request: RecordedRequest) => new URLSearchParams(request.body)
const sumActiveRefunds = ({ refunds }: ProviderState) =>
  refunds.filter(({ state }) => state !== 'failed').reduce((sum, { minor }) => sum + minor, 0)

const PAYSTACK = { done: 'processed', pending: 'pending', failed: 'failed' }
const FLUTTERWAVE = { done: 'completed-mpgs', pending: 'completed', failed: 'failed' }
const BRAINTREE = { done: 'SETTLED', pending: 'SETTLEMENT_PENDING', failed: 'SETTLEMENT_DECLINED' }
const STRIPE = { done: 'succeeded', pending: 'pending', failed: 'failed' }
const PAYPAL = { done: 'COMPLETED', pending: 'PENDING', failed: 'FAILED' }
const PAYTM = { done: 'TXN_SUCCESS', pending: 'PENDING', failed: 'TXN_FAILURE' }
const MERCADO = { done: 'approved', pending: 'in_process', failed: 'rejected' }
const PAYU = { done: 'APPROVED', pending: 'PENDING', failed: 'DECLINED' }

const liqpayData = (request: RecordedRequest) =>
  JSON.parse(Buffer.from(toForm(request).get('data') ?? '', 'base64').toString()) as {
    action: string
    amount: string
  }

/** SecurePay documents no API for refunds, and the test provider has tests of its own. */
type RefundingProvider = Exclude<ProviderId, 'securepay' | 'test'>
const CASES: Record<RefundingProvider, RefundCase> = {
  paystack: {
    currency: 'NGN',
    env: { PAYSTACK_SECRET_KEY: 'sk_test_abc' },
    ref: '4099',
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({
      minor: Number(json(request).amount),
      key: String(json(request).merchant_note),
    }),
    respondToRefund: ({ state }) => ({ status: true, data: { status: PAYSTACK[state] } }),
    respondToQuery: ({ refunds }, { url }) => ({
      status: true,
      data: url.endsWith('/refund?transaction=4099&perPage=100')
        ? refunds.map(({ minor, state, key }, i) => ({
            id: i,
            transaction: 4099,
            amount: minor,
            status: PAYSTACK[state],
            merchant_note: key,
          }))
        : [],
    }),
  },
  flutterwave: {
    currency: 'NGN',
    env: { FLW_SECRET_KEY: 'FLWSECK_TEST-x', FLW_SECRET_HASH: 'hash' },
    ref: '908790',
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({
      minor: cents(json(request).amount),
      key: String(json(request).comments),
    }),
    respondToRefund: ({ minor, state }) => ({
      status: 'success',
      data: { id: 75923, tx_id: 908790, amount_refunded: major(minor), status: FLUTTERWAVE[state] },
    }),
    respondToQuery: ({ refunds }) => ({
      status: 'success',
      meta: { page_info: { total: refunds.length, current_page: 1, total_pages: 1 } },
      data: [
        { id: 1, transaction_id: 1, amount_refunded: 19.99, status: 'completed-mpgs', comment: '' },
        ...refunds.map(({ minor, state, key }, i) => ({
          id: 2 + i,
          transaction_id: 908790,
          amount_refunded: major(minor),
          status: FLUTTERWAVE[state],
          comment: key,
        })),
      ],
    }),
  },
  liqpay: {
    currency: 'UAH',
    env: { LIQPAY_PUBLIC_KEY: 'i1', LIQPAY_PRIVATE_KEY: 'key' },
    ref: '77',
    isRefundRequest: (request) => liqpayData(request).action === 'refund',
    parseRefundRequest: (request) => ({ minor: cents(liqpayData(request).amount), key: '' }),
    respondToRefund: ({ state }) =>
      state === 'failed'
        ? { result: 'error', err_code: 'payment_err_status' }
        : { result: 'ok', status: 'reversed', ...(state === 'pending' && { wait_amount: true }) },
    respondToQuery: (side) => ({
      order_id: ID,
      payment_id: 77,
      status: 'success',
      amount: 19.99,
      currency: 'UAH',
      ...(sumActiveRefunds(side) > 0 && {
        refund_amount: major(sumActiveRefunds(side)),
        refund_date_last: '1795186000000',
      }),
    }),
  },
  braintree: {
    currency: 'USD',
    env: {
      BRAINTREE_MERCHANT_ID: 'm',
      BRAINTREE_PUBLIC_KEY: 'public',
      BRAINTREE_PRIVATE_KEY: 'private',
      BRAINTREE_MERCHANT_ACCOUNT_ID: '{"USD":"usd"}',
    },
    ref: 'tr_1',
    isRefundRequest: ({ body }) => body.includes('refundTransaction'),
    parseRefundRequest: (request) => {
      const { variables } = request.json as {
        variables: { input: { refund: { amount: string; orderId: string } } }
      }
      const { amount, orderId } = variables.input.refund
      return { minor: cents(amount), key: orderId }
    },
    respondToRefund: ({ state }) => ({
      data: { refundTransaction: { refund: { id: 'r', status: BRAINTREE[state] } } },
    }),
    respondToQuery: ({ refunds }) => ({
      data: {
        search: {
          transactions: {
            edges: [
              {
                node: {
                  id: 'tr_1',
                  orderId: ID,
                  refunds: refunds.map(({ minor, state, key }) => ({
                    id: 'r',
                    orderId: key || ID,
                    status: BRAINTREE[state],
                    amount: { value: String(major(minor)) },
                  })),
                },
              },
            ],
          },
        },
      },
    }),
  },
  stripe: {
    currency: 'USD',
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec' },
    ref: 'pi_1',
    isIdempotent: true,
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({
      minor: Number(toForm(request).get('amount')),
      key: request.headers['idempotency-key'] ?? '',
    }),
    respondToRefund: ({ state }) => ({ id: 're_1', status: STRIPE[state] }),
    respondToQuery: ({ refunds }) => ({
      data: refunds.map(({ minor, state, key }) => ({
        amount: minor,
        status: STRIPE[state],
        metadata: key ? { payment: ID, refund: key } : {},
      })),
    }),
  },
  paypal: {
    currency: 'USD',
    env: { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 's', PAYPAL_WEBHOOK_ID: 'w' },
    ref: 'CAP1',
    checkout_ref: 'ORDER1',
    isIdempotent: true,
    isRefundRequest: ({ url }) => url.endsWith('/v2/payments/captures/CAP1/refund'),
    parseRefundRequest: (request) => ({
      minor: cents((json(request).amount as { value: string }).value),
      key: request.headers['paypal-request-id'] ?? '',
    }),
    respondToRefund: ({ state }) => ({ id: 'R1', status: PAYPAL[state] }),
    respondToQuery: ({ refunds }, { url }) =>
      url.endsWith('/token')
        ? { access_token: 't', expires_in: 3600 }
        : {
            id: 'ORDER1',
            status: 'COMPLETED',
            purchase_units: [
              {
                payments: {
                  captures: [{ id: 'CAP1' }],
                  refunds: refunds.map(({ minor, state, key }, i) => ({
                    id: `R${i}`,
                    status: PAYPAL[state],
                    amount: { currency_code: 'USD', value: String(major(minor)) },
                    invoice_id: key || ID,
                  })),
                },
              },
            ],
          },
  },
  paytm: {
    currency: 'INR',
    env: { PAYTM_MID: 'MID1', PAYTM_MERCHANT_KEY: 'kbzk1DSbJiV_O3p5' },
    ref: 'T1',
    isIdempotent: true,
    isRefundRequest: ({ url }) => url.endsWith('/refund/apply'),
    parseRefundRequest: (request) => {
      const { body } = request.json as { body: { refundAmount: string; refId: string } }
      return { minor: cents(body.refundAmount), key: body.refId }
    },
    respondToRefund: ({ state }) => ({ body: { resultInfo: { resultStatus: PAYTM[state] } } }),
    respondToQuery: (side, { url, json: outcome }) => {
      if (url.endsWith('/v3/order/status'))
        return { body: { orderId: ID, refundAmt: String(major(sumActiveRefunds(side))) } }
      const { refId } = (outcome as { body: { refId: string } }).body
      const own = side.refunds.find(({ key }) => key === refId)
      return {
        body: own
          ? {
              resultInfo: { resultStatus: PAYTM[own.state], resultCode: '10' },
              refundAmount: String(major(own.minor)),
            }
          : { resultInfo: { resultStatus: 'TXN_FAILURE', resultCode: '631' } },
      }
    },
  },
  mercadopago: {
    currency: 'UYU',
    env: { MP_ACCESS_TOKEN: 'TEST-1', MP_WEBHOOK_SECRET: 'secret' },
    ref: '123',
    isIdempotent: true,
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({
      minor: cents(json(request).amount),
      key: request.headers['x-idempotency-key'] ?? '',
    }),
    respondToRefund: ({ state }) => ({ id: 1, status: MERCADO[state] }),
    respondToQuery: ({ refunds }) =>
      refunds.map(({ minor, state }, id) => ({ id, amount: major(minor), status: MERCADO[state] })),
  },
  payulatam: {
    currency: 'COP',
    env: {
      PAYU_MERCHANT_ID: '508029',
      PAYU_ACCOUNT_ID: '512321',
      PAYU_API_KEY: 'key',
      PAYU_API_LOGIN: 'login',
    },
    ref: ID,
    isRefundRequest: ({ url }) => url.includes('payments-api'),
    parseRefundRequest: (request) => {
      const { transaction } = request.json as {
        transaction: { additionalValues?: { TX_VALUE: { value: string } } }
      }
      return { minor: cents(transaction.additionalValues?.TX_VALUE.value ?? 19.99), key: '' }
    },
    respondToRefund: ({ state }) => ({
      code: 'SUCCESS',
      transactionResponse: { state: PAYU[state] },
    }),
    respondToQuery: ({ refunds }) => ({
      code: 'SUCCESS',
      result: {
        payload: [
          {
            id: 1,
            transactions: [
              { type: 'AUTHORIZATION_AND_CAPTURE', state: 'APPROVED', minor: 1999 },
              ...refunds.map(({ minor, state }) => ({
                type: 'PARTIAL_REFUND',
                state: PAYU[state],
                minor,
              })),
            ].map(({ type, state, minor }) => ({
              id: 't',
              type,
              transactionResponse: { state },
              additionalValues: { TX_VALUE: { value: major(minor), currency: 'COP' } },
            })),
          },
        ],
      },
    }),
  },
  payfast: {
    currency: 'ZAR',
    env: { PAYFAST_MERCHANT_ID: '1', PAYFAST_MERCHANT_KEY: 'k', PAYFAST_PASSPHRASE: 'salt' },
    ref: '99',
    isAlwaysDone: true,
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({ minor: Number(json(request).amount), key: '' }),
    respondToRefund: () => ({ code: 200, status: 'success', data: { response: true } }),
    respondToQuery: (side) => ({
      amount_original: 1999,
      amount_available_for_refund: 1999 - sumActiveRefunds(side),
      refund_partial: { method: 'PAYMENT_SOURCE' },
    }),
  },
  culqi: {
    currency: 'PEN',
    env: {
      CULQI_PUBLIC_KEY: 'pk',
      CULQI_SECRET_KEY: 'sk',
      CULQI_WEBHOOK_USER: 'user',
      CULQI_WEBHOOK_PASS: 'pass',
    },
    ref: 'chr_1',
    isAlwaysDone: true,
    isRefundRequest: ({ method }) => method === 'POST',
    parseRefundRequest: (request) => ({ minor: Number(json(request).amount), key: '' }),
    respondToRefund: () => ({ object: 'refund', id: 'ref_1' }),
    respondToQuery: (side) => ({
      object: 'charge',
      id: 'chr_1',
      amount_refunded: sumActiveRefunds(side),
    }),
  },
}

/**
 * Creates a fake provider that stores its requests. `lose` drops the response to the next refund
 * request.
 */
const createFakeProvider = (made: RefundCase) => {
  const side: ProviderState = { refunds: [], nextState: 'done' }
  let isLosing = false
  let posts = 0
  const answer = (request: RecordedRequest) => {
    if (!made.isRefundRequest(request)) return made.respondToQuery(side, request)
    posts += 1
    const { minor, key } = made.parseRefundRequest(request)
    let kept = made.isIdempotent && side.refunds.find((one) => one.key === key)
    if (!kept) {
      kept = { minor, key, state: side.nextState }
      side.refunds.push(kept)
    }
    if (isLosing) {
      isLosing = false
      throw new Error('socket hang up')
    }
    return made.respondToRefund(kept)
  }
  return { side, answer, lose: () => void (isLosing = true), posts: () => posts }
}

const cases = Object.entries(CASES) as [RefundingProvider, RefundCase][]
const paymentRef = (made: RefundCase, over: Partial<PaymentRef> = {}): PaymentRef => ({
  payment: ID,
  minor: 1999,
  currency: made.currency,
  ref: made.ref,
  ...(made.checkout_ref && { checkout_ref: made.checkout_ref }),
  refunded: 0,
  refund_key: KEY,
  createdAt: TEST_NOW,
  ...over,
})

/** Creates an adapter whose network leads to such a provider. */
const createAdapterScene = (gateway: ProviderId, made: RefundCase) => {
  const played = createFakeProvider(made)
  const deps = createFakeDeps(played.answer)
  const adapter = ADAPTERS[gateway](made.env, deps)
  if (!adapter?.refund || !adapter.listRefunds) throw new Error('It does not refund.')
  const { refund, listRefunds } = adapter
  return { ...played, deps, refund, listRefunds }
}

describe.each(cases)('a refund by %s', (gateway, made) => {
  const scene = () => createAdapterScene(gateway, made)
  it('is made once when its response is lost and the request is repeated', async () => {
    const { refund, lose, side } = scene()
    lose()
    await expect(refund(paymentRef(made), 500, KEY)).rejects.toThrow(ProviderError)
    const lost = await refund(paymentRef(made), 500, KEY)
    expect(side.refunds).toHaveLength(1)
    expect(lost).toMatchObject({
      status: 'refunded',
      payment: ID,
      gateway,
      currency: made.currency,
    })
  })
  it('does not count as refused when its response is lost', async () => {
    const { refund, lose } = scene()
    lose()
    await expect(refund(paymentRef(made), 500, KEY)).rejects.not.toThrow(ProviderRejectedError)
  })
  it('is refused by a 4xx response and unknown after a 5xx response', async () => {
    for (const [status, fault] of [
      [400, ProviderRejectedError],
      [422, ProviderRejectedError],
      [503, ProviderError],
    ] as const) {
      const { answer } = createFakeProvider(made)
      const deps = createFakeDeps((request) =>
        made.isRefundRequest(request) ? new Response('{}', { status }) : answer(request),
      )
      const done = ADAPTERS[gateway](made.env, deps)?.refund?.(paymentRef(made), 500, KEY)
      const error: unknown = await done?.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(fault)
      if (fault === ProviderError) expect(error).not.toBeInstanceOf(ProviderRejectedError)
    }
  })
  it('is listed together with refunds from the provider’s dashboard', async () => {
    const { refund, listRefunds, side } = scene()
    const gone = async () =>
      (await listRefunds(paymentRef(made)))
        .filter(({ state }) => state === 'done')
        .reduce((sum, { minor }) => sum + minor, 0)
    expect(await gone()).toBe(0)
    side.refunds.push({ minor: 300, state: 'done', key: '' })
    expect(await gone()).toBe(300)
    await refund(paymentRef(made, { refunded: 300 }), 500, KEY)
    expect(await gone()).toBe(800)
  })
  it('is not trusted when the response is not the provider’s', async () => {
    for (const nonsense of ['', '<html>', {}, { data: 'x' }, { body: {} }]) {
      const deps = createFakeDeps(() => nonsense)
      const adapter = ADAPTERS[gateway](made.env, deps)
      const done = adapter?.refund?.(paymentRef(made), 500, KEY)
      const outcome: unknown = await done?.catch((thrown: unknown) => thrown)
      if (outcome !== 'pending') expect(outcome).toBeInstanceOf(ProviderError)
      expect(outcome).not.toBeInstanceOf(ProviderRejectedError)
    }
  })
})

/** Creates a rider's top-up of 19.99 with such a provider, and an admin. */
const createAdminScene = (gateway: ProviderId, made: RefundCase) => {
  const played = createFakeProvider(made)
  const attempt = aPaymentAttempt({
    id: ID,
    gateway,
    amount: 19.99,
    currency: made.currency,
    createdAt: TEST_NOW,
    status: 'paid',
    ref: made.ref,
    ...(made.checkout_ref && { checkout_ref: made.checkout_ref }),
    applied_to: 'wallet',
  })
  const testPayments = createTestPayments(
    {
      settings: aSettings({ code: made.currency }),
      users: { ...aProject().users, rider: aRider({ walletBalance: 19.99 }) },
      payments: { [ID]: attempt },
    },
    { ...LOCAL_ENV, ...made.env },
    played.answer,
  )
  const refund = () =>
    refund_payment.handle(
      { payment_id: ID, amount: 5 },
      createUserContext('admin', 'admin', testPayments),
    )
  const runMaintenance = (minutes: number) => {
    testPayments.advanceClock(TEST_NOW + minutes * 60_000 - testPayments.getTime())
    return reconcilePayments(testPayments, TEST_NOW + minutes * 60_000)
  }
  const balance = () => Math.round(testPayments.getBalance() * 100)
  return {
    ...played,
    balance,
    refund,
    runMaintenance,
    attempt: () => testPayments.listAttempts()[0],
  }
}

describe.each(cases)('a refund by %s that the office has begun', (gateway, made) => {
  const scene = () => createAdminScene(gateway, made)
  it('resolves a lost response by a query, in the scheduled job or by hand', async () => {
    for (const again of ['the office', 'the job'] as const) {
      const { balance, side, lose, refund, runMaintenance, attempt } = scene()
      lose()
      expect(await refund()).toMatchObject({ refund: 'unknown', refunded: 0 })
      expect(balance()).toBe(1499)
      if (again === 'the office') await refund()
      else await runMaintenance(3)
      expect(attempt()).toMatchObject({ refunded: 5, refunds: { r1: { state: 'confirmed' } } })
      expect(side.refunds).toMatchObject([{ minor: 500 }])
      expect(balance()).toBe(1499)
    }
  })
  it('first settles refunds from the provider’s dashboard', async () => {
    const { balance, side, refund, attempt } = scene()
    side.refunds.push({ minor: 300, state: 'done', key: '' })
    await refund()
    expect(attempt()).toMatchObject({ refunded: 8 })
    expect(balance()).toBe(1199)
    expect(side.refunds.map(({ minor }) => minor)).toEqual([300, 500])
  })
})

/** Payfast and Culqi report only completed refunds. */
const gradualCases = cases.filter(([, { isAlwaysDone }]) => !isAlwaysDone)
describe.each(gradualCases)('a multi-step refund by %s', (gateway, made) => {
  it('is pending when the provider accepts it and completes it later', async () => {
    const { refund, side } = createAdapterScene(gateway, made)
    side.nextState = 'pending'
    expect(await refund(paymentRef(made), 500, KEY)).toBe('pending')
  })
  it('is refused when the provider declines it', async () => {
    const { refund, side } = createAdapterScene(gateway, made)
    side.nextState = 'failed'
    await expect(refund(paymentRef(made), 500, KEY)).rejects.toThrow(ProviderRejectedError)
  })
  it('returns the money when the provider declines it later', async () => {
    const { balance, side, refund, runMaintenance, attempt } = createAdminScene(gateway, made)
    side.nextState = 'pending'
    expect(await refund()).toMatchObject({ refund: 'pending' })
    expect(balance()).toBe(1499)
    for (const one of side.refunds) one.state = 'failed'
    // LiqPay lists no refunds, only the total refunded, so the back office determines how a pending
    // one ended.
    const isListed = gateway !== 'liqpay'
    await runMaintenance(3)
    expect(attempt()?.refund?.state).toBe(isListed ? undefined : 'pending')
    expect(balance()).toBe(isListed ? 1999 : 1499)
  })
})

it('queries refunds from every provider except the one without a documented API', () => {
  const env = Object.assign({}, LOCAL_ENV, ...cases.map(([, { env: keys }]) => keys), {
    SECUREPAY_MERCHANT_ID: 'ABC0001',
    SECUREPAY_TXN_PASSWORD: 'abc123',
  }) as Env
  const silent = Object.entries(ADAPTERS)
    .filter(([, make]) => !make(env, createFakeDeps())?.listRefunds)
    .map(([name]) => name)
  expect(silent).toEqual(['securepay'])
})
