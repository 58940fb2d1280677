import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const WAIT_MS = 50
const MAX_WAITS = 20
const DEAD_PROCESS = 'dead'

const foldersLockedHere = new Set<string>()

/**
 * Returns the start time of a process in the kernel's own unit, or null where the system does not
 * provide it.
 */
const readProcessStart = async (pid: number): Promise<string | null> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces. The state follows it, and the start time is the
    // 20th field after it.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? DEAD_PROCESS : (fields[18] ?? null)
  } catch {
    return null
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Returns the process that holds a folder through its lock file, or null when that process ended or
 * never existed.
 */
const findLockHolder = async (path: string): Promise<number | null> => {
  const [pid = '', started = ''] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
  const holder = Number(pid)
  if (!(holder > 0) || holder === process.pid || !isAlive(holder)) return null
  const start = await readProcessStart(holder)
  return start === DEAD_PROCESS || (started !== '' && started !== start) ? null : holder
}

/**
 * Locks a folder for this process and returns the function that releases it. Throws when another
 * running process holds it. Stores the start time with the pid, because pids repeat, soonest in
 * containers, and a folder must open after `kill -9`.
 */
export const lockFolder = async (dir: string): Promise<() => Promise<void>> => {
  const path = join(dir, 'lock')
  if (foldersLockedHere.has(dir))
    throw new Error(`${dir} is already open in this process. Close it first.`)
  foldersLockedHere.add(dir)
  try {
    let holder = await findLockHolder(path)
    // A killed process takes a moment to exit, and its successor may start sooner.
    for (let wait = 0; holder !== null && wait < MAX_WAITS; wait++) {
      await setTimeout(WAIT_MS)
      holder = await findLockHolder(path)
    }
    if (holder !== null)
      throw new Error(`${dir} is in use by process ${holder}. Stop it, or use another folder.`)
    await writeFile(path, `${process.pid} ${(await readProcessStart(process.pid)) ?? ''}`)
  } catch (error) {
    foldersLockedHere.delete(dir)
    throw error
  }
  return async () => {
    foldersLockedHere.delete(dir)
    await rm(path, { force: true })
  }
}
