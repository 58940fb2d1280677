import { comparePolicies, type PolicyComparison } from '~/domain/replay/comparison'
import { findPolicy } from '~/domain/replay/policies'
import type { MeasureName } from '~/domain/replay/replayMeasures'
import { createCityDemand, type CityDemand } from '../replay/cityDemand'
import { formatComparison } from '../replay/textReport'
import { openCityStreets, type CityStreets } from '../replay/streetTimes'
import { boundAbove, boundBelow, type Measurement } from './measurement'
import { benchParcels } from './parcelBench'

const HOURS = 7
const LOADS = [0.7, 0.85, 1]
/** The number of drivers, and of seeds: small fleets differ more from day to day. */
const FLEETS: readonly (readonly [drivers: number, seeds: number])[] = [
  [30, 6],
  [100, 5],
  [300, 2],
]
/** The number of drivers that stands for the parcels. */
const PARCELS = 0
/** Other seeds than those the fairness weight was chosen with, which would flatter it. */
const FIRST_SEED = 1001
/** The fairness weight whose price the bench measures, in seconds. */
const WEIGHT = 600
const FAIR = `matched:${WEIGHT}`
const POLICIES = ['nearest', 'nearest+5', 'broadcast', 'matched', FAIR, 'matched+5']

/** Compares the policies on generated demand of one size. The first policy is the base. */
const compareDispatch = (
  city: CityStreets,
  seeds: number,
  demand: Omit<CityDemand, 'seed'>,
): PolicyComparison[] =>
  comparePolicies({
    policies: POLICIES.map(findPolicy),
    seeds: Array.from({ length: seeds }, (_, i) => FIRST_SEED + i),
    createScenario: (seed) => createCityDemand(city, { ...demand, seed }),
    travel: city.travel,
  })

/** Returns the change of a measure against the first policy in percent. */
const getPercentChange = (
  compared: readonly PolicyComparison[],
  policy: string,
  measure: MeasureName,
): number => {
  const base = compared[0]?.measures[measure].value.mean ?? Number.NaN
  const own = compared.find((one) => one.policy === policy)?.measures[measure].value.mean
  return (100 * ((own ?? Number.NaN) - base)) / base
}

/** Returns the goals for a fleet of 100. */
const getGoals = (load: number, compared: readonly PolicyComparison[]): Measurement[] => {
  const change = (policy: string, measure: MeasureName) =>
    getPercentChange(compared, policy, measure)
  if (load === 0.7)
    return [
      boundAbove('load 0.7, mean wait, matched', '%', change('matched', 'meanWait'), 1),
      boundAbove(`load 0.7, Gini, ${FAIR}`, '%', change(FAIR, 'gini'), -25),
    ]
  if (load === 0.85)
    return [
      boundAbove('load 0.85, mean wait, matched', '%', change('matched', 'meanWait'), -15),
      boundAbove('load 0.85, empty kilometers, matched', '%', change('matched', 'emptyKm'), -25),
    ]
  const served = compared.find(({ policy }) => policy === 'matched')?.measures.servedPercent
  return [
    boundBelow('load 1, served, matched', 'points', served?.difference?.mean ?? Number.NaN, 7),
  ]
}

const readNumbers = (name: string, usual: readonly number[]): number[] =>
  process.env[name]?.split(',').map(Number) ?? [...usual]

/**
 * Compares the modes of dispatch with `nearest` on generated demand, and prints a table for each
 * size of fleet and load. Then compares tours of parcels with one parcel at a time.
 * KERBSIDE_BENCH_DRIVERS and KERBSIDE_BENCH_LOADS choose some of them. Parcels have 0 drivers.
 */
export const benchDispatch = async (say: (line: string) => void): Promise<Measurement[]> => {
  const city = openCityStreets()
  const fleets = readNumbers('KERBSIDE_BENCH_DRIVERS', [
    ...FLEETS.map(([drivers]) => drivers),
    PARCELS,
  ])
  const goals: Measurement[] = []
  for (const [drivers, seeds] of FLEETS)
    for (const load of readNumbers('KERBSIDE_BENCH_LOADS', LOADS)) {
      if (!fleets.includes(drivers)) continue
      const compared = compareDispatch(city, seeds, { drivers, load, hours: HOURS })
      say(`\n${drivers} drivers, load ${load}, ${seeds} seeds\n${formatComparison(compared)}`)
      if (drivers === 100) goals.push(...getGoals(load, compared))
    }
  if (fleets.includes(PARCELS)) goals.push(...benchParcels(city, say))
  return goals
}
