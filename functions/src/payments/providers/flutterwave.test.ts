import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { hmacOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import { flutterwave, payloadHash } from './flutterwave'

const env = { FLW_SECRET_KEY: 'FLWSECK_TEST-x', FLW_SECRET_HASH: 'my-secret-hash' }
const transaction = {
  id: 288_200_108,
  tx_ref: '-Opay_ment-1',
  amount: 19.99,
  currency: 'NGN',
  status: 'successful',
}
const known = () => outside(() => ({ status: 'success', data: transaction }))
const body = JSON.stringify({ event: 'charge.completed', data: { ...transaction, amount: 1 } })
const good = () =>
  incoming({
    body,
    headers: { 'flutterwave-signature': hmacOf('sha256', 'my-secret-hash', body, 'base64') },
  })

describe('flutterwave', () => {
  it('is not there without both keys', () => {
    expect(flutterwave({ ...env, FLW_SECRET_HASH: '' }, outside())).toBeNull()
  })
  it('makes the known hashes', () => {
    const secret = 'FLWSECK-XXXXXXXXXXXXXXX-X'
    const order = {
      amount: '100',
      currency: 'NGN',
      email: 'jbond@gmail.com',
      tx_ref: 'WOOC_1_TEST',
    }
    expect(payloadHash(order, secret)).toBe(
      '255611c35a73015d95b567b2321d10216ebaae76ca3e275981f6e36270621634',
    )
    expect(hmacOf('sha256', 'my-secret-hash', '{"event":"charge.completed"}', 'base64')).toBe(
      'R6LntJR/dZXHNIXqwFxaP958iAPSiVmXY9/J/o4MHe4=',
    )
  })
  it('opens a page for exactly this amount and currency', async () => {
    const world = outside(() => ({ data: { link: 'https://checkout.flutterwave.com/x' } }))
    await flutterwave(env, world)?.checkout(anOrder({ currency: 'NGN' }))
    expect(world.asked[0]?.json).toMatchObject({
      tx_ref: '-Opay_ment-1',
      amount: '19.99',
      currency: 'NGN',
    })
  })
  refusesForgeries({
    adapter: () => flutterwave(env, known()),
    good,
    unsigned: (m) => ({ ...m, headers: {} }),
    forged: (m) => ({
      ...m,
      headers: { 'flutterwave-signature': 'x', 'verif-hash': env.FLW_SECRET_HASH },
    }),
  })
  it('believes the transaction it asks for, not the message', async () => {
    const heard = await flutterwave(env, known())?.notified(good())
    expect(heard?.events).toMatchObject([{ minor: 1999, currency: 'NGN', ref: '288200108' }])
    const old = incoming({ body, headers: { 'verif-hash': 'my-secret-hash' } })
    expect((await flutterwave(env, known())?.notified(old))?.events).toHaveLength(1)
    const unknown = outside(() => new Response('{}', { status: 404 }))
    expect((await flutterwave(env, unknown)?.notified(good()))?.events).toEqual([])
    const down = outside(() => new Response('', { status: 503 }))
    await expect(flutterwave(env, down)?.notified(good())).rejects.toThrow('503')
  })
})
