import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../testing'
import { Forged } from '../adapter'
import { refusesForgeries } from '../hostile'
import { hmacOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import { stripe } from './stripe'

const env = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_test_secret' }
const session = {
  id: 'cs_1',
  client_reference_id: '-Opay_ment-1',
  payment_intent: 'pi_1',
  payment_status: 'paid',
  status: 'complete',
  amount_total: 1999,
  currency: 'usd',
}
const signed = (body: string, seconds = TEST_NOW / 1000, secret = env.STRIPE_WEBHOOK_SECRET) =>
  incoming({
    body,
    headers: {
      'stripe-signature': `t=${seconds},v1=${'0'.repeat(64)},v1=${hmacOf('sha256', secret, `${seconds}.${body}`)}`,
    },
  })
const message = (type: string, object: object, livemode = false) =>
  JSON.stringify({ id: 'evt_1', type, livemode, data: { object } })
const completed = message('checkout.session.completed', session)

describe('stripe', () => {
  it('is not there without both keys', () => {
    expect(stripe({ ...env, STRIPE_WEBHOOK_SECRET: '' }, outside())).toBeNull()
    expect(stripe({ STRIPE_WEBHOOK_SECRET: 'x' }, outside())).toBeNull()
  })
  it('opens a session once per attempt, at the server’s amount', async () => {
    const world = outside(() => ({ id: 'cs_1', url: 'https://checkout.stripe.com/c/1' }))
    const opened = await stripe(env, world)?.checkout(anOrder())
    expect(opened).toEqual({
      kind: 'redirect',
      url: 'https://checkout.stripe.com/c/1',
      ref: 'cs_1',
    })
    const [asked] = world.asked
    expect(asked?.headers).toMatchObject({
      authorization: 'Bearer sk_test_x',
      'idempotency-key': '-Opay_ment-1',
    })
    const form = new URLSearchParams(asked?.body)
    expect(form.get('line_items[0][price_data][unit_amount]')).toBe('1999')
    expect(form.get('client_reference_id')).toBe('-Opay_ment-1')
  })
  it.each([
    ['JPY', 500, '500'],
    ['KWD', 1230, '1230'],
    ['ISK', 500, '50000'],
    ['UGX', 7, '700'],
    ['MGA', 500, '5'],
    ['CLP', 12_345, '12345'],
  ])('counts %s its own way', async (currency, minor, units) => {
    const world = outside(() => ({ id: 'cs_1', url: 'https://checkout.stripe.com/c/1' }))
    await stripe(env, world)?.checkout(anOrder({ currency, minor }))
    const form = new URLSearchParams(world.asked[0]?.body)
    expect(form.get('line_items[0][price_data][unit_amount]')).toBe(units)
  })
  it('can’t take every amount of three decimals', async () => {
    const call = stripe(env, outside())?.checkout(anOrder({ currency: 'KWD', minor: 1234 }))
    await expect(call).rejects.toThrow('amount')
  })
  it('agrees with the vector of Stripe’s own test-header generator', () => {
    expect(
      hmacOf(
        'sha256',
        'whsec_test_secret',
        '1700000000.{"id":"evt_test_webhook","object":"event"}',
      ),
    ).toBe('d95c6b7477fbd7e9f90b1b0ef5f9c7ac25abca5382460e0d988c2b2a5b71b990')
  })
  refusesForgeries({
    adapter: () => stripe(env, outside()),
    good: () => signed(completed),
    unsigned: (m) => ({ ...m, headers: {} }),
    forged: () => signed(completed, TEST_NOW / 1000, 'whsec_other'),
  })
  it.each([301, -301, NaN])('refuses a message %d seconds old', async (age) => {
    const call = stripe(env, outside())?.notified(signed(completed, TEST_NOW / 1000 - age))
    await expect(call).rejects.toThrow(Forged)
  })
  it('translates what happens to a session and a charge', async () => {
    const hear = async (type: string, object: object) =>
      (await stripe(env, outside())?.notified(signed(message(type, object))))?.events[0]
    expect(await hear('checkout.session.completed', session)).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'stripe',
      ref: 'pi_1',
      status: 'paid',
      minor: 1999,
      currency: 'USD',
    })
    const unpaid = { ...session, payment_status: 'unpaid' }
    expect(await hear('checkout.session.completed', unpaid)).toMatchObject({ status: 'pending' })
    expect(await hear('checkout.session.async_payment_failed', unpaid)).toMatchObject({
      status: 'failed',
    })
    expect(await hear('checkout.session.expired', unpaid)).toMatchObject({ status: 'cancelled' })
    const charge = {
      payment_intent: 'pi_1',
      amount: 1999,
      amount_refunded: 500,
      currency: 'usd',
      metadata: { payment: '-Opay_ment-1' },
    }
    expect(await hear('charge.refunded', charge)).toMatchObject({
      status: 'refunded',
      ref: 'pi_1',
      minor: 500,
      cumulative: true,
    })
    expect(await hear('customer.created', {})).toBeUndefined()
  })
  it('a test message is nothing to a live account', async () => {
    const live = { ...env, STRIPE_SECRET_KEY: 'sk_live_x' }
    expect((await stripe(live, outside())?.notified(signed(completed)))?.events).toEqual([])
  })
  it('says where a session stands, and refunds', async () => {
    const asked = {
      payment: 'p',
      minor: 1999,
      currency: 'USD',
      refunded: 500,
      createdAt: 0,
      ref: 'pi_1',
    }
    const open = stripe(
      env,
      outside(() => ({ ...session, payment_status: 'unpaid', status: 'open' })),
    )
    expect(await open?.ask?.({ ...asked, checkout_ref: 'cs_1' })).toBeNull()
    expect(await open?.ask?.(asked)).toBeNull()
    const world = outside(() => ({ id: 're_1' }))
    expect(await stripe(env, world)?.refund?.(asked, 100, 'key')).toMatchObject({
      minor: 600,
      cumulative: true,
    })
    expect(world.asked[0]?.headers['idempotency-key']).toBe('key')
  })
})
