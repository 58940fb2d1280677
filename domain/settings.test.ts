import { expect, test } from 'vitest'
import { newSettings } from './settings'

const given = {
  country: 'Uruguay',
  restrictCountry: 'UY',
  symbol: '$U',
  code: 'UYU',
  appcat: 'taxi',
  timezone: 'America/Montevideo',
} as const

test.each([
  ['UYU', 2],
  ['PYG', 0],
  ['KWD', 3],
])('a new platform counts in the decimals of its currency: %s has %i', (code, decimal) => {
  expect(newSettings({ ...given, code })).toMatchObject({ ...given, code, decimal })
})
