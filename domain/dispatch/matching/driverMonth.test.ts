import { describe, expect, test } from 'vitest'
import {
  addToDriverMonth,
  getIncomePerHour,
  splitByMonth,
  summarizeFairness,
  type FairnessRow,
} from './driverMonth'
import { HOUR_MS } from '../../language/timeUnits'

const aRow = (driver: string, over: Partial<FairnessRow> = {}): FairnessRow => ({
  driver,
  name: driver,
  offers: 10,
  accepted: 8,
  declined: 1,
  expired: 1,
  active_s: 7200,
  trips: 8,
  income: 100,
  ...over,
})

describe('the months of a period', () => {
  test('are those of the time zone, with all seconds', () => {
    // Midnight in Montevideo is 03:00 UTC.
    const since = Date.parse('2026-10-31T22:00Z')
    expect(splitByMonth(since, since + 8 * HOUR_MS, 'America/Montevideo')).toEqual([
      ['2026-10', 5 * 3600],
      ['2026-11', 3 * 3600],
    ])
    expect(splitByMonth(since, since + 8 * HOUR_MS, 'UTC')).toEqual([
      ['2026-10', 2 * 3600],
      ['2026-11', 6 * 3600],
    ])
  })

  test('cover several months, years and clock changes', () => {
    const since = Date.parse('2026-09-15T00:00Z')
    const until = Date.parse('2027-01-10T00:00Z')
    const parts = splitByMonth(since, until, 'Europe/Berlin')
    expect(parts.map(([month]) => month)).toEqual([
      '2026-09',
      '2026-10',
      '2026-11',
      '2026-12',
      '2027-01',
    ])
    expect(parts.reduce((sum, [, seconds]) => sum + seconds, 0)).toBe((until - since) / 1000)
  })

  test('are none for an empty period or a wrong clock', () => {
    expect(splitByMonth(5, 5, 'UTC')).toEqual([])
    expect(splitByMonth(9, 5, 'UTC')).toEqual([])
  })
})

test('counts of a month end three years after it and move the revision by one step', () => {
  const updates = addToDriverMonth('d', '2026-12', { offers: 1, accepted: 2 })
  expect(Object.keys(updates)).toEqual(
    ['offers', 'accepted', 'due', 'revision'].map(
      (field) => `internal/driver_months/2026-12_d/${field}`,
    ),
  )
  expect(updates['internal/driver_months/2026-12_d/due']).toBe(Date.parse('2030-01-01'))
})

describe('the summary of a month', () => {
  test('has the acceptance, the mean, the Gini coefficient and the lowest income', () => {
    const rows = [aRow('a', { income: 100 }), aRow('b', { income: 300 })]
    expect(summarizeFairness(rows)).toEqual({
      drivers: 2,
      offers: 20,
      acceptance: 0.8,
      compared: 2,
      mean: 100,
      gini: 0.25,
      lowestOfMedian: 1 / 3,
      tenths: [50, 150],
    })
  })

  test('is without a Gini coefficient for fewer than two drivers with an hour on duty', () => {
    const rows = [aRow('a'), aRow('b', { active_s: 3599, income: 900 })]
    expect(getIncomePerHour(rows[1] ?? aRow('b'))).toBeNull()
    expect(summarizeFairness(rows)).toMatchObject({
      drivers: 2,
      compared: 1,
      mean: 50,
      gini: null,
      lowestOfMedian: null,
    })
    expect(summarizeFairness([])).toMatchObject({ acceptance: null, mean: null, tenths: [] })
  })

  test('shows ten parts of many drivers, the lowest income first', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => aRow(`${i}`, { income: 2 * (i + 1) }))
    const { tenths } = summarizeFairness(rows)
    expect(tenths).toHaveLength(10)
    expect(tenths[0]).toBe(50.5)
    expect(tenths[9]).toBe(950.5)
  })
})
