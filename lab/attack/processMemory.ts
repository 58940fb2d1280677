import type { Ports } from '~/scripts/local/ports'
import { fetchSuitePid, listFunctionProcesses, listProcesses } from '~/scripts/local/processes'

/** Memory of one process in megabytes. */
export interface ProcessMemory {
  process: string
  megabytes: number
}

/**
 * Returns the memory of each process of a running suite: the stand-ins, the functions and the suite
 * itself.
 */
export const measureMemory = async (ports: Ports): Promise<ProcessMemory[]> => {
  const suite = await fetchSuitePid(ports)
  const functions = new Set(listFunctionProcesses(ports).map(({ pid }) => pid))
  const getProcessName = (pid: number, command: string) => {
    if (pid === suite) return 'suite'
    if (functions.has(pid)) return 'function'
    return command.includes(`--port ${ports.database}`) ? 'database' : 'other'
  }
  return listProcesses()
    .filter(({ pid, parent }) => pid === suite || parent === suite || functions.has(pid))
    .map(({ pid, memoryKilobytes, command }) => ({
      process: getProcessName(pid, command),
      megabytes: Math.round(memoryKilobytes / 1024),
    }))
}
