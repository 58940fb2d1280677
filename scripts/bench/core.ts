import { deleteApp, getApps } from 'firebase-admin/app'
import type { Booking, Settings } from '~/domain/entities'
import { keyAt } from '~/domain/keys'
import { driversAround } from '~/functions/src/ports/nearby'
import { firebaseDatabase } from '~/functions/src/ports/firebaseDatabase'
import { PROJECT } from '../localDatabase'
import { localSession } from '../localSession'
import { HOST } from '../ports'
import { seededRandom } from './maps'
import { against, median, percentile, type Figure } from './figure'
import { availableAt, fillingOf, personAt } from './platform'
import { openSuite } from './stage'
import type { Suite } from '../suite'

const CALLERS = [1, 10, 50]
/** How often each of so many callers goes through his booking. */
const ROUNDS: Record<number, number> = { 1: 15, 10: 6, 50: 3 }
const DRIVERS = 100_000
const SEARCHES = 60

interface Caller {
  token: string
  uid: string
}
interface Answer {
  status: number
  ms: number
  body: { result?: unknown; error?: { details?: Record<string, unknown>; message?: string } }
}

const callAs =
  (suite: Suite) =>
  async ({ token }: Caller, name: string, data: object): Promise<Answer> => {
    const began = performance.now()
    const response = await fetch(`${suite.urls.functions}/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data }),
    })
    const body = (await response.json()) as Answer['body']
    return { status: response.status, ms: performance.now() - began, body }
  }

/** Riders of the bench, signed in. */
const riders = async (suite: Suite, count: number): Promise<Caller[]> => {
  const uids = Array.from({ length: count }, (_, at) => personAt('caller', at))
  await fillingOf(suite.urls.database).patch(
    'users',
    Object.fromEntries(
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
    ),
  )
  const callers: Caller[] = []
  for (const uid of uids) {
    const { idToken } = await localSession(suite.webConfig, uid)
    callers.push({ uid, token: idToken })
  }
  return callers
}

/** What a rider books again and again; the price is the server's own. */
const requestLike = async (suite: Suite, caller: Caller) => {
  const bookings = (await suite.database.get('bookings')) as Record<string, Booking>
  const known = Object.values(bookings).find(({ status }) => status === 'COMPLETE')
  if (!known) throw new Error('The demo city has no booking.')
  const { pickup, drop } = known
  const request = {
    pickup,
    drop,
    carType: 'economy',
    // For tomorrow, so that it does not depend on who is free around there.
    bookLater: true,
    tripdate: Date.now() + 86_400_000,
    deliveryPerson: 'Bench',
    deliveryPersonPhone: '+15555552030',
  }
  const asked = { ...request, booking_id: keyAt(Date.now(), 1), estimateFare: 1 }
  const { body } = await callAs(suite)(caller, 'create_booking', asked)
  const told = body.error?.details
  const price = (told?.params as Record<string, unknown> | undefined)?.estimate ?? told?.estimate
  if (typeof price !== 'number')
    throw new Error(`No price was told: ${JSON.stringify(body).slice(0, 300)}`)
  return { ...request, estimateFare: price }
}

type Times = Map<string, number[]>

/** One booking's way as its rider goes it: made, paid, taken back. */
const ways = async (suite: Suite, callers: readonly Caller[], rounds: number, request: object) => {
  const call = callAs(suite)
  const times: Times = new Map()
  let wrong = 0
  const timed = async (caller: Caller, label: string, name: string, data: object) => {
    const { status, ms, body } = await call(caller, name, data)
    times.set(label, [...(times.get(label) ?? []), ms])
    if (status !== 200) {
      wrong++
      if (wrong === 1) console.error(label, JSON.stringify(body).slice(0, 300))
    }
  }
  let number = 0
  const began = performance.now()
  await Promise.all(
    callers.map(async (caller) => {
      for (let round = 0; round < rounds; round++) {
        number++
        const booking_id = keyAt(Date.now(), 1000 + number)
        const on = { booking_id }
        await timed(caller, 'create_booking', 'create_booking', { ...request, ...on })
        await timed(caller, 'quote_payment', 'quote_payment', on)
        const pay = { ...on, event: 'pay', payment_mode: 'cash' }
        await timed(caller, 'advance_booking, pay', 'advance_booking', pay)
        const cancel = { ...on, event: 'cancel', reason: 'bench' }
        await timed(caller, 'advance_booking, cancel', 'advance_booking', cancel)
        await timed(caller, 'ensure_profile', 'ensure_profile', {})
      }
    }),
  )
  return { times, wrong, seconds: (performance.now() - began) / 1000 }
}

/** The nearest of a hundred thousand free drivers of one city, found as the functions find them. */
const search = async (suite: Suite, say: (line: string) => void): Promise<Figure[]> => {
  const filling = fillingOf(suite.urls.database)
  const now = Date.now()
  say('Listing 100,000 drivers …')
  for (let from = 0; from < DRIVERS; from += 5000)
    await filling.patch(
      'available_drivers',
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => [
          personAt('driver', from + at),
          availableAt(from + at, now),
        ]),
      ),
    )
  process.env.FIREBASE_DATABASE_EMULATOR_HOST = `${HOST}:${suite.ports.database}`
  process.env.GCLOUD_PROJECT = PROJECT
  const db = firebaseDatabase()
  const settings = (await suite.database.get('settings')) as Settings
  const random = seededRandom(7)
  const somewhere = () => ({
    lat: -34.89 + (random() - 0.5) * 0.1,
    lng: -56.16 + (random() - 0.5) * 0.14,
  })
  await driversAround(db, somewhere(), 'economy', settings, 20)
  const times: number[] = []
  for (let at = 0; at < SEARCHES; at++) {
    const began = performance.now()
    const found = await driversAround(db, somewhere(), 'economy', settings, 20)
    if (found.length === 0) throw new Error('Nobody was found.')
    times.push(performance.now() - began)
  }
  // What it would be without beginning around the corner: everybody in reach, sorted.
  const whole: number[] = []
  for (let at = 0; at < 3; at++) {
    const began = performance.now()
    await driversAround(db, somewhere(), 'economy', settings, Infinity)
    whole.push(performance.now() - began)
  }
  const nearest = { here: median(times), peer: median(whole) }
  return [
    against('cost', 'nearest 20 of 100,000 drivers, p50; all in reach', 'ms', nearest),
    { name: '  p99', unit: 'ms', here: percentile(times, 0.99) },
  ]
}

/** The functions under one, ten and fifty callers, on the suite's own process pool. */
export const benchCore = async (say: (line: string) => void): Promise<Figure[]> => {
  const suite = await openSuite(say, { hosting: false })
  const figures: Figure[] = []
  try {
    const callers = await riders(suite, Math.max(...CALLERS))
    const request = await requestLike(suite, callers[0] as Caller)
    say('Warming up …')
    await ways(suite, callers.slice(0, 12), 1, request)
    for (const count of CALLERS) {
      say(`${count} callers …`)
      const { times, wrong, seconds } = await ways(
        suite,
        callers.slice(0, count),
        ROUNDS[count] ?? 1,
        request,
      )
      const who = count === 1 ? '1 caller' : `${count} callers`
      const committed = ['create_booking', 'advance_booking, pay', 'advance_booking, cancel']
        .map((label) => times.get(label)?.length ?? 0)
        .reduce((sum, made) => sum + made, 0)
      figures.push(
        { name: `${who}: events committed`, unit: '/s', here: committed / seconds },
        { name: `${who}: calls refused`, unit: '', here: wrong, bound: '0', met: wrong === 0 },
        ...[...times].flatMap(([label, list]): Figure[] => [
          { name: `  ${label}, p50`, unit: 'ms', here: median(list) },
          { name: `  ${label}, p99`, unit: 'ms', here: percentile(list, 0.99) },
        ]),
      )
    }
    figures.push(...(await search(suite, say)))
    return figures
  } finally {
    // An open connection asks for the stopped suite for ever.
    await Promise.all(getApps().map((app) => deleteApp(app)))
    await suite.stop()
  }
}
