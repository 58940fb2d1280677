import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { runMaintenanceOnce } from '~/scripts/local/maintenanceTimer'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import type { TestClient } from '../support/testClients'
import { advanceBooking, openTestPlatform, type TestPlatform } from './testPlatform'
import { getSuite } from '../support/testSuite'
import type { Booking, StuckBooking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'

const VEHICLE_TYPE = 'test-dispatch'
let platform: TestPlatform
let admin: TestClient
let rider: TestClient
let riderUid: string
let before: Settings

beforeAll(async () => {
  platform = openTestPlatform()
  ;[admin, before] = await Promise.all([
    platform.signInAs('seed-admin'),
    platform.read<Settings>('settings').then((settings) => settings ?? failTest()),
  ])
  await platform.createVehicleType(VEHICLE_TYPE)
  ;[riderUid = ''] = await platform.createUsers(1, { walletBalance: 1000 })
  rider = await platform.signInAs(riderUid)
})
afterAll(async () => {
  await platform.write({ settings: before, [`cartypes/${VEHICLE_TYPE}`]: null })
  await platform.close()
})

const failTest = (): never => {
  throw new Error('The suite has no settings.')
}
const enableAutoDispatch = (more: Partial<Settings> = {}) =>
  platform.write({
    'settings/autoDispatch': true,
    'settings/dispatchMode': 'broadcast',
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`settings/${name}`, value])),
  })

/**
 * Creates free drivers of the test's vehicle type, each a little farther from the pickups; returns
 * their clients.
 */
const createNearbyDrivers = async (count: number): Promise<TestClient[]> => {
  const uids = await platform.createUsers(count, { usertype: 'driver', carType: VEHICLE_TYPE })
  for (const [i, driver] of uids.entries())
    await platform.goOnDuty(driver, {
      carType: VEHICLE_TYPE,
      location: await platform.getPickup((i + 1) * 0.002),
    })
  onDuty.push(...uids)
  return Promise.all(uids.map((driver) => platform.signInAs(driver)))
}
const onDuty: string[] = []
afterEach(() => platform.goOffDuty(...onDuty.splice(0)))

const createPaidBooking = async (more: object = {}, payment_mode = 'cash') => {
  const { booking_id } = await platform.createBooking(rider, { carType: VEHICLE_TYPE, ...more })
  await advanceBooking(rider, booking_id, 'pay', { payment_mode })
  return booking_id
}
const bookingNow = { bookLater: false }
const readBooking = async (id: string) =>
  (await platform.read<Booking>(`bookings/${id}`)) ?? failTest()
const readOfferedDrivers = async (id: string) =>
  Object.keys((await readBooking(id)).requestedDrivers ?? {}).sort()
const runMaintenance = () => admin.call('run_sweep')

/** Returns the write that makes a booking due, as if its time had come. */
const makeDue = (id: string) => ({ [`bookings/${id}/due_at`]: Date.now() })

