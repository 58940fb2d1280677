import { describe, expect, it } from 'vitest'
import { encodeGeohash } from '~/domain/geo/geohash'
import {
  aBooking,
  aDriver,
  aBookingRequest,
  aRider,
  aSettings,
  someBookingContacts,
  MINUTE,
  PICKUP,
  rider,
} from '~/domain/testing/builders'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { getDueTime } from '~/domain/booking/deadlines'
import { SYSTEM_ACTOR } from '~/domain/booking/eventTypes'
import { MAX_OPEN_REQUESTS } from '~/domain/dispatch/dispatch'
import { withdrawRequests } from '../dispatch/driverDispatch'
import { createBookingService } from '../bookings/bookingService'
import type { DatabasePort } from '../../ports/database'
import { pruneRateLimits, runDueBookings, runMaintenance } from './maintenance'
import { aProject, createProjectPorts, TEST_NOW } from '../../testing/testPorts'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'

/** Returns the booking with the due time that its creation would have given it. */
const withDueTime = (booking: Booking): Booking => {
  const due_at = getDueTime(booking, aSettings(), booking.bookingDate, 'event')
  return { ...booking, ...(due_at !== null && { due_at }) }
}

const swept = (booking: Partial<Booking>, settings = {}) => {
  const made = withDueTime(
    aBooking({ bookingDate: TEST_NOW - MINUTE, tripdate: TEST_NOW, ...booking }),
  )
  const given = createProjectPorts({ bookings: { [made.id]: made }, settings: aSettings(settings) })
  return { given, id: made.id, run: (now = TEST_NOW) => runMaintenance(given, now) }
}

/**
 * Returns a database that reads nothing below a path, like a read that happened a moment too early.
 */
const unseen =
  ({ read }: DatabasePort, below: string): DatabasePort['read'] =>
  (path) =>
    path.startsWith(below) ? Promise.resolve(null) : read(path)

