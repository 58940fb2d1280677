// The commands of a test run. Each leads a process group, with everything that it starts.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { ROOT } from '../local/build'

const STOP_TIMEOUT_MS = 20_000

const leaders = new Set<number>()

const killGroup = (leader: number, signal: NodeJS.Signals) => {
  try {
    process.kill(-leader, signal)
  } catch {
    // It has ended meanwhile.
  }
}

export interface NodeOptions {
  /** The file that receives the output. */
  log: string
  /** True to also print the output. */
  isLive: boolean
  /** Environment variables, besides those of this process. */
  variables?: NodeJS.ProcessEnv
}

/**
 * Runs Node.js with these arguments; resolves to whether it succeeded. Processes that it started
 * and left running end with it.
 */
export const runNode = (
  args: readonly string[],
  { log, isLive, variables = {} }: NodeOptions,
): Promise<boolean> =>
  new Promise((resolve) => {
    const output = createWriteStream(log, { flags: 'a' })
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
      detached: true,
    })
    const { pid } = child
    if (pid !== undefined) leaders.add(pid)
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(output, { end: false })
      if (isLive) stream.pipe(process.stdout, { end: false })
    }
    child.once('error', (error) => {
      output.end(`${error.message}\n`, () => resolve(false))
    })
    child.once('exit', () => {
      if (pid === undefined) return
      leaders.delete(pid)
      killGroup(pid, 'SIGKILL')
    })
    child.once('close', (code) => {
      output.end(() => resolve(code === 0))
    })
  })

/** Stops every process that is running, by force when it does not end by itself. */
export const stopAll = () => {
  for (const leader of leaders) killGroup(leader, 'SIGTERM')
  setTimeout(() => {
    for (const leader of leaders) killGroup(leader, 'SIGKILL')
  }, STOP_TIMEOUT_MS).unref()
}
