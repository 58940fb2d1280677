import { describe, expect, it } from 'vitest'
import type { Booking, Settings } from '~/domain/entities'
import { geohash } from '~/domain/geo'
import {
  aBooking,
  aDriver,
  aRequest,
  aRider,
  aSettings,
  MINUTE,
  PICKUP,
  rider,
} from '~/domain/testing/builders'
import type { DatabasePort } from './ports/database'
import { forgetCounters, sweep, sweepRequests } from './sweeping'
import { aProject, projectPorts, TEST_NOW } from './testing'

const swept = (booking: Partial<Booking>, settings = {}) => {
  const made = aBooking({ bookingDate: TEST_NOW - MINUTE, tripdate: TEST_NOW, ...booking })
  const given = projectPorts({ bookings: { [made.id]: made }, settings: aSettings(settings) })
  return { given, id: made.id, run: (now = TEST_NOW) => sweep(given, now) }
}

/** Reads nothing below a path: it was looked at a moment too early. */
const unseen =
  ({ read }: DatabasePort, below: string): DatabasePort['read'] =>
  (path) =>
    path.startsWith(below) ? Promise.resolve(null) : read(path)

describe('the sweep', () => {
  it('ends a booking nobody paid for half an hour, once', async () => {
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const { given, id, run } = swept(old)
    expect(await run()).toMatchObject({ expired: [id] })
    expect(given.db.at(`bookings/${id}/status`)).toBe('CANCELLED')
    expect(await run()).toMatchObject({ expired: [] })
  })
  it('leaves a younger one alone', async () => {
    const { run } = swept({ status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 29 * MINUTE })
    expect(await run()).toEqual({ expired: [], dispatched: [], reminded: [], stuck: [] })
  })
  it('asks the drivers nearby where dispatch is automatic', async () => {
    const { given, id, run } = swept({ status: 'NEW' }, { autoDispatch: true })
    expect(await run()).toMatchObject({ dispatched: [id] })
    expect(given.db.at(`driver_tasks/driver/${id}`)).toBe(true)
    expect(await run()).toMatchObject({ dispatched: [] })
  })
  it('and asks nobody where the office assigns', async () => {
    expect(await swept({ status: 'NEW' }).run()).toMatchObject({ dispatched: [] })
  })
  it('reminds both of a later booking that is near, once', async () => {
    const later = { status: 'ACCEPTED', driver: 'driver', bookLater: true } as const
    const { given, id, run } = swept({ ...later, tripdate: TEST_NOW + 20 * MINUTE })
    expect(await run()).toMatchObject({ reminded: [id] })
    expect(await run()).toMatchObject({ reminded: [] })
    expect(Object.keys(given.db.at('inbox/rider') as object)).toEqual([`${id}-reminder`])
    expect(Object.keys(given.db.at('inbox/driver') as object)).toEqual([`${id}-reminder`])
  })
  it('two sweeps at once remind once, and both go through', async () => {
    const later = { status: 'ACCEPTED', driver: 'driver', bookLater: true } as const
    const { given, id } = swept({ ...later, tripdate: TEST_NOW + 20 * MINUTE })
    // Both looked before either wrote.
    const late = { ...given, db: { ...given.db, read: unseen(given.db, `inbox/rider/${id}`) } }
    expect(await sweep(given, TEST_NOW)).toMatchObject({ reminded: [id] })
    expect(await sweep(late, TEST_NOW)).toMatchObject({ reminded: [] })
    expect(given.db.at(`inbox/rider/${id}-reminder`)).toMatchObject({ at: TEST_NOW })
  })
  it('writes down what stands still, and forgets it when it moves', async () => {
    const long = TEST_NOW - 24 * 60 * MINUTE
    const { given, id, run } = swept({ status: 'REACHED', bookingDate: long })
    expect(await run()).toMatchObject({ stuck: [id] })
    const written = given.db.at(`stuck_bookings/${id}`)
    expect(written).toEqual({ status: 'REACHED', since: long, found_at: TEST_NOW })
    expect(await run(TEST_NOW + MINUTE)).toMatchObject({ stuck: [id] })
    expect(given.db.at(`stuck_bookings/${id}`)).toEqual(written)
    await given.bookings.change(id, { event: 'finish' }, { uid: 'driver', role: 'driver' })
    expect(await run(TEST_NOW + MINUTE)).toMatchObject({ stuck: [] })
    expect(given.db.at('stuck_bookings')).toBeNull()
  })
  it('goes on when one booking can’t be helped', async () => {
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW - 31 * MINUTE } as const
    const [a, b] = ['-Oaaaaaaaaaaaaaaaaaa', '-Obbbbbbbbbbbbbbbbbb']
    const bookings = Object.fromEntries([a, b].map((id) => [id, aBooking({ ...old, id })]))
    const given = projectPorts({ bookings })
    const change: typeof given.bookings.change = (id, ...rest) =>
      id === a ? Promise.reject(new Error('broken')) : given.bookings.change(id, ...rest)
    const done = await sweep({ ...given, bookings: { change } }, TEST_NOW)
    expect(done.expired).toEqual([b])
  })
  it('looks at every page of a status', async () => {
    const many = Array.from({ length: 450 }, (_, i) => `-O${String(i).padStart(18, '0')}`)
    const old = { status: 'PAYMENT_PENDING', bookingDate: TEST_NOW } as const
    const bookings = Object.fromEntries(many.map((id) => [id, aBooking({ ...old, id })]))
    const last = many.at(-1) ?? ''
    bookings[last] = aBooking({ ...old, id: last, bookingDate: TEST_NOW - 31 * MINUTE })
    expect((await sweep(projectPorts({ bookings }), TEST_NOW)).expired).toEqual([last])
  })
})