describe('scheduled maintenance', () => {
  it('expires a booking that stays unpaid for half an hour, once', async () => {
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const { given, id, run } = swept(old)
    expect(await run()).toMatchObject({ expired: [id] })
    expect(given.db.at(`bookings/${id}/status`)).toBe('CANCELLED')
    expect(await run()).toMatchObject({ expired: [] })
  })
  it('keeps a younger unpaid booking', async () => {
    const { run } = swept({ status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 29 * MINUTE })
    expect(await run()).toMatchObject({ expired: [], dispatched: [], reminded: [], stuck: [] })
  })
  it('offers the booking to nearby drivers when dispatch is automatic', async () => {
    const { given, id, run } = swept({ status: 'NEW' }, { autoDispatch: true })
    expect(await run()).toMatchObject({ dispatched: [id] })
    expect(given.db.at(`driver_tasks/driver/${id}`)).toBe(true)
    expect(await run()).toMatchObject({ dispatched: [] })
  })
  it('makes no offers when the back office assigns drivers', async () => {
    expect(await swept({ status: 'NEW' }).run()).toMatchObject({ dispatched: [] })
  })
  it('reminds both sides of an upcoming scheduled booking, once', async () => {
    const later = { status: 'ACCEPTED', driver: 'driver', bookLater: true } as const
    const { given, id, run } = swept({ ...later, tripdate: TEST_NOW + 20 * MINUTE })
    expect(await run()).toMatchObject({ reminded: [id] })
    expect(await run()).toMatchObject({ reminded: [] })
    expect(Object.keys(given.db.at('inbox/rider') as object)).toEqual([`${id}-reminder`])
    expect(Object.keys(given.db.at('inbox/driver') as object)).toEqual([`${id}-reminder`])
  })
  it('sends one reminder when two runs overlap, and both complete', async () => {
    const later = { status: 'ACCEPTED', driver: 'driver', bookLater: true } as const
    const { given, id } = swept({ ...later, tripdate: TEST_NOW + 20 * MINUTE })
    // Both runs read before either one writes.
    const late = { ...given, db: { ...given.db, read: unseen(given.db, `inbox/rider/${id}`) } }
    expect(await runMaintenance(given, TEST_NOW)).toMatchObject({ reminded: [id] })
    expect(await runMaintenance(late, TEST_NOW)).toMatchObject({ reminded: [] })
    expect(given.db.at(`inbox/rider/${id}-reminder`)).toMatchObject({ at: TEST_NOW })
  })
  it('sends the office one message by each channel about a booking that waits too long', async () => {
    const { given, id, run } = swept({
      status: 'ACCEPTED',
      driver: 'driver',
      accepted_at: TEST_NOW - 90 * MINUTE,
      bookingDate: TEST_NOW - 100 * MINUTE,
      event_log: {},
    })
    await run()
    await run(TEST_NOW + MINUTE)
    const messages = Object.values(given.db.at('internal/outbox') ?? {}) as unknown[]
    const about = { event: 'booking_waits', booking_id: id }
    expect(messages).toMatchObject([
      { ...about, audience: 'office', channel: 'email' },
      { ...about, audience: 'office', channel: 'sms' },
    ])
    expect(Object.values(given.db.at('internal/admin') as object)).toMatchObject([about])
  })
  it('records a stuck booking and removes it when it progresses', async () => {
    const long = TEST_NOW - 24 * 60 * MINUTE
    const { given, id, run } = swept({ status: 'REACHED', bookingDate: long })
    expect(await run()).toMatchObject({ stuck: [id] })
    const written = given.db.at(`stuck_bookings/${id}`)
    expect(written).toEqual({ status: 'REACHED', since: long, found_at: TEST_NOW })
    expect(await run(TEST_NOW + MINUTE)).toMatchObject({ stuck: [] })
    expect(given.db.at(`stuck_bookings/${id}`)).toEqual(written)
    expect(given.db.at(`bookings/${id}/due_at`)).toBeNull()
    await given.bookings.applyEvent(id, { event: 'finish' }, { uid: 'driver', role: 'driver' })
    expect(given.db.at('stuck_bookings')).toBeNull()
    expect(await run(TEST_NOW + MINUTE)).toMatchObject({ stuck: [] })
  })
  it('continues when one booking fails', async () => {
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const [a, b] = ['-Oaaaaaaaaaaaaaaaaaa', '-Obbbbbbbbbbbbbbbbbb']
    const bookings = Object.fromEntries(
      [a, b].map((id) => [id, withDueTime(aBooking({ ...old, id }))]),
    )
    const given = createProjectPorts({ bookings })
    const change: typeof given.bookings.applyEvent = (id, ...rest) =>
      id === a ? Promise.reject(new Error('broken')) : given.bookings.applyEvent(id, ...rest)
    const done = await runMaintenance({ ...given, bookings: { applyEvent: change } }, TEST_NOW)
    expect(done?.expired).toEqual([b])
  })
  it('reads every page of what is due', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `-O${String(i).padStart(18, '0')}`)
    const old = { status: 'REACHED', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const bookings = Object.fromEntries(
      many.map((id) => [id, withDueTime(aBooking({ ...old, id }))]),
    )
    const done = await runMaintenance(createProjectPorts({ bookings }), TEST_NOW)
    expect(done?.stuck.sort()).toEqual(many)
    expect(done).toMatchObject({ isDone: true, lateMs: MINUTE - 1 })
  })
  it('continues where the last run ran out of time, and does nothing twice', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `-O${String(i).padStart(18, '0')}`)
    const old = { status: 'REACHED', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const bookings = Object.fromEntries(
      many.map((id) => [id, withDueTime(aBooking({ ...old, id }))]),
    )
    const given = createProjectPorts({ bookings })
    let turns = 0
    const first = await runDueBookings(given, TEST_NOW, () => turns++ < 5)
    expect(first).toMatchObject({ isDone: false, stuck: many.slice(0, 40) })
    const second = await runDueBookings(given, TEST_NOW + MINUTE)
    expect(second).toMatchObject({ isDone: true, stuck: many.slice(40) })
  })
  it('keeps fifty runs at once from overlapping', async () => {
    const { given, id, run } = swept({ status: 'REACHED', bookingDate: TEST_NOW - 31 * MINUTE })
    const all = await Promise.all(Array.from({ length: 50 }, () => run()))
    expect(all.filter((one) => one !== null)).toMatchObject([{ stuck: [id] }])
    expect(given.db.at(`bookings/${id}/revision`)).toBe(2)
    // The lease ends with the run.
    expect(await run()).toMatchObject({ stuck: [] })
  })
  it('takes over from a run that was killed, after its lease', async () => {
    const { given, id, run } = swept({ status: 'REACHED', bookingDate: TEST_NOW - 31 * MINUTE })
    given.db.put({
      'internal/jobs/due_bookings': { until: TEST_NOW + 45_000, revision: 7 },
    })
    expect(await run(TEST_NOW + 44_000)).toBeNull()
    expect(await run(TEST_NOW + 45_000)).toMatchObject({ stuck: [id] })
  })
  it('leaves the due time of an event that happens during the run', async () => {
    const { given, id } = swept({ status: 'REACHED', bookingDate: TEST_NOW - 31 * MINUTE })
    const { read } = given.db
    // The trip finishes after the run has read the booking and before it writes.
    given.db.read = async (path) => {
      if (path === `stuck_bookings/${id}`) {
        given.db.read = read
        await given.bookings.applyEvent(id, { event: 'finish' }, { uid: 'driver', role: 'driver' })
      }
      return read(path)
    }
    expect(await runDueBookings(given, TEST_NOW)).toMatchObject({ stuck: [] })
    expect(given.db.at('stuck_bookings')).toBeNull()
    expect(given.db.at(`bookings/${id}`)).toMatchObject({
      status: 'PENDING',
      due_at: TEST_NOW + 24 * 60 * MINUTE + 1,
    })
  })
})

