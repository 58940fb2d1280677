import type { Ports } from '../ports'
import { processes, suitePid } from '../processes'

/** Megabytes one process holds. */
export interface Held {
  process: string
  megabytes: number
}

const WORKER = 'functionsEmulatorRuntime'

/** What the processes of a running suite hold: its stand-ins, its functions, and the suite itself. */
export const heldBy = async (ports: Ports): Promise<Held[]> => {
  const suite = await suitePid(ports)
  const nameOf = (pid: number, command: string) => {
    if (pid === suite) return 'suite'
    if (command.includes(WORKER)) return 'function'
    return command.includes(`--port ${ports.database}`) ? 'database' : 'other'
  }
  return processes()
    .filter(({ pid, parent }) => pid === suite || parent === suite)
    .map(({ pid, kilobytes, command }) => ({
      process: nameOf(pid, command),
      megabytes: Math.round(kilobytes / 1024),
    }))
}
