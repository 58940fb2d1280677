import { afterAll, afterEach, beforeAll, describe, expect, inject, it, test } from 'vitest'
import type { Booking, InboxEntry, Settings, StuckBooking } from '~/domain/entities'
import { waysOut } from '~/domain/sweep'
import { sweepOnce } from '~/scripts/clock'
import { localDatabase } from '~/scripts/localDatabase'
import type { Client } from '../support/clients'
import { advance, openScene, type Scene } from './scene'

const MINUTE = 60_000
const TYPE = 'test-dispatch'
let scene: Scene
let admin: Client
let rider: Client
let uid: string
let before: Settings

beforeAll(async () => {
  scene = openScene()
  ;[admin, before] = await Promise.all([
    scene.as('seed-admin'),
    scene.read<Settings>('settings').then((settings) => settings ?? fail()),
  ])
  await scene.carType(TYPE)
  ;[uid = ''] = await scene.people(1, { walletBalance: 1000 })
  const start = { type: 'Credit', amount: 1000, date: 1, txRef: 'start' }
  await scene.write({ [`users/${uid}/walletHistory/start`]: start })
  rider = await scene.as(uid)
})
afterAll(async () => {
  await scene.write({ settings: before, [`cartypes/${TYPE}`]: null })
  await scene.close()
})

const fail = (): never => {
  throw new Error('The suite has no settings.')
}
const automatic = (more: Partial<Settings> = {}) =>
  scene.write({
    'settings/autoDispatch': true,
    'settings/dispatchMode': 'all',
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`settings/${name}`, value])),
  })

/** Free drivers of the test's type, each a little farther from where the trips begin. */
const driversNearby = async (count: number): Promise<Client[]> => {
  const uids = await scene.people(count, { usertype: 'driver', carType: TYPE })
  for (const [i, driver] of uids.entries())
    await scene.onDuty(driver, { carType: TYPE, location: await scene.pickup((i + 1) * 0.002) })
  onDuty.push(...uids)
  return Promise.all(uids.map((driver) => scene.as(driver)))
}
const onDuty: string[] = []
afterEach(() => scene.offDuty(...onDuty.splice(0)))

const aPaidBooking = async (more: object = {}, payment_mode = 'cash') => {
  const { booking_id } = await scene.book(rider, { carType: TYPE, ...more })
  await advance(rider, booking_id, 'pay', { payment_mode })
  return booking_id
}
const now = { bookLater: false }
const booking = async (id: string) => (await scene.read<Booking>(`bookings/${id}`)) ?? fail()
const asked = async (id: string) => Object.keys((await booking(id)).requestedDrivers ?? {}).sort()
const sweep = () =>
  admin.call<Record<'expired' | 'dispatched' | 'reminded' | 'stuck', string[]>>('run_sweep')

