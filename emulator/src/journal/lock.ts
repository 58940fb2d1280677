import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const WAIT_MS = 50
const MAX_WAITS = 20
const DEAD = 'dead'

const heldHere = new Set<string>()

/** When a process began, in the kernel's own count; null where that can't be asked. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces; after it stand the state, and the start as 20th field.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? DEAD : (fields[18] ?? null)
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

/** The process that holds a folder by its lock file; null when it is no more, or was never. */
const holderOf = async (path: string): Promise<number | null> => {
  const [pid = '', started = ''] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
  const holder = Number(pid)
  if (!(holder > 0) || holder === process.pid || !isAlive(holder)) return null
  const start = await startOf(holder)
  return start === DEAD || (started !== '' && started !== start) ? null : holder
}

/**
 * Takes a folder for this process, and gives the function that lets go of it; throws when another
 * living process has it. The start time is kept beside the pid because pids come round again, soonest
 * in containers, and a folder must open after `kill -9`.
 */
export const lockFolder = async (dir: string): Promise<() => Promise<void>> => {
  const path = join(dir, 'lock')
  if (heldHere.has(dir)) throw new Error(`${dir} is already open`)
  heldHere.add(dir)
  try {
    let holder = await holderOf(path)
    // A killed process takes a moment to die, and its successor may be quicker.
    for (let wait = 0; holder !== null && wait < MAX_WAITS; wait++) {
      await setTimeout(WAIT_MS)
      holder = await holderOf(path)
    }
    if (holder !== null) throw new Error(`${dir} is in use by process ${holder}`)
    await writeFile(path, `${process.pid} ${(await startOf(process.pid)) ?? ''}`)
  } catch (error) {
    heldHere.delete(dir)
    throw error
  }
  return async () => {
    heldHere.delete(dir)
    await rm(path, { force: true })
  }
}
