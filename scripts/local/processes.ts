import { execFileSync } from 'node:child_process'
import { HOST, type Ports } from './ports'

/** A process on this machine. */
interface RunningProcess {
  pid: number
  parent: number
  /** Resident memory of the process. */
  memoryKilobytes: number
  /** The full command line. */
  command: string
}

/** Lists the processes on this machine. */
export const listProcesses = (): RunningProcess[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, memoryKilobytes, command = ''] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      if (pid === undefined) return []
      return [
        {
          pid: Number(pid),
          parent: Number(parent),
          memoryKilobytes: Number(memoryKilobytes),
          command,
        },
      ]
    })

/** The server of the functions, which starts the processes that run them. */
const FUNCTIONS_SERVER = 'functionsServer.mjs'

/** Returns the process id of the suite from its hub; the suite's parts are its children. */
export const fetchSuitePid = async (ports: Ports): Promise<number> => {
  const response = await fetch(`http://${HOST}:${ports.hub}/`)
  return ((await response.json()) as { pid: number }).pid
}

/** Lists the processes that run functions of a suite. */
export const listFunctionProcesses = (ports: Ports): RunningProcess[] => {
  const all = listProcesses()
  const serving = all.filter(({ command }) =>
    command.includes(`${FUNCTIONS_SERVER} ${ports.functions} `),
  )
  const servers = new Set(serving.map(({ pid }) => pid))
  return serving.filter(({ parent }) => servers.has(parent))
}