describe('drivers are found by themselves', () => {
  it('all in reach are asked as soon as the parcel is paid; one takes it, the others are let go', async () => {
    await automatic()
    const drivers = await driversNearby(3)
    const [first, second] = drivers as [Client, Client, Client]
    const id = await aPaidBooking(now)
    expect(await asked(id)).toEqual(drivers.map((driver) => driver.uid).sort())
    expect(await scene.read(`driver_tasks/${first.uid}/${id}`)).toBe(true)
    const inbox = await scene.read<Record<string, InboxEntry>>(`inbox/${first.uid}`)
    expect(Object.values(inbox ?? {})).toMatchObject([{ screen: 'DriverTrips', booking_id: id }])
    await advance(second, id, 'accept')
    expect(await booking(id)).toMatchObject({ status: 'ACCEPTED', driver: second.uid })
    expect(await scene.read(`driver_tasks/${first.uid}`)).toBeNull()
    expect(await scene.read(`available_drivers/${second.uid}`)).toBeNull()
    await advance(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('one by one: the next is asked at once after a no, and by the sweep when time has passed', async () => {
    await automatic({ dispatchMode: 'one_by_one', dispatchSeconds: 30 })
    const drivers = await driversNearby(3)
    const [first, second, third] = drivers as [Client, Client, Client]
    const id = await aPaidBooking(now)
    expect(await asked(id)).toEqual([first.uid])
    expect((await advance(first, id, 'decline')).status).toBe('NEW')
    expect(await asked(id)).toEqual([second.uid])
    // His half minute is not over.
    expect((await sweep()).dispatched).not.toContain(id)
    await scene.write({ [`bookings/${id}/askedDrivers/${second.uid}`]: Date.now() - 31_000 })
    expect((await sweep()).dispatched).toContain(id)
    expect(await asked(id)).toEqual([third.uid])
    expect(await scene.read(`driver_tasks/${second.uid}`)).toBeNull()
    // Who declined is not asked again; who only let it pass is.
    await scene.write({ [`bookings/${id}/askedDrivers/${third.uid}`]: Date.now() - 31_000 })
    await sweep()
    expect(await asked(id)).toEqual([second.uid])
    await advance(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('eight sweeps at once ask and remind nobody twice', async () => {
    await automatic()
    const drivers = await driversNearby(2)
    const tripdate = Date.now() + 16 * MINUTE
    const id = await aPaidBooking({ bookLater: true, tripdate })
    await Promise.all(Array.from({ length: 8 }, sweep))
    for (const driver of drivers) {
      const inbox = await scene.read<Record<string, InboxEntry>>(`inbox/${driver.uid}`)
      const tasks = Object.values(inbox ?? {}).filter((entry) => entry.booking_id === id)
      expect(tasks).toHaveLength(1)
    }
    const reminders = Object.keys((await scene.read<object>(`inbox/${uid}`)) ?? {})
    expect(reminders.filter((key) => key === `${id}-reminder`)).toHaveLength(1)
    await advance(rider, id, 'cancel', { reason: 'Too late' })
  })
})

describe('a booking for later', () => {
  it('waits, is offered and reminded of half an hour before, and ends when nobody comes', async () => {
    await automatic()
    const drivers = await driversNearby(1)
    const balance = await scene.read<number>(`users/${uid}/walletBalance`)
    const id = await aPaidBooking({}, 'wallet')
    await sweep()
    expect(await asked(id)).toEqual([])
    await scene.write({ [`bookings/${id}/tripdate`]: Date.now() + 29 * MINUTE })
    const swept = await sweep()
    expect([swept.dispatched, swept.reminded]).toEqual([
      expect.arrayContaining([id]),
      expect.arrayContaining([id]),
    ])
    expect(await asked(id)).toEqual(drivers.map((driver) => driver.uid))
    expect(await scene.read(`inbox/${uid}/${id}-reminder`)).toMatchObject({ booking_id: id })
    expect((await sweep()).reminded).not.toContain(id)

    await scene.write({ [`bookings/${id}/tripdate`]: Date.now() - 31 * MINUTE })
    expect((await sweep()).expired).toContain(id)
    expect(await booking(id)).toMatchObject({ status: 'CANCELLED', reason: 'no_driver' })
    expect(await scene.read(`driver_tasks/${drivers[0]?.uid}`)).toBeNull()
    expect(await scene.read(`users/${uid}/walletBalance`)).toBeCloseTo(balance ?? 0, 6)
    const told = await scene.read<Record<string, InboxEntry>>(`inbox/${uid}`)
    const ends = Object.values(told ?? {}).filter(({ title }) => title === 'push_no_driver_title')
    expect(ends.map((entry) => entry.booking_id)).toEqual([id])
  })
})

test('a local Kerbside, which has no scheduler, asks for its sweep itself', async () => {
  const { database, functions } = inject('urls')
  expect(await sweepOnce(localDatabase(database), functions)).toBe(true)
})

describe('a booking that stands still', () => {
  it('is shown to the office with the ways out, until it moves', async () => {
    await scene.write({ 'settings/autoDispatch': false })
    await driversNearby(1)
    const id = await aPaidBooking(now)
    await scene.write({
      [`bookings/${id}/event_log/pay_PAYMENT_PENDING/at`]: Date.now() - 16 * MINUTE,
    })
    expect((await sweep()).stuck).toContain(id)
    const found = await scene.read<StuckBooking>(`stuck_bookings/${id}`)
    expect(found).toMatchObject({ status: 'NEW' })
    const ways = waysOut(found?.status ?? 'PAID').map(({ event }) => event)
    expect(ways).toEqual(expect.arrayContaining(['assign', 'cancel']))
    await advance(admin, id, 'cancel', { reason: 'Nobody came' })
    expect((await sweep()).stuck).not.toContain(id)
    expect(await scene.read(`stuck_bookings/${id}`)).toBeNull()
  })
})
