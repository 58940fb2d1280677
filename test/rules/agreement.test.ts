import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apply } from '~/domain/booking/apply'
import type { Actor, Change, EventInput, Value, World } from '~/domain/booking/change'
import { BOOKING_EVENTS } from '~/domain/booking/transitions'
import type { Booking, Promo, Settings, TrackingPoint, User } from '~/domain/entities'
import { deletion, isAnonymous } from '~/domain/deletion'
import { violations, type DatabaseTree } from '~/domain/invariants'
import { at, SERVER_UID } from '~/domain/paths'
import {
  admin,
  aCarType,
  aDriver,
  aPromo,
  aRequest,
  aRider,
  aSettings,
  aWorld,
  driver,
  MINUTE,
  NOON,
  rider,
  system,
} from '~/domain/testing/builders'
import { setup } from '~/functions/src/endpoints/setup'
import { parse } from '~/functions/src/guard'
import { memoryDatabase } from '~/functions/src/ports/memoryDatabase'
import { somePorts } from '~/functions/src/testing'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/database'

/**
 * The rules against the domain: whatever `apply` wants to write is written by a function in one update, once, and
 * by nobody else. Every event of the table takes part.
 */

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const ID = '-OAbcdefghijklmnopqr'
const second: Actor = { uid: 'second', role: 'driver' }
const CLIENTS = ['rider', 'driver', 'second', 'friend', 'fleet', 'admin', null]
const opened = (amount: number): Partial<User> => ({
  walletBalance: amount,
  walletHistory: { opening: { type: 'Credit', amount, date: NOON, txRef: 'AdminCredit' } },
})
const seed = (settings: Settings): Value =>
  JSON.parse(
    JSON.stringify({
      settings,
      cartypes: { van: aCarType() },
      promos: { spring: { ...aPromo(), user_avail: 0 } },
      users: {
        rider: aRider({ ...opened(40), signupViaReferral: 'driver' }),
        friend: aRider({ id: 'friend' }),
        driver: aDriver({ fleetadmin: 'fleet' }),
        second: aDriver({ id: 'second' }),
        fleet: { ...aRider({ id: 'fleet' }), usertype: 'fleetadmin' },
        admin: { ...aRider({ id: 'admin' }), usertype: 'admin' },
      },
      available_drivers: {
        driver: { carType: 'van', geohash: '6dptest00', lat: -34.905, lng: -56.185, at: NOON },
      },
    }),
  ) as Value

const readWorld = async (settings: Settings, input: EventInput, actor: Actor): Promise<World> => {
  const read = async <T>(path: string) => (await database.peek(path)) as T | null
  const booking = await read<Booking>(at.booking(ID))
  const whoDrives =
    input.event === 'assign'
      ? input.driver
      : input.event === 'accept' || input.event === 'decline'
        ? actor.uid
        : booking?.driver
  const promo = booking?.promo_details?.id ?? 'spring'
  const tracking = (await read<Record<string, TrackingPoint>>(at.tracking(ID))) ?? {}
  return aWorld({
    settings,
    customer: await read<User>(at.user('rider')),
    referrer: await read<User>(at.user('driver')),
    driver: whoDrives ? await read<User>(at.user(whoDrives)) : null,
    otpAttempts: await read<World['otpAttempts'] & object>(at.otpAttempts(ID)),
    promo: await read<Promo>(at.promo(promo)),
    promoUsedBefore: (await read<string>(at.promoUse(promo, 'rider'))) !== null,
    tracking: Object.values(tracking),
    dropAddress: 'Where he is',
  })
}

const changeOf = async (settings: Settings, [actor, input]: Step, now: number): Promise<Change> => {
  const booking = (await database.peek(at.booking(ID))) as Booking | null
  const world = await readWorld(settings, input, actor)
  const result = apply(booking, input, actor, world, now)
  if (result.ok) return result.value
  if (result.error.record) return result.error.record
  throw new Error(`${input.event}: ${result.error.key}`)
}
const commits = (uid: string | null, { updates }: Change): Promise<boolean> =>
  isAllowed(database.as(uid).ref('/').update(updates))

