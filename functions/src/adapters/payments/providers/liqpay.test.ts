import { describe, expect, it } from 'vitest'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { liqpay, signLiqpay } from './liqpay'

const KEY = 'a4825234f4bae72a0be04eafe9e8e2bada209255'
const env = { LIQPAY_PUBLIC_KEY: 'i00000000', LIQPAY_PRIVATE_KEY: KEY }
const packed = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64')
const result = (over: object = {}, signature?: string) => {
  const data = packed({
    public_key: 'i00000000',
    order_id: '-Opay_ment-1',
    payment_id: 77,
    status: 'success',
    amount: 19.99,
    currency: 'UAH',
    ...over,
  })
  const form = { data, signature: signature ?? signLiqpay(data, KEY, 3) }
  return aWebhookRequest({ body: new URLSearchParams(form).toString() })
}
const receive = async (over: object, more: object = {}) =>
  (await liqpay({ ...env, ...more }, createFakeDeps())?.parseWebhook(result(over)))?.events

describe('liqpay', () => {
  it('requires its private key', () => {
    expect(liqpay({ ...env, LIQPAY_PRIVATE_KEY: '' }, createFakeDeps())).toBeNull()
  })
  it('computes the published signatures', () => {
    const three =
      '{"public_key":"i00000000","version":"3","action":"pay","amount":"3","currency":"UAH","description":"test","order_id":"000001"}'
    expect(signLiqpay(Buffer.from(three).toString('base64'), KEY, 3)).toBe(
      'wR+UZDC4jjeL/qUOvIsofIWpZh8=',
    )
    const seven = three.replace('"version":"3"', '"version":7')
    expect(signLiqpay(Buffer.from(seven).toString('base64'), KEY, 7)).toBe(
      '0adgJ8F2Ds5HCVkcz4AlmdLMRoIJf7IxsL3QmeFRz/s=',
    )
    const golden =
      'eyJ2ZXJzaW9uIjozLCJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwIiwiYWN0aW9uIjoicGF5IiwiYW1vdW50IjoxLCJjdXJyZW5jeSI6IlVTRCIsImRlc2NyaXB0aW9uIjoiZGVzY3JpcHRpb24gdGV4dCIsIm9yZGVyX2lkIjoib3JkZXJfaWRfMSJ9'
    expect(signLiqpay(golden, KEY, 3)).toBe('38Px9/7zdpJMFiYkOV3KUnRnMBQ=')
    expect(signLiqpay('base64_post_string', 'your_private_key', 3)).toBe(
      'tp+ZLmKm1/E83dIzUpx5ljcttP4=',
    )
  })
  it('sends signed data', async () => {
    const opened = await liqpay(env, createFakeDeps())?.checkout(
      aCheckoutOrder({ currency: 'UAH' }),
    )
    const { data = '', signature } = Object.fromEntries(
      opened?.kind === 'form' ? opened.fields : [],
    )
    expect(signature).toBe(signLiqpay(data, KEY, 3))
    expect(JSON.parse(Buffer.from(data, 'base64').toString())).toMatchObject({
      amount: '19.99',
      currency: 'UAH',
      order_id: '-Opay_ment-1',
    })
  })
  testWebhookSecurity({
    adapter: () => liqpay(env, createFakeDeps()),
    createValid: () => result(),
    removeSignature: () => result({}, ''),
    forgeSignature: () => result({}, signLiqpay('other', KEY, 3)),
  })
  it('maps its statuses', async () => {
    expect(await receive({})).toMatchObject([{ status: 'paid', minor: 1999, ref: '77' }])
    expect(await receive({ status: 'wait_accept' })).toMatchObject([{ status: 'pending' }])
    expect(await receive({ status: 'reversed' })).toMatchObject([
      { status: 'refunded', minor: 1999, isCumulative: true },
    ])
    expect(await receive({ status: 'subscribed' })).toEqual([])
  })
  it('accepts sandbox money only in the sandbox', async () => {
    expect(await receive({ status: 'sandbox' })).toEqual([])
    const sandbox = { LIQPAY_PUBLIC_KEY: 'sandbox_i1' }
    expect(await receive({ status: 'sandbox', public_key: 'sandbox_i1' }, sandbox)).toMatchObject([
      { status: 'paid' },
    ])
    await expect(receive({ public_key: 'other' })).rejects.toThrow('shop')
  })
  it('reports the status of an order and refunds it', async () => {
    const paymentRef = {
      payment: '-Opay_ment-1',
      minor: 1999,
      currency: 'UAH',
      refunded: 0,
      createdAt: 0,
      ref: '77',
    }
    const deps = createFakeDeps(() => ({ order_id: 'other', status: 'success' }))
    expect(await liqpay(env, deps)?.fetchStatus?.(paymentRef)).toBeNull()
    const done = liqpay(
      env,
      createFakeDeps(({ body }) =>
        Buffer.from(new URLSearchParams(body).get('data') ?? '', 'base64')
          .toString()
          .includes('"refund"')
          ? { result: 'ok', status: 'reversed' }
          : { order_id: '-Opay_ment-1', status: 'success', amount: 19.99, currency: 'UAH' },
      ),
    )
    expect(await done?.refund?.(paymentRef, 500, 'k')).toMatchObject({
      minor: 500,
      isCumulative: true,
    })
  })
})
