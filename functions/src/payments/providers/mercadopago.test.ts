import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../testing'
import { Forged } from '../adapter'
import { hmacOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import { manifestOf, mercadopago } from './mercadopago'

const env = { MP_ACCESS_TOKEN: 'TEST-1', MP_WEBHOOK_SECRET: 'your_secret_key_here' }
const payment = {
  id: 123456789,
  status: 'approved',
  external_reference: '-Opay_ment-1',
  transaction_amount: 19.99,
  currency_id: 'UYU',
}
const known = (over: object = {}) => outside(() => ({ ...payment, ...over }))
const message = (over: { ts?: string; secret?: string; id?: string; asked?: string } = {}) => {
  const { ts = String(TEST_NOW), secret = env.MP_WEBHOOK_SECRET, id = '123456789' } = over
  const v1 = hmacOf('sha256', secret, manifestOf(id, 'req-1', ts))
  return incoming({
    body: '{"type":"payment"}',
    query: new URLSearchParams({ 'data.id': over.asked ?? id, type: 'payment' }),
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': 'req-1' },
  })
}
const hear = async (...args: Parameters<typeof message>) =>
  (await mercadopago(env, known())?.notified(message(...args)))?.events

describe('mercadopago', () => {
  it('is not there without its secret', () => {
    expect(mercadopago({ ...env, MP_WEBHOOK_SECRET: '' }, outside())).toBeNull()
    expect(mercadopago({ ...env, MP_CURRENCY: 'BRL' }, outside())?.supports('UYU')).toBe(false)
  })
  it('makes the signature the SDK takes', () => {
    const manifest = manifestOf(
      '123456789',
      '2066ca19-c6f1-498a-be75-1923005edd06',
      '1742505638683',
    )
    expect(hmacOf('sha256', 'your_secret_key_here', manifest)).toBe(
      'bcd78a744ce26743f9bc19f4f9402372dcda23c7ed773161dec8508734dd02f2',
    )
  })
  it('opens a preference; whole units where the country has no others', async () => {
    const world = outside(() => ({ id: 'pref1', init_point: 'https://www.mercadopago.com/x' }))
    const adapter = mercadopago(env, world)
    await adapter?.checkout(anOrder({ currency: 'UYU' }))
    await adapter?.checkout(anOrder({ currency: 'COP', minor: 2_000_000 }))
    const prices = world.asked.map(
      ({ json }) => (json as { items: { unit_price: number }[] }).items[0]?.unit_price,
    )
    expect(prices).toEqual([19.99, 20_000])
    await expect(adapter?.checkout(anOrder({ currency: 'COP', minor: 1999 }))).rejects.toThrow(
      'decimals',
    )
  })
  it('takes its message in seconds or milliseconds, and asks for the payment', async () => {
    const paid = [{ status: 'paid', minor: 1999, currency: 'UYU', ref: '123456789' }]
    expect(await hear()).toMatchObject(paid)
    expect(await hear({ ts: String(TEST_NOW / 1000) })).toMatchObject(paid)
  })
  it('refuses no signature, another’s, another id, a stale one', async () => {
    const bare = mercadopago(env, known())?.notified({ ...message(), headers: {} })
    await expect(bare).rejects.toThrow(Forged)
    await expect(hear({ secret: 'other' })).rejects.toThrow(Forged)
    await expect(hear({ asked: '1' })).rejects.toThrow(Forged)
    await expect(hear({ ts: String(TEST_NOW - 2 * 86_400_000) })).rejects.toThrow('stale')
    await expect(hear({ ts: '' })).rejects.toThrow(Forged)
  })
  it('says what went back, and what the bank took back', async () => {
    const events = async (over: object) =>
      (await mercadopago(env, known(over))?.notified(message()))?.events
    expect(await events({ transaction_amount_refunded: 5 })).toMatchObject([
      { status: 'paid' },
      { status: 'refunded', minor: 500, cumulative: true },
    ])
    expect(await events({ status: 'charged_back' })).toMatchObject([{ status: 'chargeback' }])
    expect(await events({ status: 'rejected' })).toMatchObject([{ status: 'failed' }])
  })
  it('of several tries the paid one counts', async () => {
    const results = [{ ...payment, id: 2, status: 'rejected' }, payment]
    const asked = {
      payment: '-Opay_ment-1',
      minor: 1999,
      currency: 'UYU',
      refunded: 0,
      createdAt: 0,
    }
    const found = await mercadopago(
      env,
      outside(() => ({ results })),
    )?.ask?.(asked)
    expect(found).toMatchObject({ status: 'paid', ref: '123456789' })
    expect(
      await mercadopago(
        env,
        outside(() => ({ results: [] })),
      )?.ask?.(asked),
    ).toBeNull()
  })
})
