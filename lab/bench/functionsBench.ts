import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deleteApp, getApps } from 'firebase-admin/app'
import { createPushKey } from '~/domain/data/pushKeys'
import { getRoles } from '~/domain/access/roles'
import { DAY_MS } from '~/domain/language/timeUnits'
import { findNearbyDrivers } from '~/functions/src/services/bookings/nearbyDrivers'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { buildChanged, ROOT } from '~/scripts/local/build'
import { createDemoDatabase } from '~/scripts/local/demoDatabase'
import {
  NAMESPACE,
  openLocalDatabase,
  PROJECT,
  type LocalDatabase,
} from '~/scripts/local/localDatabase'
import { HOST } from '~/scripts/local/ports'
import { readProcessorMs, serveFunction, type ServedFunction } from './frameworkServer'
import { sendRequest } from '../attack/httpRequest'
import { createSeededRandom } from './mapsBench'
import { bundleStandIn, setRules, startStandIn, type MeasuredServer } from './measuredServers'
import {
  boundAbove,
  boundBelow,
  compareWithPeer,
  getMedian,
  getPercentile,
  type Measurement,
} from './measurement'
import { installPeers } from './peerPackages'
import { openPlatformDatabase } from './platform/platformData'
import { createAvailableDriver, getUid } from './platform/platformPeople'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { Milliseconds } from '~/domain/language/units'

const CALLERS = 50
/** Bookings per caller; far below the limits of calls per minute. */
const ROUNDS = 10
const WARM_UP_ROUNDS = 4
const DRIVERS = 100_000
const SEARCHES = 60

interface Caller {
  token: string
  uid: string
}
interface CallResponse {
  status: number
  ms: Milliseconds
  body: { result?: unknown; error?: { details?: Record<string, unknown>; message?: string } }
}

const FUNCTIONS = ['create_booking', 'advance_booking'] as const
type Served = Record<(typeof FUNCTIONS)[number], ServedFunction>

/** Sends a call. `fetch` needs four times the processor time, which the functions then lack. */
const call = async (
  { port }: ServedFunction,
  { token }: Caller,
  data: object,
): Promise<CallResponse> => {
  const began = performance.now()
  const { status, text } = await sendRequest({
    port,
    method: 'POST',
    path: '/',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ data })),
  })
  if (status === 0) throw new Error(`A call got no response: ${text}. Run the benchmark again.`)
  return { status, ms: performance.now() - began, body: JSON.parse(text) as CallResponse['body'] }
}

const toBase64 = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
/** Returns an unsigned token, as the Auth emulator issues them. */
const createToken = (uid: string): string => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: uid,
    user_id: uid,
    auth_time: now,
    iat: now,
    exp: now + 3600,
    phone_number: '+15555550199',
    firebase: { identities: {}, sign_in_provider: 'phone' },
  }
  return `${toBase64({ alg: 'none', typ: 'JWT' })}.${toBase64(claims)}.`
}

/** Creates the riders of the benchmark. */
const createCallers = async (server: MeasuredServer, count: number): Promise<Caller[]> => {
  const uids = Array.from({ length: count }, (_, at) => getUid('caller', at))
  const users = Object.fromEntries(
    uids.map((id, at) => [
      id,
      {
        id,
        usertype: 'rider',
        firstName: 'Bench',
        lastName: String(at),
        email: `caller${at}@bench.example`,
        mobile: `+59895${String(at).padStart(6, '0')}`,
        createdAt: '2026-01-01T00:00:00.000Z',
        approved: true,
        walletBalance: 0,
      },
    ]),
  )
  const filling = openPlatformDatabase(`http://${HOST}:${server.port}`)
  await filling.patch('users', users)
  await filling.patch('roles', getRoles(users))
  return uids.map((uid) => ({ uid, token: createToken(uid) }))
}

