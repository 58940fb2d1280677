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
async function untilGone(group: number, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
    if (!alive(-group)) return true
  }
  return !alive(-group)
}

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Ends what a suite's leash did not: the rest of its group, and the processes that shim/java noted. */
export async function endRest(group: number, pids: string): Promise<void> {
  if (await untilGone(group, 1000)) return
  kill(-group)
  if (existsSync(pids))
    readFileSync(pids, 'utf8').split('\n').map(Number).filter(Boolean).forEach(kill)
  await untilGone(group, PATIENCE_MS)
}

/** Refuses when a suite runs from this folder; cleans up what a start that was cut short has left. */
export async function settleEarlierStart(
  files: { record: string; pids: string },
  say: (line: string) => void,
): Promise<void> {
  const { record, pids } = files
  if (!existsSync(record)) return
  const { owner, group, ports } = JSON.parse(readFileSync(record, 'utf8')) as RunRecord
  if (alive(-group)) {
    if (alive(owner)) {
      const running = await hubAnswers(ports)
      throw new Error(
        `Kerbside already runs from this folder (process ${owner}, http://${HOST}:${ports.hosting}). ` +
          `Press Ctrl-C where it was started, or \`kill ${owner}\`, then start again.` +
          (running ? '' : ` If that process is something else, delete ${record} and start again.`),
      )
    }
    say('An earlier start was cut short; ending what it left …')
    // While its leash lives it is at work already.
    if (alive(group)) await untilGone(group, PATIENCE_MS)
    if (await hubAnswers(ports)) await endRest(group, pids)
  }
  rmSync(record, { force: true })
}
