import { describe, expect, it } from 'vitest'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { aRider, aSettings } from '~/domain/testing/builders'
import { aProject, TEST_NOW } from '../testing'
import type { Env, Incoming, ProviderId } from './adapter'
import { braintreeHmac } from './providers/braintree'
import { liqpaySign } from './providers/liqpay'
import { manifestOf } from './providers/mercadopago'
import { payfastSign, phpEncoded } from './providers/payfast'
import paypalMessage from './providers/paypal.fixture.json'
import { paytmChecksum, paytmText } from './providers/paytm'
import { payuSign } from './providers/payulatam'
import { fingerprint } from './providers/securepay'
import { testSignature } from './providers/test'
import { hmacOf } from './signing'
import { basic } from './talking'
import { aDesk, incoming, LOCAL, type Spoken } from './testing'
import { visitWebhook } from './visits'

/** What every provider's message is about: 19.99 of its currency. */
const ID = '-Opay_ment-1'
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

interface Case {
  currency: string
  env: Env
  /** The provider's own message that ID is paid. */
  good: () => Incoming
  /** What the provider answers when he is asked. */
  asked?: (request: Spoken) => unknown
  /** ms by which the clock is put on. */
  later?: number
}

const CASES: Record<ProviderId, Case> = {
  test: {
    currency: 'UYU',
    env: {},
    good: () => {
      const body = JSON.stringify({
        type: 'payment.paid',
        order_id: ID,
        payment_id: 'p1',
        amount: 1999,
        currency: 'UYU',
      })
      const signature = testSignature('kerbside-test-provider', body, TEST_NOW / 1000)
      return incoming({ body, headers: { 'x-test-signature': signature } })
    },
  },
  stripe: {
    currency: 'USD',
    env: { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec' },
    good: () => {
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
      const signature = `t=${t},v1=${hmacOf('sha256', 'whsec', `${t}.${body}`)}`
      return incoming({ body, headers: { 'stripe-signature': signature } })
    },
  },
  paypal: {
    currency: 'USD',
    env: {
      PAYPAL_CLIENT_ID: 'id',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: paypalMessage.webhookId,
    },
    // The certificate of the message is valid from the next day on.
    later: 86_400_000,
    asked: ({ url }) =>
      url.includes('/certs/')
        ? paypalMessage.certificate
        : { access_token: 'token', expires_in: 3600 },
    good: () =>
      incoming({
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
    asked: () => {
      const amount = { value: '19.99', currencyCode: 'USD' }
      const node = { id: 'tr_1', orderId: ID, status: 'SETTLED', amount }
      return { data: { search: { transactions: { edges: [{ node }] } } } }
    },
    good: () => {
      const xml = `<notification><kind>transaction_settled</kind><subject><transaction><order-id>${ID}</order-id></transaction></subject></notification>`
      const bt_payload = `${Buffer.from(xml).toString('base64')}\n`
      const bt_signature = `public|${braintreeHmac('private', bt_payload)}`
      return incoming({ body: form({ bt_signature, bt_payload }) })
    },
  },
  paytm: {
    currency: 'INR',
    env: { PAYTM_MID: 'MID1', PAYTM_MERCHANT_KEY: 'kbzk1DSbJiV_O3p5' },
    asked: () => ({
      head: {},
      body: {
        resultInfo: { resultStatus: 'TXN_SUCCESS' },
        orderId: ID,
        txnId: 'T1',
        txnAmount: '19.99',
      },
    }),
    good: () => {
      const fields = { ORDERID: ID, STATUS: 'TXN_SUCCESS', TXNAMOUNT: '19.99' }
      const text = paytmText(Object.entries(fields))
      const CHECKSUMHASH = paytmChecksum(text, 'kbzk1DSbJiV_O3p5', 'abcd')
      return incoming({ body: form({ ...fields, CHECKSUMHASH }) })
    },
  },
  payulatam: {
    currency: 'USD',
    env: { PAYU_MERCHANT_ID: '508029', PAYU_ACCOUNT_ID: '512321', PAYU_API_KEY: 'key' },
    good: () => {
      const text = `key~508029~${ID}~19.99~USD~4`
      return incoming({
        body: form({
          sign: payuSign(text, 'HMAC-SHA256', 'key'),
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
    asked: () => ({
      status: 'success',
      data: { id: 77, tx_ref: ID, amount: 19.99, currency: 'NGN', status: 'successful' },
    }),
    good: () => {
      const body = JSON.stringify({ event: 'charge.completed', data: { id: 77 } })
      const signature = hmacOf('sha256', 'hash', body, 'base64')
      return incoming({ body, headers: { 'flutterwave-signature': signature } })
    },
  },
  paystack: {
    currency: 'NGN',
    env: { PAYSTACK_SECRET_KEY: 'sk_test_abc' },
    asked: () => ({
      status: true,
      data: {
        id: 4099,
        reference: '-Opay=ment-1',
        status: 'success',
        amount: 1999,
        currency: 'NGN',
      },
    }),
    good: () => {
      const data = { reference: '-Opay=ment-1' }
      const body = JSON.stringify({ event: 'charge.success', data })
      const signature = hmacOf('sha512', 'sk_test_abc', body)
      return incoming({ body, headers: { 'x-paystack-signature': signature } })
    },
  },
  securepay: {
    currency: 'AUD',
    env: { SECUREPAY_MERCHANT_ID: 'ABC0001', SECUREPAY_TXN_PASSWORD: 'abc123' },
    good: () => {
      const print = fingerprint(['ABC0001', 'abc123', ID, '1999', '20261120150000', '1'])
      return incoming({
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
    asked: () => 'VALID',
    good: () => {
      const signed = Object.entries({
        m_payment_id: ID,
        pf_payment_id: '99',
        payment_status: 'COMPLETE',
        amount_gross: '19.99',
        merchant_id: '1',
      })
        .map(([name, value]) => `${name}=${phpEncoded(value)}`)
        .join('&')
      return incoming({ body: `${signed}&signature=${payfastSign(signed, 'salt')}` })
    },
  },
  liqpay: {
    currency: 'UAH',
    env: { LIQPAY_PUBLIC_KEY: 'i1', LIQPAY_PRIVATE_KEY: 'key' },
    good: () => {
      const said = {
        public_key: 'i1',
        order_id: ID,
        payment_id: 77,
        status: 'success',
        amount: 19.99,
        currency: 'UAH',
      }
      const data = Buffer.from(JSON.stringify(said)).toString('base64')
      return incoming({ body: form({ data, signature: liqpaySign(data, 'key', 3) }) })
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
    asked: () => ({
      object: 'charge',
      id: 'chr_1',
      amount: 1999,
      currency_code: 'PEN',
      outcome: { type: 'venta_exitosa' },
      metadata: { payment: ID },
    }),
    good: () =>
      incoming({
        body: '{"object":"event","type":"charge.creation.succeeded","data":"{\\"id\\":\\"chr_1\\"}"}',
        headers: { authorization: basic('user', 'pass').Authorization },
      }),
  },
  mercadopago: {
    currency: 'UYU',
    env: { MP_ACCESS_TOKEN: 'TEST-1', MP_WEBHOOK_SECRET: 'secret' },
    asked: () => ({
      id: 123,
      status: 'approved',
      external_reference: ID,
      transaction_amount: 19.99,
      currency_id: 'UYU',
    }),
    good: () => {
      const v1 = hmacOf('sha256', 'secret', manifestOf('123', 'req-1', String(TEST_NOW)))
      return incoming({
        body: '{"type":"payment"}',
        query: new URLSearchParams({ 'data.id': '123', type: 'payment' }),
        headers: { 'x-signature': `ts=${TEST_NOW},v1=${v1}`, 'x-request-id': 'req-1' },
      })
    },
  },
}

describe.each(Object.entries(CASES))('a message of %s', (gateway, { later = 0, ...made }) => {
  const scene = (over: Partial<PaymentAttempt> = {}) => {
    const attempt: PaymentAttempt = {
      id: ID,
      uid: 'rider',
      kind: 'wallet',
      gateway,
      amount: 19.99,
      currency: made.currency,
      createdAt: TEST_NOW,
      revision: 1,
      status: 'created',
      ...over,
    }
    const desk = aDesk(
      {
        settings: aSettings({ code: made.currency }),
        users: { ...aProject().users, rider: aRider({ walletBalance: 0 }) },
        payments: { [ID]: attempt },
      },
      { ...LOCAL, ...made.env },
      made.asked,
    )
    desk.pass(later)
    const hear = async (message: Incoming) =>
      (await visitWebhook(desk, { ...message, path: `/${gateway}` })).answer.status
    return { desk, hear, attempt: () => desk.attempts()[0] }
  }

  it('credits once, however often and however much at once it comes', async () => {
    const { desk, hear, attempt } = scene()
    const all = await Promise.all(Array.from({ length: 20 }, () => hear(made.good())))
    all.push(await hear(made.good()))
    expect(new Set(all)).toEqual(new Set([200]))
    expect(attempt()).toMatchObject({ status: 'paid', revision: 2, applied_to: 'wallet' })
    expect(desk.balance()).toBe(19.99)
    expect(Object.keys(desk.db.at('payment_events') as object)).toHaveLength(1)
  })
  it('over another amount, or in another currency, is parked', async () => {
    for (const [over, problem] of [
      [{ amount: 20 }, 'amount_mismatch'],
      [{ amount: 19.98 }, 'amount_mismatch'],
      [{ currency: 'EUR' }, 'currency_mismatch'],
    ] as const) {
      const { desk, hear, attempt } = scene(over)
      expect(await hear(made.good())).toBe(200)
      expect(attempt()).toMatchObject({ status: 'pending', problem })
      expect(desk.balance()).toBe(0)
    }
  })
  it('late, after the attempt was given up, still counts', async () => {
    const { desk, hear, attempt } = scene({ status: 'cancelled' })
    await hear(made.good())
    expect([attempt()?.status, desk.balance()]).toEqual(['paid', 19.99])
  })
  it('about another provider’s attempt, or nobody’s, changes nothing', async () => {
    const { desk, hear, attempt } = scene({ gateway: gateway === 'test' ? 'stripe' : 'test' })
    expect(await hear(made.good())).toBe(200)
    expect([attempt()?.status, desk.balance()]).toEqual(['created', 0])
  })
  it('cut short, empty, or without what signs it, changes nothing', async () => {
    const { desk, hear, attempt } = scene()
    const good = made.good()
    const half = good.body.subarray(0, good.body.length / 2)
    const bad: Incoming[] = [
      { ...good, body: Buffer.alloc(0), headers: {}, query: new URLSearchParams() },
      { ...good, headers: {}, body: half },
    ]
    for (const message of bad) expect(await hear(message)).toBe(400)
    expect([attempt()?.status, desk.balance()]).toEqual(['created', 0])
  })
})
