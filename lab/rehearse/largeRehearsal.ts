import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredRecord } from '~/domain/migrations/migration'
import { bundleStandIn, startStandIn, type MeasuredServer } from '../bench/measuredServers'
import { ROOT } from '~/scripts/local/build'
import { createDemoDatabase } from '~/scripts/local/demoDatabase'
import { fillLargeDatabase, type LargeDatabaseOptions } from '~/scripts/database/largeDatabase'
import { openRestDatabase } from '~/scripts/database/restDatabase'
import type { Seconds } from '~/domain/language/units'

/** Maximum resident memory of a command in megabytes (10⁶ bytes). */
const MAX_MEMORY_MB = 512
/** The same for a migration, and its heap. */
const MAX_MIGRATION_MEMORY_MB = 256
const MIGRATION_HEAP_MB = 96
const DEFAULT_HEAP_MB = 320
const POLL_INTERVAL_MS = 100
const PROGRESS_EVERY = 10_000

export interface ResourceUse {
  command: string
  seconds: Seconds
  /** Peak resident memory in MB. */
  memory: number
}

const readPeakMemory = (pid: number | undefined): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 976.5625
  } catch {
    // The process has ended, or this is not Linux.
    return 0
  }
}

/** Runs one of the commands against a database, as an operator would. */
const runCommand = (
  server: MeasuredServer,
  maxHeapMb: number,
  [script, ...args]: readonly [script: string, ...args: string[]],
): Promise<Omit<ResourceUse, 'command'>> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    let memory = 0
    const child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${maxHeapMb}`,
        '--import',
        'tsx',
        join(ROOT, 'scripts', script),
        ...args,
      ],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          KERBSIDE_DATABASE_URL: `http://127.0.0.1:${server.port}`,
          KERBSIDE_ACCESS_TOKEN: 'owner',
        },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    const timer = setInterval(
      () => (memory = Math.max(memory, readPeakMemory(child.pid))),
      POLL_INTERVAL_MS,
    )
    child.once('error', reject)
    child.once('exit', (code) => {
      clearInterval(timer)
      if (code === 0) resolve({ seconds: (performance.now() - began) / 1000, memory })
      else
        reject(
          new Error(
            `${script} ${args.join(' ')} ended with exit code ${code}. See its output above.`,
          ),
        )
    })
  })

const getFolderSize = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size
  return bytes / 1e6
}

export interface RehearsalOptions {
  /** Heap of each command in MB. */
  maxHeapMb?: number
  /** Gets a line as the database fills. */
  say?: (line: string) => void
}

export interface SavedRehearsal {
  bookingCount: number
  uses: ResourceUse[]
}

export interface LargeRehearsal extends SavedRehearsal {
  /** Size of the backup's files in MB. */
  folderSize: number
}

/**
 * Returns a function that runs a command in a separate process, adds what it used to `uses`, and
 * throws a readable error when the command fails or needs more than 512 MB.
 */
export const createMeasure =
  (uses: ResourceUse[], maxHeapMb: number) =>
  async (
    server: MeasuredServer,
    command: string,
    run: readonly [script: string, ...args: string[]],
    { heapMb, mostMb } = { heapMb: maxHeapMb, mostMb: MAX_MEMORY_MB },
  ): Promise<void> => {
    const use = { command, ...(await runCommand(server, heapMb, run)) }
    uses.push(use)
    if (use.memory > mostMb)
      throw new Error(
        `${command} used ${use.memory.toFixed(0)} MB, more than the limit of ${mostMb}. Find what it holds in memory.`,
      )
  }

/**
 * Fills a separate database of any size, migrates it, saves it in the folder `backup` and verifies
 * that. Also throws when the migration needs more than 256 MB.
 */
export const saveLargeBackup = async (
  size: LargeDatabaseOptions,
  backup: string,
  { maxHeapMb = DEFAULT_HEAP_MB, say = () => undefined }: RehearsalOptions = {},
): Promise<SavedRehearsal> => {
  const uses: ResourceUse[] = []
  const measure = createMeasure(uses, maxHeapMb)
  await bundleStandIn()
  const city = (await createDemoDatabase(Date.now())) as StoredRecord
  const server = await startStandIn()
  try {
    const db = openRestDatabase({
      url: `http://127.0.0.1:${server.port}`,
      readAccessToken: () => Promise.resolve('owner'),
    })
    let printedCount = 0
    const bookingCount = await fillLargeDatabase(db, city, size, (filledCount) => {
      if (filledCount < printedCount + PROGRESS_EVERY) return
      printedCount = filledCount
      say(`${filledCount} bookings`)
    })
    await measure(server, 'migrate', ['migrate.ts', '--apply'], {
      heapMb: Math.min(maxHeapMb, MIGRATION_HEAP_MB),
      mostMb: MAX_MIGRATION_MEMORY_MB,
    })
    await measure(server, 'backup save', ['backup.ts', 'save', backup])
    await server.stop()
    await measure(server, 'verify-data of the backup', ['verifyData.ts', backup])
    return { bookingCount, uses }
  } finally {
    await server.stop()
  }
}

/**
 * Restores the backup in the folder `backup` into an empty database, then one of its files again,
 * and verifies the restored data.
 */
export const restoreLargeBackup = async (
  backup: string,
  { maxHeapMb = DEFAULT_HEAP_MB }: RehearsalOptions = {},
): Promise<ResourceUse[]> => {
  const uses: ResourceUse[] = []
  const measure = createMeasure(uses, maxHeapMb)
  const server = await startStandIn()
  try {
    await measure(server, 'backup restore', ['backup.ts', 'restore', backup])
    await measure(server, 'verify-data of the restored data', ['verifyData.ts'])
    const only = ['--only', 'bookings-00001', '--replace']
    await measure(server, 'backup restore of one file', ['backup.ts', 'restore', backup, ...only])
    return uses
  } finally {
    await server.stop()
  }
}

/** Rehearses a backup of a database of any size, from the migration to the restored data. */
export const rehearseLargeBackup = async (
  size: LargeDatabaseOptions,
  options: RehearsalOptions = {},
): Promise<LargeRehearsal> => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-rehearsal-'))
  const backup = join(folder, 'backup')
  try {
    const { bookingCount, uses } = await saveLargeBackup(size, backup, options)
    const restored = await restoreLargeBackup(backup, options)
    return { bookingCount, folderSize: await getFolderSize(backup), uses: [...uses, ...restored] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
