import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside } from '../testing'
import { liqpay, liqpaySign } from './liqpay'

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
  const form = { data, signature: signature ?? liqpaySign(data, KEY, 3) }
  return incoming({ body: new URLSearchParams(form).toString() })
}
const hear = async (over: object, more: object = {}) =>
  (await liqpay({ ...env, ...more }, outside())?.notified(result(over)))?.events

describe('liqpay', () => {
  it('is not there without its private key', () => {
    expect(liqpay({ ...env, LIQPAY_PRIVATE_KEY: '' }, outside())).toBeNull()
  })
  it('makes the published signatures', () => {
    const three =
      '{"public_key":"i00000000","version":"3","action":"pay","amount":"3","currency":"UAH","description":"test","order_id":"000001"}'
    expect(liqpaySign(Buffer.from(three).toString('base64'), KEY, 3)).toBe(
      'wR+UZDC4jjeL/qUOvIsofIWpZh8=',
    )
    const seven = three.replace('"version":"3"', '"version":7')
    expect(liqpaySign(Buffer.from(seven).toString('base64'), KEY, 7)).toBe(
      '0adgJ8F2Ds5HCVkcz4AlmdLMRoIJf7IxsL3QmeFRz/s=',
    )
    const golden =
      'eyJ2ZXJzaW9uIjozLCJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwIiwiYWN0aW9uIjoicGF5IiwiYW1vdW50IjoxLCJjdXJyZW5jeSI6IlVTRCIsImRlc2NyaXB0aW9uIjoiZGVzY3JpcHRpb24gdGV4dCIsIm9yZGVyX2lkIjoib3JkZXJfaWRfMSJ9'
    expect(liqpaySign(golden, KEY, 3)).toBe('38Px9/7zdpJMFiYkOV3KUnRnMBQ=')
    expect(liqpaySign('base64_post_string', 'your_private_key', 3)).toBe(
      'tp+ZLmKm1/E83dIzUpx5ljcttP4=',
    )
  })
  it('sends signed data', async () => {
    const opened = await liqpay(env, outside())?.checkout(anOrder({ currency: 'UAH' }))
    const { data = '', signature } = Object.fromEntries(
      opened?.kind === 'form' ? opened.fields : [],
    )
    expect(signature).toBe(liqpaySign(data, KEY, 3))
    expect(JSON.parse(Buffer.from(data, 'base64').toString())).toMatchObject({
      amount: '19.99',
      currency: 'UAH',
      order_id: '-Opay_ment-1',
    })
  })
  refusesForgeries({
    adapter: () => liqpay(env, outside()),
    good: () => result(),
    unsigned: () => result({}, ''),
    forged: () => result({}, liqpaySign('other', KEY, 3)),
  })
  it('translates its states', async () => {
    expect(await hear({})).toMatchObject([{ status: 'paid', minor: 1999, ref: '77' }])
    expect(await hear({ status: 'wait_accept' })).toMatchObject([{ status: 'pending' }])
    expect(await hear({ status: 'reversed' })).toMatchObject([
      { status: 'refunded', minor: 1999, cumulative: true },
    ])
    expect(await hear({ status: 'subscribed' })).toEqual([])
  })
  it('money of the sandbox is money only in the sandbox', async () => {
    expect(await hear({ status: 'sandbox' })).toEqual([])
    const sandbox = { LIQPAY_PUBLIC_KEY: 'sandbox_i1' }
    expect(await hear({ status: 'sandbox', public_key: 'sandbox_i1' }, sandbox)).toMatchObject([
      { status: 'paid' },
    ])
    await expect(hear({ public_key: 'other' })).rejects.toThrow('shop')
  })
  it('says where an order stands, and refunds', async () => {
    const asked = {
      payment: '-Opay_ment-1',
      minor: 1999,
      currency: 'UAH',
      refunded: 0,
      createdAt: 0,
      ref: '77',
    }
    const world = outside(() => ({ order_id: 'other', status: 'success' }))
    expect(await liqpay(env, world)?.ask?.(asked)).toBeNull()
    const done = liqpay(
      env,
      outside(() => ({ result: 'ok', status: 'reversed' })),
    )
    expect(await done?.refund?.(asked, 500, 'k')).toMatchObject({ minor: 500, cumulative: true })
  })
})
