import type { RequestResult } from './replayState'
import type { ReplayScenario } from './scenario'
import { getGini, getQuantile } from './statistics'
import { HOUR_MS } from '../language/timeUnits'
import type { Kilometers } from '../language/units'

/** The results of one run in figures. */
export interface ReplayMeasures {
  /** Requests in the counted period, without those that their riders canceled after an accept. */
  requests: number
  /** Percent of the requests that were driven, and the number of the others. */
  servedPercent: number
  lost: number
  /** Minutes from the request (or the pickup time of a later booking) until the driver is there. */
  meanWait: number
  wait90: number
  /** Kilometers to the pickup for each trip. */
  emptyKm: Kilometers
  /** The drivers' share of the fares per hour on duty, its Gini coefficient, and the lowest one. */
  incomePerHour: number
  gini: number
  worstToMedian: number
  /** Sum of the fares paid. */
  takings: number
  offersPerTrip: number
}
export const MEASURE_NAMES = [
  'requests',
  'servedPercent',
  'lost',
  'meanWait',
  'wait90',
  'emptyKm',
  'incomePerHour',
  'gini',
  'worstToMedian',
  'takings',
  'offersPerTrip',
] as const satisfies readonly (keyof ReplayMeasures)[]
export type MeasureName = keyof ReplayMeasures

/** Milliseconds on duty below which an income per hour says nothing. */
const MIN_DUTY_MS = HOUR_MS / 2

const getOverlap = (from: number, to: number, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start))

/** Returns each driver's income per hour on duty in the counted period. */
const getIncomesPerHour = (
  { drivers, countFrom, countTo }: ReplayScenario,
  results: readonly RequestResult[],
): number[] => {
  const income = new Map<string, number>()
  for (const { driver, driverShare = 0, finishedAt = 0 } of results)
    if (driver !== undefined && finishedAt >= countFrom && finishedAt < countTo)
      income.set(driver, (income.get(driver) ?? 0) + driverShare)
  return drivers.flatMap(({ uid, duty }) => {
    const ms = duty.reduce((sum, { from, to }) => sum + getOverlap(from, to, countFrom, countTo), 0)
    return ms < MIN_DUTY_MS ? [] : [(income.get(uid) ?? 0) / (ms / HOUR_MS)]
  })
}

/** Measures one run. */
export const measureReplay = (
  scenario: ReplayScenario,
  results: readonly RequestResult[],
): ReplayMeasures => {
  const { countFrom, countTo } = scenario
  const counted = results.filter(
    ({ at, outcome }) => at >= countFrom && at < countTo && outcome !== 'canceled',
  )
  const served = counted.filter(({ outcome }) => outcome === 'served')
  const waits = served.map(({ at, arrivedAt = at }) => Math.max(0, arrivedAt - at) / 60_000)
  const perTrip = (amount: (one: RequestResult) => number) =>
    served.reduce((sum, one) => sum + amount(one), 0) / served.length
  const incomes = getIncomesPerHour(scenario, results)
  return {
    requests: counted.length,
    servedPercent: (100 * served.length) / counted.length,
    lost: counted.length - served.length,
    meanWait: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    wait90: getQuantile(waits, 0.9),
    emptyKm: perTrip(({ emptyKm = 0 }) => emptyKm),
    incomePerHour: incomes.reduce((sum, one) => sum + one, 0) / incomes.length,
    gini: getGini(incomes),
    worstToMedian: Math.min(...incomes) / getQuantile(incomes, 0.5),
    takings: served.reduce((sum, { paid = 0 }) => sum + paid, 0),
    offersPerTrip: perTrip(({ offers }) => offers),
  }
}
