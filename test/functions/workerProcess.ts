// One of several functions processes that `killedProcesses.test.ts` starts. It performs events of
// riders, drivers and the office as fast as it
// can, through the functions' own ports. It prints `begin` before and `done` after each action, so
// that the test can kill it between them.
import type { Actor } from '~/domain/booking/eventTypes'
import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { createPushKey } from '~/domain/data/pushKeys'
import { aBookingRequest, ROUTE } from '~/domain/testing/builders'
import { toStopInput } from '~/domain/testing/stopInputs'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { add_to_wallet } from '~/functions/src/endpoints/wallet/addToWallet'
import { request_withdraw } from '~/functions/src/endpoints/wallet/requestWithdraw'
import { createBookingService } from '~/functions/src/services/bookings/bookingService'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { noPush } from '~/functions/src/ports/push'
import { DomainException } from '~/functions/src/domainException'
import { runMaintenance } from '~/functions/src/services/jobs/maintenance'
import { createTestPorts, straightLineMaps } from '~/functions/src/testing/testPorts'
import { DRIVER_IDS, MAX_ACTIVE_BOOKINGS, RIDER_IDS } from './concurrencyFixtures'
import type { EventInput } from '~/domain/booking/eventInput'
import { systemClock } from '~/functions/src/adapters/node/systemClock'
import { cryptoRandom } from '~/functions/src/adapters/node/cryptoRandom'
import type { UserRequestContext } from '~/functions/src/ports/requestContext'
import { ACTIVE_STATUSES, type Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const parseNumber = Number(process.argv[2])
const random = createSeededRandom(parseNumber)
const db = createFirebaseDatabase()
const createMaps = () =>
  Promise.resolve({
    ...straightLineMaps,
    getDirections: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
  })
const portParts = { db, maps: createMaps, push: noPush, clock: systemClock, random: cryptoRandom }
const ports = createTestPorts({ ...portParts, bookings: createBookingService(portParts) })

const createActorContext = (
  uid: string,
  role: UserRequestContext['actor']['role'],
): UserRequestContext => ({
  ...ports,
  now: Date.now(),
  caller: { uid },
  rateLimitKey: uid,
  actor: { uid, role },
})
const ACTORS: readonly Actor[] = [
  ...RIDER_IDS.map((uid): Actor => ({ uid, role: 'rider' })),
  ...DRIVER_IDS.map((uid): Actor => ({ uid, role: 'driver' })),
  { uid: 'admin', role: 'admin' },
]

let createdKeys = 0
const nextKey = () => createPushKey(Date.now(), parseNumber * 1_000_000 + createdKeys++)

const createRandomBooking = () =>
  ports.bookings.applyEvent(
    ...((id) =>
      [
        id,
        { event: 'create', input: aBookingRequest({ booking_id: id }) },
        { uid: random.pick(RIDER_IDS), role: 'rider' },
      ] as const)(nextKey()),
  )

const createInput = async (booking: Booking, event: EventInput['event']): Promise<EventInput> => {
  const here = { lat: -34.9, lng: -56.18 }
  switch (event) {
    case 'pay':
      return {
        event,
        payment_mode: random.pick(['cash', 'wallet']),
        promo: random.pick([undefined, 'spring']),
      }
    case 'assign':
      return { event, driver: random.pick(DRIVER_IDS) }
    case 'arrive':
    case 'reach':
      return { event, ...here }
    case 'arrive_stop':
    case 'leave_stop':
    case 'skip_stop':
      return toStopInput(booking, event)
    case 'start': {
      const otp = (await db.read<number>(`booking_otps/${booking.id}`)) ?? undefined
      return { event, otp: random.chance(0.8) ? otp : 1 }
    }
    case 'rate':
      return { event, rating: random.integer(1, 5) }
    case 'tip':
      return { event, request_id: nextKey(), amount: random.integer(1, 3) }
    case 'compensate':
      return { event, request_id: nextKey(), reason: 'late', rider: random.integer(1, 3) }
    case 'cancel':
    case 'release':
      return { event, reason: 'Changed my mind' }
    default:
      return { event } as EventInput
  }
}

/** The events that set a booking back. */
const ENDINGS: ReadonlySet<EventInput['event']> = new Set(['cancel', 'decline', 'release'])

const advanceBooking = async (live: readonly Booking[], settings: Settings) => {
  const booking = random.pick(live)
  const offered = ACTORS.flatMap((actor) =>
    getAvailableEvents(booking, actor, settings).map((event) => ({ actor, event })),
  )
  const leadsOn = offered.filter(({ event }) => !ENDINGS.has(event))
  const chosen = leadsOn.length > 0 && random.chance(0.93) ? leadsOn : offered
  if (chosen.length === 0) return
  const { actor, event } = random.pick(chosen)
  await ports.bookings.applyEvent(booking.id, await createInput(booking, event), actor)
}

const doRandomAction = async () => {
  const settings = await db.read<Settings>('settings')
  const last = await db.list<Booking>('bookings', { by: '$key', last: 30 })
  const live = last
    .map(([, booking]) => booking)
    .filter(({ status }) => ACTIVE_STATUSES.includes(status))
  if (!settings) throw new Error('The database is empty.')
  if (live.length < MAX_ACTIVE_BOOKINGS) return createRandomBooking()
  if (random.chance(0.04)) return runMaintenance(ports, Date.now())
  if (random.chance(0.06))
    return add_to_wallet.handle(
      { credit_id: nextKey(), uid: random.pick([...RIDER_IDS, ...DRIVER_IDS]), amount: 20 },
      createActorContext('admin', 'admin'),
    )
  if (random.chance(0.06))
    return request_withdraw.handle(
      { withdraw_id: nextKey(), amount: random.integer(1, 30) },
      createActorContext(random.pick(DRIVER_IDS), 'driver'),
    )
  return advanceBooking(live, settings)
}

const sendToParent = (word: string) => process.stdout.write(`${word}\n`)

const runWorker = async () => {
  for (;;) {
    sendToParent('begin')
    try {
      await doRandomAction()
      sendToParent('done')
    } catch (error) {
      if (!(error instanceof DomainException)) throw error
      sendToParent(`refused ${error.error.key}`)
    }
  }
}
void runWorker()
