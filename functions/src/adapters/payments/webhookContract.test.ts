import { describe, expect, it } from 'vitest'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { aPaymentAttempt, aRider, aSettings } from '~/domain/testing/builders'
import { aProject, TEST_NOW } from '../../testing/testPorts'
import type { Env, WebhookRequest } from '../../ports/paymentAdapter'
import type { ProviderId } from '~/domain/payments/providers'
import { signBraintree } from './providers/braintree'
import { signLiqpay } from './providers/liqpay'
import { buildSignedManifest } from './providers/mercadopago'
import { signPayfastForm, encodeLikePhp } from './providers/payfast'
import paypalMessage from './providers/paypal.fixture.json'
import { computePaytmChecksum, buildSignedText } from './providers/paytm'
import { signPayu } from './providers/payulatam'
import { computeFingerprint } from './providers/securepay'
import { signTestMessage } from './providers/testProvider'
import { computeHmac } from './signatures'
import { createBasicHeader } from './providerHttp'
import {
  createTestPayments,
  aWebhookRequest,
  LOCAL_ENV,
  type RecordedRequest,
} from '../../testing/fakeProvider'
import { handleWebhook } from '../../endpoints/payments/pages/paymentRequests'

/** The payment in every provider's message: 19.99 in the provider's currency. */
const ID = '-Opay_ment-1'
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

interface WebhookCase {
  currency: string
  env: Env
  /** Creates the provider's own message that ID is paid. */
  createPaidMessage: () => WebhookRequest
  /** Returns the provider's response to a query. */
  respond?: (request: RecordedRequest) => unknown
  /** Milliseconds by which the clock is moved forward. */
  clockOffsetMs?: number
}

