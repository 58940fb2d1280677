import { describe, expect, it } from 'vitest'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { computeHmac } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { flutterwave, computePayloadHash } from './flutterwave'

const env = { FLW_SECRET_KEY: 'FLWSECK_TEST-x', FLW_SECRET_HASH: 'my-secret-hash' }
const transaction = {
  id: 288_200_108,
  tx_ref: '-Opay_ment-1',
  amount: 19.99,
  currency: 'NGN',
  status: 'successful',
}
const known = () => createFakeDeps(() => ({ status: 'success', data: transaction }))
const body = JSON.stringify({ event: 'charge.completed', data: { ...transaction, amount: 1 } })
const good = () =>
  aWebhookRequest({
    body,
    headers: { 'flutterwave-signature': computeHmac('sha256', 'my-secret-hash', body, 'base64') },
  })

describe('flutterwave', () => {
  it('requires both keys', () => {
    expect(flutterwave({ ...env, FLW_SECRET_HASH: '' }, createFakeDeps())).toBeNull()
  })
  it('computes the known hashes', () => {
    const secret = 'FLWSECK-XXXXXXXXXXXXXXX-X'
    const order = {
      amount: '100',
      currency: 'NGN',
      email: 'jbond@gmail.com',
      tx_ref: 'WOOC_1_TEST',
    }
    expect(computePayloadHash(order, secret)).toBe(
      '255611c35a73015d95b567b2321d10216ebaae76ca3e275981f6e36270621634',
    )
    expect(computeHmac('sha256', 'my-secret-hash', '{"event":"charge.completed"}', 'base64')).toBe(
      'R6LntJR/dZXHNIXqwFxaP958iAPSiVmXY9/J/o4MHe4=',
    )
  })
  it('opens a page for exactly this amount and currency', async () => {
    const deps = createFakeDeps(() => ({ data: { link: 'https://checkout.flutterwave.com/x' } }))
    await flutterwave(env, deps)?.checkout(aCheckoutOrder({ currency: 'NGN' }))
    expect(deps.requests[0]?.json).toMatchObject({
      tx_ref: '-Opay_ment-1',
      amount: '19.99',
      currency: 'NGN',
    })
  })
  testWebhookSecurity({
    adapter: () => flutterwave(env, known()),
    createValid: good,
    removeSignature: (m) => ({ ...m, headers: {} }),
    forgeSignature: (m) => ({
      ...m,
      headers: { 'flutterwave-signature': 'x', 'verif-hash': env.FLW_SECRET_HASH },
    }),
  })
  it('trusts the queried transaction, not the message', async () => {
    const received = await flutterwave(env, known())?.parseWebhook(good())
    expect(received?.events).toMatchObject([{ minor: 1999, currency: 'NGN', ref: '288200108' }])
    const old = aWebhookRequest({ body, headers: { 'verif-hash': 'my-secret-hash' } })
    expect((await flutterwave(env, known())?.parseWebhook(old))?.events).toHaveLength(1)
    const unknown = createFakeDeps(() => new Response('{}', { status: 404 }))
    expect((await flutterwave(env, unknown)?.parseWebhook(good()))?.events).toEqual([])
    const down = createFakeDeps(() => new Response('', { status: 503 }))
    await expect(flutterwave(env, down)?.parseWebhook(good())).rejects.toThrow('503')
  })
})
