import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deleteApp, getApps } from 'firebase-admin/app'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aSettings } from '~/domain/testing/builders'
import { runMaintenance } from '~/functions/src/services/jobs/maintenance'
import { toJson } from '~/domain/data/databaseValue'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { DatabasePort } from '~/functions/src/ports/database'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { aProject, createTestPorts, straightLineMaps } from '~/functions/src/testing/testPorts'
import { buildLaterBookings, buildStuckBookings } from '~/functions/src/testing/waitingBookings'
import { ROOT } from '~/scripts/local/build'
import { openRestDatabase, type RestDatabase } from '~/scripts/database/restDatabase'
import { boundAbove, getMedian, type Measurement } from './measurement'
import { bundleStandIn, setRules, startStandIn } from './measuredServers'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { Seconds } from '~/domain/language/units'

const COUNT = 10_000
const RUNS = 5
/** Round trip between functions and database in one region. */
const ROUND_TRIP_MS = 8
const PROJECT = 'jobs-bench'
const NAMESPACE = `${PROJECT}-default-rtdb`

/** Delays each request by a round trip, and counts requests and the bytes of what was read. */
const createCountedDatabase = (db: DatabasePort) => {
  const count = { requests: 0, bytes: 0 }
  const request = async <T>(send: () => Promise<T>): Promise<T> => {
    count.requests++
    await pause(ROUND_TRIP_MS)
    return send()
  }
  const read = async <T>(send: () => Promise<T>): Promise<T> => {
    const value = await request(send)
    count.bytes += JSON.stringify(value ?? null).length
    return value
  }
  const counted: DatabasePort = {
    ...db,
    read: (path) => read(() => db.read(path)),
    list: (path, query) => read(() => db.list(path, query)),
    update: (updates) => request(() => db.update(updates)),
  }
  return { counted, count }
}

const writeBookings = async (rest: RestDatabase, bookings: readonly Booking[]) => {
  for (let from = 0; from < bookings.length; from += 1000)
    await rest.update(
      JSON.parse(
        JSON.stringify(
          Object.fromEntries(
            bookings.slice(from, from + 1000).map((one) => [`bookings/${one.id}`, one]),
          ),
        ),
      ) as Record<string, never>,
    )
}

/** Measures the scheduled job in consecutive minutes. Returns medians. */
const measureMinutes = async (db: DatabasePort, begin: number) => {
  const runs: { seconds: Seconds; requests: number; kilobytes: number }[] = []
  for (let run = 0; run < RUNS; run++) {
    const { counted, count } = createCountedDatabase(db)
    const ports = {
      ...createTestPorts({ maps: () => Promise.resolve(straightLineMaps) }),
      db: counted,
    }
    const began = performance.now()
    const swept = await runMaintenance(ports, begin + run * MINUTE_MS)
    if (swept?.isDone !== true) throw new Error('The job did not finish. Run the benchmark again.')
    runs.push({
      seconds: (performance.now() - began) / 1000,
      requests: count.requests,
      kilobytes: count.bytes / 1000,
    })
  }
  return {
    seconds: getMedian(runs.map(({ seconds }) => seconds)),
    requests: getMedian(runs.map(({ requests }) => requests)),
    kilobytes: Math.max(...runs.map(({ kilobytes }) => kilobytes)),
  }
}

/**
 * Measures a minute of the scheduled job on a stand-in with the product's rules and a round trip of
 * 8 ms: with an empty project, then with 10,000 stuck and 10,000 later bookings.
 */
export const benchJobs = async (say: (line: string) => void): Promise<Measurement[]> => {
  await bundleStandIn()
  const server = await startStandIn()
  try {
    await setRules(server, NAMESPACE, readFileSync(join(ROOT, 'database.rules.json'), 'utf8'))
    const rest = openRestDatabase({
      url: `http://127.0.0.1:${server.port}`,
      readAccessToken: () => Promise.resolve('owner'),
      query: { ns: NAMESPACE },
    })
    const settings: Settings = aSettings({ autoDispatch: true })
    const project = aProject({ settings, available_drivers: null })
    await rest.put('', toJson({ ...project, schema: { version: SCHEMA_VERSION } }))
    process.env.FIREBASE_DATABASE_EMULATOR_HOST = `127.0.0.1:${server.port}`
    process.env.GCLOUD_PROJECT = PROJECT
    const db = createFirebaseDatabase()
    const now = Date.now()
    say('An empty project …')
    await measureMinutes(db, now - 2 * RUNS * MINUTE_MS)
    const empty = await measureMinutes(db, now - RUNS * MINUTE_MS)
    say(`Writing ${2 * COUNT} bookings …`)
    const stuck = buildStuckBookings(COUNT, settings, now)
    await writeBookings(rest, [...stuck, ...buildLaterBookings(COUNT, settings, now)])
    await rest.put(
      'stuck_bookings',
      Object.fromEntries(
        stuck.map(({ id, status, bookingDate: since }) => [id, { status, since, found_at: since }]),
      ),
    )
    say('The job, minute by minute …')
    const full = await measureMinutes(db, now)
    const query = { by: 'due_at', startAt: 1, endAt: now, first: 1 }
    if ((await db.list('bookings', query)).length > 0)
      throw new Error('The job left due bookings. Its writes were refused.')
    return [
      { name: 'an empty project: a minute', unit: 's', here: empty.seconds },
      { name: '  requests', unit: '', here: empty.requests },
      boundAbove('10,000 stuck and 10,000 later bookings: a minute', 's', full.seconds, 2),
      { name: '  requests', unit: '', here: full.requests },
      boundAbove('  read, at most', 'kB', full.kilobytes, 200),
    ]
  } finally {
    // An open connection would keep trying to reach the stopped server.
    await Promise.all(getApps().map((app) => deleteApp(app)))
    await server.stop()
  }
}
