import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

const pin = (cores: string) =>
  execFileSync('taskset', ['-a', '-p', '-c', cores, String(process.pid)], { stdio: 'ignore' })

/** Returns whether `reserveCore` works here: on Linux with `taskset` and two cores or more. */
const canPin = (): boolean => {
  if (cpus().length < 2) return false
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Keeps the last core free for what `startOnCore` starts. A browser that shares no core with the
 * servers runs as on a computer of its own. Without `taskset`, all share all cores.
 */
export const reserveCore = () => {
  const last = cpus().length - 1
  const isPinned = canPin()
  const others = last === 1 ? '0' : `0-${last - 1}`
  if (isPinned) pin(others)
  return {
    isPinned,
    /** Runs `start`; the processes that it starts stay on the reserved core. */
    async startOnCore<T>(start: () => Promise<T>): Promise<T> {
      if (!isPinned) return start()
      pin(String(last))
      try {
        return await start()
      } finally {
        pin(others)
      }
    },
  }
}
