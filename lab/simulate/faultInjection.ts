import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '~/domain/data/seededRandom'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { Ports } from '~/scripts/local/ports'
import { listFunctionProcesses } from '~/scripts/local/processes'
import { fillDisk, killDatabase } from './databaseProcess'
import type { ActivityRecorder } from '~/scripts/city/activityRecorder'
import type { SimulatedUser } from '~/scripts/city/simulatedUser'
import { isLongRun, type SimulationPlan } from '~/scripts/city/simulationPlan'

const POLL_INTERVAL_MS = 100

/**
 * Minimum and maximum number of responses between two faults of a kind; counting responses avoids
 * stalling a slow machine.
 */
const ANSWERS_BETWEEN_FAULTS = {
  worker: { short: [25, 75], long: [1500, 4000] },
  database: { short: [40, 90], long: [2500, 5000] },
  disk: { short: [60, 120], long: [4000, 8000] },
  network: { short: [Infinity, Infinity], long: [25_000, 40_000] },
} as const
type FaultKind = keyof typeof ANSWERS_BETWEEN_FAULTS

export interface FaultOptions {
  ports: Ports
  plan: SimulationPlan
  observed: ActivityRecorder
  random: Random
  people: readonly SimulatedUser[]
  /** Stops the fault injection. */
  signal: AbortSignal
}

const killProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    // The process has already ended.
    return false
  }
}

/** Kills every process that runs functions of a suite. */
export const killFunctions = (ports: Ports): void => {
  for (const { pid } of listFunctionProcesses(ports)) killProcess(pid)
}

/** Injects faults from time to time, one at a time, until the signal aborts. */
export const injectFaults = async (options: FaultOptions): Promise<void> => {
  const { ports, plan, observed, random, signal, people } = options
  const length = isLongRun(plan) ? 'long' : 'short'
  const after = (fault: FaultKind) => {
    const [least, most] = ANSWERS_BETWEEN_FAULTS[fault][length]
    return observed.answered() + (least === Infinity ? Infinity : random.integer(least, most))
  }
  const harm: Record<FaultKind, () => Promise<void>> = {
    worker: async () => {
      const workers = listFunctionProcesses(ports)
      if (workers.length > 0 && killProcess(random.pick(workers).pid))
        observed.mishap('function process killed')
    },
    database: async () => {
      observed.mishap('database killed and restarted')
      const startAgain = await killDatabase(ports)
      await pause(random.integer(0, 3000))
      await startAgain()
    },
    disk: async () => {
      observed.mishap('disk full')
      await fillDisk(ports, random.integer(500, 5000))
    },
    network: async () => {
      observed.mishap('everybody cut off for a minute')
      await Promise.all(people.map((person) => person.disconnectFor(MINUTE_MS)))
    },
  }
  const kinds: FaultKind[] = plan.faultyDatabase
    ? ['worker', 'database', 'disk', 'network']
    : ['worker', 'network']
  const next = new Map(kinds.map((fault) => [fault, after(fault)]))
  while (!signal.aborted) {
    await pause(POLL_INTERVAL_MS)
    for (const fault of kinds) {
      if (observed.answered() < (next.get(fault) ?? Infinity)) continue
      await harm[fault]()
      next.set(fault, after(fault))
    }
  }
}
