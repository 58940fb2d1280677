import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '~/seed/random'
import { HOST, type Ports } from '../ports'
import type { Observed } from './observed'

const WORKER = 'functionsEmulatorRuntime'

/** The processes of one suite that run functions: children of the program its hub says it is. */
const workersOf = (suite: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null)
    .filter(([, , parent, args = '']) => Number(parent) === suite && args.includes(WORKER))
    .map(([, pid]) => Number(pid))

/** Calls between two kills: a slow machine is not killed to a standstill. */
const CALLS = [25, 75] as const
const LOOK_MS = 50

/** Kills a process that runs functions now and then, in the middle of whatever it does. Ends when the signal does. */
export const killWorkers = async (
  ports: Ports,
  { observed, random, signal }: { observed: Observed; random: Random; signal: AbortSignal },
): Promise<void> => {
  const response = await fetch(`http://${HOST}:${ports.hub}/`)
  const { pid } = (await response.json()) as { pid: number }
  let next = observed.calls() + random.between(...CALLS)
  while (!signal.aborted) {
    await pause(LOOK_MS)
    if (observed.calls() < next) continue
    next += random.between(...CALLS)
    const workers = workersOf(pid)
    if (workers.length === 0) continue
    try {
      process.kill(random.pick(workers), 'SIGKILL')
      observed.mishap('function process killed')
    } catch {
      // It has ended by itself.
    }
  }
}
