import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, it, test } from 'vitest'
import { isShippedLocale } from '../catalog/languages'
import { isCurrencyCode } from '../payments/currencyUnits'
import { isTimezone } from '../language/zonedTime'
import { getCompanyDefaults, getCurrency } from './companyDefaults'
import { getCurrencySymbol, getDateLocale, isSymbolLast, usesMiles } from './countryConventions'
import { findMagnitude } from './startPrices'
import { chooseTimezone, getTimezones } from './timezones'

test.each(getCountries())('knows currency, prices, time zones and language of %s', (country) => {
  const { code, timezone, language } = getCompanyDefaults(country)
  expect(isCurrencyCode(code)).toBe(true)
  expect(findMagnitude(code)).toBeGreaterThan(0)
  expect(getTimezones(country).filter((zone) => !isTimezone(zone))).toEqual([])
  expect(getTimezones(country)).toContain(timezone)
  expect(isShippedLocale(language)).toBe(true)
  const dateLocale = getDateLocale(language, country) ?? language
  expect(Intl.DateTimeFormat.supportedLocalesOf(dateLocale)).toEqual([dateLocale])
})

test.each([
  ['DE', 'EUR', 'Europe/Berlin', 'de'],
  ['BR', 'BRL', 'America/Sao_Paulo', 'pt'],
  ['UY', 'UYU', 'America/Montevideo', 'es'],
  ['IN', 'INR', 'Asia/Kolkata', 'hi'],
  ['IL', 'ILS', 'Asia/Jerusalem', 'he'],
  ['EG', 'EGP', 'Africa/Cairo', 'ar'],
  ['CH', 'CHF', 'Europe/Zurich', 'de'],
  ['BE', 'EUR', 'Europe/Brussels', 'fr'],
  ['SE', 'SEK', 'Europe/Stockholm', 'en'],
  ['US', 'USD', 'America/New_York', 'en'],
])('starts a company in %s with %s, %s and %s', (country, code, timezone, language) => {
  expect(getCompanyDefaults(country)).toEqual({ code, timezone, language })
})

describe('the time zone of a company', () => {
  it.each([
    ['US', 'America/Denver', 'America/Denver'],
    // Browsers keep earlier names of zones.
    ['AR', 'America/Buenos_Aires', 'America/Buenos_Aires'],
    ['DE', 'Africa/Abidjan', 'Europe/Berlin'],
    ['DE', 'UTC', 'Europe/Berlin'],
    ['ES', 'Atlantic/Canary', 'Atlantic/Canary'],
    ['ZZ', 'Europe/Paris', 'UTC'],
  ])('in %s on a device in %s is %s', (country, own, zone) => {
    expect(chooseTimezone(country, own)).toBe(zone)
  })
})

test('falls back to dollars for a country that is not in the list', () => {
  expect(getCurrency('ZZ')).toBe('USD')
})

test.each([
  ['DE', 'EUR', '€', true],
  ['IE', 'EUR', '€', false],
  ['US', 'USD', '$', false],
  ['SE', 'SEK', 'kr', true],
  ['PL', 'PLN', 'zł', true],
])('writes amounts in %s as people there do', (country, code, symbol, isLast) => {
  expect(getCurrencySymbol(code)).toBe(symbol)
  expect(isSymbolLast(country, code)).toBe(isLast)
})

test('measures distances in miles where roads are signed in miles', () => {
  expect(['US', 'GB', 'DE', 'CA'].map(usesMiles)).toEqual([true, true, false, false])
})
