import { describe, expect, it, test } from 'vitest'
import * as v from 'valibot'
import { vehicleTypeForm } from '../forms/catalogForms'
import { SHIPPED_LANGUAGES } from '../catalog/languages'
import { getDecimals } from '../payments/currencyUnits'
import { getFareStep, isMultipleOf } from '../payments/fareStep'
import { BUSINESSES } from './business'
import { getCurrency } from './companyDefaults'
import { createCompanySettings } from './companySettings'
import { createStartReasons, createStartVehicleTypes } from './startCatalog'
import { scalePrice } from './startPrices'
import { getCountries } from 'libphonenumber-js/min'

const settingsOf = (country: string, business: (typeof BUSINESSES)[number] = 'both') =>
  createCompanySettings({
    companyName: 'Acme',
    business,
    country: 'There',
    restrictCountry: country,
    symbol: '¤',
    code: getCurrency(country),
    timezone: 'UTC',
  })
const typesOf = (country: string) => createStartVehicleTypes('both', 'en', settingsOf(country), 1)

describe('prices of a new company', () => {
  it.each([
    [5, 'EUR', 5],
    [1.2, 'EUR', 1.2],
    [1.2, 'KWD', 0.24],
    [5, 'JPY', 1000],
    [1.2, 'JPY', 240],
    [5, 'IDR', 25_000],
    [2.5, 'HUF', 1250],
    [2.5, 'CHF', 5],
    [0, 'EUR', 0],
    [0.001, 'EUR', 0.01],
  ])('turn %d euros into round amounts of %s', (euros, code, amount) => {
    expect(scalePrice(euros, { code, decimal: getDecimals(code) })).toBe(amount)
  })

  it.each(getCountries())(
    'are payable in cash, above zero and valid for the form in %s',
    (country) => {
      const step = getFareStep(settingsOf(country))
      for (const type of typesOf(country)) {
        const prices = [
          type.base_fare,
          type.rate_per_unit_distance,
          type.rate_per_hour,
          type.min_fare,
        ]
        for (const price of prices) {
          expect(price).toBeGreaterThan(0)
          expect(isMultipleOf(price, step)).toBe(true)
        }
        expect(type.min_fare).toBeGreaterThan(type.base_fare)
        expect(v.safeParse(vehicleTypeForm, type).issues).toBeUndefined()
      }
    },
  )

  it('are per mile where distances are in miles', () => {
    const rate = (country: string) =>
      typesOf(country).find(({ id }) => id === 'economy')?.rate_per_unit_distance
    expect([rate('EC'), rate('US')]).toEqual([1.2, 1.95])
  })
})

test.each([
  ['rides', 'taxi', ['economy', 'xl', 'premium']],
  ['parcels', 'delivery', ['courier', 'van']],
  ['both', 'delivery', ['courier', 'economy', 'xl', 'premium', 'van']],
] as const)('a company for %s starts in the mode %s with %j', (business, appcat, ids) => {
  const settings = settingsOf('DE', business)
  expect(settings.appcat).toBe(appcat)
  const types = createStartVehicleTypes(business, 'de', settings, 1)
  expect(types.map(({ id }) => id)).toEqual(ids)
  expect(
    types.every(({ parcelTypes, id }) => !parcelTypes === !['courier', 'van'].includes(id)),
  ).toBe(true)
})

test('names a new company, without a website and terms that are not its own', () => {
  expect(settingsOf('SE')).toMatchObject({
    appName: 'Acme',
    CompanyName: 'Acme',
    CompanyWebsite: '',
    CompanyTerms: '',
    swipe_symbol: true,
    setupChecklist: 'open',
  })
})

describe.each(SHIPPED_LANGUAGES)('in $name', ({ locale }) => {
  const others = SHIPPED_LANGUAGES.map((language) => language.locale)
    .filter((other) => other !== locale)
    .sort()
  it.each(BUSINESSES)('a company for %s has its catalog in every language', (business) => {
    const types = createStartVehicleTypes(business, locale, settingsOf('DE'), 1)
    const reasons = createStartReasons(business, locale)
    const named = [
      ...types,
      ...types.flatMap(({ parcelTypes = [], options = [] }) => [...parcelTypes, ...options]),
      ...reasons,
    ]
    for (const { names } of named) expect(Object.keys(names ?? {}).sort()).toEqual(others)
    expect(reasons.map(({ value }) => value)).toEqual(reasons.map((_, index) => index))
    expect(new Set(reasons.map(({ label }) => label)).size).toBe(reasons.length)
  })
})
