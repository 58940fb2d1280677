import { expect, test } from 'vitest'
import { createSettings } from './defaultSettings'

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
])('uses the decimals of the currency on a new platform: %s has %i', (code, decimal) => {
  expect(createSettings({ ...given, code })).toMatchObject({ ...given, code, decimal })
})

test('pays the referral bonuses of a new platform after three days', () => {
  expect(createSettings(given)).toMatchObject({ bonusDelayDays: 3 })
})
