// One process of functions, as `twoProcesses.test.ts` starts several of: does what riders, drivers and the office do, as fast as it
// can, through the functions' own ports. Says `begin` before and `done` after each deed, so that it can be killed in between.
import type { Actor, EventInput } from '~/domain/booking/change'
import { eventsFor } from '~/domain/booking/eventsFor'
import { ACTIVE_STATUSES, type Booking, type Settings } from '~/domain/entities'
import { keyAt } from '~/domain/keys'
import { aRequest, ROUTE } from '~/domain/testing/builders'
import { randomFrom } from '~/domain/testing/random'
import type { ActorContext } from '~/functions/src/definition'
import { add_to_wallet } from '~/functions/src/endpoints/addToWallet'
import { request_withdraw } from '~/functions/src/endpoints/requestWithdraw'
import { bookingsIn } from '~/functions/src/ports/bookings'
import { systemClock } from '~/functions/src/ports/clock'
import { firebaseDatabase } from '~/functions/src/ports/firebaseDatabase'
import { inboxOnly } from '~/functions/src/ports/push'
import { cryptoRandom } from '~/functions/src/ports/random'
import { Refused } from '~/functions/src/refused'
import { sweep } from '~/functions/src/sweeping'
import { somePorts, straightMaps } from '~/functions/src/testing'
import { DRIVERS, MOST_LIVE, RIDERS } from './crowd'

const number = Number(process.argv[2])
const random = randomFrom(number)
const db = firebaseDatabase()
const maps = () =>
  Promise.resolve({
    ...straightMaps,
    directions: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
  })
const parts = { db, maps, push: inboxOnly, clock: systemClock, random: cryptoRandom }
const ports = somePorts({ ...parts, bookings: bookingsIn(parts) })

const as = (uid: string, role: ActorContext['actor']['role']): ActorContext => ({
  ...ports,
  now: Date.now(),
  caller: { uid },
  actor: { uid, role },
})
const ACTORS: readonly Actor[] = [
  ...RIDERS.map((uid): Actor => ({ uid, role: 'rider' })),
  ...DRIVERS.map((uid): Actor => ({ uid, role: 'driver' })),
  { uid: 'admin', role: 'admin' },
]

let made = 0
const nextKey = () => keyAt(Date.now(), number * 1_000_000 + made++)

const create = () =>
  ports.bookings.change(
    ...((id) =>
      [
        id,
        { event: 'create', input: aRequest({ booking_id: id }) },
        { uid: random.pick(RIDERS), role: 'rider' },
      ] as const)(nextKey()),
  )

const inputFor = async (booking: Booking, event: EventInput['event']): Promise<EventInput> => {
  const here = { lat: -34.9, lng: -56.18 }
  switch (event) {
    case 'pay':
      return {
        event,
        payment_mode: random.pick(['cash', 'wallet']),
        promo: random.pick([undefined, 'spring']),
      }
    case 'assign':
      return { event, driver: random.pick(DRIVERS) }
    case 'arrive':
    case 'reach':
      return { event, ...here }
    case 'start': {
      const otp = (await db.read<number>(`booking_otps/${booking.id}`)) ?? undefined
      return { event, otp: random.chance(0.8) ? otp : 1 }
    }
    case 'rate':
      return { event, rating: random.whole(1, 5) }
    case 'cancel':
      return { event, reason: 'Changed my mind' }
    default:
      return { event } as EventInput
  }
}

const advance = async (live: readonly Booking[], settings: Settings) => {
  const booking = random.pick(live)
  const offered = ACTORS.flatMap((actor) =>
    eventsFor(booking, actor, settings).map((event) => ({ actor, event })),
  )
  const leadsOn = offered.filter(({ event }) => event !== 'cancel' && event !== 'decline')
  const chosen = leadsOn.length > 0 && random.chance(0.93) ? leadsOn : offered
  if (chosen.length === 0) return
  const { actor, event } = random.pick(chosen)
  await ports.bookings.change(booking.id, await inputFor(booking, event), actor)
}

const deed = async () => {
  const settings = await db.read<Settings>('settings')
  const last = await db.list<Booking>('bookings', { by: '$key', last: 30 })
  const live = last
    .map(([, booking]) => booking)
    .filter(({ status }) => ACTIVE_STATUSES.includes(status))
  if (!settings) throw new Error('The world is empty.')
  if (live.length < MOST_LIVE) return create()
  if (random.chance(0.04)) return sweep(ports, Date.now())
  if (random.chance(0.06))
    return add_to_wallet.handle(
      { credit_id: nextKey(), uid: random.pick([...RIDERS, ...DRIVERS]), amount: 20 },
      as('admin', 'admin'),
    )
  if (random.chance(0.06))
    return request_withdraw.handle(
      { withdraw_id: nextKey(), amount: random.whole(1, 30) },
      as(random.pick(DRIVERS), 'driver'),
    )
  return advance(live, settings)
}

const say = (word: string) => process.stdout.write(`${word}\n`)

const work = async () => {
  for (;;) {
    say('begin')
    try {
      await deed()
      say('done')
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      say(`refused ${error.refusal.key}`)
    }
  }
}
void work()
