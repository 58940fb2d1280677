import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../../testing/testPorts'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import {
  aCheckoutOrder,
  aWebhookRequest,
  createFakeDeps,
  type RecordedRequest,
} from '../../../testing/fakeProvider'
import fixture from './paypal.fixture.json'
import disputeFixture from './paypalDispute.fixture.json'
import { paypal, buildSignedText } from './paypal'

const env = {
  PAYPAL_CLIENT_ID: 'id',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: fixture.webhookId,
}
const capture = {
  id: 'CAP1',
  status: 'COMPLETED',
  custom_id: '-Opay_ment-1',
  amount: { currency_code: 'USD', value: '19.99' },
}
const answering =
  (more: (request: RecordedRequest) => unknown = () => ({})) =>
  (request: RecordedRequest) => {
    if (request.url.endsWith('/oauth2/token')) return { access_token: 't', expires_in: 3600 }
    if (request.url.includes('/certs/')) return fixture.certificate
    return more(request)
  }
const good = ({ body, transmissionId, transmissionTime, signature } = fixture) =>
  aWebhookRequest({
    body,
    headers: {
      'paypal-transmission-id': transmissionId,
      'paypal-transmission-time': transmissionTime,
      'paypal-transmission-sig': signature,
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
    },
  })
/** The fixture's certificate is valid from this day on. */
const NEXT_DAY = TEST_NOW + 86_400_000
const paymentRef = {
  payment: '-Opay_ment-1',
  minor: 1999,
  currency: 'USD',
  refunded: 0,
  createdAt: 0,
}

