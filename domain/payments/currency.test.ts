import { describe, expect, it } from 'vitest'
import { amountOf, decimalText, exponentOf, minorOf, rescaled, unitsOf } from './currency'

describe('amounts for providers', () => {
  it.each([
    ['UYU', 19.99, 1999, '19.99'],
    ['USD', 0.1, 10, '0.10'],
    ['JPY', 500, 500, '500'],
    ['CLP', 12_345, 12_345, '12345'],
    ['KWD', 1.234, 1234, '1.234'],
    ['BHD', 1.2, 1200, '1.200'],
    ['USD', 1_000_000, 100_000_000, '1000000.00'],
  ])('%s %d is %d minor units, written %s', (currency, amount, minor, text) => {
    expect(minorOf(amount, currency)).toBe(minor)
    expect(amountOf(minor, currency)).toBe(amount)
    expect(decimalText(minor, exponentOf(currency))).toBe(text)
  })
  it.each([
    ['19.999', 'USD'],
    ['0.5', 'JPY'],
    ['1e3', 'USD'],
    ['', 'USD'],
    ['12,50', 'USD'],
    ['99999999999999999', 'USD'],
    ['NaN', 'USD'],
  ])('“%s” is no amount of %s', (text, currency) => expect(minorOf(text, currency)).toBeNull())
  it('zeros behind the point are nothing', () => {
    expect(minorOf('15.000', 'USD')).toBe(1500)
    expect(minorOf('20000.0', 'JPY')).toBe(20_000)
    expect(unitsOf('-2.30', 2)).toBe(-230)
  })
  it('changes between numbers of decimals, and loses nothing', () => {
    expect(rescaled(500, 0, 2)).toBe(50_000)
    expect(rescaled(1230, 3, 2)).toBe(123)
    expect(rescaled(1234, 3, 2)).toBeNull()
  })
})
