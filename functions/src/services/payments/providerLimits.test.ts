import { describe, expect, it } from 'vitest'
import { quoteFare } from '~/domain/money/fare'
import {
  getFareStep,
  getWalletPart,
  isMultipleOf,
  type StepSettings,
} from '~/domain/payments/fareStep'
import { subtractAmount } from '~/domain/money/money'
import {
  combineChargeSteps,
  findNearestCharges,
  isChargeable,
} from '~/domain/payments/chargeLimits'
import {
  fromCurrencyMinorUnits,
  getDecimals,
  toCurrencyMinorUnits,
} from '~/domain/payments/currencyUnits'
import { quoteDiscount } from '~/domain/money/promo'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { aPromo, aSettings, aVehicleType } from '~/domain/testing/builders'
import type { Adapter } from '../../ports/paymentAdapter'
import { PROVIDER_IDS, type ProviderId } from '~/domain/payments/providers'
import { ADAPTERS } from '../../adapters/payments/adapters'
import { getChargeLimits, publishProviderStep } from './providerLimits'
import {
  acceptCheckout,
  aCheckoutOrder,
  createFakeDeps,
  createTestPayments,
} from '../../testing/fakeProvider'
import { ALL_PROVIDER_KEYS } from '../../testing/providerKeys'

const FARES = 200
const CURRENCIES = Intl.supportedValuesOf('currency')

/** Returns the adapter and the currencies that it supports. */
const readProvider = (name: ProviderId) => {
  const deps = createFakeDeps(acceptCheckout)
  const adapter = ADAPTERS[name](ALL_PROVIDER_KEYS, deps)
  if (!adapter) throw new Error(`Add test keys of ${name} to testing/providerKeys.ts.`)
  return { adapter, currencies: CURRENCIES.filter(adapter.isCurrencySupported) }
}

/** Returns true when the adapter converts the amount and sends it. */
const isAccepted = async (adapter: Adapter, amount: number, currency: string): Promise<boolean> => {
  const minor = toCurrencyMinorUnits(amount, currency)
  if (minor === null) return false
  return adapter.checkout(aCheckoutOrder({ currency, minor })).then(
    () => true,
    () => false,
  )
}

/** Returns the settings of a platform in this currency on which only this provider is on. */
const aPlatform = (adapter: Adapter, code: string): StepSettings => {
  const providerStep = combineChargeSteps(
    [getChargeLimits(adapter, code)],
    fromCurrencyMinorUnits(1, code),
  )
  return { code, decimal: getDecimals(code), ...(providerStep !== null && { providerStep }) }
}

/** Draws ordinary fares: 1 to 30 km at rates of the currency's usual size. */
const drawFares = (settings: StepSettings, seed: number) => {
  const random = createSeededRandom(seed)
  // A kilometer costs about 1 USD: 1,000 units where a coin of a hundredth no longer exists.
  const scale = getFareStep(settings) >= 0.5 ? 1000 : 1
  const draw = (least: number, most: number) => least + (most - least) * random.next()
  return Array.from({ length: FARES }, () =>
    quoteFare({
      carType: aVehicleType({
        base_fare: draw(1, 3) * scale,
        rate_per_unit_distance: draw(0.5, 2) * scale,
        rate_per_hour: draw(5, 20) * scale,
        min_fare: draw(2, 5) * scale,
        convenience_fees: draw(5, 20),
        convenience_fee_type: 'percentage',
      }),
      distanceKm: draw(1, 30),
      seconds: draw(120, 3600),
      settings: { ...settings, convert_to_mile: false },
    }),
  )
}

