import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SYSTEM_ACTOR, type Actor } from '~/domain/booking/eventTypes'
import { toJson } from '~/domain/data/databaseValue'
import {
  buildUnavailabilityUpdates,
  getExcludedDrivers,
  isAvailable,
  toAvailability,
} from '~/domain/dispatch/dispatch'
import { toDirectory } from '~/domain/accounts/directory'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createPushKey } from '~/domain/data/pushKeys'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import {
  aBookingRequest,
  aDriver,
  admin,
  aRider,
  aSettings,
  aVehicleType,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { withdrawRequests } from '~/functions/src/services/dispatch/driverDispatch'
import { createBookingService } from '~/functions/src/services/bookings/bookingService'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { noPush } from '~/functions/src/ports/push'
import { straightLineMaps } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { systemClock } from '~/functions/src/adapters/node/systemClock'
import { cryptoRandom } from '~/functions/src/adapters/node/cryptoRandom'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'

// Offers bookings to drivers with concurrent calls, through the functions' own code and the rules.

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const BOOKINGS = 100
const DRIVERS = 50
const RIDERS = Array.from({ length: BOOKINGS }, (_, n) => `rider${n}`)
const driverIds = (count: number) => Array.from({ length: count }, (_, n) => `driver${n}`)

const toCarKey = (driver: string) => `car-of-${driver}`

let made = 0
const nextKey = () => createPushKey(Date.now(), made++)

/** Starts a city with free drivers, each a little farther from the pickup of all bookings. */
const openCity = async (drivers: number, settings: Partial<Settings> = {}) => {
  const users = {
    ...Object.fromEntries(RIDERS.map((id) => [id, aRider({ id })])),
    ...Object.fromEntries(
      driverIds(drivers).map((id, n) => [
        id,
        aDriver({
          id,
          location: { lat: PICKUP.lat + n / 1000, lng: PICKUP.lng },
          shift: toCarKey(id),
        }),
      ]),
    ),
    admin: aRider({ id: 'admin', usertype: 'admin' }),
  }
  const available = Object.fromEntries(
    driverIds(drivers).map((id, n) => [
      id,
      toAvailability(
        { carType: 'van', location: { lat: PICKUP.lat + n / 1000, lng: PICKUP.lng } },
        Date.now(),
      ),
    ]),
  )
  await database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings: aSettings({
        autoDispatch: true,
        dispatchMode: 'nearest',
        negativeBalance: true,
        dispatchSeconds: 300,
        ...settings,
      }),
      cartypes: { van: aVehicleType() },
      users,
      people: toDirectory(users),
      roles: getRoles(users),
      available_drivers: available,
      nearby_cars: Object.fromEntries(
        Object.entries(available).map(([id, car]) => [toCarKey(id), car]),
      ),
    }),
  )
  const db = createFirebaseDatabase()
  const maps = () =>
    Promise.resolve({
      ...straightLineMaps,
      getDirections: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
    })
  const parts = { db, maps, push: noPush, clock: systemClock, random: cryptoRandom }
  const bookings = createBookingService(parts)
  const book = async (n: number) => {
    const id = nextKey()
    const input = aBookingRequest({ booking_id: id, customer: RIDERS[n], bookLater: false })
    await bookings.applyEvent(id, { event: 'create', input }, admin)
    return id
  }
  const driverDoes = (uid: string, event: 'accept' | 'decline', id: string) =>
    bookings.applyEvent(id, { event }, { uid, role: 'driver' } satisfies Actor)
  const goOffDuty = (id: string) =>
    db.update({
      [`users/${id}/driverActiveStatus`]: false,
      ...buildUnavailabilityUpdates({ id, shift: toCarKey(id) }),
    })
  return { db, bookings, book, driverDoes, goOffDuty }
}

interface City {
  bookings: Record<string, Booking>
  offers?: Record<string, Record<string, Offer>>
  users: Record<string, ReturnType<typeof aDriver>>
  available_drivers?: Record<string, object>
}
const readCity = async () => (await database.read('')) as City