/** Returns the request that a rider repeats; the price is the server's. */
const createBookingRequest = async (served: Served, database: LocalDatabase, caller: Caller) => {
  const bookings = (await database.get('bookings')) as Record<string, Booking>
  const completedBooking = Object.values(bookings).find(({ status }) => status === 'COMPLETE')
  if (!completedBooking) throw new Error('The demo city has no booking. Run the benchmark again.')
  const { pickup, drop } = completedBooking
  const request = {
    pickup,
    drop,
    carType: 'economy',
    // The booking is for tomorrow, so that it does not depend on the available drivers.
    bookLater: true,
    tripdate: Date.now() + DAY_MS,
    deliveryPerson: 'Bench',
    deliveryPersonPhone: '+15555552030',
  }
  const input = { ...request, booking_id: createPushKey(Date.now(), 1), estimateFare: 1 }
  const { body } = await call(served.create_booking, caller, input)
  const errorDetails = body.error?.details
  const price =
    (errorDetails?.params as Record<string, unknown> | undefined)?.estimate ??
    errorDetails?.estimate
  if (typeof price !== 'number')
    throw new Error(`The refusal contained no estimate: ${JSON.stringify(body).slice(0, 300)}`)
  return { ...request, estimateFare: price }
}

let bookingCount = 0
/** Runs bookings as riders make them: created, paid in cash, canceled. */
const runBookings = async (
  served: Served,
  callers: readonly Caller[],
  rounds: number,
  request: object,
) => {
  const times = new Map<string, number[]>()
  let wrong = 0
  const time = async (caller: Caller, label: string, target: ServedFunction, data: object) => {
    const { status, ms, body } = await call(target, caller, data)
    times.set(label, [...(times.get(label) ?? []), ms])
    if (status !== 200) {
      wrong++
      if (wrong === 1) console.error(label, JSON.stringify(body).slice(0, 300))
    }
  }
  const began = performance.now()
  await Promise.all(
    callers.map(async (caller) => {
      for (let round = 0; round < rounds; round++) {
        const on = { booking_id: createPushKey(Date.now(), 1000 + bookingCount++) }
        await time(caller, 'create', served.create_booking, { ...request, ...on })
        const pay = { ...on, event: 'pay', payment_mode: 'cash' }
        await time(caller, 'pay', served.advance_booking, pay)
        const cancel = { ...on, event: 'cancel', reason: 'bench' }
        await time(caller, 'cancel', served.advance_booking, cancel)
      }
    }),
  )
  return { times, wrong, seconds: (performance.now() - began) / 1000 }
}

/** Measures the two functions of a booking under fifty callers. */
const benchBookings = async (
  server: MeasuredServer,
  database: LocalDatabase,
  say: (line: string) => void,
): Promise<Measurement[]> => {
  if (!installPeers(say, 'bench-core')) return []
  // For an engineer who searches the cause of a figure: node --cpu-prof in each function.
  const folder = process.env.KERBSIDE_BENCH_PROFILES
  const flags = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
  const [create_booking, advance_booking] = await Promise.all(
    FUNCTIONS.map((name) => serveFunction(name, server.port, flags)),
  )
  if (!create_booking || !advance_booking) throw new Error('A function was not served.')
  const served: Served = { create_booking, advance_booking }
  try {
    const callers = await createCallers(server, CALLERS)
    const request = await createBookingRequest(served, database, callers[0] as Caller)
    say('Warming up …')
    await runBookings(served, callers, WARM_UP_ROUNDS, request)
    const readMs = () => ({
      create: readProcessorMs(create_booking.pid),
      advance: readProcessorMs(advance_booking.pid),
      database: readProcessorMs(server.pid),
    })
    say(`${CALLERS} callers …`)
    const before = readMs()
    const { times, wrong, seconds } = await runBookings(served, callers, ROUNDS, request)
    const after = readMs()
    const created = times.get('create')?.length ?? 0
    const events = [...times.values()].reduce((sum, { length }) => sum + length, 0)
    const inFunctions = after.create - before.create + after.advance - before.advance
    return [
      boundBelow('events committed', '/s', events / seconds, 400),
      boundAbove('calls refused', '', wrong, 0),
      boundAbove('processor in functions, an event', 'ms', inFunctions / events, 2.5),
      { name: '  create', unit: 'ms', here: (after.create - before.create) / created },
      {
        name: '  pay, cancel',
        unit: 'ms',
        here: (after.advance - before.advance) / (events - created),
      },
      boundAbove(
        'processor in the database, an event',
        'ms',
        (after.database - before.database) / events,
        1,
      ),
      ...[...times].flatMap(([label, list]): Measurement[] => [
        { name: `${label}, p50`, unit: 'ms', here: getMedian(list) },
        boundAbove('  p99', 'ms', getPercentile(list, 0.99), 250),
      ]),
    ]
  } finally {
    await Promise.all(Object.values(served).map(({ stop }) => stop()))
  }
}

