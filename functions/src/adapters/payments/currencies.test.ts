import { describe, expect, it } from 'vitest'
import { getDecimals } from '~/domain/payments/currencyUnits'
import type { ProviderId } from '~/domain/payments/providers'
import { ADAPTERS } from './adapters'
import {
  acceptCheckout,
  createTestPayments,
  aCheckoutOrder,
  LOCAL_ENV,
  createFakeDeps,
} from '../../testing/fakeProvider'
import { ALL_PROVIDER_KEYS } from '../../testing/providerKeys'

const MONEY = 'GHS INR ZAR UAH PEN UYU USD EUR AUD COP CLP JPY KWD XOF HUF NGN IRR'.split(' ')

describe('with the keys of all providers', () => {
  const { payments } = createTestPayments({}, ALL_PROVIDER_KEYS)
  const offered = (currency: string) => payments.listProviders(currency).map(({ name }) => name)
  it.each([
    ['UYU', 'stripe mercadopago test'],
    ['INR', 'stripe paytm test'],
    ['ZAR', 'stripe flutterwave paystack payfast test'],
    ['AUD', 'paypal stripe securepay test'],
    ['PEN', 'stripe payulatam culqi mercadopago test'],
    ['UAH', 'stripe liqpay test'],
    ['JPY', 'paypal braintree stripe test'],
    ['KWD', 'stripe test'],
    ['IRR', 'test'],
  ])('%s is offered only by %s', (currency, names) => {
    expect(offered(currency)).toEqual(names.split(' '))
  })
  it.each(Object.keys(ALL_PROVIDER_KEYS).filter((name) => !(name in LOCAL_ENV)))(
    'hides the provider when %s is empty or blank',
    (name) => {
      const all = new Set(MONEY.flatMap(offered))
      for (const value of ['', '   ']) {
        const less = createTestPayments({}, { ...ALL_PROVIDER_KEYS, [name]: value }).payments
        const left = new Set(MONEY.flatMap((each) => less.listProviders(each).map((p) => p.name)))
        expect(all.size - left.size).toBe(1)
      }
    },
  )
})

describe('an amount sent to a provider', () => {
  /** Returns everything that a provider receives for an amount in minor units. */
  const sent = async (name: ProviderId, currency: string, minor: number): Promise<string> => {
    const deps = createFakeDeps(acceptCheckout)
    const checkout = await ADAPTERS[name](ALL_PROVIDER_KEYS, deps)?.checkout(
      aCheckoutOrder({ currency, minor }),
    )
    const shown =
      checkout?.kind === 'form'
        ? new URLSearchParams(checkout.fields.map(([field, value]) => [field, value])).toString()
        : ''
    return decodeURIComponent([...deps.requests.map(({ body }) => body), shown].join('&'))
  }
  it.each<[ProviderId, string, number, string]>([
    ['stripe', 'JPY', 1234, 'unit_amount]=1234&'],
    ['stripe', 'KWD', 12_340, 'unit_amount]=12340&'],
    ['stripe', 'USD', 1999, 'unit_amount]=1999&'],
    ['stripe', 'ISK', 1234, 'unit_amount]=123400&'],
    ['paypal', 'JPY', 1234, '"value":"1234"'],
    ['paypal', 'USD', 5, '"value":"0.05"'],
    ['flutterwave', 'XOF', 1234, '"amount":"1234"'],
    ['flutterwave', 'NGN', 1999, '"amount":"19.99"'],
    ['paystack', 'XOF', 1234, '"amount":"123400"'],
    ['paystack', 'NGN', 1999, '"amount":"1999"'],
    ['payulatam', 'CLP', 1234, 'amount=1234&'],
    ['payulatam', 'COP', 199_900, 'amount=1999.00&'],
    ['mercadopago', 'CLP', 1234, '"unit_price":1234'],
    ['mercadopago', 'COP', 123_400, '"unit_price":1234'],
    ['mercadopago', 'UYU', 1999, '"unit_price":19.99'],
    ['securepay', 'AUD', 1999, 'amount=1999&'],
    ['payfast', 'ZAR', 1999, 'amount=19.99&'],
  ])('reaches %s for %s %i as %s', async (name, currency, minor, words) => {
    expect(`${await sent(name, currency, minor)}&`).toContain(words)
  })
  it.each<[ProviderId, string, number]>([
    ['stripe', 'KWD', 12_345],
    ['paypal', 'HUF', 1050],
    ['mercadopago', 'COP', 123_450],
  ])('is not sent to %s for %s %i, which it can’t represent', async (name, currency, minor) => {
    await expect(sent(name, currency, minor)).rejects.toThrow()
  })
  it('currencies have the decimals of ISO 4217', () => {
    expect(['JPY', 'KWD', 'USD', 'ISK', 'UGX'].map(getDecimals)).toEqual([0, 3, 2, 0, 0])
  })
})
