import type { MinorUnits } from '../language/units'

/**
 * Converts amounts to the format of payment providers: whole minor units of ISO 4217 and decimal
 * text, never floats.
 */

const ZERO_DECIMAL_CURRENCIES = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
)
const THREE_DECIMAL_CURRENCIES = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))
const FOUR_DECIMAL_CURRENCIES = new Set('CLF UYW'.split(' '))

/**
 * Returns the number of decimals of a currency (ISO 4217): 0, 2, 3 or 4. Intl differs where coins
 * are rare: it has none for HUF, COP and IDR, which payment providers count in hundredths.
 */
export const getDecimals = (currency: string): number => {
  if (ZERO_DECIMAL_CURRENCIES.has(currency)) return 0
  if (THREE_DECIMAL_CURRENCIES.has(currency)) return 3
  return FOUR_DECIMAL_CURRENCIES.has(currency) ? 4 : 2
}

let currencyCodes: Set<string> | undefined
/** Returns true for an ISO 4217 code: three capital letters. */
export const isCurrencyCode = (code: string): boolean =>
  (currencyCodes ??= new Set(Intl.supportedValuesOf('currency'))).has(code)

/** Formats `minor` units as decimal text with `places` decimals: 1999 with 2 is 19.99. */
export const formatUnits = (minor: MinorUnits, places: number): string => {
  const digits = String(Math.abs(minor)).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return minor < 0 ? `-${text}` : text
}

/**
 * Parses an amount into whole units of `places` decimals; null when it is not a number or has more
 * decimals.
 */
export const parseUnits = (amount: string | number, places: number): number | null => {
  const [, sign, whole = '', rest = ''] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount).trim()) ?? []
  if (whole === '') return null
  const fraction = rest.replace(/0+$/, '')
  if (fraction.length > places) return null
  const units = Number(whole + fraction.padEnd(places, '0'))
  if (!Number.isSafeInteger(units)) return null
  return sign && units !== 0 ? -units : units
}

/**
 * Returns the amount in the currency's minor units; null when it has more decimals than the
 * currency.
 */
export const toCurrencyMinorUnits = (
  amount: string | number,
  currency: string,
): MinorUnits | null => parseUnits(amount, getDecimals(currency))

/** Converts minor units of the currency to an amount. */
export const fromCurrencyMinorUnits = (minor: MinorUnits, currency: string): number =>
  Number(formatUnits(minor, getDecimals(currency)))

/** Converts units between numbers of decimals; null when that would lose digits. */
export const rescaleUnits = (units: number, from: number, to: number): number | null =>
  parseUnits(formatUnits(units, from), to)
