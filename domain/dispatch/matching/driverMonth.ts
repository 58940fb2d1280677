import { increment, type DatabaseValue } from '../../data/databaseValue'
import { internalPaths } from '../../data/internalPaths'
import { getGini, getQuantile } from '../../replay/statistics'
import { formatMonth, toInstant } from '../../language/zonedTime'
import type { DriverMonth } from '../types'
import type { Seconds } from '../../language/units'

type CountField = 'offers' | 'accepted' | 'declined' | 'expired' | 'active_s'

/** Years for which the counts of a month are kept. */
const RETENTION_YEARS = 3

const splitMonth = (month: string): [year: number, month: number] => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return [year, number]
}
const getNextMonth = (month: string): string => {
  const [year, number] = splitMonth(month)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/**
 * Returns the updates that add to a driver's counts of a month. They go into the update of the
 * event that they count, so that each is counted once.
 */
export const addToDriverMonth = (
  driver: string,
  month: string,
  counts: Partial<Record<CountField, number>>,
): Record<string, DatabaseValue> => {
  const row = internalPaths.driverMonth(month, driver)
  const [year, number] = splitMonth(month)
  return {
    ...Object.fromEntries(
      Object.entries(counts).map(([field, count]) => [`${row}/${field}`, increment(count)]),
    ),
    [`${row}/due`]: Date.UTC(year + RETENTION_YEARS, number, 1),
    // The rules want the next revision. All counts of one update are one step.
    [`${row}/revision`]: increment(1),
  }
}

/** Returns the seconds of a period (ms) in each month of a time zone. */
export const splitByMonth = (
  since: number,
  until: number,
  timezone: string,
): [month: string, seconds: number][] => {
  const parts: [string, number][] = []
  let from = since
  while (from < until) {
    const month = formatMonth(from, timezone)
    const next = toInstant(`${getNextMonth(month)}-01`, '00:00', timezone)
    const to = Math.min(until, Math.max(next, from + 1))
    parts.push([month, Math.round((to - from) / 1000)])
    from = to
  }
  return parts.filter(([, seconds]) => seconds > 0)
}

/** A driver in the monthly report about dispatch. */
export interface FairnessRow {
  driver: string
  name: string
  offers: number
  accepted: number
  declined: number
  expired: number
  /** Seconds on duty. */
  active_s: Seconds
  trips: number
  /** The driver's share of the fares, in the currency of the settings. */
  income: number
}

/** Returns the counts of a month with zeros for absent ones. */
export const toMonthCounts = (
  month: DriverMonth | null,
): Pick<FairnessRow, 'offers' | 'accepted' | 'declined' | 'expired' | 'active_s'> => ({
  offers: month?.offers ?? 0,
  accepted: month?.accepted ?? 0,
  declined: month?.declined ?? 0,
  expired: month?.expired ?? 0,
  active_s: month?.active_s ?? 0,
})

/** Drivers with less time on duty (seconds) have no income per hour: one trip says little. */
const MIN_ACTIVE_S = 3600

/** Returns the income per hour on duty; null with less than an hour. */
export const getIncomePerHour = ({
  income,
  active_s,
}: Pick<FairnessRow, 'income' | 'active_s'>): number | null =>
  active_s < MIN_ACTIVE_S ? null : income / (active_s / 3600)

/** The fleet in the monthly report about dispatch. */
export interface FairnessSummary {
  drivers: number
  offers: number
  /** The share of offers that were accepted, 0–1; null without offers. */
  acceptance: number | null
  /** The number of drivers with an income per hour. */
  compared: number
  /** All income for each hour of these drivers; null without any. */
  mean: number | null
  /** The Gini coefficient of income per hour; null with less than two drivers. */
  gini: number | null
  /** The lowest income per hour as a share of the median; null with less than two drivers. */
  lowestOfMedian: number | null
  /** The mean income per hour of each tenth of the drivers, the lowest first. */
  tenths: number[]
}

/** Summarizes the rows of a month. */
export const summarizeFairness = (rows: readonly FairnessRow[]): FairnessSummary => {
  const offers = rows.reduce((sum, row) => sum + row.offers, 0)
  const accepted = rows.reduce((sum, row) => sum + row.accepted, 0)
  const compared = rows.filter((row) => getIncomePerHour(row) !== null)
  const hours = compared.reduce((sum, { active_s }) => sum + active_s / 3600, 0)
  const income = compared.reduce((sum, row) => sum + row.income, 0)
  const rates = compared.map((row) => getIncomePerHour(row) ?? 0).sort((a, b) => a - b)
  const n = rates.length
  const median = getQuantile(rates, 0.5)
  const tenths = Array.from({ length: Math.min(10, n) }, (_, i, size = Math.min(10, n)) => {
    const part = rates.slice(Math.floor((i * n) / size), Math.floor(((i + 1) * n) / size))
    return part.reduce((sum, rate) => sum + rate, 0) / part.length
  })
  return {
    drivers: rows.length,
    offers,
    acceptance: offers > 0 ? accepted / offers : null,
    compared: n,
    mean: hours > 0 ? income / hours : null,
    gini: n > 1 ? getGini(rates) : null,
    lowestOfMedian: n > 1 && median > 0 ? (rates[0] ?? 0) / median : null,
    tenths,
  }
}
