import { estimateMeasures, type PolicyComparison } from '~/domain/replay/comparison'
import type { ParcelScenario } from './parcelDemand'
import type { ParcelPolicy } from './parcelPolicies'
import {
  measureParcelReplay,
  PARCEL_MEASURE_NAMES,
  runParcelReplay,
  type ParcelMeasureName,
  type ParcelMeasures,
} from './parcelReplay'
import type { TravelTimes } from '~/domain/replay/scenario'

export type ParcelComparison = PolicyComparison<ParcelMeasureName>

interface ParcelComparisonOptions {
  /** The first one is the base of the differences. */
  policies: readonly ParcelPolicy[]
  seeds: readonly number[]
  /** Returns the scenario of a seed; all policies get the same one. */
  createScenario: (seed: number) => ParcelScenario
  travel: TravelTimes
}

/**
 * Plays the same parcels under several policies, once for each seed. The same options give the same
 * result.
 */
export const compareParcelPolicies = (options: ParcelComparisonOptions): ParcelComparison[] => {
  const { policies, seeds, createScenario, travel } = options
  const scenarios = seeds.map((seed) => ({ seed, scenario: createScenario(seed) }))
  const runs = policies.map((policy): ParcelMeasures[] =>
    scenarios.map(({ seed, scenario }) =>
      measureParcelReplay(scenario, runParcelReplay({ scenario, policy, travel, seed })),
    ),
  )
  const base = runs[0] ?? []
  return policies.map(({ name }, i) => ({
    policy: name,
    measures: estimateMeasures(PARCEL_MEASURE_NAMES, runs[i] ?? [], base),
  }))
}
