import type { DispatchPolicy } from './policies'
import {
  MEASURE_NAMES,
  measureReplay,
  type MeasureName,
  type ReplayMeasures,
} from './replayMeasures'
import { runReplay } from './replayRun'
import type { ReplayScenario, TravelTimes } from './scenario'
import { estimateDifference, estimateMean, type Estimate } from './statistics'

export interface ComparedMeasure {
  value: Estimate
  /** The paired difference to the first policy; missing for that policy itself. */
  difference?: Estimate
}

/** The measures of one policy over all seeds. */
export interface PolicyComparison<Name extends string = MeasureName> {
  policy: string
  measures: Record<Name, ComparedMeasure>
}

interface ComparisonOptions {
  /** The first one is the base of the differences. */
  policies: readonly DispatchPolicy[]
  seeds: readonly number[]
  /** Returns the scenario of a seed; all policies get the same one. */
  createScenario: (seed: number) => ReplayScenario
  travel: TravelTimes
  onRun?: (policy: string, seed: number) => void
}

/** Returns the means of measures over the runs of a policy, paired with those of the base. */
export const estimateMeasures = <Name extends string>(
  names: readonly Name[],
  runs: readonly Record<Name, number>[],
  base: readonly Record<Name, number>[],
): Record<Name, ComparedMeasure> => {
  const compare = (name: Name): ComparedMeasure => {
    const values = runs.map((run) => run[name])
    const baseValues = base.map((run) => run[name])
    return {
      value: estimateMean(values),
      ...(runs !== base && { difference: estimateDifference(values, baseValues) }),
    }
  }
  return Object.fromEntries(names.map((name) => [name, compare(name)])) as Record<
    Name,
    ComparedMeasure
  >
}

/**
 * Plays the same demand under several policies, once for each seed. The same options give the same
 * result.
 */
export const comparePolicies = (options: ComparisonOptions): PolicyComparison[] => {
  const { policies, seeds, createScenario, travel, onRun } = options
  const runs = policies.map((): ReplayMeasures[] => [])
  for (const seed of seeds) {
    const scenario = createScenario(seed)
    for (const [i, policy] of policies.entries()) {
      onRun?.(policy.name, seed)
      const { requests } = runReplay({ scenario, policy, travel, seed })
      runs[i]?.push(measureReplay(scenario, requests))
    }
  }
  const base = runs[0] ?? []
  return policies.map(({ name }, i) => ({
    policy: name,
    measures: estimateMeasures(MEASURE_NAMES, runs[i] ?? [], base),
  }))
}
