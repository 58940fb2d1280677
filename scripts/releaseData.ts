// Creates the data for migration tests from a real release. `npm run --prefix lab release-data --
// COMMIT test/migrations/data/NAME.json.gz` runs the code of a commit, simulates a small town with
// it and saves its database without most of the bulk.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import type { StoredRecord } from '~/domain/migrations/migration'
import { ROOT } from './local/build'
import { openLocalDatabase } from './local/localDatabase'
import { findFreePortBase, createPorts } from './local/ports'
import { runScript } from './local/scriptRunner'
import { createUrls } from './local/suiteConfig'

const SIMULATION_OPTIONS = ['--bookings', '14', '--riders', '4', '--drivers', '4', '--pace', '600']
const TEXTS = 12
const POINTS = 2

const git = (...args: string[]) => {
  const { status, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`)
}

const waitForOutput = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!child.stdout)
      throw new Error('The child process has no output to read. Start it with a pipe for stdout.')
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(`  ${line}`)
      if (line.includes(words)) resolve()
    })
    child.once('exit', (code) =>
      reject(
        new Error(
          `The child process ended with exit code ${code} before it printed "${words}". See its output above.`,
        ),
      ),
    )
  })

const waitForExit = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', resolve))

const takeFirst = (record: unknown, count: number): StoredRecord =>
  Object.fromEntries(Object.entries((record ?? {}) as StoredRecord).slice(0, count))
const mapValues = (record: unknown, change: (value: StoredRecord) => unknown): StoredRecord =>
  Object.fromEntries(
    Object.entries((record ?? {}) as Record<string, StoredRecord>).map(([key, value]) => [
      key,
      change(value),
    ]),
  ) as StoredRecord

/** Returns the data without its bulk; keeps everything that the invariants check. */
const removeBulk = ({ rate_limits: _, ...tree }: StoredRecord): StoredRecord => ({
  ...tree,
  languages: mapValues(tree.languages, (language) => ({
    ...language,
    keyValuePairs: takeFirst(language.keyValuePairs, TEXTS),
  })),
  tracking: mapValues(tree.tracking, (points) => takeFirst(points, POINTS)),
})

await runScript(async () => {
  const [commit, file] = process.argv.slice(2)
  if (commit === undefined || file === undefined)
    throw new Error('npm run --prefix lab release-data -- COMMIT FILE.json.gz')
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-release-'))
  const base = await findFreePortBase()
  const env = { ...process.env, KERBSIDE_PORT_BASE: String(base) }
  const run = (script: string, ...args: string[]) =>
    spawn('npm', ['run', script, '--', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  git('worktree', 'add', '--detach', '--force', folder, commit)
  try {
    const start = run('start', '--fresh')
    await waitForOutput(start, 'Kerbside is ready')
    const simulation = run('simulate', ...SIMULATION_OPTIONS)
    simulation.stdout?.pipe(process.stdout)
    await waitForExit(simulation)
    const database = openLocalDatabase(createUrls(createPorts(base)).database)
    const tree = (await database.get('')) as StoredRecord
    const over = waitForExit(start)
    start.kill('SIGINT')
    await over
    mkdirSync(dirname(file), { recursive: true })
    const packed = gzipSync(JSON.stringify(removeBulk(tree)), { level: 9 })
    writeFileSync(file, packed)
    console.log(`${file}: ${Math.round(packed.length / 1024)} kB`)
    return 0
  } finally {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
})
