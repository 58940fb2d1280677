import { expect, test } from 'vitest'
import { dayStart } from './clock'

test.each([
  ['2026-11-20', 'America/Montevideo', '2026-11-20T03:00:00Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z'],
])('%s begins in %s at %s', (day, timezone, instant) => {
  expect(new Date(dayStart(day, timezone)).toISOString()).toBe(instant.replace('Z', '.000Z'))
})
