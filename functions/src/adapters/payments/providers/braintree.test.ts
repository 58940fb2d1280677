import { describe, expect, it } from 'vitest'
import { renderCheckout } from '../../../endpoints/payments/pages/pageResponses'
import { translatorFor } from '../../../endpoints/payments/pages/pageTranslator'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { computeHmac } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { braintree, signBraintree } from './braintree'

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
  createFakeDeps(() => ({ data: { search: { transactions: { edges: [{ node: transaction }] } } } }))
const message = (
  kind = 'transaction_settled',
  signature?: string,
  subject = '<transaction><order-id>-Opay_ment-1</order-id></transaction>',
) => {
  const xml = `<notification><kind>${kind}</kind><subject>${subject}</subject></notification>`
  const bt_payload = `${Buffer.from(xml).toString('base64')}\n`
  const made = signBraintree(env.BRAINTREE_PRIVATE_KEY, bt_payload)
  const bt_signature = signature ?? `other|aaaa&integration_public_key|${made}`
  return aWebhookRequest({ body: new URLSearchParams({ bt_signature, bt_payload }).toString() })
}

describe('braintree', () => {
  it('requires its keys and an account for the currency', () => {
    for (const name of Object.keys(env))
      expect(braintree({ ...env, [name]: '' }, createFakeDeps())).toBeNull()
    expect(braintree({ ...env, BRAINTREE_MERCHANT_ACCOUNT_ID: 'x' }, createFakeDeps())).toBeNull()
    const adapter = braintree(env, createFakeDeps())
    expect([adapter?.isCurrencySupported('USD'), adapter?.isCurrencySupported('EUR')]).toEqual([
      true,
      false,
    ])
    expect(adapter?.isCurrencySupported('toString')).toBe(false)
  })
  it('computes the published digests', () => {
    const text = 'Test Using Larger Than Block-Size Key - Hash Key First'
    expect(computeHmac('sha1', Buffer.alloc(80, 0xaa), text)).toBe(
      'aa4ae5e15272d00e95705637ce8a3b55ed402112',
    )
    expect(signBraintree('integration_private_key', '20f9f8ed05f77439fe955c977e4c8a53')).toBe(
      'd9b899556c966b3f06945ec21311865d35df3ce4',
    )
  })
  it('answers the handshake of its control panel', async () => {
    const query = new URLSearchParams({ bt_challenge: '20f9f8ed05f77439fe955c977e4c8a53' })
    const received = await braintree(env, createFakeDeps())?.parseWebhook(
      aWebhookRequest({ method: 'GET', query }),
    )
    expect(received?.response?.body).toBe(
      'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
    )
    const bad = braintree(env, createFakeDeps())?.parseWebhook(aWebhookRequest({ method: 'GET' }))
    await expect(bad).rejects.toThrow()
  })
  it('serves a page with the card fields in Braintree’s frames', async () => {
    const deps = createFakeDeps(() => ({
      data: { createClientToken: { clientToken: '</script>' } },
    }))
    const checkout = await braintree(env, deps)?.checkout(aCheckoutOrder())
    if (!checkout) throw new Error('There is no page.')
    const { body, headers } = renderCheckout(checkout, 'https://app.example', translatorFor('en'))
    expect(body).not.toContain('"</script>"')
    expect(body).not.toContain('integration_private_key')
    expect(headers['Content-Security-Policy']).toContain(
      'frame-src https://assets.braintreegateway.com',
    )
  })
  it('charges the nonce with the server’s amount', async () => {
    const deps = createFakeDeps(() => ({ data: { chargePaymentMethod: { transaction } } }))
    const form = new URLSearchParams({ nonce: 'tokencc_1', amount: '1' })
    const done = await braintree(env, deps)?.submitForm?.(aCheckoutOrder(), form)
    expect(done).toMatchObject({ next: 'return', event: { status: 'paid', minor: 1999 } })
    expect(deps.requests[0]?.json).toMatchObject({
      variables: { input: { transaction: { amount: '19.99', merchantAccountId: 'usd_account' } } },
    })
    const refused = braintree(
      env,
      createFakeDeps(() => ({ errors: [{ message: 'no' }] })),
    )
    expect(await refused?.submitForm?.(aCheckoutOrder(), form)).toMatchObject({
      event: { status: 'failed' },
    })
  })
  testWebhookSecurity({
    adapter: () => braintree(env, found()),
    createValid: message,
    removeSignature: () => message('transaction_settled', ''),
    forgeSignature: () => message('transaction_settled', 'integration_public_key|aaaa'),
  })
  it('queries the payment after a message, and leaves a dispute to the back office', async () => {
    const receive = async (kind: string) =>
      (await braintree(env, found())?.parseWebhook(message(kind)))?.events
    expect(await receive('transaction_settled')).toMatchObject([{ status: 'paid', ref: 'dHJhbg' }])
    expect(await receive('dispute_opened')).toMatchObject([{ status: 'chargeback' }])
    expect(await receive('subscription_charged_successfully')).toEqual([])
  })
  it.each([
    ['dispute_opened', 'chargeback', 1000],
    ['dispute_won', 'chargeback_won', 700],
  ])('reads the dispute of the message %s', async (kind, status, minor) => {
    // In the order of Braintree's own test notifications, with the ids of its parts.
    const dispute = `<dispute>
      <amount>10.00</amount>
      ${kind === 'dispute_won' ? '<amount-won>7.00</amount-won>' : ''}
      <currency-iso-code>USD</currency-iso-code>
      <evidence type="array"><evidence><id>evidence1</id><amount>1.00</amount></evidence></evidence>
      <kind>chargeback</kind>
      <status>${kind === 'dispute_won' ? 'won' : 'open'}</status>
      <transaction><id>tx1</id><amount>19.99</amount><order-id>-Opay_ment-1</order-id></transaction>
      <id>dispute1</id>
      <date-opened type="date">2026-11-21</date-opened>
    </dispute>`
    const received = await braintree(env, found())?.parseWebhook(message(kind, undefined, dispute))
    expect(received?.events).toMatchObject([
      {
        payment: '-Opay_ment-1',
        ref: 'dHJhbg',
        status,
        minor,
        currency: 'USD',
        refundId: 'dispute1',
      },
    ])
  })
  it('refunds part of a payment', async () => {
    const deps = createFakeDeps(({ body }) =>
      body.includes('refundTransaction')
        ? { data: { refundTransaction: { refund: { id: 'r1', status: 'SETTLING' } } } }
        : { data: { search: { transactions: { edges: [{ node: transaction }] } } } },
    )
    const paymentRef = {
      payment: '-Opay_ment-1',
      minor: 1999,
      currency: 'USD',
      refunded: 0,
      createdAt: 0,
      ref: 'dHJhbg',
    }
    expect(await braintree(env, deps)?.refund?.(paymentRef, 500, 'k')).toMatchObject({
      minor: 500,
      isCumulative: true,
    })
    expect(deps.requests[1]?.json).toMatchObject({
      variables: { input: { transactionId: 'dHJhbg', refund: { amount: '5.00', orderId: 'k' } } },
    })
  })
})
