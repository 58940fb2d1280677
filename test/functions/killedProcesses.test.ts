import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toAvailability } from '~/domain/dispatch/dispatch'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { getRoles } from '~/domain/access/roles'
import { toDirectory } from '~/domain/accounts/directory'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aVehicleType, aDriver, aPromo, aRider, aSettings, PICKUP } from '~/domain/testing/builders'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { DRIVER_IDS, RIDER_IDS } from './concurrencyFixtures'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/**
 * Runs two function processes that compete for the same few bookings. The test kills one again and
 * again during a write,
 * and starts a replacement. The data must be consistent at every moment.
 */

const KILLS = 12
/** Actions between two kills, and of the surviving process at the end. */
const ACTIONS_PER_KILL = 40

const ROOT = join(import.meta.dirname, '../..')
const bundle = join(ROOT, 'node_modules/.cache/kerbside/worker.cjs')
let database: TestDatabase
const workers = new Set<Worker>()
let conflictCount = 0

beforeAll(async () => {
  database = await startTestDatabase()
  mkdirSync(join(bundle, '..'), { recursive: true })
  await build({
    entryPoints: [join(import.meta.dirname, 'workerProcess.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['firebase-admin', 'firebase-admin/*', 'firebase-functions', 'firebase-functions/*'],
    alias: { '~': ROOT },
    logLevel: 'warning',
    // The worker uses its own database, so it never looks for the rules' file.
    logOverride: { 'empty-import-meta': 'silent' },
  })
})
afterAll(async () => {
  await Promise.all([...workers].map((worker) => worker.kill()))
  await database.stop()
})

interface Worker {
  /** The number of actions that the process has reported as done. */
  done: number
  /** Resolves when it has done this many more operations and is in the middle of the next. */
  busyAfter(operations: number): Promise<void>
  kill(): Promise<void>
}

const startWorker = (seed: number): Worker => {
  const { host, namespace } = database.address
  const child: ChildProcess = spawn(process.execPath, [bundle, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      FIREBASE_DATABASE_EMULATOR_HOST: host,
      FIREBASE_CONFIG: JSON.stringify({
        projectId: namespace,
        databaseURL: `http://${host}?ns=${namespace}`,
      }),
    },
  })
  let ended = false
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let listen: (line: string) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  void exited.then(() => {
    if (!ended) fail(new Error('A worker ended by itself.'))
  })
  const worker: Worker = {
    done: 0,
    busyAfter: (operations) =>
      new Promise((resolve, reject) => {
        const until = worker.done + operations
        fail = reject
        listen = (line) => {
          if (line === 'begin' && worker.done >= until) resolve()
        }
      }),
    async kill() {
      ended = true
      workers.delete(worker)
      child.kill('SIGKILL')
      await exited
    },
  }
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'done') worker.done += 1
      listen(line)
    })
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      // The SDK logs this for every lost race.
      if (line.includes('permission_denied')) conflictCount += 1
      else if (line.trim() !== '') console.error(line)
    })
  workers.add(worker)
  return worker
}

const createUserWithBalance = (user: User, amount: number): User => ({
  ...user,
  walletBalance: amount,
  walletHistory: { start: { type: 'Credit', amount, date: 1, txRef: 'AdminCredit' } },
})
const SHIFT = 'idle-car'
const IDLE = aDriver({ id: 'idle', carType: 'van', shift: SHIFT })
const startWorkers = () => {
  const car = toAvailability({ carType: 'van', location: PICKUP }, 1)
  const users = {
    ...Object.fromEntries(RIDER_IDS.map((id) => [id, createUserWithBalance(aRider({ id }), 300)])),
    // The balance is high enough that the drivers' debt never blocks them; another test covers that
    // limit.
    ...Object.fromEntries(
      DRIVER_IDS.map((id) => [id, createUserWithBalance(aDriver({ id }), 900)]),
    ),
    admin: aRider({ id: 'admin', usertype: 'admin' }),
    // One driver is always nearby, so that bookings can be created; the admin assigns the drivers.
    [IDLE.id]: IDLE,
  }
  return toJson({
    schema: { version: SCHEMA_VERSION },
    settings: aSettings(),
    cartypes: { van: aVehicleType() },
    promos: {
      spring: {
        ...aPromo({ promo_usage_limit: 3, promo_validity: Date.now() + 86_400_000 }),
        user_avail: 0,
      },
    },
    users,
    roles: getRoles(users),
    people: toDirectory(users),
    available_drivers: { [IDLE.id]: car },
    nearby_cars: { [SHIFT]: car },
  })
}
const readDatabase = async () => (await database.read('')) as DatabaseTree

it('a killed process leaves each action either complete or not done', async () => {
  await database.put(startWorkers())
  const survivor = startWorker(1)
  await survivor.busyAfter(ACTIONS_PER_KILL)
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = startWorker(100 + kill)
    await victim.busyAfter(ACTIONS_PER_KILL)
    await victim.kill()
    // One read of the whole tree is a consistent snapshot, even while the other process writes.
    expect(findViolations(await readDatabase())).toEqual([])
  }
  await survivor.busyAfter(ACTIONS_PER_KILL)
  await survivor.kill()

  const left = await readDatabase()
  expect(findViolations(left)).toEqual([])
  const bookings = Object.values(left.bookings ?? {})
  // No event may have a revision newer than its booking's.
  for (const { id, revision, event_log } of bookings)
    expect([id, getRevisions(event_log) <= revision]).toEqual([id, true])
  const statuses = new Set(bookings.map(({ status }: Booking) => status))
  expect([...statuses]).toEqual(expect.arrayContaining(['COMPLETE', 'CANCELLED']))
  expect(bookings.length).toBeGreaterThan(10)
  expect(conflictCount).toBeGreaterThan(0)
  expect(survivor.done).toBeGreaterThan(KILLS * ACTIONS_PER_KILL * 0.2)
})

const getRevisions = (log: Booking['event_log']) =>
  Math.max(...Object.values(log).map(({ revision }) => revision), Object.keys(log).length)
