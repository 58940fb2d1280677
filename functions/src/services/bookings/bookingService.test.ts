import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { referenceAt } from '~/domain/booking/search/reference'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { createPushKey } from '~/domain/data/pushKeys'
import {
  aBooking,
  admin,
  aBookingRequest,
  aRider,
  aDriver,
  aSettings,
  aVehicleType,
  driver,
  PICKUP,
  rider,
  someBookingContacts,
} from '~/domain/testing/builders'
import type { DomainException } from '../../domainException'
import { STOPS, toStopInput } from '~/domain/testing/stopInputs'
import { MapsError, type MapsPort } from '../../ports/mapsPort'
import {
  aProject,
  createProjectPorts,
  getErrorKey,
  createTestPorts,
  straightLineMaps,
  TEST_NOW,
  nameDevices,
} from '../../testing/testPorts'
import { createBookingService } from './bookingService'
import type { DatabasePort } from '../../ports/database'
import { WriteConflictError } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'
import type { Booking } from '~/domain/booking/types'

const id = aBookingRequest().booking_id
const create = { event: 'create', input: aBookingRequest() } as const
const { customer_contact, customer_email } = someBookingContacts()
const requested = {
  bookings: { [id]: aBooking({ requestedDrivers: { driver: true } }) },
  booking_contacts: { [id]: { customer_contact, customer_email } },
}
const booking = (db: { at(path: string): unknown }) => db.at(`bookings/${id}`) as Booking

describe('a booking event', () => {
  it('writes once, with the inbox entries, and sends the push messages afterward', async () => {
    const { bookings, db, pushed } = createProjectPorts({
      ...requested,
      ...nameDevices({ rider: { token: 'phone' } }),
    })
    const answer = await bookings.applyEvent(id, { event: 'accept' }, driver)
    expect(answer).toMatchObject({ booking_id: id, status: 'ACCEPTED', revision: 2 })
    expect(db.getCommitCount()).toBe(1)
    expect(Object.values(db.at('inbox/rider') as object)).toMatchObject([
      { title: 'push_accepted_title', booking_id: id },
    ])
    expect(pushed).toEqual([{ token: 'phone', title: 'push_accepted_title' }])
  })

  it('has no link in a push and the inbox, whatever an older record says', async () => {
    const named = aBooking({
      status: 'ACCEPTED',
      driver: 'driver',
      driver_name: 'pay.evil.example',
    })
    const { bookings, db, pushed } = createProjectPorts({
      bookings: { [id]: named },
      ...nameDevices({ rider: { token: 'phone' } }),
    })
    await bookings.applyEvent(id, { event: 'arrive', lat: PICKUP.lat, lng: PICKUP.lng }, driver)
    expect(Object.values(db.at('inbox/rider') as object)).toMatchObject([
      { params: { driver: 'pay. evil. example' } },
    ])
    expect(pushed).toHaveLength(1)
  })

  it('keeps the comment of a rating', async () => {
    const paid = aBooking({ status: 'PAID', driver: 'driver' })
    const { bookings, db } = createProjectPorts({ bookings: { [id]: paid } })
    await bookings.applyEvent(id, { event: 'rate', rating: 5, comment: 'Carried my bag' }, rider)
    expect(booking(db)).toMatchObject({ rating: 5, words: { rate: 'Carried my bag' } })
  })

  it('writes nothing when it is refused', async () => {
    const { bookings, db } = createProjectPorts(requested)
    const call = bookings.applyEvent(id, { event: 'rate', rating: 5 }, rider)
    expect(await getErrorKey(call)).toBe('event_not_possible')
    expect(db.getCommitCount()).toBe(0)
  })

  it('refuses and counts a wrong code', async () => {
    const { bookings, db } = createProjectPorts({
      bookings: { [id]: aBooking({ status: 'ARRIVED', otp: true }) },
      booking_otps: { [id]: 12_345 },
    })
    const call = bookings.applyEvent(id, { event: 'start', otp: 99_999 }, driver)
    expect(await getErrorKey(call)).toBe('code_wrong')
    expect(db.at(`otp_attempts/${id}/tries`)).toBe(1)
    expect(booking(db).status).toBe('ARRIVED')
  })

  it('looks up the route of an amended drop-off and offers the booking again', async () => {
    const drop = { lat: -34.88, lng: -56.1, add: 'Malvín' }
    const { bookings, db } = createProjectPorts({
      ...requested,
      settings: aSettings({ autoDispatch: true }),
      cartypes: {
        van: aVehicleType(),
        bike: aVehicleType({ id: 'bike', name: 'Bike', base_fare: 15 }),
      },
    })
    const seen = db.at('available_drivers/driver') as object
    db.put({ 'available_drivers/biker': { ...seen, carType: 'bike' } })
    db.put({ 'users/biker': toJson(aDriver({ id: 'biker', carType: 'bike' })) })
    const wanted = { event: 'amend', drop, carType: 'bike' } as const
    const refused = await bookings.applyEvent(id, wanted, rider).catch((error: unknown) => error)
    const { key, params } = (refused as DomainException).error
    expect(key).toBe('estimate_changed')
    const price = Number(params?.estimate)
    await bookings.applyEvent(id, { ...wanted, estimateFare: price }, rider)
    expect(booking(db)).toMatchObject({ drop, carTypeId: 'bike', trip_cost: price })
    expect(booking(db).requestedDrivers).toEqual({ biker: true })
    expect(db.at('driver_tasks')).toEqual({ biker: { [id]: true } })
  })

  it('returns the same response for a repeat and writes nothing', async () => {
    const { bookings, db } = createProjectPorts()
    const first = await bookings.applyEvent(id, create, rider)
    expect(first).toMatchObject({ revision: 1, estimate: create.input.estimateFare })
    expect(await bookings.applyEvent(id, create, rider)).toEqual(first)
    expect(db.getCommitCount()).toBe(1)
  })
})