type Step = [Actor, EventInput]
const create = (over = {}): Step => [rider, { event: 'create', input: aRequest(over) }]
const payCash: Step = [rider, { event: 'pay', payment_mode: 'cash' }]
const payPromo: Step = [
  rider,
  { event: 'pay', payment_mode: 'cash', promo: 'spring', usedWalletMoney: 10 },
]
const payWallet: Step = [rider, { event: 'pay', payment_mode: 'wallet', promo: 'spring' }]
const assign: Step = [admin, { event: 'assign', driver: 'driver' }]
const assignSecond: Step = [admin, { event: 'assign', driver: 'second' }]
const dispatch: Step = [system, { event: 'dispatch', drivers: ['driver', 'second'] }]
const accept: Step = [driver, { event: 'accept' }]
const decline: Step = [second, { event: 'decline' }]
const arrive: Step = [driver, { event: 'arrive', lat: -34.9, lng: -56.19 }]
const wrongCode: Step = [driver, { event: 'start', otp: 54_321 }]
const start: Step = [
  driver,
  { event: 'start', otp: 12_345, pickup_image: 'https://images.example/pickup.webp' },
]
const reach: Step = [driver, { event: 'reach', lat: -34.894, lng: -56.152 }]
const finish: Step = [driver, { event: 'finish' }]
const collect: Step = [driver, { event: 'collect' }]
const rate: Step = [rider, { event: 'rate', rating: 4 }]
const cancel = (actor: Actor): Step => [actor, { event: 'cancel', reason: 'Changed my mind' }]
const expire: Step = [system, { event: 'expire' }]
const payCard = (amount: number): Step => [
  system,
  { event: 'pay', payment: { id: '-Opayment', gateway: 'test', amount, currency: 'UYU' } },
]

const delivery = aSettings()
const automatic = aSettings({ autoDispatch: true })
const taxi = aSettings({ appcat: 'taxi' })
/** The price of `aRequest` at `aCarType`. */
const PRICE = aRequest().estimateFare
const trip = [arrive, start, reach, finish]

/** A new world in which these steps were taken, a minute apart; gives the time it is then. */
const played = async (settings: Settings, steps: readonly Step[]): Promise<number> => {
  await database.put(seed(settings))
  let now = NOON
  for (const step of steps) {
    now += MINUTE
    const [, { event }] = step
    const done = await commits(SERVER_UID, await changeOf(settings, step, now))
    expect([event, done]).toEqual([event, true])
  }
  return now
}

const STORIES: [string, Settings, Step[]][] = [
  [
    'a parcel with promo and part wallet, a wrong code, the rest in cash',
    delivery,
    [
      create({ parcelTypeIndex: 1, optionIndex: 1 }),
      payPromo,
      assign,
      accept,
      arrive,
      wrongCode,
      wrongCode,
      start,
      reach,
      finish,
      collect,
      rate,
    ],
  ],
  [
    'paid from the wallet before, found by dispatch, declined once',
    automatic,
    [create(), payWallet, dispatch, decline, accept, ...trip, rate],
  ],
  [
    'paid by card before, prepaid at the end',
    delivery,
    [create(), payCard(PRICE), assign, accept, ...trip, rate],
  ],
  [
    'a taxi whose fare follows the trail, collected in cash',
    taxi,
    [create(), assign, accept, ...trip, collect, rate],
  ],
  [
    'prepaid and cancelled late by the rider: refund and fee',
    delivery,
    [create(), payWallet, assign, accept, arrive, cancel(rider)],
  ],
  [
    'cancelled by the rider on credit: the fee takes the wallet below zero',
    delivery,
    [create(), payCash, assign, accept, cancel(rider)],
  ],
  [
    'cancelled by its driver with a promo given back',
    delivery,
    [create(), payPromo, assign, accept, cancel(driver)],
  ],
  [
    'cancelled by the office while two are asked',
    delivery,
    [create(), payCash, assign, assignSecond, cancel(admin)],
  ],
  ['declined by the only driver asked', delivery, [create(), payCash, assignSecond, decline]],
  ['never paid', delivery, [create(), expire]],
]

