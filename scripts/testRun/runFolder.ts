import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpStaleRun, isAlive } from '../local/staleRun'

const PREFIX = 'kerbside-run-'

/** Ends the suites that still run from folders in `folder`, and deletes it. */
export async function removeRunFolder(folder: string): Promise<void> {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const home = join(folder, name)
    const files = { record: join(home, 'run.json'), pids: join(home, 'pids') }
    await cleanUpStaleRun(files, () => undefined)
  }
  // A process that is ending may still write a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/**
 * Creates the folder for all temporary files of a test run, which its processes get as TMPDIR.
 * First removes the folders of runs that were killed. The name holds the process id of the run.
 */
export async function createRunFolder(parent = tmpdir()): Promise<string> {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : NaN
    if (pid > 0 && !isAlive(pid)) await removeRunFolder(join(parent, name))
  }
  const folder = join(parent, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
