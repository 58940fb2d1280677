import { expect, test } from 'vitest'
import {
  formatZonedIso,
  formatTimeOfDay,
  formatDay,
  isTimezone,
  formatMonth,
  toYearAndMonthName,
} from './zonedTime'

test.each([
  ['2026-01-01T02:59:59Z', 'America/Montevideo', '2025-12-31', '23:59:59'],
  ['2026-01-01T03:00:00Z', 'America/Montevideo', '2026-01-01', '00:00:00'],
  ['2026-03-29T00:59:59Z', 'Europe/Madrid', '2026-03-29', '01:59:59'],
  ['2026-03-29T01:00:00Z', 'Europe/Madrid', '2026-03-29', '03:00:00'],
  ['2026-06-30T18:14:59Z', 'Asia/Kathmandu', '2026-06-30', '23:59:59'],
  ['2026-06-30T18:15:00Z', 'Asia/Kathmandu', '2026-07-01', '00:00:00'],
])('formats %s in %s as %s %s', (instant, timezone, day, clock) => {
  const ms = Date.parse(instant)
  expect(formatDay(ms, timezone)).toBe(day)
  // The second call reads the cache.
  expect(formatDay(ms, timezone)).toBe(day)
  expect(formatMonth(ms, timezone)).toBe(day.slice(0, 7))
  expect(formatTimeOfDay(ms, timezone)).toBe(clock)
})

test('splits a month into its year and English name', () => {
  expect(toYearAndMonthName('2026-02')).toEqual({ year: 2026, monthsName: 'February' })
})

test('recognizes unknown time zones', () => {
  expect(isTimezone('America/Montevideo')).toBe(true)
  expect(isTimezone('Mars/Olympus')).toBe(false)
  expect(isTimezone('')).toBe(false)
})

test.each([
  ['America/Montevideo', '2026-11-27T21:30:05-03:00'],
  ['UTC', '2026-11-28T00:30:05+00:00'],
  ['Asia/Kathmandu', '2026-11-28T06:15:05+05:45'],
  ['America/St_Johns', '2026-11-27T21:00:05-03:30'],
])('writes a time in %s with its offset', (timezone, text) => {
  const ms = Date.UTC(2026, 10, 28, 0, 30, 5, 900)
  expect(formatZonedIso(ms, timezone)).toBe(text)
  expect(Date.parse(text)).toBe(ms - 900)
})
