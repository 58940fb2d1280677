import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plain } from '~/domain/booking/draft'
import type { Booking, User } from '~/domain/entities'
import { violations, type DatabaseTree } from '~/domain/invariants'
import { aCarType, aDriver, aPromo, aRider, aSettings, PICKUP } from '~/domain/testing/builders'
import { geohash } from '~/domain/geo'
import { startTestDatabase, type TestDatabase } from '../support/database'
import { DRIVERS, RIDERS } from './crowd'

/**
 * Two processes of functions over one database, fighting over the same few bookings; one is killed outright again and again
 * while it is writing, and another takes its place. What they leave is sound at every moment.
 */

const KILLS = 12
/** Deeds between two kills, and of the survivor at the end. */
const DEEDS = 40

const ROOT = join(import.meta.dirname, '../..')
const bundle = join(ROOT, 'node_modules/.cache/kerbside/worker.cjs')
let database: TestDatabase
const workers = new Set<Worker>()
let lostRaces = 0

beforeAll(async () => {
  database = await startTestDatabase()
  mkdirSync(join(bundle, '..'), { recursive: true })
  await build({
    entryPoints: [join(import.meta.dirname, 'worker.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['firebase-admin', 'firebase-admin/*', 'firebase-functions', 'firebase-functions/*'],
    alias: { '~': ROOT },
    logLevel: 'warning',
  })
})
afterAll(async () => {
  await Promise.all([...workers].map((worker) => worker.kill()))
  await database.stop()
})

interface Worker {
  /** How many deeds it was heard to do. */
  done: number
  /** Resolves when it has done so many more deeds and is in the middle of the next. */
  busyAfter(deeds: number): Promise<void>
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
    busyAfter: (deeds) =>
      new Promise((resolve, reject) => {
        const until = worker.done + deeds
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
      // The SDK says so of every race that is lost.
      if (line.includes('permission_denied')) lostRaces += 1
      else if (line.trim() !== '') console.error(line)
    })
  workers.add(worker)
  return worker
}

const withMoney = (user: User, amount: number): User => ({
  ...user,
  walletBalance: amount,
  walletHistory: { start: { type: 'Credit', amount, date: 1, txRef: 'AdminCredit' } },
})
const start = () => {
  const listed = {
    carType: 'van',
    geohash: geohash(PICKUP),
    lat: PICKUP.lat,
    lng: PICKUP.lng,
    at: 1,
  }
  return plain({
    settings: aSettings(),
    cartypes: { van: aCarType() },
    promos: {
      spring: {
        ...aPromo({ promo_usage_limit: 3, promo_validity: Date.now() + 86_400_000 }),
        user_avail: 0,
      },
    },
    users: {
      ...Object.fromEntries(RIDERS.map((id) => [id, withMoney(aRider({ id }), 300)])),
      // Enough that the cash they keep does not stop them: that has a test of its own.
      ...Object.fromEntries(DRIVERS.map((id) => [id, withMoney(aDriver({ id }), 900)])),
      admin: { ...aRider({ id: 'admin' }), usertype: 'admin' },
    },
    // Somebody is always nearby, so that bookings can be made; who drives is assigned.
    available_drivers: { idle: listed },
  })
}
const tree = async () => (await database.peek('')) as DatabaseTree

it('what is killed in the middle has happened wholly or not at all', async () => {
  await database.put(start())
  const survivor = startWorker(1)
  await survivor.busyAfter(DEEDS)
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = startWorker(100 + kill)
    await victim.busyAfter(DEEDS)
    await victim.kill()
    // One read of the whole tree is one moment, even while the survivor goes on.
    expect(violations(await tree())).toEqual([])
  }
  await survivor.busyAfter(DEEDS)
  await survivor.kill()

  const left = await tree()
  expect(violations(left)).toEqual([])
  const bookings = Object.values(left.bookings ?? {})
  // No event tells of a revision that the booking does not have.
  for (const { id, revision, event_log } of bookings)
    expect([id, revisionsIn(event_log) <= revision]).toEqual([id, true])
  const statuses = new Set(bookings.map(({ status }: Booking) => status))
  expect([...statuses]).toEqual(expect.arrayContaining(['COMPLETE', 'CANCELLED']))
  expect(bookings.length).toBeGreaterThan(10)
  expect(lostRaces).toBeGreaterThan(0)
  expect(survivor.done).toBeGreaterThan(KILLS * DEEDS * 0.2)
})

const revisionsIn = (log: Booking['event_log']) =>
  Math.max(...Object.values(log).map(({ revision }) => revision), Object.keys(log).length)