describe('a taxi that has reached its destination', () => {
  const taxi = aSettings({ appcat: 'taxi' })
  const startTime = TEST_NOW - 15 * 60_000
  /** One position a minute, due east of the pickup, with a gap in the middle. */
  const tracking = Object.fromEntries(
    [0, 1, 2, 11, 12, 13].map((minute) => [
      `p${minute + 10}`,
      {
        at: startTime + minute * 60_000,
        status: 'STARTED',
        lat: PICKUP.lat,
        lng: PICKUP.lng + minute * 0.004,
      },
    ]),
  )
  const end = { event: 'reach', lat: PICKUP.lat, lng: PICKUP.lng + 0.052 } as const
  const project = {
    settings: taxi,
    bookings: { [id]: aBooking({ status: 'STARTED', startTime }) },
    tracking: { [id]: tracking },
  }
  const queriedGaps: number[] = []
  const maps = () =>
    Promise.resolve({
      ...straightLineMaps,
      getDirections: (...[start, dest, via = []]: Parameters<MapsPort['getDirections']>) => {
        queriedGaps.push(via.length)
        const routes = straightLineMaps.getDirections(start, dest, via)
        return routes.then((route) => route && { ...route, approximate: false })
      },
    })

  it('requests the gaps of its track from the maps service once', async () => {
    const { bookings, db } = createProjectPorts(project, { maps })
    await bookings.applyEvent(id, end, driver)
    expect(queriedGaps).toEqual([0])
    expect(booking(db)).toMatchObject({
      status: 'REACHED',
      distance_review: { verdict: 'ok', reasons: ['gaps'] },
    })
    expect(booking(db).distance).toBeCloseTo(4.7, 1)
  })

  it('completes even when the maps service is down', async () => {
    const down = () => Promise.reject(new MapsError('unavailable'))
    const { bookings, db } = createProjectPorts(project, { maps: down })
    await bookings.applyEvent(id, end, driver)
    expect(booking(db).status).toBe('REACHED')
    expect(booking(db).distance).toBeCloseTo(4.7, 1)
  })

  it('waits for the back office when its track is impossible', async () => {
    const { bookings, db } = createProjectPorts(project, { maps })
    await bookings.applyEvent(id, { ...end, lat: 10, lng: 10 }, driver)
    expect(booking(db).distance_review?.verdict).toBe('flagged')
    expect(db.at(`fare_reviews/${id}`)).toMatchObject({ driver: 'driver' })
    await bookings.applyEvent(id, { event: 'review', decision: 'keep' }, admin)
    expect(db.at(`fare_reviews/${id}`)).toBeNull()
    expect(Object.values(db.at('audit') as object)).toMatchObject([{ action: 'fare_review' }])
  })

  it('gets one review decision, even when fifty admins decide simultaneously', async () => {
    const { bookings, db } = createProjectPorts(
      {
        ...project,
        bookings: {
          [id]: aBooking({
            status: 'PAID',
            driven_distance: 12,
            distance_review: { verdict: 'flagged', dropped_points: 0, charged_time: 600 },
          }),
        },
      },
      { maps },
    )
    const office = (n: number) => ({ uid: `admin${n}`, role: 'admin' }) as const
    const decided = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        bookings.applyEvent(id, { event: 'review', decision: 'driven' }, office(n)),
      ),
    )
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { credited = 0 } = booking(db).distance_review ?? {}
    expect(credited).toBeGreaterThan(0)
    expect(db.at('users/driver/walletBalance')).toBeCloseTo(credited, 9)
  })
})

