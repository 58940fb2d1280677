import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { HOST, type Ports } from './ports'

const PATIENCE_MS = 20_000

/** What a start leaves in its folder, so that the next one can tell running from left over. */
export interface RunRecord {
  owner: number
  group: number
  ports: Ports
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function hubAnswers(ports: Ports): Promise<boolean> {
  try {
    const response = await fetch(`http://${HOST}:${ports.hub}/`, {
      signal: AbortSignal.timeout(2000),
    })
    return response.ok && 'pid' in ((await response.json()) as object)
  } catch {
    return false
  }
}

/** Waits until a process group has no member left; false when `ms` were not enough. */
export async function untilGone(group: number, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
    if (!alive(-group)) return true
  }
  return !alive(-group)
}

/** Refuses when a suite runs from this folder; cleans up what a start that was cut short has left. */
export async function settleEarlierStart(
  record: string,
  say: (line: string) => void,
): Promise<void> {
  if (!existsSync(record)) return
  const { owner, group, ports } = JSON.parse(readFileSync(record, 'utf8')) as RunRecord
  if (alive(-group)) {
    if (alive(owner)) {
      throw new Error(
        `Kerbside already runs from this folder (process ${owner}, http://${HOST}:${ports.hosting}). ` +
          `Press Ctrl-C where it was started, or \`kill ${owner}\`, then start again.`,
      )
    }
    say('An earlier start was cut short; waiting for what it left to end …')
    if (!(await untilGone(group, PATIENCE_MS)) && (await hubAnswers(ports))) {
      process.kill(-group, 'SIGKILL')
      await untilGone(group, PATIENCE_MS)
    }
  }
  rmSync(record, { force: true })
}