describe('what the domain decides, the rules let a function write, once, and nobody else', () => {
  const told = new Set<string>()
  test.each(STORIES)('%s', async (_title, settings, steps) => {
    await database.put(seed(settings))
    let now = NOON
    for (const step of steps) {
      const [, { event }] = step
      now += event === 'expire' ? 40 * MINUTE : 3 * MINUTE
      const change = await changeOf(settings, step, now)
      told.add(event)
      for (const client of CLIENTS)
        expect([event, client, await commits(client, change)]).toEqual([event, client, false])
      expect([event, await commits(SERVER_UID, change)]).toEqual([event, true])
      expect([event, 'again', await commits(SERVER_UID, change)]).toEqual([event, 'again', false])
    }
    expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
  })

  test('after a taxi trip the exact fare is paid, by card or from the wallet with the bonus', async () => {
    for (const how of ['card', 'wallet'] as const) {
      const now = await played(taxi, [create(), assign, accept, ...trip])
      const { trip_cost } = (await database.peek(at.booking(ID))) as Booking
      const pay: Step =
        how === 'card' ? payCard(trip_cost) : [rider, { event: 'pay', payment_mode: 'wallet' }]
      const change = await changeOf(taxi, pay, now)
      expect(await commits('rider', change)).toBe(false)
      expect(await commits(SERVER_UID, change)).toBe(true)
      expect(await commits(SERVER_UID, change)).toBe(false)
      expect(await database.peek(`${at.booking(ID)}/status`)).toBe('PAID')
      expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
    }
  })

  test('every event of the table took part', () => {
    expect([...told].sort()).toEqual([...BOOKING_EVENTS].sort())
  })
})

test('an empty project is set up by a function, and not a second time', async () => {
  const written: Record<string, Value>[] = []
  const memory = memoryDatabase()
  const db = {
    ...memory,
    update: (updates: Record<string, Value>) => {
      written.push(updates)
      return memory.update(updates)
    },
  }
  const given = { mobile: '+15555550100', country: 'Uruguay', restrictCountry: 'UY' }
  const context = { ...somePorts({ db }), now: NOON, caller: null }
  await setup.handle(parse(setup.input, given), context)
  const [updates = {}] = written
  const answer = { booking_id: '', status: 'NEW', revision: 0 } as const
  const change: Change = { updates, pushes: [], answer }
  await database.put(null)
  for (const client of CLIENTS)
    expect([client, await commits(client, change)]).toEqual([client, false])
  expect(await commits(SERVER_UID, change)).toBe(true)
  expect(await commits(SERVER_UID, change)).toBe(false)
  expect(await database.peek('settings/country')).toBe('Uruguay')
})

describe('who leaves', () => {
  test.each(['rider', 'driver'])(
    'the %s takes with him what his bookings say of him',
    async (uid) => {
      await played(delivery, [create(), payCash, assign, accept, ...trip, collect, rate])
      const left = deletion(uid, [(await database.peek(at.booking(ID))) as Booking], [])
      if (!left.ok) throw new Error(left.error.key)
      for (const updates of left.value) {
        const change: Change = {
          updates,
          pushes: [],
          answer: { booking_id: ID, status: 'PAID', revision: 0 },
        }
        expect(await commits('admin', change)).toBe(false)
        expect(await commits(SERVER_UID, change)).toBe(true)
      }
      const kept = (await database.peek(at.booking(ID))) as Booking
      expect(isAnonymous(kept, uid)).toBe(true)
      expect(kept).toMatchObject({ status: 'COMPLETE', trip_cost: PRICE, customer: 'rider' })
      expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
    },
  )
})

