import { describe, expect, it } from 'vitest'
import { checkoutAnswer } from '../answers'
import { speechFor } from '../language'
import { refusesForgeries } from '../hostile'
import { hmacOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import { braintree, braintreeHmac } from './braintree'

const env = {
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'integration_public_key',
  BRAINTREE_PRIVATE_KEY: 'integration_private_key',
  BRAINTREE_MERCHANT_ACCOUNT_ID: '{"USD":"usd_account"}',
}
const transaction = {
  id: 'dHJhbg',
  orderId: '-Opay_ment-1',
  status: 'SUBMITTED_FOR_SETTLEMENT',
  amount: { value: '19.99', currencyCode: 'USD' },
}
const found = () =>
  outside(() => ({ data: { search: { transactions: { edges: [{ node: transaction }] } } } }))
const message = (kind = 'transaction_settled', signature?: string) => {
  const xml = `<notification><kind>${kind}</kind><subject><transaction><order-id>-Opay_ment-1</order-id></transaction></subject></notification>`
  const bt_payload = `${Buffer.from(xml).toString('base64')}\n`
  const made = braintreeHmac(env.BRAINTREE_PRIVATE_KEY, bt_payload)
  const bt_signature = signature ?? `other|aaaa&integration_public_key|${made}`
  return incoming({ body: new URLSearchParams({ bt_signature, bt_payload }).toString() })
}

describe('braintree', () => {
  it('is not there without its keys and an account for the currency', () => {
    for (const name of Object.keys(env))
      expect(braintree({ ...env, [name]: '' }, outside())).toBeNull()
    expect(braintree({ ...env, BRAINTREE_MERCHANT_ACCOUNT_ID: 'x' }, outside())).toBeNull()
    const adapter = braintree(env, outside())
    expect([adapter?.supports('USD'), adapter?.supports('EUR')]).toEqual([true, false])
    expect(adapter?.supports('toString')).toBe(false)
  })
  it('makes the published digests', () => {
    const text = 'Test Using Larger Than Block-Size Key - Hash Key First'
    expect(hmacOf('sha1', Buffer.alloc(80, 0xaa), text)).toBe(
      'aa4ae5e15272d00e95705637ce8a3b55ed402112',
    )
    expect(braintreeHmac('integration_private_key', '20f9f8ed05f77439fe955c977e4c8a53')).toBe(
      'd9b899556c966b3f06945ec21311865d35df3ce4',
    )
  })
  it('answers the handshake of its control panel', async () => {
    const query = new URLSearchParams({ bt_challenge: '20f9f8ed05f77439fe955c977e4c8a53' })
    const heard = await braintree(env, outside())?.notified(incoming({ method: 'GET', query }))
    expect(heard?.ack?.body).toBe('integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4')
    const bad = braintree(env, outside())?.notified(incoming({ method: 'GET' }))
    await expect(bad).rejects.toThrow()
  })
  it('serves a page on which the card is in Braintree’s frames', async () => {
    const world = outside(() => ({ data: { createClientToken: { clientToken: '</script>' } } }))
    const checkout = await braintree(env, world)?.checkout(anOrder())
    if (!checkout) throw new Error('There is no page.')
    const { body, headers } = checkoutAnswer(checkout, 'https://app.example', speechFor('en'))
    expect(body).not.toContain('"</script>"')
    expect(body).not.toContain('integration_private_key')
    expect(headers['Content-Security-Policy']).toContain(
      'frame-src https://assets.braintreegateway.com',
    )
  })
  it('charges the nonce at the server’s amount', async () => {
    const world = outside(() => ({ data: { chargePaymentMethod: { transaction } } }))
    const form = new URLSearchParams({ nonce: 'tokencc_1', amount: '1' })
    const done = await braintree(env, world)?.submitted?.(anOrder(), form)
    expect(done).toMatchObject({ next: 'return', event: { status: 'paid', minor: 1999 } })
    expect(world.asked[0]?.json).toMatchObject({
      variables: { input: { transaction: { amount: '19.99', merchantAccountId: 'usd_account' } } },
    })
    const refused = braintree(
      env,
      outside(() => ({ errors: [{ message: 'no' }] })),
    )
    expect(await refused?.submitted?.(anOrder(), form)).toMatchObject({
      event: { status: 'failed' },
    })
  })
  refusesForgeries({
    adapter: () => braintree(env, found()),
    good: message,
    unsigned: () => message('transaction_settled', ''),
    forged: () => message('transaction_settled', 'integration_public_key|aaaa'),
  })
  it('a message makes it ask; a dispute is the office’s', async () => {
    const hear = async (kind: string) =>
      (await braintree(env, found())?.notified(message(kind)))?.events
    expect(await hear('transaction_settled')).toMatchObject([{ status: 'paid', ref: 'dHJhbg' }])
    expect(await hear('dispute_opened')).toMatchObject([{ status: 'chargeback' }])
    expect(await hear('subscription_charged_successfully')).toEqual([])
  })
  it('refunds a part', async () => {
    const world = outside(() => ({ data: { refundTransaction: { refund: { id: 'r1' } } } }))
    const asked = {
      payment: 'p',
      minor: 1999,
      currency: 'USD',
      refunded: 0,
      createdAt: 0,
      ref: 'dHJhbg',
    }
    expect(await braintree(env, world)?.refund?.(asked, 500, 'k')).toMatchObject({
      refundId: 'r1',
      minor: 500,
    })
  })
})
