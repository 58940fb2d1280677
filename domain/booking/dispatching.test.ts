import { describe, expect, test } from 'vitest'
import type { Booking } from '../entities'
import {
  aBooking,
  aDriver,
  admin,
  aRider,
  aSettings,
  aWorld,
  driver,
  NOON,
  system,
} from '../testing/builders'
import { commit, guarded, valueAt, type Tree } from '../testing/tree'
import { apply } from './apply'
import type { Actor, EventInput, World } from './change'

const ID = aBooking().id
const auto = aSettings({ autoDispatch: true })
const city = (over: Partial<Booking> = {}) => {
  const tree: Tree = { bookings: { [ID]: JSON.parse(JSON.stringify(aBooking(over))) } }
  const booking = () => valueAt(tree, `bookings/${ID}`) as unknown as Booking
  const ask = (actor: Actor, input: EventInput, world: Partial<World> = {}) =>
    apply(booking(), input, actor, aWorld(world), NOON)
  const does = (actor: Actor, input: EventInput, world: Partial<World> = {}) => {
    const result = ask(actor, input, world)
    if (result.ok) commit(tree, result.value)
    return result.ok ? result.value.answer.status : result.error.key
  }
  const asked = () => ({
    booking: Object.keys(booking().requestedDrivers ?? {}),
    tasks: Object.keys(valueAt(tree, 'driver_tasks') ?? {}),
  })
  return { tree, booking, ask, does, asked }
}
const other: Actor = { uid: 'driver2', role: 'driver' }
const as = (uid: string) => ({ driver: aDriver({ id: uid }) })

describe('the office', () => {
  test('asks a driver: he is requested, has a task and gets a push that opens his tasks', () => {
    const { ask, does, asked } = city()
    const asking = ask(admin, { event: 'assign', driver: 'driver' })
    expect(asking.ok && asking.value.pushes).toMatchObject([
      { to: 'driver', screen: 'DriverTrips' },
    ])
    expect(does(admin, { event: 'assign', driver: 'driver' })).toBe('NEW')
    expect(asked()).toEqual({ booking: ['driver'], tasks: ['driver'] })
  })

  test.each([
    ['who does not exist', null, 'driver_not_available'],
    ['who is no driver', aRider({ id: 'driver' }), 'driver_not_available'],
    ['who is not approved', aDriver({ approved: false }), 'driver_not_available'],
    ['of another car type', aDriver({ carType: 'bike' }), 'driver_not_available'],
    ['who is off duty', aDriver({ driverActiveStatus: false }), 'driver_not_available'],
    ['who is busy', aDriver({ queue: true }), 'driver_busy'],
  ])('can’t ask somebody %s', (_, chosen, key) => {
    expect(city().does(admin, { event: 'assign', driver: 'driver' }, { driver: chosen })).toBe(key)
  })

  test('leaves it to the system while autoDispatch is on', () => {
    expect(city().does(admin, { event: 'assign', driver: 'driver' }, { settings: auto })).toBe(
      'auto_dispatch_on',
    )
  })

  test('asking the same driver twice changes nothing', () => {
    const { ask, does } = city()
    does(admin, { event: 'assign', driver: 'driver' })
    const again = ask(admin, { event: 'assign', driver: 'driver' })
    expect(again.ok && again.value).toMatchObject({ updates: {}, answer: { revision: 2 } })
  })
})

describe('the system', () => {
  test('asks a wave of drivers and takes back what the wave before was asked', () => {
    const { does, asked } = city()
    does(system, { event: 'dispatch', drivers: ['driver', 'driver2'] }, { settings: auto })
    does(system, { event: 'dispatch', drivers: ['driver2', 'driver3'] }, { settings: auto })
    expect(asked()).toEqual({ booking: ['driver2', 'driver3'], tasks: ['driver2', 'driver3'] })
  })

  test('does nothing while the office does it, and nothing without drivers', () => {
    expect(city().does(system, { event: 'dispatch', drivers: ['driver'] })).toBe(
      'event_not_possible',
    )
    expect(city().does(system, { event: 'dispatch', drivers: [] }, { settings: auto })).toBe(
      'no_driver_found_alert_messege',
    )
  })
})