describe('automatic dispatch', () => {
  const { customer_contact, customer_email } = someBookingContacts()
  const near = { carType: 'van', ...PICKUP, geohash: encodeGeohash(PICKUP), at: 1 }
  const automatic = (settings: Partial<Settings>, booking: Partial<Booking> = {}) => {
    const made = withDueTime(aBooking({ bookingDate: TEST_NOW, tripdate: TEST_NOW, ...booking }))
    const { users } = aProject()
    const given = createProjectPorts({
      settings: aSettings({ autoDispatch: true, ...settings }),
      bookings: booking.status === undefined ? {} : { [made.id]: made },
      booking_contacts: { [made.id]: { customer_contact, customer_email } },
      users: { ...users, second: aDriver({ id: 'second' }), third: aDriver({ id: 'third' }) },
      available_drivers: {
        driver: near,
        second: { ...near, lat: PICKUP.lat + 0.01 },
        third: { ...near, lat: PICKUP.lat + 0.02 },
      },
    })
    const asked = () => Object.keys(given.db.at(`bookings/${made.id}/requestedDrivers`) ?? {})
    return { given, id: made.id, asked }
  }

  it('starts with the booking itself and offers it to all drivers in range at once', async () => {
    const { given, id, asked } = automatic({ appcat: 'taxi' })
    const input = aBookingRequest()
    const made = await given.bookings.applyEvent(id, { event: 'create', input }, rider)
    expect(made).toMatchObject({ status: 'NEW', revision: 1 })
    expect(asked()).toEqual(['driver', 'second', 'third'])
    expect(await given.bookings.applyEvent(id, { event: 'create', input }, rider)).toEqual(made)
  })
  it('starts when a parcel is paid', async () => {
    const { given, id, asked } = automatic({}, { status: 'PAYMENT_PENDING' })
    await given.bookings.applyEvent(id, { event: 'pay', payment_mode: 'cash' }, rider)
    expect(asked()).toEqual(['driver', 'second', 'third'])
  })
  it('offers one by one: the next driver gets an offer when the first declines', async () => {
    const { given, id, asked } = automatic({ dispatchMode: 'nearest' }, { status: 'NEW' })
    await runMaintenance(given, TEST_NOW)
    expect(asked()).toEqual(['driver'])
    await given.bookings.applyEvent(id, { event: 'decline' }, { uid: 'driver', role: 'driver' })
    expect(asked()).toEqual(['second'])
    expect(given.db.at('driver_tasks')).toEqual({ second: { [id]: true } })
  })
  it('offers one by one: the next driver gets an offer when the first lets theirs expire', async () => {
    const one = { dispatchMode: 'nearest', dispatchSeconds: 20 } as const
    const { given, asked } = automatic(one, { status: 'NEW' })
    await runMaintenance(given, TEST_NOW)
    expect(await runDueBookings(given, TEST_NOW + 19_000)).toMatchObject({ dispatched: [] })
    expect(asked()).toEqual(['driver'])
    expect((await runDueBookings(given, TEST_NOW + 20_000))?.dispatched).toHaveLength(1)
    expect(asked()).toEqual(['second'])
  })
  const SECOND = '-OAbcdefghijklmnopqs'
  /**
   * Creates two bookings whose only request goes to the first driver, as earlier releases could.
   */
  const askedTwice = async () => {
    const one = automatic({ dispatchMode: 'broadcast' }, { status: 'NEW' })
    const request = { requestedDrivers: { driver: true }, askedDrivers: { driver: TEST_NOW } }
    const other = withDueTime(aBooking({ id: SECOND, bookingDate: TEST_NOW, tripdate: TEST_NOW }))
    one.given.db.put({
      [`bookings/${SECOND}`]: toJson({ ...other, ...request }),
      [`bookings/${one.id}/requestedDrivers`]: request.requestedDrivers,
      [`bookings/${one.id}/askedDrivers`]: request.askedDrivers,
      'driver_tasks/driver': { [one.id]: true, [SECOND]: true },
    })
    one.given.db.put({ 'settings/dispatchMode': 'nearest' })
    const tasks = () => one.given.db.at('driver_tasks')
    return { ...one, tasks }
  }
  const him = { uid: 'driver', role: 'driver' } as const

  it('goes on to the next driver when the first takes another booking', async () => {
    const { given, id, tasks } = await askedTwice()
    expect(tasks()).toEqual({ driver: { [id]: true, [SECOND]: true } })
    await given.bookings.applyEvent(id, { event: 'accept' }, him)
    expect(tasks()).toEqual({ second: { [SECOND]: true } })
    expect(given.db.at(`bookings/${SECOND}/requestedDrivers`)).toEqual({ second: true })
  })
  it('goes on to the next driver with the next sweep when the accept dies after its write', async () => {
    const { given, id, tasks } = await askedTwice()
    const dying = { ...given.db, read: given.db.read }
    const bookings = createBookingService({ ...given, db: dying })
    const { update } = given.db
    dying.update = async (updates) => {
      await update(updates)
      dying.read = () => Promise.reject(new Error('The process is gone.'))
      dying.list = () => Promise.reject(new Error('The process is gone.'))
    }
    await bookings.applyEvent(id, { event: 'accept' }, him).catch(() => undefined)
    expect(tasks()).toBeNull()
    expect(await runDueBookings(given, TEST_NOW)).toMatchObject({ dispatched: [SECOND] })
    expect(tasks()).toEqual({ second: { [SECOND]: true } })
  })
  it('goes on to the next driver when the first goes off duty, once', async () => {
    const { given, id, tasks } = await askedTwice()
    const off = { 'users/driver/driverActiveStatus': false, 'available_drivers/driver': null }
    given.db.put(off)
    await withdrawRequests(given, 'driver')
    const asked = Object.values(tasks() as Record<string, object>).map((ids) => Object.keys(ids))
    expect(asked.sort()).toEqual([[id], [SECOND]])
    expect(tasks()).not.toHaveProperty('driver')
    const commits = given.db.getCommitCount()
    await withdrawRequests(given, 'driver')
    expect(given.db.getCommitCount()).toBe(commits)
  })
  it('leaves the requests of a driver who is on duty again', async () => {
    const { given, id, tasks } = await askedTwice()
    await withdrawRequests(given, 'driver')
    expect(tasks()).toEqual({ driver: { [id]: true, [SECOND]: true } })
  })
  it('passes over a driver who has the most open requests already', async () => {
    const { given, asked } = automatic({}, { status: 'NEW' })
    const many = Array.from({ length: MAX_OPEN_REQUESTS }, (_, i) => [`b${i}`, true])
    given.db.put({
      'driver_tasks/driver': Object.fromEntries(many) as object as DatabaseValue,
    })
    await runMaintenance(given, TEST_NOW)
    expect(asked()).toEqual(['second', 'third'])
  })
  /** Two bookings at the same place that one sweep offers one by one. */
  const twoBookings = async (settings: Partial<Settings> = {}) => {
    const one = automatic({ dispatchMode: 'nearest', ...settings }, { status: 'NEW' })
    const other = withDueTime(aBooking({ id: SECOND, bookingDate: TEST_NOW, tripdate: TEST_NOW }))
    one.given.db.put({ [`bookings/${SECOND}`]: toJson(other) })
    await runMaintenance(one.given, TEST_NOW)
    const getOffers = (id: string) =>
      Object.values((one.given.db.at(`offers/${id}`) ?? {}) as Record<string, Offer>)
    const getOfferedDrivers = (id: string) =>
      getOffers(id)
        .filter(({ answer }) => answer === undefined)
        .map(({ driver }) => driver)
    return { ...one, getOffers, getOfferedDrivers }
  }

  it.each(['nearest', 'matched'] as const)(
    'asks different drivers for two bookings at the same place in the mode %s',
    async (dispatchMode) => {
      const { id, getOfferedDrivers } = await twoBookings({ dispatchMode })
      expect([getOfferedDrivers(id), getOfferedDrivers(SECOND)]).toEqual([['driver'], ['second']])
    },
  )
  it('offers a waiting booking at once to a driver who declines another one', async () => {
    const { given, id, getOfferedDrivers } = await twoBookings()
    const third = aBooking({
      id: '-OAbcdefghijklmnopqt',
      bookingDate: TEST_NOW,
      tripdate: TEST_NOW,
    })
    given.db.put({
      [`bookings/${third.id}`]: toJson(third),
      'available_drivers/third': null,
    })
    await given.bookings.applyEvent(id, { event: 'decline' }, him)
    expect([getOfferedDrivers(id), getOfferedDrivers(SECOND), getOfferedDrivers(third.id)]).toEqual(
      [[], ['second'], ['driver']],
    )
  })
  it('asks a driver who did not answer another booking in time when no other is free', async () => {
    const { given, id, getOfferedDrivers, getOffers } = await twoBookings({ dispatchSeconds: 30 })
    given.db.put({
      'available_drivers/second': null,
      'available_drivers/third': null,
    })
    await given.bookings.applyEvent(SECOND, { event: 'withdraw', driver: 'second' }, SYSTEM_ACTOR)
    expect([getOfferedDrivers(id), getOfferedDrivers(SECOND)]).toEqual([['driver'], []])
    await runDueBookings(given, TEST_NOW + 30_000)
    expect([getOfferedDrivers(id), getOfferedDrivers(SECOND)]).toEqual([[], ['driver']])
    expect(getOffers(id)).toMatchObject([{ driver: 'driver', answer: 'expired' }])
  })
  it('orders drivers by the time on the streets, and stores it with the offer', async () => {
    const { given, getOffers, id } = await withTimes([400, 100, 250])
    await runMaintenance(given, TEST_NOW)
    expect(getOffers(id)).toEqual([
      {
        driver: 'second',
        at: TEST_NOW,
        expires: TEST_NOW + 30_000,
        eta_s: 100,
        cost: 100,
        by: 'system',
        rank: 1,
      },
    ])
  })
  it('requests the times of all drivers of a booking at once', async () => {
    const { given, requests } = await withTimes([400, 100, 250])
    await runMaintenance(given, TEST_NOW)
    expect(requests).toEqual([{ origins: 3, destinations: 1 }])
  })
  it('orders drivers by distance while the maps service fails', async () => {
    const { given, getOffers, id } = await withTimes(null)
    await runMaintenance(given, TEST_NOW)
    expect(getOffers(id)).toMatchObject([{ driver: 'driver', eta_s: 0 }])
  })
  it('skips drivers who would take longer than the limit to reach the pickup', async () => {
    const limited = await withTimes([700, 601, 900], { maxPickupMinutes: 10 })
    await runMaintenance(limited.given, TEST_NOW)
    expect(limited.getOffers(limited.id)).toEqual([])
    const reached = await withTimes([700, 600, 900], { maxPickupMinutes: 10 })
    await runMaintenance(reached.given, TEST_NOW)
    expect(reached.getOffers(reached.id)).toMatchObject([{ driver: 'second' }])
  })
  /** One booking, and a maps service that returns these seconds, nearest driver first, or fails. */
  const withTimes = async (seconds: number[] | null, settings: Partial<Settings> = {}) => {
    const one = automatic({ dispatchMode: 'nearest', ...settings }, { status: 'NEW' })
    const requests: { origins: number; destinations: number }[] = []
    const maps = {
      ...(await one.given.maps()),
      getDistanceMatrix: (origins: readonly object[], destinations: readonly object[]) => {
        requests.push({ origins: origins.length, destinations: destinations.length })
        return seconds
          ? Promise.resolve(
              seconds.map((time_in_secs) => [
                { found: true, distance_in_km: 1, time_in_secs, approximate: false },
              ]),
            )
          : Promise.reject(new Error('The service is down.'))
      },
    }
    const given = { ...one.given, maps: () => Promise.resolve(maps) }
    const getOffers = (id: string) =>
      Object.values((given.db.at(`offers/${id}`) ?? {}) as Record<string, Offer>)
    return { ...one, given, requests, getOffers }
  }
  it('does not delay other bookings when one booking fails', async () => {
    const { given, id } = automatic({}, { status: 'NEW' })
    const broken = '-A'.padEnd(20, 'a')
    given.db.put({
      [`bookings/${broken}`]: { status: 'NEW', revision: 1, carTypeId: 'van', due_at: 1 },
    })
    expect(await runDueBookings(given, TEST_NOW)).toMatchObject({ dispatched: [id] })
    // It waits before it is tried again.
    expect(given.db.at(`bookings/${broken}/due_at`)).toBeGreaterThan(TEST_NOW)
  })
  it('offers a scheduled booking half an hour before its time, not when it is made', async () => {
    const tripdate = TEST_NOW + 60 * MINUTE
    const { given, asked } = automatic({}, { status: 'NEW', bookLater: true, tripdate })
    await runMaintenance(given, TEST_NOW + 29 * MINUTE)
    expect(asked()).toEqual([])
    await runMaintenance(given, TEST_NOW + 30 * MINUTE)
    expect(asked()).toEqual(['driver', 'second', 'third'])
  })
  it('expires a scheduled booking without a charge when no driver has taken it half an hour after its time', async () => {
    const tripdate = TEST_NOW - 30 * MINUTE
    const { given, id, asked } = automatic({}, { status: 'NEW', bookLater: true, tripdate })
    expect((await runMaintenance(given, TEST_NOW))?.expired).toEqual([id])
    expect(given.db.at(`bookings/${id}`)).toMatchObject({
      status: 'CANCELLED',
      reason: 'no_driver',
      cancellationFee: 0,
    })
    expect(asked()).toEqual([])
  })
})

