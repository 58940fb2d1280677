import { describe, expect, it } from 'vitest'
import { MAX_DECIMALS } from '../money/money'
import {
  fromCurrencyMinorUnits,
  formatUnits,
  getDecimals,
  isCurrencyCode,
  toCurrencyMinorUnits,
  rescaleUnits,
  parseUnits,
} from './currencyUnits'

describe('amounts for providers', () => {
  it.each([
    ['UYU', 19.99, 1999, '19.99'],
    ['USD', 0.1, 10, '0.10'],
    ['JPY', 500, 500, '500'],
    ['CLP', 12_345, 12_345, '12345'],
    ['KWD', 1.234, 1234, '1.234'],
    ['BHD', 1.2, 1200, '1.200'],
    ['USD', 1_000_000, 100_000_000, '1000000.00'],
  ])('converts %s %d to %d minor units, written %s', (currency, amount, minor, text) => {
    expect(toCurrencyMinorUnits(amount, currency)).toBe(minor)
    expect(fromCurrencyMinorUnits(minor, currency)).toBe(amount)
    expect(formatUnits(minor, getDecimals(currency))).toBe(text)
  })
  it.each([
    ['19.999', 'USD'],
    ['0.5', 'JPY'],
    ['1e3', 'USD'],
    ['', 'USD'],
    ['12,50', 'USD'],
    ['99999999999999999', 'USD'],
    ['NaN', 'USD'],
  ])('refuses “%s” as an amount of %s', (text, currency) =>
    expect(toCurrencyMinorUnits(text, currency)).toBeNull(),
  )
  it('ignores trailing zeros after the decimal point', () => {
    expect(toCurrencyMinorUnits('15.000', 'USD')).toBe(1500)
    expect(toCurrencyMinorUnits('20000.0', 'JPY')).toBe(20_000)
    expect(parseUnits('-2.30', 2)).toBe(-230)
  })
  it('converts between numbers of decimals without loss', () => {
    expect(rescaleUnits(500, 0, 2)).toBe(50_000)
    expect(rescaleUnits(1230, 3, 2)).toBe(123)
    expect(rescaleUnits(1234, 3, 2)).toBeNull()
  })
})

describe('currencies', () => {
  it.each([
    ['UYU', 2],
    ['JPY', 0],
    ['KWD', 3],
    // Intl shows these without decimals, but ISO 4217 and every payment provider use hundredths.
    ['HUF', 2],
    ['COP', 2],
    ['IDR', 2],
  ])('recognizes %s with %d decimals', (code, decimals) => {
    expect(isCurrencyCode(code)).toBe(true)
    expect(getDecimals(code)).toBe(decimals)
  })
  it.each(['XYZ', 'usd', '', 'US', 'USDT', 'UYU '])('refuses “%s” as a currency', (code) => {
    expect(isCurrencyCode(code)).toBe(false)
  })
  it('have at most as many decimals as the settings allow', () => {
    for (const code of Intl.supportedValuesOf('currency'))
      expect(getDecimals(code)).toBeLessThanOrEqual(MAX_DECIMALS)
  })
})
