import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../../testing/testPorts'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { computeHmac } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
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
  aWebhookRequest({
    body,
    headers: {
      'stripe-signature': `t=${seconds},v1=${'0'.repeat(64)},v1=${computeHmac('sha256', secret, `${seconds}.${body}`)}`,
    },
  })
const message = (type: string, object: object, livemode = false) =>
  JSON.stringify({ id: 'evt_1', type, livemode, data: { object } })
const completed = message('checkout.session.completed', session)

describe('stripe', () => {
  it('requires both keys', () => {
    expect(stripe({ ...env, STRIPE_WEBHOOK_SECRET: '' }, createFakeDeps())).toBeNull()
    expect(stripe({ STRIPE_WEBHOOK_SECRET: 'x' }, createFakeDeps())).toBeNull()
  })
  it('opens one session per attempt, with the server’s amount', async () => {
    const deps = createFakeDeps(() => ({ id: 'cs_1', url: 'https://checkout.stripe.com/c/1' }))
    const opened = await stripe(env, deps)?.checkout(aCheckoutOrder())
    expect(opened).toEqual({
      kind: 'redirect',
      url: 'https://checkout.stripe.com/c/1',
      ref: 'cs_1',
    })
    const [asked] = deps.requests
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
  ])('converts %s to its own units', async (currency, minor, units) => {
    const deps = createFakeDeps(() => ({ id: 'cs_1', url: 'https://checkout.stripe.com/c/1' }))
    await stripe(env, deps)?.checkout(aCheckoutOrder({ currency, minor }))
    const form = new URLSearchParams(deps.requests[0]?.body)
    expect(form.get('line_items[0][price_data][unit_amount]')).toBe(units)
  })
  it('rejects amounts with three decimals that it can’t represent', async () => {
    const call = stripe(env, createFakeDeps())?.checkout(
      aCheckoutOrder({ currency: 'KWD', minor: 1234 }),
    )
    await expect(call).rejects.toThrow('amount')
  })
  it('matches the result of Stripe’s own test-header generator', () => {
    expect(
      computeHmac(
        'sha256',
        'whsec_test_secret',
        '1700000000.{"id":"evt_test_webhook","object":"event"}',
      ),
    ).toBe('d95c6b7477fbd7e9f90b1b0ef5f9c7ac25abca5382460e0d988c2b2a5b71b990')
  })
  testWebhookSecurity({
    adapter: () => stripe(env, createFakeDeps()),
    createValid: () => signed(completed),
    removeSignature: (m) => ({ ...m, headers: {} }),
    forgeSignature: () => signed(completed, TEST_NOW / 1000, 'whsec_other'),
  })
  it.each([301, -301, NaN])('refuses a message that is %d seconds old', async (age) => {
    const call = stripe(env, createFakeDeps())?.parseWebhook(
      signed(completed, TEST_NOW / 1000 - age),
    )
    await expect(call).rejects.toThrow(InvalidSignatureError)
  })
  it('maps the states of a session and a charge', async () => {
    const receive = async (type: string, object: object) =>
      (await stripe(env, createFakeDeps())?.parseWebhook(signed(message(type, object))))?.events[0]
    expect(await receive('checkout.session.completed', session)).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'stripe',
      ref: 'pi_1',
      status: 'paid',
      minor: 1999,
      currency: 'USD',
    })
    const unpaid = { ...session, payment_status: 'unpaid' }
    expect(await receive('checkout.session.completed', unpaid)).toMatchObject({ status: 'pending' })
    expect(await receive('checkout.session.async_payment_failed', unpaid)).toMatchObject({
      status: 'failed',
    })
    expect(await receive('checkout.session.expired', unpaid)).toMatchObject({ status: 'cancelled' })
    const charge = {
      payment_intent: 'pi_1',
      amount: 1999,
      amount_refunded: 500,
      currency: 'usd',
      metadata: { payment: '-Opay_ment-1' },
    }
    expect(await receive('charge.refunded', charge)).toMatchObject({
      status: 'refunded',
      ref: 'pi_1',
      minor: 500,
      isCumulative: true,
    })
    expect(await receive('customer.created', {})).toBeUndefined()
  })
  it.each([
    ['charge.dispute.created', 'needs_response', 'chargeback'],
    ['charge.dispute.created', 'warning_needs_response', null],
    ['charge.dispute.updated', 'needs_response', null],
    ['charge.dispute.funds_withdrawn', 'needs_response', 'chargeback'],
    ['charge.dispute.closed', 'won', 'chargeback_won'],
    ['charge.dispute.closed', 'lost', null],
    ['charge.dispute.closed', 'warning_closed', null],
    ['charge.dispute.funds_reinstated', 'won', 'chargeback_won'],
  ])('reports %s with the status %s as %s', async (type, state, status) => {
    const deps = createFakeDeps(() => ({
      payment_intent: 'pi_1',
      amount: 1999,
      currency: 'usd',
      metadata: { payment: '-Opay_ment-1' },
    }))
    const dispute = { id: 'dp_1', charge: 'ch_1', amount: 1500, currency: 'usd', status: state }
    const received = await stripe(env, deps)?.parseWebhook(signed(message(type, dispute)))
    expect(received?.events).toEqual(
      status
        ? [
            {
              payment: '-Opay_ment-1',
              gateway: 'stripe',
              ref: 'pi_1',
              status,
              minor: 1500,
              currency: 'USD',
              refundId: 'dp_1',
            },
          ]
        : [],
    )
  })
  it('queries the payment after a refund message', async () => {
    const refund = { id: 're_1', status: 'failed', metadata: { payment: '-Opay_ment-1' } }
    const type = 'refund.failed'
    const message = { ...JSON.parse(completed), type, data: { object: refund } } as object
    const received = await stripe(env, createFakeDeps())?.parseWebhook(
      signed(JSON.stringify(message)),
    )
    expect(received).toMatchObject({ events: [], paymentsToCheck: ['-Opay_ment-1'] })
  })
  it('ignores a test message on a live account', async () => {
    const live = { ...env, STRIPE_SECRET_KEY: 'sk_live_x' }
    expect((await stripe(live, createFakeDeps())?.parseWebhook(signed(completed)))?.events).toEqual(
      [],
    )
  })
  it('reports the status of a session and refunds it', async () => {
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
      createFakeDeps(() => ({ ...session, payment_status: 'unpaid', status: 'open' })),
    )
    expect(await open?.fetchStatus?.({ ...asked, checkout_ref: 'cs_1' })).toBeNull()
    expect(await open?.fetchStatus?.(asked)).toBeNull()
    const deps = createFakeDeps(() => ({ id: 're_1', status: 'succeeded' }))
    expect(await stripe(env, deps)?.refund?.(asked, 100, 'key')).toMatchObject({
      minor: 600,
      isCumulative: true,
    })
    expect(deps.requests[0]?.headers['idempotency-key']).toBe('key')
    expect(new URLSearchParams(deps.requests[0]?.body).get('metadata[refund]')).toBe('key')
  })
})
