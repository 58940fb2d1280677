import { execFileSync } from 'node:child_process'
import { HOST, type Ports } from './ports'

/** A program that runs on this machine. */
interface Program {
  pid: number
  parent: number
  /** What it holds in memory. */
  kilobytes: number
  /** Its whole command line. */
  command: string
}

/** What runs on this machine. */
export const processes = (): Program[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, kilobytes, command = ''] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      if (pid === undefined) return []
      return [{ pid: Number(pid), parent: Number(parent), kilobytes: Number(kilobytes), command }]
    })

/** The process id of a suite itself, whose children its parts are: its hub says so. */
export const suitePid = async (ports: Ports): Promise<number> => {
  const response = await fetch(`http://${HOST}:${ports.hub}/`)
  return ((await response.json()) as { pid: number }).pid
}