describe('of two changes made from one state the second is refused whole', () => {
  test('two drivers accept at once: one has it, the other stays free', async () => {
    const now = await played(automatic, [create(), payCash, dispatch])
    const mine = await changeOf(automatic, accept, now)
    const theirs = await changeOf(automatic, [second, { event: 'accept' }], now)
    const won = await Promise.all([commits(SERVER_UID, mine), commits(SERVER_UID, theirs)])
    expect(won.filter(Boolean)).toHaveLength(1)
    const winner = (await database.peek(`${at.booking(ID)}/driver`)) as string
    const loser = winner === 'driver' ? 'second' : 'driver'
    expect(await database.peek(`users/${winner}/queue`)).toBe(true)
    expect(await database.peek(`users/${loser}/queue`)).toBe(false)
    expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
  })

  test('a free driver is taken once, even by two bookings', async () => {
    const now = await played(delivery, [create(), payCash, assign])
    const change = await changeOf(delivery, accept, now)
    await database.put(true, 'users/driver/queue')
    expect(await commits(SERVER_UID, change)).toBe(false)
    expect(await database.peek(`${at.booking(ID)}/status`)).toBe('NEW')
  })

  test('the rider cancels while the driver accepts: one of them happened', async () => {
    const now = await played(delivery, [create(), payWallet, assign])
    const cancelled = await changeOf(delivery, cancel(rider), now)
    const accepted = await changeOf(delivery, accept, now)
    expect(await commits(SERVER_UID, cancelled)).toBe(true)
    expect(await commits(SERVER_UID, accepted)).toBe(false)
    expect(await database.peek('users/rider/walletBalance')).toBe(40)
    expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
  })

  test('two bookings of one driver are rated at once: the second makes the average again', async () => {
    const now = await played(delivery, [create(), payCash, assign, accept, ...trip, collect])
    const change = await changeOf(delivery, rate, now)
    // Another rider's rating of the same driver, a moment earlier.
    await database.put(
      { userrating: 1, count: 1, details: { other: { user: 'friend', rate: 1 } } },
      'users/driver/ratings',
    )
    expect(await commits(SERVER_UID, change)).toBe(false)
    expect(await commits(SERVER_UID, await changeOf(delivery, rate, now))).toBe(true)
    expect(await database.peek('users/driver/ratings')).toMatchObject({ userrating: 2.5, count: 2 })
    expect(violations((await database.peek('')) as DatabaseTree)).toEqual([])
  })

  test('a wallet emptied to the last coin may be a float’s last bit short of nothing', async () => {
    const now = await played(delivery, [create()])
    await database.put(PRICE, 'users/rider/walletBalance')
    const pay = await changeOf(delivery, [rider, { event: 'pay', payment_mode: 'wallet' }], now)
    await database.put(PRICE - 1e-9, 'users/rider/walletBalance')
    expect(await commits(SERVER_UID, pay)).toBe(true)
    await played(delivery, [create()])
    await database.put(PRICE - 0.01, 'users/rider/walletBalance')
    expect(await commits(SERVER_UID, pay)).toBe(false)
  })

  test('the wallet was emptied meanwhile: the payment from it is refused whole', async () => {
    const now = await played(delivery, [create()])
    const pay = await changeOf(delivery, payWallet, now)
    await database.put(5, 'users/rider/walletBalance')
    expect(await commits(SERVER_UID, pay)).toBe(false)
    expect(await database.peek(`${at.booking(ID)}/status`)).toBe('PAYMENT_PENDING')
    expect(await database.peek('promos/spring/user_avail')).toBe(0)
  })

  test('the last use of a promo went to somebody else: the payment is refused whole', async () => {
    const now = await played(delivery, [create()])
    const pay = await changeOf(delivery, payPromo, now)
    await database.put(3, 'promos/spring/user_avail')
    expect(await commits(SERVER_UID, pay)).toBe(false)
    expect(await database.peek('promo_uses')).toBeNull()
  })
})
