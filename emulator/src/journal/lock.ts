import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const heldHere = new Set<string>()

/** When a process began, in the kernel's own count; null where that can't be asked. */
const startOf = async (pid: number): Promise<string | null> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
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
 * Takes a folder for this process, and gives the function that lets go of it; throws when another
 * living process has it. The start time is kept beside the pid because pids come round again, soonest
 * in containers, and a folder must open after `kill -9`.
 */
export const lockFolder = async (dir: string): Promise<() => Promise<void>> => {
  const path = join(dir, 'lock')
  if (heldHere.has(dir)) throw new Error(`${dir} is already open`)
  heldHere.add(dir)
  try {
    const [pid = '', started = ''] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
    const holder = Number(pid)
    if (holder > 0 && holder !== process.pid && isAlive(holder)) {
      if (started === '' || started === (await startOf(holder))) {
        throw new Error(`${dir} is in use by process ${holder}`)
      }
    }
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