/** Returns the open offers as pairs of booking and driver. */
const listOpen = ({ offers = {} }: City) =>
  Object.entries(offers).flatMap(([booking, own]) =>
    Object.values(own)
      .filter(({ answer }) => answer === undefined)
      .map(({ driver }) => ({ booking, driver })),
  )

/**
 * Expects that no driver has two open offers, and that no booking waits while a nearby driver is
 * free.
 */
const expectSoundOffers = async () => {
  const city = await readCity()
  const open = listOpen(city)
  const asked = open.map(({ driver }) => driver)
  expect(new Set(asked).size).toBe(asked.length)
  const requested = Object.values(city.bookings).flatMap(({ id, requestedDrivers = {} }) =>
    Object.keys(requestedDrivers).map((driver) => ({ booking: id, driver })),
  )
  const byBooking = (a: { booking: string }, b: { booking: string }) =>
    a.booking < b.booking ? -1 : 1
  expect(open.sort(byBooking)).toEqual(requested.sort(byBooking))
  const free = Object.keys(city.available_drivers ?? {}).filter((uid) => {
    const user = city.users[uid]
    return user !== undefined && isAvailable(user) && !asked.includes(uid)
  })
  const waiting = Object.values(city.bookings).filter(
    ({ status, requestedDrivers }) => status === 'NEW' && !requestedDrivers,
  )
  const missed = waiting.flatMap((booking) => {
    const excluded = getExcludedDrivers(booking)
    return free.filter((uid) => !excluded.has(uid)).map((uid) => `${booking.id}: ${uid}`)
  })
  expect(missed).toEqual([])
  expect(findViolations(city as DatabaseTree)).toEqual([])
  return { ...city, open }
}

describe('offers at the same moment', () => {
  test('give fifty drivers one of a hundred bookings each, and never more than one while they answer', async () => {
    const { book, driverDoes } = await openCity(DRIVERS)
    await Promise.all(RIDERS.map((_, n) => book(n)))
    const { open } = await expectSoundOffers()
    expect(open).toHaveLength(DRIVERS)
    // Half of the drivers accept and half decline, all at once.
    await Promise.all(
      open.map(({ booking, driver }, n) =>
        driverDoes(driver, n % 2 === 0 ? 'accept' : 'decline', booking),
      ),
    )
    const { open: next, bookings } = await expectSoundOffers()
    expect(Object.values(bookings).filter(({ status }) => status === 'ACCEPTED')).toHaveLength(
      DRIVERS / 2,
    )
    expect(next).toHaveLength(DRIVERS / 2)
  })

  test('give the only driver one of fifty bookings', async () => {
    const { book } = await openCity(1)
    await Promise.all(RIDERS.slice(0, 50).map((_, n) => book(n)))
    const { open, offers = {} } = await expectSoundOffers()
    expect(open).toHaveLength(1)
    expect(Object.keys(offers)).toEqual([open[0]?.booking])
  })

  test('ask two drivers about two bookings at one place, so that neither waits for the other', async () => {
    const { book, driverDoes } = await openCity(2)
    const [a, b] = await Promise.all([book(0), book(1)])
    const { open } = await expectSoundOffers()
    expect(open.map(({ booking }) => booking).sort()).toEqual([a, b].sort())
    const first = open.find(({ booking }) => booking === a)
    await driverDoes(first?.driver ?? '', 'accept', a)
    expect((await expectSoundOffers()).open).toEqual(open.filter(({ booking }) => booking === b))
  })

  test('ask one driver when fifty processes look for a booking’s next driver', async () => {
    const { bookings, book, goOffDuty } = await openCity(3)
    const id = await book(0)
    const [{ driver } = { driver: '' }] = (await expectSoundOffers()).open
    await goOffDuty(driver)
    const withdraw = () =>
      bookings.applyEvent(id, { event: 'withdraw', driver }, SYSTEM_ACTOR).catch(() => undefined)
    await Promise.all(Array.from({ length: 50 }, withdraw))
    const { offers = {} } = await expectSoundOffers()
    expect(Object.values(offers[id] ?? {})).toMatchObject([
      { driver: 'driver0', answer: 'withdrawn' },
      { driver: 'driver1' },
    ])
  })
})

