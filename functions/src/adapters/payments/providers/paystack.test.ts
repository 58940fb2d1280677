import { describe, expect, it } from 'vitest'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { computeHmac } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { paystack, toReference } from './paystack'

const env = { PAYSTACK_SECRET_KEY: 'sk_test_abc' }
const transaction = {
  id: 4099,
  reference: '-Opay=ment-1',
  status: 'success',
  amount: 1999,
  currency: 'NGN',
}
const known = () => createFakeDeps(() => ({ status: true, data: transaction }))
const signed = (body: string, key = env.PAYSTACK_SECRET_KEY) =>
  aWebhookRequest({ body, headers: { 'x-paystack-signature': computeHmac('sha512', key, body) } })
const success = JSON.stringify({ event: 'charge.success', data: transaction })

describe('paystack', () => {
  it('requires its key', () => {
    expect(paystack({ PAYSTACK_SECRET_KEY: '' }, createFakeDeps())).toBeNull()
  })
  it('computes the known signature', () => {
    expect(computeHmac('sha512', 'sk_test_abc', '{"event":"charge.success"}')).toBe(
      'a64f9d544d65c9aeab4a7f4c13aad05164c31660900845c0a4c210911c8d42b73712751edb74535a8abd175678d732d611e8e0c3b497f297df883ea36718747e',
    )
  })
  it('sends hundredths of every currency, under a reference that Paystack accepts', async () => {
    const deps = createFakeDeps(() => ({
      data: { authorization_url: 'https://checkout.paystack.com/x' },
    }))
    await paystack(env, deps)?.checkout(aCheckoutOrder({ currency: 'XOF', minor: 500 }))
    expect(deps.requests[0]?.json).toMatchObject({ amount: '50000', reference: '-Opay=ment-1' })
    expect(toReference('-O_a-Z9')).toMatch(/^[A-Za-z0-9.=-]+$/)
  })
  testWebhookSecurity({
    adapter: () => paystack(env, known()),
    createValid: () => signed(success),
    removeSignature: (m) => ({ ...m, headers: {} }),
    forgeSignature: () => signed(success, 'sk_test_other'),
  })
  it('queries the payment before it trusts a message', async () => {
    const received = await paystack(env, known())?.parseWebhook(signed(success))
    expect(received?.events).toEqual([
      {
        payment: '-Opay_ment-1',
        gateway: 'paystack',
        ref: '4099',
        status: 'paid',
        minor: 1999,
        currency: 'NGN',
      },
    ])
    const abandoned = createFakeDeps(() => ({ data: { ...transaction, status: 'abandoned' } }))
    expect((await paystack(env, abandoned)?.parseWebhook(signed(success)))?.events).toEqual([])
    const other = signed('{"event":"customeridentification.success","data":{}}')
    expect((await paystack(env, known())?.parseWebhook(other))?.events).toEqual([])
  })
})
