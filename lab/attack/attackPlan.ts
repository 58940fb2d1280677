import type { Probe } from './probes/probe'
import type { Intensity } from './loadAttacks'
import type { Surface } from './surfaces'

/** The settings of an attack run. */
export interface AttackPlan extends Intensity {
  seed: number
  /** Number of requests to each surface. */
  requests: Record<Surface, number>
  endpoints: readonly string[]
  /** Targeted attacks, which run before the random ones. */
  probes: readonly Probe[]
}
