import { expect, test } from 'vitest'
import { parseLocaleNumber, formatLocaleNumber } from './localeNumber'

test.each([
  ['en', '', null],
  ['en', '   ', null],
  ['en', '0', 0],
  ['en', ' 1.5 ', 1.5],
  ['en', '.5', 0.5],
  ['en', '5.', 5],
  ['en', '1,234', 1234],
  ['en', '1,234,567.25', 1234567.25],
  // This comma cannot separate thousands, so it marks decimals.
  ['en', '3,5', 3.5],
  ['en', '12,50', 12.5],
  ['en', '0,500', 0.5],
  ['hi-IN', '12,34,567.5', 1234567.5],
  ['hi-IN', '१२.५', 12.5],
  ['de', '1,5', 1.5],
  ['de', '1.234,5', 1234.5],
  ['de', '1.500', 1500],
  ['de', '1.5', 1.5],
  ['de-CH', '1’234.5', 1234.5],
  ['fr', '1 234,5', 1234.5],
  ['fr', '1\u202f234,5', 1234.5],
  ['pt_BR', '10,5', 10.5],
  ['ar', '١٢٫٥', 12.5],
  ['ar', '\u061c1234', 1234],
  ['fa', '۱۲۳', 123],
  ['en', '-5', -5],
  ['en', '−2.5', -2.5],
])('in %s, reads the input %j as %j', (locale, typed, read) => {
  expect(parseLocaleNumber(typed, locale)).toBe(read)
})

test.each([
  'abc',
  '12a',
  '-',
  '-0',
  '+5',
  '5-',
  '--5',
  '1e3',
  '0x10',
  'Infinity',
  'NaN',
  '.',
  ',',
  '1.2.3',
  '1,23,4',
  '$5',
  '5 %',
  '9'.repeat(400),
])('refuses %j as a number and keeps it as typed', (typed) => {
  expect(parseLocaleNumber(typed, 'en')).toBe(typed)
})

test.each(['en', 'de', 'es', 'fr', 'pt-BR', 'ar-EG', 'he', 'hi', 'de-CH', 'fa'])(
  'in %s, reads back the numbers that it wrote',
  (locale) => {
    for (const value of [0, 5, 0.1, 1.15, 12.5, 1234.5, 1e9, 0.000001])
      expect(parseLocaleNumber(formatLocaleNumber(value, locale), locale)).toBe(value)
  },
)
