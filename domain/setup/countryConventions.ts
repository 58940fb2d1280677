import type { ShippedLocale } from '../catalog/languages'

/** Countries whose roads are signed in miles. */
const MILE_COUNTRIES: readonly string[] = ['GB', 'LR', 'MM', 'PR', 'US']
/**
 * Languages whose dates and numbers differ from country to country without another script of
 * digits.
 */
const REGIONAL_LANGUAGES: readonly ShippedLocale[] = ['de', 'en', 'es', 'fr', 'pt']

/** Returns the language that most people of a country speak, as a BCP 47 code. */
export const getMainLanguage = (country: string): string =>
  new Intl.Locale(`und-${country}`).maximize().language

/** Returns the locale of dates in a country; undefined for the language's own one. */
export const getDateLocale = (language: ShippedLocale, country: string): string | undefined =>
  REGIONAL_LANGUAGES.includes(language) ? `${language}-${country}` : undefined

const formatOne = (locale: string, currency: string) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(1)

/** Returns the short symbol of a currency, or its code. */
export const getCurrencySymbol = (code: string): string =>
  formatOne('en', code).find(({ type }) => type === 'currency')?.value ?? code

/** Returns true when people of a country write the symbol after the amount. */
export const isSymbolLast = (country: string, code: string): boolean => {
  const parts = formatOne(`${getMainLanguage(country)}-${country}`, code).map(({ type }) => type)
  return parts.indexOf('currency') > parts.indexOf('integer')
}

export const usesMiles = (country: string): boolean => MILE_COUNTRIES.includes(country)