it('removes all counters of inactive callers, however many exist', async () => {
  const old = Math.floor(TEST_NOW / MINUTE) - 9
  const callers = Array.from({ length: 1200 }, (_, i) => [`caller-${i}`, { [old]: 1 }])
  const given = createProjectPorts({ rate_limits: { echo: Object.fromEntries(callers) as object } })
  await pruneRateLimits(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo')).toBeNull()
})

it('keeps counters of active callers', async () => {
  const minute = Math.floor(TEST_NOW / MINUTE)
  const given = createProjectPorts({
    ...aProject(),
    rate_limits: { echo: { rider: { [minute - 9]: 3 }, driver: { [minute]: 1 } } },
    users: { rider: aRider() },
  })
  await pruneRateLimits(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo')).toEqual({ driver: { [minute]: 1 } })
})

it('keeps the counters of this day, which has a limit of its own', async () => {
  const day = Math.floor(TEST_NOW / (24 * 60 * MINUTE))
  const counts = { [day - 1]: 5, [day]: 3 }
  const given = createProjectPorts({ ...aProject(), rate_limits: { echo: { rider: counts } } })
  await pruneRateLimits(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo/rider')).toEqual({ [day]: 3 })
})

it('keeps the counters of the previous minute, because a rate limit looks back 60 seconds', async () => {
  const minute = Math.floor(TEST_NOW / MINUTE)
  const counts = { [minute - 2]: 5, [minute - 1]: 3, [minute]: 1 }
  const given = createProjectPorts({ ...aProject(), rate_limits: { echo: { rider: counts } } })
  await pruneRateLimits(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo/rider')).toEqual({ [minute - 1]: 3, [minute]: 1 })
})