describe('looking for drivers', () => {
  const near = { carType: 'van', ...PICKUP, geohash: geohash(PICKUP), at: 1 }
  const automatic = (settings: Partial<Settings>, booking: Partial<Booking> = {}) => {
    const made = aBooking({ bookingDate: TEST_NOW, tripdate: TEST_NOW, ...booking })
    const { users } = aProject()
    const given = projectPorts({
      settings: aSettings({ autoDispatch: true, ...settings }),
      bookings: booking.status === undefined ? {} : { [made.id]: made },
      users: { ...users, second: aDriver({ id: 'second' }), third: aDriver({ id: 'third' }) },
      available_drivers: {
        driver: near,
        second: { ...near, lat: PICKUP.lat + 0.01 },
        third: { ...near, lat: PICKUP.lat + 0.02 },
      },
    })
    const asked = () =>
      Object.keys((given.db.at(`bookings/${made.id}/requestedDrivers`) ?? {}) as object)
    return { given, id: made.id, asked }
  }

  it('begins with the booking itself, all in reach at once', async () => {
    const { given, id, asked } = automatic({ appcat: 'taxi' })
    const input = aRequest()
    const made = await given.bookings.change(id, { event: 'create', input }, rider)
    expect(made).toMatchObject({ status: 'NEW', revision: 1 })
    expect(asked()).toEqual(['driver', 'second', 'third'])
    expect(await given.bookings.change(id, { event: 'create', input }, rider)).toEqual(made)
  })
  it('begins when a parcel is paid', async () => {
    const { given, id, asked } = automatic({}, { status: 'PAYMENT_PENDING' })
    await given.bookings.change(id, { event: 'pay', payment_mode: 'cash' }, rider)
    expect(asked()).toEqual(['driver', 'second', 'third'])
  })
  it('one by one: the next is asked when the first says no', async () => {
    const { given, id, asked } = automatic({ dispatchMode: 'one_by_one' }, { status: 'NEW' })
    await sweep(given, TEST_NOW)
    expect(asked()).toEqual(['driver'])
    await given.bookings.change(id, { event: 'decline' }, { uid: 'driver', role: 'driver' })
    expect(asked()).toEqual(['second'])
    expect(given.db.at('driver_tasks')).toEqual({ second: { [id]: true } })
  })
  it('one by one: the next is asked when the first lets his time pass', async () => {
    const one = { dispatchMode: 'one_by_one', dispatchSeconds: 20 } as const
    const { given, asked } = automatic(one, { status: 'NEW' })
    await sweep(given, TEST_NOW)
    expect(await sweepRequests(given, TEST_NOW + 19_000)).toEqual([])
    expect(asked()).toEqual(['driver'])
    expect(await sweepRequests(given, TEST_NOW + 20_000)).toHaveLength(1)
    expect(asked()).toEqual(['second'])
  })
  it('a booking that can’t be helped keeps no other waiting for its drivers', async () => {
    const { given, id } = automatic({}, { status: 'NEW' })
    const broken = '-A'.padEnd(20, 'a')
    await given.db.update({ [`bookings/${broken}`]: { status: 'NEW', carTypeId: 'van' } })
    expect(await sweepRequests(given, TEST_NOW)).toEqual([id])
  })
  it('a booking for later is offered half an hour before its time, not when it is made', async () => {
    const tripdate = TEST_NOW + 60 * MINUTE
    const { given, asked } = automatic({}, { status: 'NEW', bookLater: true, tripdate })
    await sweep(given, TEST_NOW + 29 * MINUTE)
    expect(asked()).toEqual([])
    await sweep(given, TEST_NOW + 30 * MINUTE)
    expect(asked()).toEqual(['driver', 'second', 'third'])
  })
  it('and ends, at nobody’s cost, when nobody has taken it half an hour after', async () => {
    const tripdate = TEST_NOW - 30 * MINUTE
    const { given, id, asked } = automatic({}, { status: 'NEW', bookLater: true, tripdate })
    expect((await sweep(given, TEST_NOW)).expired).toEqual([id])
    expect(given.db.at(`bookings/${id}`)).toMatchObject({
      status: 'CANCELLED',
      reason: 'no_driver',
      cancellationFee: 0,
    })
    expect(asked()).toEqual([])
  })
})

it('counters of callers who stopped calling are forgotten, however many they are', async () => {
  const old = Math.floor(TEST_NOW / MINUTE) - 9
  const callers = Array.from({ length: 1200 }, (_, i) => [`caller-${i}`, { [old]: 1 }])
  const given = projectPorts({ rate_limits: { echo: Object.fromEntries(callers) as object } })
  await forgetCounters(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo')).toBeNull()
})

it('counters of callers who still call are kept', async () => {
  const minute = Math.floor(TEST_NOW / MINUTE)
  const given = projectPorts({
    ...aProject(),
    rate_limits: { echo: { rider: { [minute - 9]: 3 }, driver: { [minute]: 1 } } },
    users: { rider: aRider() },
  })
  await forgetCounters(given, ['echo'], TEST_NOW)
  expect(given.db.at('rate_limits/echo')).toEqual({ driver: { [minute]: 1 } })
})