// The test provider converts nothing.
describe.each(PROVIDER_IDS.filter((name) => name !== 'test'))('with %s', (name) => {
  const { adapter, currencies } = readProvider(name)
  const platforms = currencies.map((code, i) => [code, aPlatform(adapter, code), i + 1] as const)

  it('200 of 200 ordinary fares are charged in every currency', async () => {
    for (const [code, settings, seed] of platforms) {
      const fares = drawFares(settings, seed)
      const accepted = await Promise.all(
        fares.map(({ estimateFare }) => isAccepted(adapter, estimateFare, code)),
      )
      expect([code, accepted.filter(Boolean).length]).toEqual([code, FARES])
    }
  })

  it('200 of 200 rests after a discount and a part from the wallet are charged', async () => {
    for (const [code, settings, seed] of platforms) {
      const random = createSeededRandom(seed)
      const accepted = await Promise.all(
        drawFares(settings, seed).map(({ estimateFare }) => {
          const promo = aPromo({
            promo_discount_type: 'percentage',
            promo_discount_value: 1 + random.next() * 60,
            max_promo_discount_value: random.next() < 0.5 ? 0 : estimateFare * random.next(),
            min_order: 0,
          })
          const discount = quoteDiscount(promo, estimateFare, settings)
          if (!discount.ok) throw new Error(discount.error.key)
          const due = subtractAmount(estimateFare, discount.value, settings.decimal)
          const wallet = getWalletPart(due, due * random.next() * 0.99, settings)
          return isAccepted(adapter, subtractAmount(due, wallet, settings.decimal), code)
        }),
      )
      expect([code, accepted.filter(Boolean).length]).toEqual([code, FARES])
    }
  })

  it('its step is the smallest that its own conversion accepts', async () => {
    for (const code of currencies) {
      const { step } = getChargeLimits(adapter, code)
      const smaller = fromCurrencyMinorUnits(1, code)
      expect([code, await isAccepted(adapter, 1000 + step, code)]).toEqual([code, true])
      if (smaller < step)
        expect([code, await isAccepted(adapter, 1000 + smaller, code)]).toEqual([code, false])
    }
  })
})

describe('the step of fares', () => {
  it.each([
    ['stripe', 'KWD', 0.01],
    ['stripe', 'BHD', 0.01],
    ['stripe', 'TND', 0.01],
    ['stripe', 'JOD', 0.01],
    ['mercadopago', 'COP', 1],
    ['paypal', 'HUF', 1],
    ['paypal', 'TWD', 1],
    ['paypal', 'CHF', 0.05],
    ['stripe', 'USD', 0.01],
  ] as const)('with %s and %s is %d', (name, code, step) => {
    expect(getFareStep(aPlatform(readProvider(name).adapter, code))).toBe(step)
  })

  it('without a provider is the smallest cash in the currency', () => {
    const of = (code: string) => getFareStep({ code, decimal: getDecimals(code) })
    expect(['CHF', 'KWD', 'HUF', 'DKK', 'UYU', 'JPY'].map(of)).toEqual([
      0.05, 0.001, 1, 0.5, 0.01, 1,
    ])
  })

  it('is raised when the office’s own step is too fine for a provider that is switched on later', () => {
    const kuwait = { code: 'KWD', decimal: 3, fareStep: 0.005 }
    expect(getFareStep(kuwait)).toBe(0.005)
    expect(getFareStep({ ...kuwait, providerStep: 0.01 })).toBe(0.01)
  })

  it('leaves the wallet’s dust where it is, so that a card can pay the rest', () => {
    const kuwait = { code: 'KWD', decimal: 3, providerStep: 0.01 }
    expect(getWalletPart(5, 3.337, kuwait)).toBe(3.33)
    expect(getWalletPart(5, 5.001, kuwait)).toBe(5)
    expect(getWalletPart(5, -2, kuwait)).toBe(0)
  })

  it('is published for the app when keys are set, and taken back when they are removed', async () => {
    const keys = { ...ALL_PROVIDER_KEYS, STRIPE_SECRET_KEY: 'sk_test_1' }
    const settings = aSettings({ code: 'KWD', decimal: 3 })
    const on = createTestPayments({ settings }, keys)
    await publishProviderStep(on)
    expect(await on.db.read('settings/providerStep')).toBe(0.01)
    const off = createTestPayments(
      { settings: { ...settings, providerStep: 0.01 } },
      { ...keys, STRIPE_SECRET_KEY: '' },
    )
    await publishProviderStep(off)
    expect(await off.db.read('settings/providerStep')).toBeNull()
  })
})

describe('an amount', () => {
  const limits = [
    { step: 0.01, minimum: 0.5 },
    { step: 1, minimum: 175 },
  ]
  it.each([
    [0.3, [0.5]],
    [0.505, [0.5, 0.51]],
    [176.004, [176, 176.01]],
  ])('of %d that no provider can charge has the nearest amounts %j', (amount, nearest) => {
    expect(limits.some((each) => isChargeable(amount, each))).toBe(false)
    expect(findNearestCharges(amount, limits)).toEqual(nearest)
  })

  it('below the provider’s documented minimum is not chargeable', () => {
    const stripe = getChargeLimits(readProvider('stripe').adapter, 'USD')
    expect([0.49, 0.5].map((amount) => isChargeable(amount, stripe))).toEqual([false, true])
    expect(isMultipleOf(13.03, 0.05)).toBe(false)
  })
})
