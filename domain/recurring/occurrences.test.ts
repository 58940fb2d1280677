import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '../data/seededRandom'
import { formatDay, formatTimeOfDay, getWeekday, toInstant } from '../language/zonedTime'
import { findNextOccurrences, listOccurrences, toOccurrenceKey } from './occurrences'
import { DAY_MS, HOUR_MS } from '../language/timeUnits'

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const workdays = { days: [1, 2, 3, 4, 5], time: '08:30', from: '2026-11-23' }

/** Zones with clock changes of an hour, of half an hour, at midnight, and without any. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Asuncion',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'America/Montevideo',
  'Asia/Kathmandu',
]

describe('the local time of a trip', () => {
  it.each([
    // [zone, day, time, instant in UTC]
    ['Europe/Berlin', '2026-03-28', '02:30', '2026-03-28T01:30'],
    // The clocks jump from 02:00 to 03:00, so 02:30 is shown as 03:30.
    ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30'],
    ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00'],
    // The clocks show 02:30 twice, and the first one counts.
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30'],
    ['America/New_York', '2026-03-08', '02:15', '2026-03-08T07:15'],
    ['America/New_York', '2026-11-01', '01:15', '2026-11-01T05:15'],
    // The clocks jump at midnight, so the day begins at 01:00.
    ['Africa/Cairo', '2026-04-24', '00:30', '2026-04-23T22:30'],
    // A jump of half an hour.
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45'],
    ['America/Montevideo', '2026-11-23', '23:59', '2026-11-24T02:59'],
  ])('in %s on %s at %s is %s UTC', (zone, day, time, instant) => {
    expect(iso(toInstant(day, time, zone))).toBe(instant)
  })

  it('is what the clocks show, or a skipped time moved by the jump', () => {
    const random = createSeededRandom(7)
    for (let n = 0; n < 4000; n++) {
      const zone = random.pick(ZONES)
      const day = formatDay(Date.UTC(2026, 0, 1) + random.integer(0, 729) * DAY_MS, 'UTC')
      const time = `${String(random.integer(0, 23)).padStart(2, '0')}:${random.pick(['00', '15', '30', '59'])}`
      const ms = toInstant(day, time, zone)
      const shown = `${formatDay(ms, zone)}T${formatTimeOfDay(ms, zone).slice(0, 5)}`
      const later = (Date.parse(`${shown}Z`) - Date.parse(`${day}T${time}Z`)) / 60_000
      expect([0, 30, 60]).toContain(later)
      // An earlier instant never shows the wanted time.
      const earlier = [30, 60].map((minutes) => ms - minutes * 60_000)
      for (const before of later === 0 ? earlier : [])
        expect(`${formatDay(before, zone)}T${formatTimeOfDay(before, zone).slice(0, 5)}`).not.toBe(
          `${day}T${time}`,
        )
    }
  })
})

describe('the occurrences of a weekly pattern', () => {
  const zone = 'Europe/Berlin'

  it('are its days of the week at its local time, also after a clock change', () => {
    const pattern = { days: [6, 7], time: '09:00', from: '2026-03-01' }
    const found = listOccurrences(pattern, zone, Date.UTC(2026, 2, 27), Date.UTC(2026, 3, 6))
    expect(found.map(({ at }) => iso(at))).toEqual([
      '2026-03-28T08:00',
      '2026-03-29T07:00',
      '2026-04-04T07:00',
      '2026-04-05T07:00',
    ])
  })

  it('include the return trip of each day', () => {
    const pattern = { ...workdays, days: [1], back: '17:00' }
    const found = findNextOccurrences(pattern, zone, Date.UTC(2026, 10, 20), { limit: 3 })
    expect(found.map((one) => [toOccurrenceKey(one), iso(one.at)])).toEqual([
      ['2026-11-23_out', '2026-11-23T07:30'],
      ['2026-11-23_back', '2026-11-23T16:00'],
      ['2026-11-30_out', '2026-11-30T07:30'],
    ])
  })

  it('have the return trip on the next day when it is not later than the outbound trip', () => {
    const pattern = { days: [1, 2], time: '22:00', back: '23:00', from: '2026-11-23' }
    const night = { ...pattern, back: '06:00' }
    const keys = (one: typeof pattern) =>
      findNextOccurrences(one, zone, Date.UTC(2026, 10, 23, 8), { limit: 4 }).map(toOccurrenceKey)
    expect(keys(pattern)).toEqual([
      '2026-11-23_out',
      '2026-11-23_back',
      '2026-11-24_out',
      '2026-11-24_back',
    ])
    expect(keys(night)).toEqual(keys(pattern))
    const [, back] = findNextOccurrences(night, zone, Date.UTC(2026, 10, 23, 8), { limit: 2 })
    expect(back && iso(back.at)).toBe('2026-11-24T05:00')
  })

  it('begin and end with the first and the last day', () => {
    const pattern = { ...workdays, until: '2026-11-24' }
    expect(findNextOccurrences(pattern, zone, 0, { limit: 9 }).map(({ date }) => date)).toEqual([
      '2026-11-23',
      '2026-11-24',
    ])
    expect(findNextOccurrences(pattern, zone, Date.UTC(2026, 10, 25), { limit: 9 })).toEqual([])
  })

  it('are the same in one long span and in any number of short ones, across clock changes', () => {
    const random = createSeededRandom(11)
    for (let n = 0; n < 200; n++) {
      const timezone = random.pick(ZONES)
      const time = random.pick(['00:15', '01:30', '02:30', '08:00', '23:45'])
      const back = random.pick([undefined, '02:45', '03:30', '17:00'])
      const pattern = {
        days: [1, 2, 3, 4, 5, 6, 7].filter(() => random.chance(0.5)),
        time,
        from: '2026-02-01',
        ...(back !== undefined && { back }),
      }
      const start = Date.UTC(2026, random.pick([2, 3, 9, 10]), 1)
      const end = start + 35 * DAY_MS
      const whole = listOccurrences(pattern, timezone, start, end)
      const parts: typeof whole = []
      for (let at = start; at < end;) {
        const next = Math.min(end, at + random.integer(1, 60) * HOUR_MS)
        parts.push(...listOccurrences(pattern, timezone, at, next))
        at = next
      }
      expect(parts).toEqual(whole)
      expect(new Set(whole.map(toOccurrenceKey)).size).toBe(whole.length)
      expect(findNextOccurrences(pattern, timezone, start, { limit: whole.length })).toEqual(whole)
      for (const { date } of whole) expect(pattern.days).toContain(getWeekday(date))
      // A clock change loses no day and doubles none.
      const out = whole.filter(({ leg }) => leg === 'out')
      expect(Math.abs(out.length - pattern.days.length * 5)).toBeLessThanOrEqual(1)
    }
  })
})