const CASES: Record<ProviderId, WebhookCase> = {
  test: {
    currency: 'UYU',
    env: {},
    createPaidMessage: () => {
      const body = JSON.stringify({
        type: 'payment.paid',
        order_id: ID,
        payment_id: 'p1',
        amount: 1999,
        currency: 'UYU',
      })
      const signature = signTestMessage('kerbside-test-provider', body, TEST_NOW / 1000)
      return aWebhookRequest({ body, headers: { 'x-test-signature': signature } })
    },
  },
  stripe: {
    currency: 'USD',
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec' },
    createPaidMessage: () => {
      const object = {
        id: 'cs_1',
        client_reference_id: ID,
        payment_intent: 'pi_1',
        payment_status: 'paid',
        status: 'complete',
        amount_total: 1999,
        currency: 'usd',
      }
      const type = 'checkout.session.completed'
      const body = JSON.stringify({ id: 'evt_1', type, livemode: false, data: { object } })
      const t = TEST_NOW / 1000
      const signature = `t=${t},v1=${computeHmac('sha256', 'whsec', `${t}.${body}`)}`
      return aWebhookRequest({ body, headers: { 'stripe-signature': signature } })
    },
  },
  paypal: {
    currency: 'USD',
    env: {
      PAYPAL_CLIENT_ID: 'id',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: paypalMessage.webhookId,
    },
    // The message's certificate is valid from the next day on.
    clockOffsetMs: 86_400_000,
    respond: ({ url }) =>
      url.includes('/certs/')
        ? paypalMessage.certificate
        : { access_token: 'token', expires_in: 3600 },
    createPaidMessage: () =>
      aWebhookRequest({
        body: paypalMessage.body,
        headers: {
          'paypal-transmission-id': paypalMessage.transmissionId,
          'paypal-transmission-time': paypalMessage.transmissionTime,
          'paypal-transmission-sig': paypalMessage.signature,
          'paypal-auth-algo': 'SHA256withRSA',
          'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
        },
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
    respond: () => {
      const amount = { value: '19.99', currencyCode: 'USD' }
      const node = { id: 'tr_1', orderId: ID, status: 'SETTLED', amount }
      return { data: { search: { transactions: { edges: [{ node }] } } } }
    },
    createPaidMessage: () => {
      const xml = `<notification><kind>transaction_settled</kind><subject><transaction><order-id>${ID}</order-id></transaction></subject></notification>`
      const bt_payload = `${Buffer.from(xml).toString('base64')}\n`
      const bt_signature = `public|${signBraintree('private', bt_payload)}`
      return aWebhookRequest({ body: form({ bt_signature, bt_payload }) })
    },
  },
  paytm: {
    currency: 'INR',
    env: { PAYTM_MID: 'MID1', PAYTM_MERCHANT_KEY: 'kbzk1DSbJiV_O3p5' },
    respond: () => ({
      head: {},
      body: {
        resultInfo: { resultStatus: 'TXN_SUCCESS' },
        orderId: ID,
        txnId: 'T1',
        txnAmount: '19.99',
      },
    }),
    createPaidMessage: () => {
      const fields = { ORDERID: ID, STATUS: 'TXN_SUCCESS', TXNAMOUNT: '19.99' }
      const text = buildSignedText(Object.entries(fields))
      const CHECKSUMHASH = computePaytmChecksum(text, 'kbzk1DSbJiV_O3p5', 'abcd')
      return aWebhookRequest({ body: form({ ...fields, CHECKSUMHASH }) })
    },
  },
  payulatam: {
    currency: 'USD',
    env: { PAYU_MERCHANT_ID: '508029', PAYU_ACCOUNT_ID: '512321', PAYU_API_KEY: 'key' },
    createPaidMessage: () => {
      const text = `key~508029~${ID}~19.99~USD~4`
      return aWebhookRequest({
        body: form({
          sign: signPayu(text, 'HMAC-SHA256', 'key'),
          merchant_id: '508029',
          reference_sale: ID,
          value: '19.99',
          currency: 'USD',
          state_pol: '4',
          transaction_id: 'T1',
        }),
      })
    },
  },
  flutterwave: {
    currency: 'NGN',
    env: { FLW_SECRET_KEY: 'FLWSECK_TEST-x', FLW_SECRET_HASH: 'hash' },
    respond: () => ({
      status: 'success',
      data: { id: 77, tx_ref: ID, amount: 19.99, currency: 'NGN', status: 'successful' },
    }),
    createPaidMessage: () => {
      const body = JSON.stringify({ event: 'charge.completed', data: { id: 77 } })
      const signature = computeHmac('sha256', 'hash', body, 'base64')
      return aWebhookRequest({ body, headers: { 'flutterwave-signature': signature } })
    },
  },
  paystack: {
    currency: 'NGN',
    env: { PAYSTACK_SECRET_KEY: 'sk_test_abc' },
    respond: () => ({
      status: true,
      data: {
        id: 4099,
        reference: '-Opay=ment-1',
        status: 'success',
        amount: 1999,
        currency: 'NGN',
      },
    }),
    createPaidMessage: () => {
      const data = { reference: '-Opay=ment-1' }
      const body = JSON.stringify({ event: 'charge.success', data })
      const signature = computeHmac('sha512', 'sk_test_abc', body)
      return aWebhookRequest({ body, headers: { 'x-paystack-signature': signature } })
    },
  },
  securepay: {
    currency: 'AUD',
    env: { SECUREPAY_MERCHANT_ID: 'ABC0001', SECUREPAY_TXN_PASSWORD: 'abc123' },
    createPaidMessage: () => {
      const print = computeFingerprint(['ABC0001', 'abc123', ID, '1999', '20261120150000', '1'])
      return aWebhookRequest({
        body: form({
          refid: ID,
          amount: '1999',
          timestamp: '20261120150000',
          summarycode: '1',
          txnid: '5',
          fingerprint: print,
        }),
      })
    },
  },
  payfast: {
    currency: 'ZAR',
    env: { PAYFAST_MERCHANT_ID: '1', PAYFAST_MERCHANT_KEY: 'key', PAYFAST_PASSPHRASE: 'salt' },
    respond: () => 'VALID',
    createPaidMessage: () => {
      const signed = Object.entries({
        m_payment_id: ID,
        pf_payment_id: '99',
        payment_status: 'COMPLETE',
        amount_gross: '19.99',
        merchant_id: '1',
      })
        .map(([name, value]) => `${name}=${encodeLikePhp(value)}`)
        .join('&')
      return aWebhookRequest({ body: `${signed}&signature=${signPayfastForm(signed, 'salt')}` })
    },
  },
  liqpay: {
    currency: 'UAH',
    env: { LIQPAY_PUBLIC_KEY: 'i1', LIQPAY_PRIVATE_KEY: 'key' },
    createPaidMessage: () => {
      const result = {
        public_key: 'i1',
        order_id: ID,
        payment_id: 77,
        status: 'success',
        amount: 19.99,
        currency: 'UAH',
      }
      const data = Buffer.from(JSON.stringify(result)).toString('base64')
      return aWebhookRequest({ body: form({ data, signature: signLiqpay(data, 'key', 3) }) })
    },
  },
  culqi: {
    currency: 'PEN',
    env: {
      CULQI_PUBLIC_KEY: 'pk',
      CULQI_SECRET_KEY: 'sk',
      CULQI_WEBHOOK_USER: 'user',
      CULQI_WEBHOOK_PASS: 'pass',
    },
    respond: () => ({
      object: 'charge',
      id: 'chr_1',
      amount: 1999,
      currency_code: 'PEN',
      outcome: { type: 'venta_exitosa' },
      metadata: { payment: ID },
    }),
    createPaidMessage: () =>
      aWebhookRequest({
        body: '{"object":"event","type":"charge.creation.succeeded","data":"{\\"id\\":\\"chr_1\\"}"}',
        headers: { authorization: createBasicHeader('user', 'pass').Authorization },
      }),
  },
  mercadopago: {
    currency: 'UYU',
    env: { MP_ACCESS_TOKEN: 'TEST-1', MP_WEBHOOK_SECRET: 'secret' },
    respond: () => ({
      id: 123,
      status: 'approved',
      external_reference: ID,
      transaction_amount: 19.99,
      currency_id: 'UYU',
    }),
    createPaidMessage: () => {
      const v1 = computeHmac(
        'sha256',
        'secret',
        buildSignedManifest('123', 'req-1', String(TEST_NOW)),
      )
      return aWebhookRequest({
        body: '{"type":"payment"}',
        query: new URLSearchParams({ 'data.id': '123', type: 'payment' }),
        headers: { 'x-signature': `ts=${TEST_NOW},v1=${v1}`, 'x-request-id': 'req-1' },
      })
    },
  },
}

describe.each(Object.entries(CASES))(
  'a message of %s',
  (gateway, { clockOffsetMs = 0, ...made }) => {
    const scene = (over: Partial<PaymentAttempt> = {}) => {
      const attempt = aPaymentAttempt({
        id: ID,
        gateway,
        amount: 19.99,
        currency: made.currency,
        createdAt: TEST_NOW,
        ...over,
      })
      const testPayments = createTestPayments(
        {
          settings: aSettings({ code: made.currency }),
          users: { ...aProject().users, rider: aRider({ walletBalance: 0 }) },
          payments: { [ID]: attempt },
        },
        { ...LOCAL_ENV, ...made.env },
        made.respond,
      )
      testPayments.advanceClock(clockOffsetMs)
      const receive = async (message: WebhookRequest) =>
        (await handleWebhook(testPayments, { ...message, path: `/${gateway}` })).response.status
      return { desk: testPayments, hear: receive, attempt: () => testPayments.listAttempts()[0] }
    }

    it('credits once, however often and concurrently it arrives', async () => {
      const { desk: testPayments, hear: receive, attempt } = scene()
      const all = await Promise.all(
        Array.from({ length: 20 }, () => receive(made.createPaidMessage())),
      )
      all.push(await receive(made.createPaidMessage()))
      expect(new Set(all)).toEqual(new Set([200]))
      expect(attempt()).toMatchObject({ status: 'paid', revision: 2, applied_to: 'wallet' })
      expect(testPayments.getBalance()).toBe(19.99)
      expect(Object.keys(testPayments.db.at('payment_events') as object)).toHaveLength(1)
    })
    it('is parked when its amount or currency differs', async () => {
      for (const [over, problem] of [
        [{ amount: 20 }, 'amount_mismatch'],
        [{ amount: 19.98 }, 'amount_mismatch'],
        [{ currency: made.currency === 'EUR' ? 'USD' : 'EUR' }, 'currency_mismatch'],
      ] as const) {
        const { desk: testPayments, hear: receive, attempt } = scene(over)
        expect(await receive(made.createPaidMessage())).toBe(200)
        expect(attempt()).toMatchObject({ status: 'pending', problem })
        expect(testPayments.getBalance()).toBe(0)
      }
    })
    it('counts when it arrives after the attempt was given up', async () => {
      const { desk: testPayments, hear: receive, attempt } = scene({ status: 'cancelled' })
      await receive(made.createPaidMessage())
      expect([attempt()?.status, testPayments.getBalance()]).toEqual(['paid', 19.99])
    })
    it('changes nothing when it concerns another provider’s attempt', async () => {
      const {
        desk: testPayments,
        hear: receive,
        attempt,
      } = scene({ gateway: gateway === 'test' ? 'stripe' : 'test' })
      expect(await receive(made.createPaidMessage())).toBe(200)
      expect([attempt()?.status, testPayments.getBalance()]).toEqual(['created', 0])
    })
    it('changes nothing when it is truncated, empty or unsigned', async () => {
      const { desk: testPayments, hear: receive, attempt } = scene()
      const good = made.createPaidMessage()
      const half = good.body.subarray(0, good.body.length / 2)
      const bad: WebhookRequest[] = [
        { ...good, body: Buffer.alloc(0), headers: {}, query: new URLSearchParams() },
        { ...good, headers: {}, body: half },
      ]
      for (const message of bad) expect(await receive(message)).toBe(400)
      expect([attempt()?.status, testPayments.getBalance()]).toEqual(['created', 0])
    })
  },
)
