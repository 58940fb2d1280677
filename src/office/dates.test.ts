import { expect, test } from 'vitest'
import { formatDay } from '~/domain/language/zonedTime'
import { addDays, getDayStart, getDayNoon } from './dates'

test.each([
  ['2026-11-20', 'America/Montevideo', '2026-11-20T03:00:00Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z'],
])('%s starts in %s at %s', (day, timezone, instant) => {
  expect(new Date(getDayStart(day, timezone)).toISOString()).toBe(instant.replace('Z', '.000Z'))
})

test.each([
  ['2026-10-26', -1, '2026-10-25'],
  ['2026-03-30', -1, '2026-03-29'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-03-01', -1, '2028-02-29'],
])('%s plus %i days is %s', (day, days, other) => {
  expect(addDays(day, days)).toBe(other)
})

test.each(['Pacific/Auckland', 'Pacific/Pago_Pago', 'Europe/Berlin'])(
  'keeps the noon of a day within that day in %s',
  (timezone) => {
    for (const day of ['2026-01-15', '2026-03-29', '2026-10-25'])
      expect(formatDay(getDayNoon(day, timezone), timezone)).toBe(day)
  },
)
