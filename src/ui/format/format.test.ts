import { describe, expect, test } from 'vitest'
import { fromWallClock, makeFormat, toWallClock } from './format'

const format = (over: object = {}) =>
  makeFormat({
    dateLocale: 'en',
    symbol: '$',
    symbolAfter: false,
    decimal: 2,
    miles: false,
    timezone: 'America/Montevideo',
    ...over,
  })

test('formats money with the symbol, its side and the decimals of the settings', () => {
  expect(format().money(1234.5)).toBe('$1,234.50')
  expect(format({ symbol: '$U' }).money(10)).toBe('$U 10.00')
  expect(format({ symbol: '€', symbolAfter: true, dateLocale: 'de' }).money(1234.5)).toBe(
    '1.234,50 €',
  )
  expect(format({ symbol: '¥', decimal: 0 }).money(99.6)).toBe('¥100')
  expect(format().money(-3)).toBe('−$3.00')
})

test('shows no sign on an amount that rounds to zero', () => {
  for (const nothing of [0, -0, -1.3642420526593924e-12, -0.004])
    expect(format({ symbol: '$U' }).money(nothing)).toBe('$U 0.00')
  expect(format().money(-0.005)).toBe('−$0.01')
  expect(format({ decimal: 0 }).money(-0.4)).toBe('$0')
  expect(format({ dateLocale: 'ar' }).money(-0.001)).not.toContain('−')
})

test('shows distance and duration with their unit', () => {
  expect(format().distance(2.44)).toBe('2.4 km')
  expect(format({ miles: true }).distance(2.44)).toBe('2.4 mi')
  expect(format().distance(0.047)).toBe('50 m')
  expect(format().distance(0.001)).toBe('10 m')
  expect(format().distance(0)).toBe('0 km')
  expect(format({ miles: true }).distance(0.05)).toBe('260 ft')
  expect(format().duration(20)).toBe('1 min')
  expect(format().duration(3900)).toBe('1 hr 5 min')
})

test('isolates each value in a right-to-left language', () => {
  const arabic = format({ dateLocale: 'ar', symbol: '$U' })
  expect(arabic.money(10)).toMatch(/^\u2066\$U .*\u2069$/)
  for (const text of [arabic.distance(2), arabic.duration(600), arabic.date(0), arabic.time(0)])
    expect(text).toMatch(/^\u2067[^\u2067]+\u2069$/)
})

test('accepts a locale in the format of phones, and falls back to English for an unknown one', () => {
  expect(format({ dateLocale: 'pt_BR', symbol: 'R$' }).money(1234.5)).toBe('R$1.234,50')
  expect(format({ dateLocale: 'Plattdüütsch' }).money(1234.5)).toBe('$1,234.50')
})

describe('a time typed in the city’s time zone', () => {
  test('is the same instant wherever the user is', () => {
    expect(fromWallClock('2026-11-20T18:30', 'America/Montevideo')).toBe(
      Date.UTC(2026, 10, 20, 21, 30),
    )
    expect(toWallClock(Date.UTC(2026, 10, 20, 21, 30), 'America/Montevideo')).toBe(
      '2026-11-20T18:30',
    )
  })
  test('survives a round trip across a clock change', () => {
    const text = '2026-03-29T04:15'
    const moment = fromWallClock(text, 'Europe/Berlin') ?? 0
    expect(toWallClock(moment, 'Europe/Berlin')).toBe(text)
  })
  test('is null while it is incomplete', () => {
    expect(fromWallClock('', 'America/Montevideo')).toBeNull()
  })
})