/**
 * Measures the search for the nearest of 100,000 available drivers in one city with the functions'
 * own code.
 */
const benchDriverSearch = async (
  server: MeasuredServer,
  database: LocalDatabase,
  say: (line: string) => void,
): Promise<Measurement[]> => {
  const filling = openPlatformDatabase(`http://${HOST}:${server.port}`)
  const now = Date.now()
  say('Listing 100,000 drivers …')
  for (let from = 0; from < DRIVERS; from += 5000)
    await filling.patch(
      'available_drivers',
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => [
          getUid('driver', from + at),
          createAvailableDriver(from + at, now),
        ]),
      ),
    )
  process.env.FIREBASE_DATABASE_EMULATOR_HOST = `${HOST}:${server.port}`
  process.env.GCLOUD_PROJECT = PROJECT
  const db = createFirebaseDatabase()
  const settings = (await database.get('settings')) as Settings
  const random = createSeededRandom(7)
  const somewhere = () => ({
    lat: -34.89 + (random() - 0.5) * 0.1,
    lng: -56.16 + (random() - 0.5) * 0.14,
  })
  await findNearbyDrivers(db, { from: somewhere(), carType: 'economy', enough: 20 }, settings)
  const times: number[] = []
  for (let at = 0; at < SEARCHES; at++) {
    const began = performance.now()
    const nearbyDrivers = await findNearbyDrivers(
      db,
      { from: somewhere(), carType: 'economy', enough: 20 },
      settings,
    )
    if (nearbyDrivers.length === 0)
      throw new Error('The search found no driver. Load the data again.')
    times.push(performance.now() - began)
  }
  // For comparison, finds and sorts all drivers in reach instead of starting with the nearest.
  const whole: number[] = []
  for (let at = 0; at < 3; at++) {
    const began = performance.now()
    await findNearbyDrivers(
      db,
      { from: somewhere(), carType: 'economy', enough: Infinity },
      settings,
    )
    whole.push(performance.now() - began)
  }
  const nearest = { here: getMedian(times), peer: getMedian(whole) }
  return [
    compareWithPeer('cost', 'nearest 20 of 100,000 drivers, p50; all in reach', 'ms', nearest),
    { name: '  p99', unit: 'ms', here: getPercentile(times, 0.99) },
  ]
}

/**
 * Measures the deployed functions as Cloud Run runs them, each in one process with many calls at a
 * time, beside the stand-in; then the search for a driver.
 */
export const benchFunctions = async (say: (line: string) => void): Promise<Measurement[]> => {
  await buildChanged(say, { web: false })
  await bundleStandIn()
  const server = await startStandIn()
  try {
    const database = openLocalDatabase(`http://${HOST}:${server.port}`)
    await setRules(server, NAMESPACE, readFileSync(join(ROOT, 'database.rules.json'), 'utf8'))
    await database.put('', await createDemoDatabase(Date.now()))
    return [
      ...(await benchBookings(server, database, say)),
      ...(await benchDriverSearch(server, database, say)),
    ]
  } finally {
    // An open connection would keep trying to reach the stopped server.
    await Promise.all(getApps().map((app) => deleteApp(app)))
    await server.stop()
  }
}
