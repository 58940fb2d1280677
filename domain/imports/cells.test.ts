import { describe, expect, it, test } from 'vitest'
import { aVehicleType } from '../testing/builders'
import { findChoice, findVehicleType, readFeeType, readPhone, readText, readTime } from './cells'

describe('a phone number', () => {
  it.each([
    ['099 123 456', 'UY', '+59899123456'],
    ['+598 99 123 456', 'DE', '+59899123456'],
    ['0059899123456', 'UY', '+59899123456'],
    // Spreadsheets turn numbers into numbers, without a plus sign and zeros.
    [59_899_123_456, 'UY', '+59899123456'],
    [99_123_456, 'UY', '+59899123456'],
    [4_155_550_132, 'US', '+14155550132'],
    ['(415) 555-0132', 'US', '+14155550132'],
    ['\u200E+34 612 345 678\u202C', 'ES', '+34612345678'],
    ["'+34612345678", 'ES', '+34612345678'],
    ["'099 123 456", 'UY', '+59899123456'],
    ['٠١٠٠١٢٣٤٥٦٧', 'EG', '+201001234567'],
    ['+49 (0)151 23456789', 'DE', '+4915123456789'],
  ])('%j in %s is %s', (cell, country, number) => {
    expect(readPhone(cell, { country })).toBe(number)
  })
  it.each([['5,98991E+10'], ['5.98991E+10'], ['call me'], ['12'], ['=1+1'], [''], [true], [null]])(
    'cannot be %j',
    (cell) => {
      expect(readPhone(cell, { country: 'UY' })).toBeNull()
    },
  )
})

describe('a pickup time', () => {
  const at = Date.UTC(2026, 11, 24, 21, 30)
  const timezone = 'America/Montevideo'
  it.each([
    ['2026-12-24 18:30', 'en-GB'],
    ['2026-12-24T18:30:00', 'en-US'],
    ['2026/12/24 18:30', 'es'],
    ['24.12.2026 18:30', 'de-DE'],
    ['24/12/2026, 18:30', 'es-UY'],
    ['12/24/2026 6:30 PM', 'en-US'],
    ['24/12/2026 6.30 p.m.', 'en-GB'],
    ['2026-12-24T21:30:00Z', 'en-GB'],
    ['2026-12-24T23:30+02:00', 'en-GB'],
    ['٢٠٢٦-١٢-٢٤ ١٨:٣٠', 'ar'],
    ['\u200F2026-12-24 18:30', 'he'],
    [new Date(Date.UTC(2026, 11, 24, 18, 30)), 'en-GB'],
    [new Date(Date.UTC(2026, 11, 24, 18, 29, 59, 999)), 'en-GB'],
    [46_380 + 18.5 / 24, 'en-GB'],
  ])('is read from %s with %s', (cell, locale) => {
    expect(readTime(cell, { timezone, locale })).toBe(at)
  })
  it.each([
    ['24/12/2026 18:30', 'en-US'],
    ['2026-02-30 10:00', 'en-GB'],
    ['2026-12-24', 'en-GB'],
    ['2026-12-24 25:00', 'en-GB'],
    ['2026-12-24 10:75', 'en-GB'],
    ['2026-12-24 13:00 pm', 'en-GB'],
    ['tomorrow at nine', 'en-GB'],
    ['2026-13-45T99:99:00Z', 'en-GB'],
    [12, 'en-GB'],
    [new Date(Number.NaN), 'en-GB'],
  ])('cannot be %s with %s', (cell, locale) => {
    expect(readTime(cell, { timezone, locale })).toBeNull()
  })
  it('that a clock change skips is as much later', () => {
    const berlin = { timezone: 'Europe/Berlin', locale: 'de-DE' }
    expect(readTime('2026-03-29 02:30', berlin)).toBe(Date.UTC(2026, 2, 29, 1, 30))
  })
})

test.each([
  ['\uFEFFAna', 'Ana'],
  ['  María\u00A0José ', 'María José'],
  ['\u202Bيوسف\u202C', 'يوسف'],
  ["'=HYPERLINK(1)", '=HYPERLINK(1)'],
  ["O'Neill", "O'Neill"],
  [12.5, '12.5'],
  [null, ''],
])('reads the text %j as %j', (cell, text) => {
  expect(readText(cell)).toBe(text)
})

test('finds vehicle types and parcel types by their names in every language', () => {
  const types = [
    aVehicleType({ id: 'van', name: 'Van', names: { pt: 'Furgão' } }),
    aVehicleType({ id: 'bike', name: 'Bike' }),
  ]
  expect(findVehicleType(' furgão', types)?.id).toBe('van')
  expect(findVehicleType('BIKE', types)?.id).toBe('bike')
  expect(findVehicleType('Boat', types)).toBeUndefined()
  const choices = [{ description: 'Documents' }, { description: 'Box', names: { de: 'Paket' } }]
  expect(['paket', 'documents', 'pallet'].map((name) => findChoice(name, choices))).toEqual([
    1,
    0,
    undefined,
  ])
})

test('reads types of fees by name, by key and by a percent sign', () => {
  const feeTypes = { flat: ['Fester Betrag'], percentage: ['Prozent'] }
  const read = (text: string) => readFeeType(text, { feeTypes })
  expect(['Prozent', '%', 'FLAT', 'fester betrag', 'half'].map(read)).toEqual([
    'percentage',
    'percentage',
    'flat',
    'flat',
    undefined,
  ])
})