describe('the record of offers', () => {
  test('shows after the accept who was asked, when, and what they answered', async () => {
    const { book, driverDoes, bookings, db, goOffDuty } = await openCity(4)
    const id = await book(0)
    await driverDoes('driver0', 'decline', id)
    await bookings.applyEvent(id, { event: 'withdraw', driver: 'driver1' }, admin)
    await goOffDuty('driver2')
    await withdrawRequests({ db, bookings }, 'driver2')
    await driverDoes('driver3', 'accept', id)
    const { offers = {}, bookings: kept } = await expectSoundOffers()
    expect(Object.values(offers[id] ?? {})).toMatchObject([
      { driver: 'driver0', by: 'system', eta_s: 0, rank: 1, answer: 'declined' },
      { driver: 'driver1', by: 'system', eta_s: 11, answer: 'withdrawn' },
      { driver: 'driver2', by: 'system', eta_s: 22, answer: 'withdrawn' },
      { driver: 'driver3', by: 'system', eta_s: 33, answer: 'accepted' },
    ])
    for (const { at, expires, answeredAt = 0 } of Object.values(offers[id] ?? {})) {
      expect(expires - at).toBe(300_000)
      expect(answeredAt).toBeGreaterThanOrEqual(at)
    }
    expect(kept[id]).toMatchObject({ status: 'ACCEPTED', driver: 'driver3' })
  })

  test('keeps the offers of a broadcast, in which a driver may have several', async () => {
    const { book, driverDoes } = await openCity(3, { dispatchMode: 'broadcast' })
    const [a, b] = [await book(0), await book(1)]
    expect(listOpen(await readCity())).toHaveLength(6)
    await driverDoes('driver1', 'accept', a)
    const city = await readCity()
    const answers = (id: string) =>
      Object.values(city.offers?.[id] ?? {}).map(({ driver, answer }) => [driver, answer])
    expect(answers(a)).toEqual([
      ['driver0', 'withdrawn'],
      ['driver1', 'accepted'],
      ['driver2', 'withdrawn'],
    ])
    expect(answers(b)).toEqual([
      ['driver0', undefined],
      ['driver1', 'withdrawn'],
      ['driver2', undefined],
    ])
    expect(findViolations(city as object as DatabaseTree)).toEqual([])
  })

  test('closes the offers of a canceled booking', async () => {
    const { book, bookings } = await openCity(1)
    const id = await book(0)
    await bookings.applyEvent(id, { event: 'cancel', reason: 'Changed plans' }, admin)
    const { offers = {} } = await expectSoundOffers()
    expect(Object.values(offers[id] ?? {})).toMatchObject([{ answer: 'withdrawn' }])
  })

  test('lets the office assign a driver who did not answer another booking in time', async () => {
    const { book, bookings } = await openCity(1, { autoDispatch: false, dispatchSeconds: 1 })
    const [a, b] = [await book(0), await book(1)]
    const assign = (id: string) =>
      bookings.applyEvent(id, { event: 'assign', driver: 'driver0' }, admin)
    await assign(a)
    await expect(assign(b)).rejects.toMatchObject({ message: 'driver_asked' })
    await vi.waitFor(() => assign(b), 60_000)
    const { offers = {} } = await readCity()
    expect(Object.values(offers[a] ?? {})).toMatchObject([{ by: 'admin', answer: 'expired' }])
    expect(listOpen(await readCity())).toEqual([{ booking: b, driver: 'driver0' }])
  })
})

