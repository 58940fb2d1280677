import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Actor, BookingChange } from '~/domain/booking/eventTypes'
import { toOpenOffers } from '~/domain/booking/offers/offers'
import { BOOKING_EVENTS } from '~/domain/booking/transitions'
import { planAccountDeletion, isAnonymized } from '~/domain/accounts/accountDeletion'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { toDirectory, withDirectory } from '~/domain/accounts/directory'
import { internalPaths } from '~/domain/data/internalPaths'
import { dbPaths, FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { getRoles } from '~/domain/access/roles'
import { createOfficeUser } from '~/domain/accounts/userAccounts'
import {
  admin,
  aVehicleType,
  aDriver,
  aPromo,
  aBookingRequest,
  aRider,
  aSettings,
  anEventContext,
  driver,
  MINUTE,
  NOON,
  rider,
  system,
} from '~/domain/testing/builders'
import { STOPS } from '~/domain/testing/stopInputs'
import { setup } from '~/functions/src/endpoints/platform/setup'
import { parseInput } from '~/functions/src/http/requestHandler'
import { createTestDatabase } from '~/functions/src/testing/testDatabase'
import { createRequestContext, createTestPorts } from '~/functions/src/testing/testPorts'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/testDatabase'
import type { EventInput, EventInputFor } from '~/domain/booking/eventInput'
import type { EventContext } from '~/domain/booking/eventContext'
import type { Offer } from '~/domain/dispatch/types'
import type { Booking, BookingContacts, TrackingPoint } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Promo, Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/**
 * Compares the rules with the domain: only a function can write the updates that `apply` returns,
 * in one write and only once. Covers every event of the table.
 */

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const ID = '-OAbcdefghijklmnopqr'
const secondDriver: Actor = { uid: 'second', role: 'driver' }
const CLIENTS = ['rider', 'driver', 'second', 'friend', 'fleet', 'admin', null]
const createOpenedWallet = (amount: number): Partial<User> => ({
  walletBalance: amount,
  walletHistory: { opening: { type: 'Credit', amount, date: NOON, txRef: 'AdminCredit' } },
})
const USERS = {
  rider: aRider({ ...createOpenedWallet(40), signupViaReferral: 'cousin' }),
  cousin: aRider({ id: 'cousin' }),
  friend: aRider({ id: 'friend' }),
  driver: aDriver({ fleetadmin: 'fleet', shift: 'shown', signupViaReferral: 'friend' }),
  second: aDriver({ id: 'second' }),
  fleet: aRider({ id: 'fleet', usertype: 'fleetadmin' }),
  admin: aRider({ id: 'admin', usertype: 'admin' }),
}
const AVAILABILITY = { carType: 'van', geohash: '6dptest00', lat: -34.905, lng: -56.185, at: NOON }
const seed = (settings: Settings): DatabaseValue =>
  JSON.parse(
    JSON.stringify({
      settings,
      cartypes: { van: aVehicleType(), bike: BIKE },
      promos: { spring: { ...aPromo(), user_avail: 0 } },
      users: USERS,
      people: toDirectory(USERS),
      roles: getRoles(USERS),
      available_drivers: { driver: AVAILABILITY },
      nearby_cars: { shown: AVAILABILITY },
    }),
  ) as DatabaseValue

const readContext = async (
  settings: Settings,
  input: EventInput,
  actor: Actor,
): Promise<EventContext> => {
  const read = async <T>(path: string) => (await database.read(path)) as T | null
  const booking = await read<Booking>(dbPaths.booking(ID))
  const whoDrives =
    input.event === 'assign'
      ? input.driver
      : input.event === 'accept' || input.event === 'decline'
        ? actor.uid
        : booking?.driver
  const promo = booking?.promo_details?.id ?? 'spring'
  const tracking = (await read<Record<string, TrackingPoint>>(dbPaths.tracking(ID))) ?? {}
  const offers = Object.entries((await read<Record<string, Offer>>(dbPaths.offers(ID))) ?? {})
  return anEventContext({
    settings,
    ...(input.event === 'amend' && input.carType === 'bike' && { carType: BIKE }),
    contacts: await read<BookingContacts>(dbPaths.bookingContacts(ID)),
    offers: toOpenOffers(offers, offers.at(-1)?.[0]),
    customer: await read<User>(dbPaths.user('rider')),
    referrer: await read<User>(dbPaths.user('cousin')),
    driverReferrer: await read<User>(dbPaths.user('friend')),
    driver: whoDrives ? await read<User>(dbPaths.user(whoDrives)) : null,
    nextDriver:
      input.event === 'release' && input.driver !== undefined
        ? await read<User>(dbPaths.user(input.driver))
        : null,
    ...(actor.role === 'rider' && {
      freeActions: { times: await read(internalPaths.freeActions('rider')), limits: {} },
    }),
    amendmentNotice: await read(internalPaths.amendmentNotice(ID)),
    openBookings: await read<EventContext['openBookings'] & object>(dbPaths.openBookings('rider')),
    otpAttempts: await read<EventContext['otpAttempts'] & object>(dbPaths.otpAttempts(ID)),
    promo: await read<Promo>(dbPaths.promo(promo)),
    isPromoUsed: (await read<string>(dbPaths.promoUse(promo, 'rider'))) !== null,
    tracking: Object.values(tracking),
    dropAddress: 'Where he is',
  })
}

const computeChange = async (
  settings: Settings,
  [actor, input]: Step,
  now: number,
): Promise<BookingChange> => {
  const booking = (await database.read(dbPaths.booking(ID))) as Booking | null
  const context = await readContext(settings, input, actor)
  const result = applyBookingEvent(booking, input, { actor, context, now })
  if (result.ok) return result.value
  if (result.error.failureChange) return result.error.failureChange
  throw new Error(`${input.event}: ${result.error.key}`)
}
const isCommitted = (uid: string | null, { updates }: BookingChange): Promise<boolean> =>
  isAllowed(database.getClient(uid).ref('/').update(updates))

type Step = [Actor, EventInput]
const createEvent = (over = {}): Step => [rider, { event: 'create', input: aBookingRequest(over) }]
const payByCash: Step = [rider, { event: 'pay', payment_mode: 'cash' }]
const payWithPromo: Step = [
  rider,
  { event: 'pay', payment_mode: 'cash', promo: 'spring', usedWalletMoney: 10 },
]
const payFromWallet: Step = [rider, { event: 'pay', payment_mode: 'wallet', promo: 'spring' }]
const assign: Step = [admin, { event: 'assign', driver: 'driver' }]
const assignSecond: Step = [admin, { event: 'assign', driver: 'second' }]
/** Returns an amendment at the price of `aBookingRequest`, which depends on the vehicle only. */
const createAmendEvent = (actor: Actor, fields: Omit<EventInputFor<'amend'>, 'event'>): Step => [
  actor,
  { event: 'amend', ...fields },
]
const STOP = { lat: -34.9, lng: -56.17, add: 'Cordón' }
const toPosition = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })
const dispatch: Step = [system, { event: 'dispatch', drivers: ['driver', 'second'] }]
const accept: Step = [driver, { event: 'accept' }]
const decline: Step = [secondDriver, { event: 'decline' }]
const withdraw: Step = [system, { event: 'withdraw', driver: 'second' }]
const arrive: Step = [driver, { event: 'arrive', lat: -34.9, lng: -56.19 }]
const release: Step = [driver, { event: 'release', reason: 'The car broke down' }]
const releaseForSecond: Step = [
  admin,
  { event: 'release', reason: 'The phone is off', driver: 'second' },
]
const acceptSecond: Step = [secondDriver, { event: 'accept' }]
const arriveSecond: Step = [secondDriver, { event: 'arrive', lat: -34.9, lng: -56.19 }]
const wrongCode: Step = [driver, { event: 'start', otp: 54_321 }]
const start: Step = [
  driver,
  { event: 'start', otp: 12_345, pickup_image: 'https://images.example/pickup.webp' },
]
const createStopEvent = (
  event: 'arrive_stop' | 'leave_stop' | 'skip_stop',
  index: number,
): Step => [driver, { event, index, stop: toPosition(STOPS[index] ?? STOP) }]
const reach: Step = [driver, { event: 'reach', lat: -34.894, lng: -56.152 }]
const finish: Step = [driver, { event: 'finish' }]
const collect: Step = [driver, { event: 'collect' }]
const rate: Step = [rider, { event: 'rate', rating: 4 }]
const createCancelEvent = (actor: Actor): Step => [
  actor,
  { event: 'cancel', reason: 'Changed my mind' },
]
/** Kilometers away within minutes, which no vehicle can reach. */
const reachElsewhere: Step = [driver, { event: 'reach', lat: -30, lng: -50 }]
const createReviewEvent = (decision: 'keep' | 'planned' | 'driven'): Step => [
  admin,
  { event: 'review', decision },
]
const compensate: Step = [
  admin,
  {
    ...{ event: 'compensate', request_id: '-Ocompensation000001', reason: 'late' },
    ...{ text: 'Half an hour late', rider: 3, take_back: 2 },
  },
]
const tip: Step = [rider, { event: 'tip', request_id: '-Otip000000000000001', amount: 1.5 }]
const expire: Step = [system, { event: 'expire' }]
const take: Step = [admin, { event: 'take' }]
const handBack: Step = [admin, { event: 'hand_back' }]
/** Answers the question of a booking that was made one step after the start, 15 minutes before. */
const keepWaiting: Step = [
  rider,
  { event: 'keep_waiting', asked_at: NOON + 8 * MINUTE + 15 * MINUTE },
]
const noShow: Step = [driver, { event: 'no_show' }]
const OFFICE_REASON = 'The phone is dead'
const officeSteps: Step[] = [
  [admin, { event: 'arrive', reason: OFFICE_REASON }],
  [admin, { event: 'start', reason: OFFICE_REASON }],
  [admin, { event: 'reach', reason: OFFICE_REASON }],
  [admin, { event: 'finish', reason: OFFICE_REASON }],
  [admin, { event: 'collect', reason: OFFICE_REASON }],
]
const createCardPayment = (amount: number): Step => [
  system,
  { event: 'pay', payment: { id: '-Opayment', gateway: 'test', amount, currency: 'UYU' } },
]
const createRefundEvent = (amount: number): Step => [
  system,
  { event: 'refund', payment: '-Opayment', amount },
]
const createReinstateEvent = (amount: number, isAfterPaid: boolean): Step => [
  system,
  { event: 'reinstate', payment: '-Opayment', amount, isAfterPaid },
]

