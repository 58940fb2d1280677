import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { hmacOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import { paystack, referenceOf } from './paystack'

const env = { PAYSTACK_SECRET_KEY: 'sk_test_abc' }
const transaction = {
  id: 4099,
  reference: '-Opay=ment-1',
  status: 'success',
  amount: 1999,
  currency: 'NGN',
}
const known = () => outside(() => ({ status: true, data: transaction }))
const signed = (body: string, key = env.PAYSTACK_SECRET_KEY) =>
  incoming({ body, headers: { 'x-paystack-signature': hmacOf('sha512', key, body) } })
const success = JSON.stringify({ event: 'charge.success', data: transaction })

describe('paystack', () => {
  it('is not there without its key', () => {
    expect(paystack({ PAYSTACK_SECRET_KEY: '' }, outside())).toBeNull()
  })
  it('makes the known signature', () => {
    expect(hmacOf('sha512', 'sk_test_abc', '{"event":"charge.success"}')).toBe(
      'a64f9d544d65c9aeab4a7f4c13aad05164c31660900845c0a4c210911c8d42b73712751edb74535a8abd175678d732d611e8e0c3b497f297df883ea36718747e',
    )
  })
  it('counts hundredths of everything, under a reference Paystack may hold', async () => {
    const world = outside(() => ({
      data: { authorization_url: 'https://checkout.paystack.com/x' },
    }))
    await paystack(env, world)?.checkout(anOrder({ currency: 'XOF', minor: 500 }))
    expect(world.asked[0]?.json).toMatchObject({ amount: '50000', reference: '-Opay=ment-1' })
    expect(referenceOf('-O_a-Z9')).toMatch(/^[A-Za-z0-9.=-]+$/)
  })
  refusesForgeries({
    adapter: () => paystack(env, known()),
    good: () => signed(success),
    unsigned: (m) => ({ ...m, headers: {} }),
    forged: () => signed(success, 'sk_test_other'),
  })
  it('asks before it believes', async () => {
    const heard = await paystack(env, known())?.notified(signed(success))
    expect(heard?.events).toEqual([
      {
        payment: '-Opay_ment-1',
        gateway: 'paystack',
        ref: '4099',
        status: 'paid',
        minor: 1999,
        currency: 'NGN',
      },
    ])
    const abandoned = outside(() => ({ data: { ...transaction, status: 'abandoned' } }))
    expect((await paystack(env, abandoned)?.notified(signed(success)))?.events).toEqual([])
    const other = signed('{"event":"customeridentification.success","data":{}}')
    expect((await paystack(env, known())?.notified(other))?.events).toEqual([])
  })
})
