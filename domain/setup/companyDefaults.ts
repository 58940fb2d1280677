import countryToCurrency from 'country-to-currency'
import { getOwn } from '../data/ownValue'
import { isShippedLocale, type ShippedLocale } from '../catalog/languages'
import { isCurrencyCode } from '../payments/currencyUnits'
import { getMainLanguage } from './countryConventions'
import { chooseTimezone } from './timezones'

/**
 * Countries where another of the shipped languages is understood than the one that most people
 * speak at home.
 */
const SPOKEN_TOO: Readonly<Record<string, ShippedLocale>> = {
  AD: 'es',
  BE: 'fr',
  BI: 'fr',
  CF: 'fr',
  GN: 'fr',
  HT: 'fr',
  MG: 'fr',
  ML: 'fr',
  NE: 'fr',
  PY: 'es',
  SN: 'fr',
}
/** Countries with the currency of another country, which the list of currencies lacks. */
const SHARED_CURRENCIES: Readonly<Record<string, string>> = { AC: 'SHP', TA: 'SHP' }
/** Returns the shipped language for a country: the main one there, one spoken too, or English. */
const chooseLanguage = (country: string): ShippedLocale => {
  const main = getMainLanguage(country)
  return getOwn(SPOKEN_TOO, country) ?? (isShippedLocale(main) ? main : 'en')
}

/** Returns the currency of a country, ISO 4217. */
export const getCurrency = (country: string): string => {
  const code = getOwn(SHARED_CURRENCIES, country) ?? getOwn(countryToCurrency, country)
  return code && isCurrencyCode(code) ? code : 'USD'
}

/** The choices that follow from the country of a company; each can be changed. */
export interface CompanyDefaults {
  code: string
  timezone: string
  language: ShippedLocale
}

/** Returns the choices for a country. `ownZone` is the time zone of the person's device. */
export const getCompanyDefaults = (country: string, ownZone?: string): CompanyDefaults => ({
  code: getCurrency(country),
  timezone: chooseTimezone(country, ownZone),
  language: chooseLanguage(country),
})