const delivery = aSettings()
const automatic = aSettings({ autoDispatch: true })
const taxi = aSettings({ appcat: 'taxi' })
/** The price of `aBookingRequest` with `aVehicleType`. */
const PRICE = aBookingRequest().estimateFare
const BIKE = aVehicleType({ id: 'bike', name: 'Bike', base_fare: 2 })
const BIKE_PRICE = aBookingRequest({}, { carType: BIKE }).estimateFare
const trip = [arrive, start, reach, finish]

/** Time between two events, ms, in which a car can drive from the pickup to the drop-off. */
const STEP_MS = 8 * MINUTE
/**
 * Resets the data and applies these steps, `STEP_MS` apart; returns the final time in milliseconds.
 */
const applyEvents = async (settings: Settings, steps: readonly Step[]): Promise<number> => {
  await database.put(seed(settings))
  let now = NOON
  for (const step of steps) {
    now += STEP_MS
    const [, { event }] = step
    const done = await isCommitted(FUNCTIONS_UID, await computeChange(settings, step, now))
    expect([event, done]).toEqual([event, true])
  }
  return now
}

const EVENT_SEQUENCES: [string, Settings, Step[]][] = [
  [
    'a parcel with a promo and part wallet, a wrong code, and the rest in cash',
    delivery,
    [
      createEvent({ parcelTypeIndex: 1, optionIndex: 1 }),
      payWithPromo,
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
    'a booking prepaid from the wallet, dispatched, and declined once',
    automatic,
    [createEvent(), payFromWallet, dispatch, decline, accept, ...trip, rate],
  ],
  [
    'a booking whose rider and office change the time, the places, the recipient and the notes',
    delivery,
    [
      createEvent(),
      createAmendEvent(rider, { waypoints: [STOP] }),
      payWithPromo,
      createAmendEvent(admin, {
        tripdate: NOON + 120 * MINUTE,
        deliveryPersonPhone: '099 765 432',
      }),
      assign,
      createAmendEvent(rider, { pickUpInstructions: 'Ring twice' }),
      accept,
      createAmendEvent(rider, { tripdate: NOON + 180 * MINUTE, deliveryPerson: 'Gil' }),
      arrive,
      start,
      createAmendEvent(admin, { drop: STOP, waypoints: [] }),
      reach,
      finish,
      collect,
      rate,
    ],
  ],
  [
    'a booking whose driver passes a stop, skips one, and does not reach one that the rider adds',
    delivery,
    [
      createEvent({ waypoints: STOPS }),
      payByCash,
      assign,
      accept,
      arrive,
      start,
      createStopEvent('arrive_stop', 0),
      createStopEvent('leave_stop', 0),
      createStopEvent('skip_stop', 1),
      createAmendEvent(rider, { waypoints: [...STOPS, STOP] }),
      reach,
      finish,
      collect,
      rate,
    ],
  ],
  [
    'a prepaid booking whose vehicle type changes after an offer, with money back to the wallet',
    delivery,
    [
      createEvent(),
      payFromWallet,
      assign,
      createAmendEvent(rider, { carType: 'bike', estimateFare: BIKE_PRICE }),
      createCancelEvent(rider),
    ],
  ],
  [
    'a dispatched booking whose offer is withdrawn from a driver who took another booking',
    automatic,
    [createEvent(), payFromWallet, dispatch, withdraw, accept, ...trip, rate],
  ],
  [
    'a tip before the rating, and a complaint after it',
    automatic,
    [createEvent(), payFromWallet, dispatch, decline, accept, ...trip, tip, rate, compensate],
  ],
  [
    'a booking paid by card and closed as prepaid',
    delivery,
    [createEvent(), createCardPayment(PRICE), assign, accept, ...trip, rate],
  ],
  [
    'a booking paid by card, partly refunded, topped up in cash, and refunded again',
    delivery,
    [
      createEvent(),
      createCardPayment(PRICE),
      createRefundEvent(10),
      assign,
      accept,
      ...trip,
      collect,
      createRefundEvent(5),
      rate,
    ],
  ],
  [
    'a booking paid by card whose disputes are won before and after the trip',
    delivery,
    [
      createEvent(),
      createCardPayment(PRICE),
      createRefundEvent(10),
      createReinstateEvent(10, false),
      assign,
      accept,
      ...trip,
      createRefundEvent(5),
      createReinstateEvent(3, true),
      rate,
    ],
  ],
  [
    'a taxi whose fare follows the track, collected in cash',
    taxi,
    [createEvent(), assign, accept, ...trip, collect, rate],
  ],
  [
    'a flagged taxi trip whose price an admin raises before it is paid',
    taxi,
    [
      createEvent(),
      assign,
      accept,
      arrive,
      start,
      reachElsewhere,
      createReviewEvent('planned'),
      finish,
      collect,
      rate,
    ],
  ],
  [
    'a flagged taxi trip whose difference an admin credits to the driver after it is paid',
    taxi,
    [
      createEvent(),
      assign,
      accept,
      arrive,
      start,
      reachElsewhere,
      finish,
      collect,
      rate,
      createReviewEvent('planned'),
    ],
  ],
  [
    'a prepaid booking canceled late by the rider, with a refund and a fee',
    delivery,
    [createEvent(), payFromWallet, assign, accept, arrive, createCancelEvent(rider)],
  ],
  [
    'a booking canceled by the rider, whose fee takes the wallet below zero',
    delivery,
    [createEvent(), payByCash, assign, accept, createCancelEvent(rider)],
  ],
  [
    'a booking that its driver releases after a wrong code, and that another one then drives',
    delivery,
    [
      createEvent(),
      payWithPromo,
      assign,
      accept,
      arrive,
      wrongCode,
      release,
      assignSecond,
      acceptSecond,
      arriveSecond,
      createCancelEvent(rider),
    ],
  ],
  [
    'a booking that an admin releases for another driver',
    delivery,
    [createEvent(), payByCash, assign, accept, releaseForSecond, acceptSecond],
  ],
  [
    'a booking canceled by an admin while two drivers have an offer',
    delivery,
    [createEvent(), payByCash, assign, assignSecond, createCancelEvent(admin)],
  ],
  [
    'a booking declined by the only driver with an offer',
    delivery,
    [createEvent(), payByCash, assignSecond, decline],
  ],
  [
    'a booking that the office takes, hands back and takes again, and then assigns by hand',
    automatic,
    [
      createEvent(),
      payFromWallet,
      dispatch,
      take,
      handBack,
      dispatch,
      take,
      assign,
      accept,
      ...trip,
      rate,
    ],
  ],
  [
    'a booking that waits for a driver, is asked whether to go on, and gets one',
    aSettings({ allowWaiting: true }),
    [createEvent({ wait: true }), payByCash, keepWaiting, assign, accept, ...trip, collect, rate],
  ],
  [
    'a taxi trip whose steps the office records',
    taxi,
    [createEvent(), assign, accept, ...officeSteps, rate],
  ],
  [
    'a booking whose customer does not come, with a fee and the driver’s part of it',
    aSettings({ noShowFee: 20, noShowDriverPart: 50 }),
    [createEvent(), payByCash, assign, accept, arrive, noShow],
  ],
  ['a booking that is never paid', delivery, [createEvent(), expire]],
]

describe('the rules let only a function write what the domain decides, and only once', () => {
  const told = new Set<string>()
  test.each(EVENT_SEQUENCES)('%s', async (_title, settings, steps) => {
    await database.put(seed(settings))
    let now = NOON
    for (const step of steps) {
      const [, { event }] = step
      now += event === 'expire' ? 40 * MINUTE : STEP_MS
      const change = await computeChange(settings, step, now)
      told.add(event)
      for (const client of CLIENTS)
        expect([event, client, await isCommitted(client, change)]).toEqual([event, client, false])
      expect([event, await isCommitted(FUNCTIONS_UID, change)]).toEqual([event, true])
      expect([event, 'again', await isCommitted(FUNCTIONS_UID, change)]).toEqual([
        event,
        'again',
        false,
      ])
    }
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('the exact fare of a taxi trip is paid by card, or from the wallet with the bonus', async () => {
    for (const how of ['card', 'wallet'] as const) {
      const now = await applyEvents(taxi, [createEvent(), assign, accept, ...trip])
      const { trip_cost } = (await database.read(dbPaths.booking(ID))) as Booking
      const pay: Step =
        how === 'card'
          ? createCardPayment(trip_cost)
          : [rider, { event: 'pay', payment_mode: 'wallet' }]
      const change = await computeChange(taxi, pay, now)
      expect(await isCommitted('rider', change)).toBe(false)
      expect(await isCommitted(FUNCTIONS_UID, change)).toBe(true)
      expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
      expect(await database.read(`${dbPaths.booking(ID)}/status`)).toBe('PAID')
      for (const owner of ['rider', 'cousin'])
        expect(await database.read(`users/${owner}/walletHistory/rider-referral`)).toMatchObject({
          amount: delivery.bonus,
        })
      expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
    }
  })

  test('the sequences cover every event of the table', () => {
    expect([...told].sort()).toEqual([...BOOKING_EVENTS].sort())
  })
})

test('a function sets up an empty project only once', async () => {
  const written: Record<string, DatabaseValue>[] = []
  const memory = createTestDatabase()
  const db = {
    ...memory,
    update: (updates: Record<string, DatabaseValue>) => {
      written.push(updates)
      return memory.update(updates)
    },
  }
  const given = { mobile: '+15555550100', country: 'Uruguay', restrictCountry: 'UY' }
  const context = { ...createRequestContext(null, createTestPorts({ db })), now: NOON }
  await setup.handle(parseInput(setup.input, given), context)
  const [updates = {}] = written
  const answer = { booking_id: '', status: 'NEW', revision: 0 } as const
  // The update has the form in which the functions' database writes it.
  const change: BookingChange = { updates: withDirectory(updates), pushes: [], response: answer }
  await database.put(null)
  for (const client of CLIENTS)
    expect([client, await isCommitted(client, change)]).toEqual([client, false])
  expect(await isCommitted(FUNCTIONS_UID, change)).toBe(true)
  expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
  expect(await database.read('settings/country')).toBe('Uruguay')
  expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
})

test('a function writes a new caller’s profile together with their first booking, and only once', async () => {
  await database.put(seed(delivery))
  const guest = createOfficeUser(
    'rider',
    { firstName: 'Gil', lastName: '', mobile: '+59899123456', email: '' },
    { uid: 'caller', now: NOON, referralId: 'gil1234' },
    { actor: { uid: 'admin', usertype: 'admin' }, settings: delivery },
  )
  const made = applyBookingEvent(
    null,
    { event: 'create', input: aBookingRequest({ customer: 'caller' }), guest },
    { actor: admin, context: anEventContext({ settings: delivery, customer: null }), now: NOON },
  )
  if (!made.ok) throw new Error(made.error.key)
  // The update has the form in which the functions' database writes it.
  const change = { ...made.value, updates: withDirectory(made.value.updates) }
  for (const client of [...CLIENTS, 'caller'])
    expect([client, await isCommitted(client, change)]).toEqual([client, false])
  expect(await isCommitted(FUNCTIONS_UID, change)).toBe(true)
  expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
  expect(await database.read('roles/caller')).toBe('rider')
  expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
})

describe('deleting an account', () => {
  test.each(['rider', 'driver'])(
    'removes the personal data of the %s from their bookings',
    async (uid) => {
      await applyEvents(delivery, [
        createEvent(),
        payByCash,
        assign,
        accept,
        ...trip,
        collect,
        rate,
      ])
      const user = { ...((await database.read(dbPaths.user(uid))) as User), id: uid }
      const balanceDecision = { waive_balance: true }
      const given = { balanceDecision, settings: delivery, now: Date.now() }
      const left = planAccountDeletion(
        user,
        [(await database.read(dbPaths.booking(ID))) as Booking],
        [],
        given,
      )
      if (!left.ok) throw new Error(left.error.key)
      for (const updates of left.value) {
        const change: BookingChange = {
          // The update has the form in which the functions' database writes it.
          updates: withDirectory(updates),
          pushes: [],
          response: { booking_id: ID, status: 'PAID', revision: 0 },
        }
        expect(await isCommitted('admin', change)).toBe(false)
        expect(await isCommitted(FUNCTIONS_UID, change)).toBe(true)
      }
      const kept = (await database.read(dbPaths.booking(ID))) as Booking
      expect(isAnonymized(kept, uid)).toBe(true)
      expect(kept).toMatchObject({ status: 'COMPLETE', trip_cost: PRICE, customer: 'rider' })
      expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
    },
  )
})

describe('two concurrent changes', () => {
  test('when two drivers accept at once, one gets the booking and the other stays free', async () => {
    const now = await applyEvents(automatic, [createEvent(), payByCash, dispatch])
    const mine = await computeChange(automatic, accept, now)
    const theirs = await computeChange(automatic, [secondDriver, { event: 'accept' }], now)
    const won = await Promise.all([
      isCommitted(FUNCTIONS_UID, mine),
      isCommitted(FUNCTIONS_UID, theirs),
    ])
    expect(won.filter(Boolean)).toHaveLength(1)
    const winner = (await database.read(`${dbPaths.booking(ID)}/driver`)) as string
    const loser = winner === 'driver' ? 'second' : 'driver'
    expect(await database.read(`users/${winner}/queue`)).toBe(true)
    expect(await database.read(`users/${loser}/queue`)).toBe(false)
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('when another booking takes a free driver first, the acceptance is refused', async () => {
    const now = await applyEvents(delivery, [createEvent(), payByCash, assign])
    const change = await computeChange(delivery, accept, now)
    await database.put(true, 'users/driver/queue')
    expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
    expect(await database.read(`${dbPaths.booking(ID)}/status`)).toBe('NEW')
  })

  test('when a driver’s vehicle key changes during acceptance, no vehicle stays on the map', async () => {
    const now = await applyEvents(delivery, [createEvent(), payByCash, assign])
    const change = await computeChange(delivery, accept, now)
    await database.put('renewed', 'users/driver/shift')
    await database.put({ renewed: AVAILABILITY }, 'nearby_cars')
    expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
    expect(await isCommitted(FUNCTIONS_UID, await computeChange(delivery, accept, now))).toBe(true)
    for (const place of ['nearby_cars', 'available_drivers', 'users/driver/shift'])
      expect(await database.read(place)).toBeNull()
  })

  test('when the rider cancels during acceptance, only one event succeeds', async () => {
    const now = await applyEvents(delivery, [createEvent(), payFromWallet, assign])
    const cancelled = await computeChange(delivery, createCancelEvent(rider), now)
    const accepted = await computeChange(delivery, accept, now)
    expect(await isCommitted(FUNCTIONS_UID, cancelled)).toBe(true)
    expect(await isCommitted(FUNCTIONS_UID, accepted)).toBe(false)
    expect(await database.read('users/rider/walletBalance')).toBe(40)
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('when a driver gets two ratings at once, the second recomputes the average', async () => {
    const now = await applyEvents(delivery, [
      createEvent(),
      payByCash,
      assign,
      accept,
      ...trip,
      collect,
    ])
    const change = await computeChange(delivery, rate, now)
    // Another rider rated the same driver a moment earlier.
    await database.put(
      { userrating: 1, count: 1, details: { other: { user: 'friend', rate: 1 } } },
      'users/driver/ratings',
    )
    expect(await isCommitted(FUNCTIONS_UID, change)).toBe(false)
    expect(await isCommitted(FUNCTIONS_UID, await computeChange(delivery, rate, now))).toBe(true)
    expect(await database.read('users/driver/ratings')).toMatchObject({ userrating: 2.5, count: 2 })
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('when a payment empties a wallet, the balance may be a rounding error too low', async () => {
    const now = await applyEvents(delivery, [createEvent()])
    await database.put(PRICE, 'users/rider/walletBalance')
    const pay = await computeChange(
      delivery,
      [rider, { event: 'pay', payment_mode: 'wallet' }],
      now,
    )
    await database.put(PRICE - 1e-9, 'users/rider/walletBalance')
    expect(await isCommitted(FUNCTIONS_UID, pay)).toBe(true)
    await applyEvents(delivery, [createEvent()])
    await database.put(PRICE - 0.01, 'users/rider/walletBalance')
    expect(await isCommitted(FUNCTIONS_UID, pay)).toBe(false)
  })

  test('when the wallet was emptied, a payment from it is refused completely', async () => {
    const now = await applyEvents(delivery, [createEvent()])
    const pay = await computeChange(delivery, payFromWallet, now)
    await database.put(5, 'users/rider/walletBalance')
    expect(await isCommitted(FUNCTIONS_UID, pay)).toBe(false)
    expect(await database.read(`${dbPaths.booking(ID)}/status`)).toBe('PAYMENT_PENDING')
    expect(await database.read('promos/spring/user_avail')).toBe(0)
  })

  test('when another rider took the last use of a promo, the payment is refused completely', async () => {
    const now = await applyEvents(delivery, [createEvent()])
    const pay = await computeChange(delivery, payWithPromo, now)
    await database.put(3, 'promos/spring/user_avail')
    expect(await isCommitted(FUNCTIONS_UID, pay)).toBe(false)
    expect(await database.read('promo_uses')).toBeNull()
  })
})