describe('a driver', () => {
  const requested = { requestedDrivers: { driver: true, driver2: true } } as const

  test('who accepts has the booking to himself, and nobody is asked any more', () => {
    const { tree, does, asked, booking } = city(requested)
    expect(
      does(
        driver,
        { event: 'accept' },
        { driver: aDriver({ fleetadmin: 'fleet', ratings: { userrating: 4.8, details: {} } }) },
      ),
    ).toBe('ACCEPTED')
    expect(asked()).toEqual({ booking: [], tasks: [] })
    expect(booking()).toMatchObject({
      driver: 'driver',
      driver_name: 'Beto Silva',
      driver_contact: '+15555550199',
      vehicle_number: 'SBA 1234',
      driverRating: 4.8,
      fleetadmin: 'fleet',
      accepted_at: NOON,
    })
    expect(valueAt(tree, 'users/driver/queue')).toBe(true)
  })

  test.each([
    [
      'who was not asked',
      { uid: 'driver3', role: 'driver' } as Actor,
      as('driver3'),
      'not_requested',
    ],
    ['who is busy', driver, { driver: aDriver({ queue: true }) }, 'driver_busy'],
    [
      'whose approval was taken back',
      driver,
      { driver: aDriver({ approved: false }) },
      'driver_not_available',
    ],
    [
      'who owes money',
      driver,
      { driver: aDriver({ walletBalance: -0.01 }) },
      'driver_wallet_negative',
    ],
  ])('%s can’t accept', (_, actor, world, key) => {
    expect(city(requested).does(actor, { event: 'accept' }, world)).toBe(key)
  })

  test('who owes money can accept when the settings allow it', () => {
    const settings = aSettings({ negativeBalance: true })
    expect(
      city(requested).does(
        driver,
        { event: 'accept' },
        { settings, driver: aDriver({ walletBalance: -50 }) },
      ),
    ).toBe('ACCEPTED')
  })

  test('who comes second is told that it is taken', () => {
    const { does } = city(requested)
    does(driver, { event: 'accept' })
    expect(does(other, { event: 'accept' }, as('driver2'))).toBe('booking_taken')
  })

  test('is the only one of fifty who get through at the same moment', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `driver${n}`)
    const { tree, ask } = city({
      requestedDrivers: Object.fromEntries(fifty.map((uid) => [uid, true as const])),
    })
    const accepts = fifty.map((uid) => ask({ uid, role: 'driver' }, { event: 'accept' }, as(uid)))
    const through = accepts.filter((accept) => {
      if (!accept.ok || guarded(tree, accept.value)) return false
      commit(tree, accept.value)
      return true
    })
    expect(accepts.every(({ ok }) => ok)).toBe(true)
    expect(through).toHaveLength(1)
  })

  test('who declines is asked no more; his second tap gets the same answer', () => {
    const { ask, does, asked } = city({ ...requested })
    expect(does(driver, { event: 'decline' })).toBe('NEW')
    expect(asked().booking).toEqual(['driver2'])
    const again = ask(driver, { event: 'decline' })
    expect(again.ok && again.value).toMatchObject({
      updates: {},
      answer: { status: 'NEW', revision: 2 },
    })
  })

  test('the only one asked by hand ends the booking when he declines, and the customer is told', () => {
    const { ask, does } = city()
    does(admin, { event: 'assign', driver: 'driver' })
    const declined = ask(driver, { event: 'decline' })
    expect(declined.ok && declined.value).toMatchObject({
      answer: { status: 'CANCELLED' },
      pushes: [{ to: 'rider', title: 'push_no_driver_title' }],
    })
  })

  test('the only one asked by the system does not: another wave follows', () => {
    const { does } = city()
    does(system, { event: 'dispatch', drivers: ['driver'] }, { settings: auto })
    expect(does(driver, { event: 'decline' }, { settings: auto })).toBe('NEW')
  })
})
