import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../../testing/testPorts'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import { computeHmac } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { buildSignedManifest, mercadopago } from './mercadopago'

const env = { MP_ACCESS_TOKEN: 'TEST-1', MP_WEBHOOK_SECRET: 'your_secret_key_here' }
const payment = {
  id: 123456789,
  status: 'approved',
  external_reference: '-Opay_ment-1',
  transaction_amount: 19.99,
  currency_id: 'UYU',
}
const known = (over: object = {}) => createFakeDeps(() => ({ ...payment, ...over }))
const message = (over: { ts?: string; secret?: string; id?: string; asked?: string } = {}) => {
  const { ts = String(TEST_NOW), secret = env.MP_WEBHOOK_SECRET, id = '123456789' } = over
  const v1 = computeHmac('sha256', secret, buildSignedManifest(id, 'req-1', ts))
  return aWebhookRequest({
    body: '{"type":"payment"}',
    query: new URLSearchParams({ 'data.id': over.asked ?? id, type: 'payment' }),
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': 'req-1' },
  })
}
const receive = async (...args: Parameters<typeof message>) =>
  (await mercadopago(env, known())?.parseWebhook(message(...args)))?.events

describe('mercadopago', () => {
  it('requires its secret', () => {
    expect(mercadopago({ ...env, MP_WEBHOOK_SECRET: '' }, createFakeDeps())).toBeNull()
    expect(
      mercadopago({ ...env, MP_CURRENCY: 'BRL' }, createFakeDeps())?.isCurrencySupported('UYU'),
    ).toBe(false)
  })
  it('computes the signature that the SDK accepts', () => {
    const manifest = buildSignedManifest(
      '123456789',
      '2066ca19-c6f1-498a-be75-1923005edd06',
      '1742505638683',
    )
    expect(computeHmac('sha256', 'your_secret_key_here', manifest)).toBe(
      'bcd78a744ce26743f9bc19f4f9402372dcda23c7ed773161dec8508734dd02f2',
    )
  })
  it('opens a preference, with whole units when the country has no decimals', async () => {
    const deps = createFakeDeps(() => ({
      id: 'pref1',
      init_point: 'https://www.mercadopago.com/x',
    }))
    const adapter = mercadopago(env, deps)
    await adapter?.checkout(aCheckoutOrder({ currency: 'UYU' }))
    await adapter?.checkout(aCheckoutOrder({ currency: 'COP', minor: 2_000_000 }))
    const prices = deps.requests.map(
      ({ json }) => (json as { items: { unit_price: number }[] }).items[0]?.unit_price,
    )
    expect(prices).toEqual([19.99, 20_000])
    await expect(
      adapter?.checkout(aCheckoutOrder({ currency: 'COP', minor: 1999 })),
    ).rejects.toThrow('decimals')
  })
  it('accepts message times in seconds or milliseconds and queries the payment', async () => {
    const paid = [{ status: 'paid', minor: 1999, currency: 'UYU', ref: '123456789' }]
    expect(await receive()).toMatchObject(paid)
    expect(await receive({ ts: String(TEST_NOW / 1000) })).toMatchObject(paid)
  })
  it('refuses a missing signature, another sender’s, another id, and a stale one', async () => {
    const bare = mercadopago(env, known())?.parseWebhook({ ...message(), headers: {} })
    await expect(bare).rejects.toThrow(InvalidSignatureError)
    await expect(receive({ secret: 'other' })).rejects.toThrow(InvalidSignatureError)
    await expect(receive({ asked: '1' })).rejects.toThrow(InvalidSignatureError)
    await expect(receive({ ts: String(TEST_NOW - 2 * 86_400_000) })).rejects.toThrow('stale')
    await expect(receive({ ts: '' })).rejects.toThrow(InvalidSignatureError)
  })
  it('reports refunds and chargebacks', async () => {
    const events = async (over: object) =>
      (await mercadopago(env, known(over))?.parseWebhook(message()))?.events
    expect(await events({ transaction_amount_refunded: 5 })).toMatchObject([
      { status: 'paid' },
      { status: 'refunded', minor: 500, isCumulative: true },
    ])
    expect(await events({ status: 'charged_back' })).toMatchObject([{ status: 'chargeback' }])
    expect(await events({ status: 'charged_back', status_detail: 'settled' })).toMatchObject([
      { status: 'chargeback' },
    ])
    expect(await events({ status: 'charged_back', status_detail: 'reimbursed' })).toMatchObject([
      { status: 'chargeback_won', minor: 1999, ref: '123456789' },
    ])
    expect(await events({ status: 'rejected' })).toMatchObject([{ status: 'failed' }])
  })
  it('counts the paid one of several attempts', async () => {
    const results = [{ ...payment, id: 2, status: 'rejected' }, payment]
    const paymentRef = {
      payment: '-Opay_ment-1',
      minor: 1999,
      currency: 'UYU',
      refunded: 0,
      createdAt: 0,
    }
    const found = await mercadopago(
      env,
      createFakeDeps(() => ({ results })),
    )?.fetchStatus?.(paymentRef)
    expect(found).toMatchObject({ status: 'paid', ref: '123456789' })
    expect(
      await mercadopago(
        env,
        createFakeDeps(() => ({ results: [] })),
      )?.fetchStatus?.(paymentRef),
    ).toBeNull()
  })
})