describe('automatic dispatch', () => {
  it('offers a paid parcel to all drivers in range, and withdraws the other offers when one accepts', async () => {
    await enableAutoDispatch()
    const drivers = await createNearbyDrivers(3)
    const [first, second] = drivers as [TestClient, TestClient, TestClient]
    const id = await createPaidBooking(bookingNow)
    expect(await readOfferedDrivers(id)).toEqual(drivers.map((driver) => driver.uid).sort())
    expect(await platform.read(`driver_tasks/${first.uid}/${id}`)).toBe(true)
    const inbox = await platform.read<Record<string, InboxEntry>>(`inbox/${first.uid}`)
    expect(Object.values(inbox ?? {})).toMatchObject([{ screen: 'DriverTrips', booking_id: id }])
    await advanceBooking(second, id, 'accept')
    expect(await readBooking(id)).toMatchObject({ status: 'ACCEPTED', driver: second.uid })
    expect(await platform.read(`driver_tasks/${first.uid}`)).toBeNull()
    expect(await platform.read(`available_drivers/${second.uid}`)).toBeNull()
    await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('one by one, offers to the next driver right after a refusal, or by maintenance after a timeout', async () => {
    await enableAutoDispatch({ dispatchMode: 'nearest', dispatchSeconds: 30 })
    const drivers = await createNearbyDrivers(3)
    const [first, second, third] = drivers as [TestClient, TestClient, TestClient]
    const id = await createPaidBooking(bookingNow)
    expect(await readOfferedDrivers(id)).toEqual([first.uid])
    expect((await advanceBooking(first, id, 'decline')).status).toBe('NEW')
    expect(await readOfferedDrivers(id)).toEqual([second.uid])
    // The driver's 30 seconds are not over.
    expect((await runMaintenance()).dispatched).not.toContain(id)
    await platform.write({
      [`bookings/${id}/askedDrivers/${second.uid}`]: Date.now() - 31_000,
      ...makeDue(id),
    })
    expect((await runMaintenance()).dispatched).toContain(id)
    expect(await readOfferedDrivers(id)).toEqual([third.uid])
    expect(await platform.read(`driver_tasks/${second.uid}`)).toBeNull()
    // A driver who declined gets no second offer; one whose offer timed out can get another.
    await platform.write({
      [`bookings/${id}/askedDrivers/${third.uid}`]: Date.now() - 31_000,
      ...makeDue(id),
    })
    await runMaintenance()
    expect(await readOfferedDrivers(id)).toEqual([second.uid])
    await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('asks different drivers for two bookings, and the next one when a driver goes off duty', async () => {
    await enableAutoDispatch({ dispatchMode: 'nearest', dispatchSeconds: 300 })
    const drivers = await createNearbyDrivers(3)
    const [first, second, third] = drivers as [TestClient, TestClient, TestClient]
    const [one, other] = [await createPaidBooking(bookingNow), await createPaidBooking(bookingNow)]
    expect([await readOfferedDrivers(one), await readOfferedDrivers(other)]).toEqual([
      [first.uid],
      [second.uid],
    ])
    await advanceBooking(first, one, 'accept')
    expect(await readOfferedDrivers(other)).toEqual([second.uid])
    expect(await platform.read(`driver_tasks/${first.uid}`)).toBeNull()
    await platform.goOffDuty(second.uid)
    await platform.write({ [`users/${second.uid}/driverActiveStatus`]: false })
    await expect.poll(() => readOfferedDrivers(other)).toEqual([third.uid])
    const readAnswers = async (id: string) =>
      Object.values((await platform.read<Record<string, Offer>>(`offers/${id}`)) ?? {}).map(
        ({ driver, answer }) => [driver, answer],
      )
    expect(await readAnswers(one)).toEqual([[first.uid, 'accepted']])
    expect(await readAnswers(other)).toEqual([
      [second.uid, 'withdrawn'],
      [third.uid, undefined],
    ])
    // The office takes the request back, and no other driver is near.
    await advanceBooking(admin, other, 'withdraw', { driver: third.uid })
    expect(await readOfferedDrivers(other)).toEqual([])
    expect((await readAnswers(other)).at(-1)).toEqual([third.uid, 'withdrawn'])
    for (const id of [one, other]) await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('offers a waiting booking at once to a driver who comes on duty', async () => {
    await enableAutoDispatch({ dispatchMode: 'nearest', dispatchSeconds: 300 })
    const [only] = await createNearbyDrivers(1)
    if (!only) return failTest()
    const id = await createPaidBooking(bookingNow)
    await advanceBooking(only, id, 'decline')
    expect(await readOfferedDrivers(id)).toEqual([])
    const [next] = await createNearbyDrivers(1)
    await expect.poll(() => readOfferedDrivers(id)).toEqual([next?.uid])
    await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('matched, asks about a lone booking at once, and matches two that compete with two drivers in one round', async () => {
    await enableAutoDispatch({ dispatchMode: 'matched', dispatchSeconds: 300 })
    const drivers = await createNearbyDrivers(3)
    const [first, second, third] = drivers as [TestClient, TestClient, TestClient]
    const lone = await createPaidBooking(bookingNow)
    expect(await readOfferedDrivers(lone)).toEqual([first.uid])
    const readOffers = async (id: string) =>
      Object.values((await platform.read<Record<string, Offer>>(`offers/${id}`)) ?? {})
    const [asked] = await readOffers(lone)
    expect(asked).toMatchObject({ driver: first.uid, rank: 1, cost: asked?.eta_s })
    // They wait together because the office assigned drivers until now.
    await platform.write({ 'settings/autoDispatch': false })
    const [one, other] = [await createPaidBooking(bookingNow), await createPaidBooking(bookingNow)]
    await platform.write({ 'settings/autoDispatch': true, ...makeDue(one), ...makeDue(other) })
    await runMaintenance()
    const given = [await readOfferedDrivers(one), await readOfferedDrivers(other)].flat().sort()
    expect(given).toEqual([second.uid, third.uid].sort())
    await advanceBooking(first, lone, 'accept')
    for (const id of [lone, one, other])
      await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })

  it('sends no duplicate offers or reminders when maintenance runs eight times at once', async () => {
    await enableAutoDispatch()
    const drivers = await createNearbyDrivers(2)
    const tripdate = Date.now() + 16 * MINUTE_MS
    const id = await createPaidBooking({ bookLater: true, tripdate })
    await Promise.all(Array.from({ length: 8 }, runMaintenance))
    for (const driver of drivers) {
      const inbox = await platform.read<Record<string, InboxEntry>>(`inbox/${driver.uid}`)
      const tasks = Object.values(inbox ?? {}).filter((entry) => entry.booking_id === id)
      expect(tasks).toHaveLength(1)
    }
    const reminders = Object.keys((await platform.read<object>(`inbox/${riderUid}`)) ?? {})
    expect(reminders.filter((key) => key === `${id}-reminder`)).toHaveLength(1)
    await advanceBooking(rider, id, 'cancel', { reason: 'Too late' })
  })
})

describe('a booking for later', () => {
  it('waits, is offered with a reminder half an hour before, and ends when no driver accepts', async () => {
    await enableAutoDispatch()
    const drivers = await createNearbyDrivers(1)
    const balance = await platform.read<number>(`users/${riderUid}/walletBalance`)
    const id = await createPaidBooking({}, 'wallet')
    await runMaintenance()
    expect(await readOfferedDrivers(id)).toEqual([])
    await platform.write({
      [`bookings/${id}/tripdate`]: Date.now() + 29 * MINUTE_MS,
      ...makeDue(id),
    })
    const swept = await runMaintenance()
    expect([swept.dispatched, swept.reminded]).toEqual([
      expect.arrayContaining([id]),
      expect.arrayContaining([id]),
    ])
    expect(await readOfferedDrivers(id)).toEqual(drivers.map((driver) => driver.uid))
    expect(await platform.read(`inbox/${riderUid}/${id}-reminder`)).toMatchObject({
      booking_id: id,
    })
    expect((await runMaintenance()).reminded).not.toContain(id)

    await platform.write({
      [`bookings/${id}/tripdate`]: Date.now() - 31 * MINUTE_MS,
      ...makeDue(id),
    })
    expect((await runMaintenance()).expired).toContain(id)
    expect(await readBooking(id)).toMatchObject({ status: 'CANCELLED', reason: 'no_driver' })
    expect(await platform.read(`driver_tasks/${drivers[0]?.uid}`)).toBeNull()
    expect(await platform.read(`users/${riderUid}/walletBalance`)).toBe(balance)
    const inboxEntries = await platform.read<Record<string, InboxEntry>>(`inbox/${riderUid}`)
    const ends = Object.values(inboxEntries ?? {}).filter(
      ({ title }) => title === 'push_no_driver_title',
    )
    expect(ends.map((entry) => entry.booking_id)).toEqual([id])
  })
})

test('runs maintenance by itself in local mode, which has no scheduler', async () => {
  const { database, functions } = getSuite().urls
  expect(await runMaintenanceOnce(openLocalDatabase(database), functions)).toBe(true)
})

describe('a stuck booking', () => {
  it('is shown to the office with the possible actions until its status changes', async () => {
    await platform.write({ 'settings/autoDispatch': false })
    await createNearbyDrivers(1)
    const id = await createPaidBooking(bookingNow)
    await platform.write({
      [`bookings/${id}/event_log/pay_PAYMENT_PENDING/at`]: Date.now() - 16 * MINUTE_MS,
      ...makeDue(id),
    })
    expect((await runMaintenance()).stuck).toContain(id)
    const found = await platform.read<StuckBooking>(`stuck_bookings/${id}`)
    expect(found).toMatchObject({ status: 'NEW' })
    await advanceBooking(admin, id, 'cancel', { reason: 'Nobody came' })
    expect((await runMaintenance()).stuck).not.toContain(id)
    expect(await platform.read(`stuck_bookings/${id}`)).toBeNull()
  })
})
