import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { HOST, type Ports } from './ports'
import type { Milliseconds } from '~/domain/language/units'

const STOP_TIMEOUT_MS = 20_000

/**
 * The record that a start leaves in its folder, so that the next start can distinguish a running
 * suite from leftovers.
 */
export interface RunRecord {
  owner: number
  group: number
  ports: Ports
}

/** Returns true while a process runs; a negative id means a process group. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isHubRunning(ports: Ports): Promise<boolean> {
  try {
    const response = await fetch(`http://${HOST}:${ports.hub}/`, {
      signal: AbortSignal.timeout(2000),
    })
    return response.ok && 'pid' in ((await response.json()) as object)
  } catch {
    return false
  }
}

/** Waits until a process group has no members; returns false when `ms` were not enough. */
async function waitUntilGone(group: number, ms: Milliseconds): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
    if (!isAlive(-group)) return true
  }
  return !isAlive(-group)
}

const killProcess = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Kills what processGroup.mjs left: the rest of the suite's group, and the processes that shim/java
 * listed.
 */
export async function killLeftovers(group: number, pids: string): Promise<void> {
  if (await waitUntilGone(group, 1000)) return
  killProcess(-group)
  if (existsSync(pids))
    readFileSync(pids, 'utf8').split('\n').map(Number).filter(Boolean).forEach(killProcess)
  await waitUntilGone(group, STOP_TIMEOUT_MS)
}

/** Refuses when a suite runs from this folder; otherwise cleans up after an interrupted start. */
export async function cleanUpStaleRun(
  files: { record: string; pids: string },
  say: (line: string) => void,
): Promise<void> {
  const { record, pids } = files
  if (!existsSync(record)) return
  const { owner, group, ports } = JSON.parse(readFileSync(record, 'utf8')) as RunRecord
  if (isAlive(-group)) {
    if (isAlive(owner)) {
      const running = await isHubRunning(ports)
      throw new Error(
        `Kerbside already runs from this folder (process ${owner}, http://${HOST}:${ports.hosting}). ` +
          `Press Ctrl-C where it was started, or \`kill ${owner}\`, then start again.` +
          (running ? '' : ` If that process is something else, delete ${record} and start again.`),
      )
    }
    say('An earlier start was interrupted. Ending its processes …')
    // While its group leader lives, it is already ending the group.
    if (isAlive(group)) await waitUntilGone(group, STOP_TIMEOUT_MS)
    if (await isHubRunning(ports)) await killLeftovers(group, pids)
  }
  rmSync(record, { force: true })
}
