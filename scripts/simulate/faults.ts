import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '~/domain/testing/random'
import type { Ports } from '../ports'
import { processes, suitePid } from '../processes'
import { fillDisk, killDatabase } from './databaseProcess'
import type { Observed } from './observed'
import type { Person } from './person'
import { isLong, type Plan } from './plan'

/** What the processes that run functions are called, in the emulator and in `functionsHost.mjs`. */
const WORKERS = ['functionsEmulatorRuntime', 'functionsHost']
const LOOK_MS = 100
const MINUTE = 60_000

/** Answers between two faults of a kind, least and most: a slow machine is not killed to a standstill. */
const BETWEEN = {
  worker: { short: [25, 75], long: [1500, 4000] },
  database: { short: [40, 90], long: [2500, 5000] },
  disk: { short: [60, 120], long: [4000, 8000] },
  network: { short: [Infinity, Infinity], long: [25_000, 40_000] },
} as const
type Fault = keyof typeof BETWEEN

export interface Misfortune {
  ports: Ports
  plan: Plan
  observed: Observed
  random: Random
  /** Whose children run the functions; by default what the suite's hub says it is. */
  functionsParent?: number | undefined
  people: readonly Person[]
  /** Ends it. */
  signal: AbortSignal
}

const workersOf = (parent: number): number[] =>
  processes()
    .filter((one) => one.parent === parent && WORKERS.some((name) => one.command.includes(name)))
    .map(({ pid }) => pid)

const kill = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    // It has ended by itself.
    return false
  }
}

/** Kills every process that runs functions of a suite. */
export const killFunctions = async (ports: Ports): Promise<void> => {
  for (const pid of workersOf(await suitePid(ports))) kill(pid)
}

/** Does harm now and then, in the middle of whatever happens, one thing at a time. Ends when the signal does. */
export const misfortunes = async (given: Misfortune): Promise<void> => {
  const { ports, plan, observed, random, signal, people } = given
  const parent = given.functionsParent ?? (await suitePid(ports))
  const length = isLong(plan) ? 'long' : 'short'
  const after = (fault: Fault) => {
    const [least, most] = BETWEEN[fault][length]
    return observed.answered() + (least === Infinity ? Infinity : random.whole(least, most))
  }
  const harm: Record<Fault, () => Promise<void>> = {
    worker: async () => {
      const workers = workersOf(parent)
      if (workers.length > 0 && kill(random.pick(workers)))
        observed.mishap('function process killed')
    },
    database: async () => {
      observed.mishap('database killed and restarted')
      const startAgain = await killDatabase(ports)
      await pause(random.whole(0, 3000))
      await startAgain()
    },
    disk: async () => {
      observed.mishap('disk full')
      await fillDisk(ports, random.whole(500, 5000))
    },
    network: async () => {
      observed.mishap('everybody cut off for a minute')
      await Promise.all(people.map((person) => person.loseNetwork(MINUTE)))
    },
  }
  const kinds: Fault[] = plan.faultyDatabase
    ? ['worker', 'database', 'disk', 'network']
    : ['worker', 'network']
  const next = new Map(kinds.map((fault) => [fault, after(fault)]))
  while (!signal.aborted) {
    await pause(LOOK_MS)
    for (const fault of kinds) {
      if (observed.answered() < (next.get(fault) ?? Infinity)) continue
      await harm[fault]()
      next.set(fault, after(fault))
    }
  }
}