const createAmendable = () =>
  createProjectPorts({
    bookings: { [id]: aBooking() },
    booking_contacts: { [id]: someBookingContacts() },
  })

describe('races between requests', () => {
  it('accept five of a rider’s fifty simultaneous bookings, count them, and refuse the others', async () => {
    const { bookings, db } = createProjectPorts()
    const ids = Array.from(
      { length: 50 },
      (_, i) => `-OAbcdefghijklmno${String(i).padStart(3, '0')}`,
    )
    const made = await Promise.allSettled(
      ids.map((booking_id) =>
        bookings.applyEvent(
          booking_id,
          { event: 'create', input: aBookingRequest({ booking_id }) },
          rider,
        ),
      ),
    )
    const refused = made.filter(({ status }) => status === 'rejected')
    expect(Object.keys(db.at('bookings') as object)).toHaveLength(5)
    expect(db.at('open_bookings/rider')).toEqual({ open: 5, revision: 5 })
    expect(refused).toHaveLength(45)
    for (const one of refused)
      expect(one).toMatchObject({ reason: { error: { key: 'too_many_bookings' } } })
  })

  it('keep the number of open bookings correct while bookings start and end', async () => {
    const { bookings, db } = createProjectPorts()
    const ids = Array.from({ length: 5 }, (_, i) => `-OAbcdefghijklmnopq${i}`)
    const open = (booking_id: string) =>
      bookings.applyEvent(
        booking_id,
        { event: 'create', input: aBookingRequest({ booking_id }) },
        rider,
      )
    for (const one of ids) await open(one)
    const ended = ids.map((one) =>
      bookings.applyEvent(one, { event: 'cancel', reason: 'Changed my mind' }, rider),
    )
    const begun = Array.from({ length: 20 }, (_, i) => open(`-OAbcdefghijklmnop${i + 10}`))
    await Promise.allSettled([...ended, ...begun])
    const all = Object.values(db.at('bookings') as Record<string, Booking>)
    const open5 = all.filter(({ status }) => status !== 'CANCELLED')
    expect(open5.length).toBeLessThanOrEqual(5)
    expect(db.at('open_bookings/rider/open')).toBe(open5.length)
  })

  it('give each of fifty bookings with colliding references a unique one', async () => {
    // Of this many ids, more than fifty share their first candidate with another one.
    const seen = new Map<string, string>()
    const ids = Array.from({ length: 130_000 }, (_, n) => createPushKey(TEST_NOW, n))
      .flatMap((one) => {
        const other = seen.get(referenceAt(one, 0))
        seen.set(referenceAt(one, 0), one)
        return other === undefined ? [] : [other, one]
      })
      .slice(0, 50)
    expect(new Set(ids).size).toBe(50)
    const riders = ids.map((_, n) => aRider({ id: `rider${n}` }))
    const { bookings, db } = createProjectPorts({
      users: {
        ...(createProjectPorts().db.at('users') as object),
        ...Object.fromEntries(riders.map((one) => [one.id, one])),
      },
    })
    await Promise.all(
      ids.map((booking_id, n) =>
        bookings.applyEvent(
          booking_id,
          { event: 'create', input: aBookingRequest({ booking_id }) },
          { uid: `rider${n}`, role: 'rider' },
        ),
      ),
    )
    const made = Object.values(db.at('bookings') as Record<string, Booking>)
    expect(new Set(made.map(({ reference }) => reference)).size).toBe(50)
    expect(db.at('booking_refs')).toEqual(
      Object.fromEntries(made.map((one) => [one.reference, one.id])),
    )
  })

  it('accept one of fifty different amendments of the same revision, and return the new state in the refusals', async () => {
    const { bookings, db } = createAmendable()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        bookings.applyEvent(
          id,
          { event: 'amend', pickUpInstructions: `Ring ${n} times`, revision: 1 },
          n % 2 === 0 ? rider : admin,
        ),
      ),
    )
    const refused = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(refused).toHaveLength(49)
    for (const reason of refused)
      expect((reason as DomainException).error).toMatchObject({
        key: 'changed_meanwhile',
        params: { revision: 2, status: 'NEW', estimate: 43.13 },
      })
    expect(db.getCommitCount()).toBe(1)
    expect(booking(db).revision).toBe(2)
  })

  it('apply an amendment once when fifty copies of it arrive', async () => {
    const { bookings, db } = createAmendable()
    await Promise.all(
      Array.from({ length: 50 }, () =>
        bookings.applyEvent(id, { event: 'amend', pickUpInstructions: 'Ring twice' }, rider),
      ),
    )
    expect(db.getCommitCount()).toBe(1)
    expect(booking(db).revision).toBe(2)
    expect(db.at(`booking_contacts/${id}/pickUpInstructions`)).toBe('Ring twice')
  })

  it('refuse an amendment when another one is written between its read and its write', async () => {
    const { bookings, db } = createAmendable()
    const both = await Promise.allSettled([
      bookings.applyEvent(id, { event: 'amend', pickUpInstructions: 'Ring twice' }, rider),
      bookings.applyEvent(id, { event: 'amend', pickUpInstructions: 'Do not ring' }, admin),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(booking(db).revision).toBe(2)
  })

  const started = aBooking({ status: 'STARTED', waypoints: STOPS })

  it.each(['arrive_stop', 'skip_stop'] as const)(
    'pass a stop once when fifty copies of its event arrive: %s',
    async (event) => {
      const { bookings, db } = createProjectPorts({ bookings: { [id]: started } })
      const input = toStopInput(started, event)
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => bookings.applyEvent(id, input, driver)),
      )
      expect(new Set(responses.map(({ revision }) => revision))).toEqual(new Set([2]))
      expect(db.getCommitCount()).toBe(1)
      expect(booking(db)).toMatchObject({ status: 'STARTED', revision: 2 })
      expect(Object.values(booking(db).event_log)).toContainEqual(
        expect.objectContaining({ event, ref: '0' }),
      )
    },
  )

  it('either remove a stop or record that the driver reached it, and never both', async () => {
    const { bookings, db } = createProjectPorts({ bookings: { [id]: started } })
    const price = { waypoints: STOPS.slice(1), estimateFare: started.trip_cost }
    const both = await Promise.allSettled([
      ...Array.from({ length: 25 }, () =>
        bookings.applyEvent(id, toStopInput(started, 'arrive_stop'), driver),
      ),
      ...Array.from({ length: 25 }, () =>
        bookings.applyEvent(id, { event: 'amend', ...price }, rider),
      ),
    ])
    const keys = both.flatMap((result): string[] =>
      result.status === 'rejected' ? [(result.reason as DomainException).error.key] : [],
    )
    for (const key of keys)
      expect(['stop_passed', 'stop_not_next', 'estimate_changed', 'changed_meanwhile']).toContain(
        key,
      )
    const isRemoved = booking(db).waypoints?.length === 1
    expect(getStops(booking(db))[0]?.state).toBe(isRemoved ? 'next' : 'reached')
  })

  it('keep the reference that the booking’s id gives when it is repeated fifty times', async () => {
    const { bookings, db } = createProjectPorts()
    await Promise.all(Array.from({ length: 50 }, () => bookings.applyEvent(id, create, rider)))
    expect(db.at('booking_refs')).toEqual({ [referenceAt(id, 0)]: id })
    expect(booking(db).reference).toBe(referenceAt(id, 0))
  })

  it('create one booking from two simultaneous requests with one id', async () => {
    const { bookings, db } = createProjectPorts()
    const both = await Promise.all([
      bookings.applyEvent(id, create, rider),
      bookings.applyEvent(id, create, rider),
    ])
    expect(both[0]).toEqual(both[1])
    expect(db.at('stats/total/created')).toBe(1)
  })

  it('let the losing request read the winner’s change and decide again', async () => {
    const db = createTestDatabase(aProject(requested))
    const { maps, push, random } = createTestPorts()
    const clock = { now: () => 1, wait: () => Promise.resolve() }
    const ports = { maps, push, random, clock }
    let accepting: Promise<unknown> | undefined
    // The cancellation has read the booking before the acceptance is written.
    const slow: DatabasePort = {
      ...db,
      update: async (updates) => {
        accepting ??= createBookingService({ db, ...ports }).applyEvent(
          id,
          { event: 'accept' },
          driver,
        )
        await accepting
        return db.update(updates)
      },
    }
    const cancel = { event: 'cancel', reason: 'Changed my mind' } as const
    await createBookingService({ db: slow, ...ports }).applyEvent(id, cancel, admin)
    expect(booking(db)).toMatchObject({ status: 'CANCELLED', revision: 3 })
  })

  it('do not refuse a repeat that read the booking before the change and the driver after it', async () => {
    const db = createTestDatabase(aProject(requested))
    const { maps, push, random } = createTestPorts()
    const clock = { now: () => 1, wait: () => Promise.resolve() }
    const before = db.at(`bookings/${id}`) as Booking
    const first = await createBookingService({ db, maps, push, random, clock }).applyEvent(
      id,
      { event: 'accept' },
      driver,
    )
    let torn = true
    const tearing: DatabasePort = {
      ...db,
      read: <T>(path: string) => {
        if (!torn || path !== `bookings/${id}`) return db.read<T>(path)
        torn = false
        return Promise.resolve(before as T)
      },
    }
    const bookings = createBookingService({ db: tearing, maps, push, random, clock })
    expect(await bookings.applyEvent(id, { event: 'accept' }, driver)).toEqual(first)
    expect(db.getCommitCount()).toBe(1)
  })

  it('stop retrying when the rules refuse the same write repeatedly', async () => {
    const closed: DatabasePort = {
      ...createTestDatabase(aProject(requested)),
      update: () => Promise.reject(new WriteConflictError()),
    }
    const { bookings } = createTestPorts({ db: closed })
    const call = bookings.applyEvent(id, { event: 'accept' }, driver)
    expect(await getErrorKey(call)).toBe('changed_meanwhile')
  })

  it('pause between attempts until the write succeeds', async () => {
    const db = createTestDatabase(aProject(requested))
    let refusals = 3
    const contended: DatabasePort = {
      ...db,
      update: (updates) =>
        refusals-- > 0 ? Promise.reject(new WriteConflictError()) : db.update(updates),
    }
    const rests: number[] = []
    const { maps, push, random } = createTestPorts()
    const clock = { now: () => 1, wait: (ms: number) => Promise.resolve(void rests.push(ms)) }
    const bookings = createBookingService({ db: contended, maps, push, random, clock })
    expect((await bookings.applyEvent(id, { event: 'accept' }, driver)).status).toBe('ACCEPTED')
    expect(rests).toHaveLength(3)
  })

  it('do not retry a failure other than a conflict', async () => {
    const db = createTestDatabase(aProject(requested))
    let calls = 0
    const broken: DatabasePort = {
      ...db,
      update: () => {
        calls += 1
        return Promise.reject(new Error('The line is down.'))
      },
    }
    const { bookings } = createTestPorts({ db: broken })
    await expect(bookings.applyEvent(id, { event: 'accept' }, driver)).rejects.toThrow('down')
    expect(calls).toBe(1)
  })
})
