import { getNumberFormat } from '../language/intlFormats'
import { roundAmount } from './money'

/** How the platform writes amounts. */
export interface MoneySettings {
  symbol: string
  /** True puts the symbol after the amount. */
  symbolAfter: boolean
  decimal: number
}

/** Creates a function that formats amounts with the symbol, in the digits of a BCP 47 locale. */
export const createMoneyFormat = (
  locale: string,
  { symbol, symbolAfter, decimal }: MoneySettings,
): ((value: number) => string) => {
  const options = { minimumFractionDigits: decimal, maximumFractionDigits: decimal }
  return (value) => {
    // We round first: a negative amount that rounds to zero has no sign.
    const roundedValue = roundAmount(value, decimal)
    const digits = getNumberFormat(locale, options).format(Math.abs(roundedValue))
    const gap = /\w$/.test(symbol) ? ' ' : ''
    return `${roundedValue < 0 ? '−' : ''}${symbolAfter ? `${digits} ${symbol}` : `${symbol}${gap}${digits}`}`
  }
}