describe('paypal', () => {
  it('requires all its keys', () => {
    for (const name of Object.keys(env))
      expect(paypal({ ...env, [name]: ' ' }, createFakeDeps())).toBeNull()
  })
  it('opens one order per attempt, with a cached token', async () => {
    const order = { id: 'O1', links: [{ rel: 'payer-action', href: 'https://www.paypal.com/o' }] }
    const deps = createFakeDeps(answering(() => order))
    const adapter = paypal(env, deps)
    const opened = await adapter?.checkout(aCheckoutOrder())
    await adapter?.checkout(aCheckoutOrder())
    expect(opened).toEqual({ kind: 'redirect', url: 'https://www.paypal.com/o', ref: 'O1' })
    expect(deps.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/v1/oauth2/token',
      '/v2/checkout/orders',
      '/v2/checkout/orders',
    ])
    expect(deps.requests[1]?.headers['paypal-request-id']).toBe('-Opay_ment-1')
    expect(deps.requests[1]?.json).toMatchObject({
      purchase_units: [{ custom_id: '-Opay_ment-1', amount: { value: '19.99' } }],
    })
  })
  it('uses no decimals for forints', async () => {
    const order = { id: 'O1', links: [{ rel: 'approve', href: 'https://www.paypal.com/o' }] }
    const deps = createFakeDeps(answering(() => order))
    const adapter = paypal(env, deps)
    await adapter?.checkout(aCheckoutOrder({ currency: 'HUF', minor: 50_000 }))
    expect(deps.requests[1]?.body).toContain('"value":"500"')
    const odd = adapter?.checkout(aCheckoutOrder({ currency: 'HUF', minor: 50_050 }))
    await expect(odd).rejects.toThrow('decimals')
    expect(adapter?.isCurrencySupported('UYU')).toBe(false)
  })
  it('captures what the payer approved, and trusts only the capture', async () => {
    const deps = createFakeDeps(
      answering(({ url }) =>
        url.endsWith('/capture')
          ? { status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] }
          : { id: 'O1', status: 'APPROVED' },
      ),
    )
    const event = await paypal(env, deps)?.fetchStatus?.({ ...paymentRef, checkout_ref: 'O1' })
    expect(event).toMatchObject({ status: 'paid', ref: 'CAP1', minor: 1999, currency: 'USD' })
    expect(deps.requests.at(-1)?.headers['paypal-request-id']).toBe('-Opay_ment-1-capture')
    const open = paypal(env, createFakeDeps(answering(() => ({ status: 'PAYER_ACTION_REQUIRED' }))))
    expect(await open?.fetchStatus?.({ ...paymentRef, checkout_ref: 'O1' })).toBeNull()
  })
  it('computes the values in PayPal’s SDK tests', () => {
    // The checksum is the standard's own check value.
    expect(buildSignedText('a', 'b', 'c', Buffer.from('123456789'))).toBe('a|b|c|3421780262')
  })
  testWebhookSecurity({
    adapter: () => paypal(env, createFakeDeps(answering(), NEXT_DAY)),
    createValid: good,
    removeSignature: (m) => ({ ...m, headers: { ...m.headers, 'paypal-transmission-sig': '' } }),
    forgeSignature: (m) => ({ ...m, headers: { ...m.headers, 'paypal-transmission-id': 'tid-2' } }),
  })
  it.each([
    'https://paypal.com.evil.example/certs/1',
    'https://evilpaypal.com/certs/1',
    'http://api.paypal.com/certs/1',
    'https://api.paypal.com:8443/certs/1',
    'https://user@evil.example/.paypal.com/certs/',
    'file:///etc/certs/1',
    '',
  ])('does not fetch a certificate from %s', async (address) => {
    const deps = createFakeDeps(answering())
    const message = good()
    const call = paypal(env, deps)?.parseWebhook({
      ...message,
      headers: { ...message.headers, 'paypal-cert-url': address },
    })
    await expect(call).rejects.toThrow(InvalidSignatureError)
    expect(deps.requests).toEqual([])
  })
  it('refuses a stale message and an expired certificate', async () => {
    const later = paypal(env, createFakeDeps(answering(), TEST_NOW + 5 * 86_400_000))
    await expect(later?.parseWebhook(good())).rejects.toThrow('stale')
    const message = good()
    const far = Date.UTC(2200, 1)
    const headers = {
      ...message.headers,
      'paypal-transmission-time': new Date(far).toISOString(),
    }
    const call = paypal(env, createFakeDeps(answering(), far))?.parseWebhook({
      ...message,
      headers,
    })
    await expect(call).rejects.toThrow(InvalidSignatureError)
  })
  it.each([
    ['a capture of ours', {}, [{ payment: '-Opay_ment-1', refundId: 'PP-D-4012' }]],
    ['no capture', new Response('{}', { status: 404 }), []],
  ])('reports a dispute that the seller won about %s', async (_, found, events) => {
    const answer = answering(() => (found instanceof Response ? found : capture))
    const deps = createFakeDeps(
      (request) => (request.url.includes('/certs/') ? disputeFixture.certificate : answer(request)),
      Date.parse(disputeFixture.transmissionTime),
    )
    const received = await paypal(env, deps)?.parseWebhook(good(disputeFixture))
    expect(received?.events).toMatchObject(
      events.map((event) => ({
        ...event,
        status: 'chargeback_won',
        ref: 'CAP1',
        minor: 1000,
        currency: 'USD',
      })),
    )
    expect(received?.events).toHaveLength(events.length)
    expect(deps.requests.at(-1)?.url).toContain('/v2/payments/captures/CAP1')
  })
  it('refunds with the caller’s key', async () => {
    const deps = createFakeDeps(answering(() => ({ id: 'R1', status: 'COMPLETED' })))
    const event = await paypal(env, deps)?.refund?.({ ...paymentRef, ref: 'CAP1' }, 500, 'key')
    expect(event).toMatchObject({ status: 'refunded', refundId: 'R1', minor: 500, ref: 'CAP1' })
    expect(deps.requests[1]?.json).toEqual({
      amount: { currency_code: 'USD', value: '5.00' },
      custom_id: '-Opay_ment-1',
      invoice_id: 'key',
    })
    expect(deps.requests[1]?.headers['paypal-request-id']).toBe('key')
  })
})
