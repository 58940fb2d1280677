import { execFileSync } from 'node:child_process'
import { HOST, type Ports } from '../ports'

/** Megabytes one process holds. */
export interface Held {
  process: string
  megabytes: number
}

const WORKER = 'functionsEmulatorRuntime'

/** What the processes of a running suite hold: its stand-ins, its functions, and the suite itself. */
export const heldBy = async (ports: Ports): Promise<Held[]> => {
  const hub = await fetch(`http://${HOST}:${ports.hub}/`)
  const { pid } = (await hub.json()) as { pid: number }
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return listed.split('\n').flatMap((line) => {
    const [, own, parent, kilobytes, args = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    if (Number(own) !== pid && Number(parent) !== pid) return []
    const name =
      Number(own) === pid
        ? 'suite'
        : args.includes(WORKER)
          ? 'function'
          : args.includes(`--port ${ports.database}`)
            ? 'database'
            : 'other'
    return [{ process: name, megabytes: Math.round(Number(kilobytes) / 1024) }]
  })
}