describe('next bookings of drivers on a trip', () => {
  const BUSY = 25
  const NEAR_END = { followOnMinutes: 60, otp_secure: false }

  /** Brings every driver to the drop-off of a booking, and offers them another one. */
  const offerNextBookings = async () => {
    const city = await openCity(BUSY, NEAR_END)
    const { bookings, book, driverDoes } = city
    await Promise.all(driverIds(BUSY).map((_, n) => book(n)))
    const trips = (await expectSoundOffers()).open
    const drive = async ({ booking, driver }: { booking: string; driver: string }) => {
      const actor: Actor = { uid: driver, role: 'driver' }
      const { lat, lng } = PICKUP
      await driverDoes(driver, 'accept', booking)
      await bookings.applyEvent(booking, { event: 'arrive', lat, lng }, actor)
      await bookings.applyEvent(booking, { event: 'start' }, actor)
      await bookings.applyEvent(booking, { event: 'reach', lat, lng }, actor)
    }
    await Promise.all(trips.map(drive))
    await Promise.all(driverIds(BUSY).map((_, n) => book(BUSY + n)))
    const { open } = await expectSoundOffers()
    expect(open).toHaveLength(BUSY)
    const tripsByDriver = new Map(trips.map(({ booking, driver }) => [driver, booking]))
    return { ...city, open, tripsByDriver }
  }
  const isDone = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const byStatus = ({ bookings }: City, ids: readonly string[]) =>
    ids.map((id) => bookings[id]?.status)

  test('stay sound when fifty processes finish the trips and cancel the next bookings', async () => {
    const { bookings, driverDoes, open, tripsByDriver } = await offerNextBookings()
    await Promise.all(open.map(({ booking, driver }) => driverDoes(driver, 'accept', booking)))
    const accepted = await expectSoundOffers()
    for (const { booking, driver } of open)
      expect(accepted.bookings[booking]).toMatchObject({
        status: 'ACCEPTED',
        driver,
        follows: tripsByDriver.get(driver),
      })
    await Promise.all(
      open.flatMap(({ booking, driver }) => [
        bookings.applyEvent(
          tripsByDriver.get(driver) ?? '',
          { event: 'finish' },
          { uid: driver, role: 'driver' },
        ),
        bookings.applyEvent(booking, { event: 'cancel', reason: 'Changed plans' }, admin),
      ]),
    )
    const city = await expectSoundOffers()
    const ids = open.map(({ booking }) => booking)
    expect(new Set(byStatus(city, ids))).toEqual(new Set(['CANCELLED']))
    expect(driverIds(BUSY).filter((uid) => city.users[uid]?.queue === true)).toEqual([])
  })

  test('become the current ones, or end, when fifty processes accept, finish and cancel', async () => {
    const { bookings, driverDoes, open, tripsByDriver } = await offerNextBookings()
    const refusals: string[] = []
    const results = await Promise.all(
      open.map(async ({ booking, driver }, n) => {
        const finish = bookings.applyEvent(
          tripsByDriver.get(driver) ?? '',
          { event: 'finish' },
          { uid: driver, role: 'driver' },
        )
        const isOnlyAccepted = n % 2 === 1
        const accept = driverDoes(driver, 'accept', booking).then(
          () => true,
          (error: Error) => {
            if (isOnlyAccepted) refusals.push(error.message)
            return false
          },
        )
        const cancel = !isOnlyAccepted
          ? isDone(
              bookings.applyEvent(booking, { event: 'cancel', reason: 'Changed plans' }, admin),
            )
          : false
        await finish
        return { booking, driver, isAccepted: await accept, isCanceled: await cancel }
      }),
    )
    const city = await expectSoundOffers()
    for (const { booking, driver, isAccepted, isCanceled } of results) {
      const kept = city.bookings[booking]
      expect([booking, kept?.status, kept?.follows]).toEqual([
        booking,
        isCanceled ? 'CANCELLED' : isAccepted ? 'ACCEPTED' : 'NEW',
        undefined,
      ])
      expect(city.users[driver]?.queue).toBe(kept?.status === 'ACCEPTED')
    }
    expect(refusals).toEqual([])
  })
})
