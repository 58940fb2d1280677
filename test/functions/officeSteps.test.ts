import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'
import type { TestClient } from '../support/testClients'
import { advanceBooking, expectRefusal, openTestPlatform, type TestPlatform } from './testPlatform'

const CONCURRENT_CALLS = 50
const REASON = 'The phone is dead'
const HERE = { lat: -34.9, lng: -56.16 }
let platform: TestPlatform
let admin: TestClient
beforeAll(async () => {
  platform = openTestPlatform()
  admin = await platform.signInAs('seed-admin')
})
afterAll(() => platform.close())

/** Creates a driver who has accepted a booking of the office. */
const createAccepted = async () => {
  const [[uid = ''], [customer = '']] = await Promise.all([
    platform.createUsers(1, { usertype: 'driver' }),
    platform.createUsers(1, {}),
  ])
  const { booking_id } = await platform.createBooking(admin, { customer })
  await platform.write({
    [`bookings/${booking_id}/requestedDrivers/${uid}`]: true,
    [`driver_tasks/${uid}/${booking_id}`]: true,
  })
  const driver = await platform.signInAs(uid)
  await advanceBooking(driver, booking_id, 'accept')
  const read = async () => {
    const booking = await platform.read<Booking>(`bookings/${booking_id}`)
    if (!booking) throw new Error('The booking is gone.')
    return booking
  }
  return { uid, driver, booking_id, read }
}

describe('the office records the steps of a driver', () => {
  it('when their phone is dead, so that the trip ends and the car is free', async () => {
    const { uid, driver, booking_id, read } = await createAccepted()
    const missing = await expectRefusal(advanceBooking(admin, booking_id, 'arrive'))
    expect(missing.details).toMatchObject({ key: 'reason_required', field: 'reason' })
    const withPosition = advanceBooking(admin, booking_id, 'arrive', { reason: REASON, ...HERE })
    expect((await expectRefusal(withPosition)).details).toMatchObject({ field: 'lat' })
    for (const step of ['arrive', 'start', 'reach', 'finish', 'collect'])
      await advanceBooking(admin, booking_id, step, { reason: REASON })
    const booking = await read()
    expect(booking).toMatchObject({
      status: 'PAID',
      words: { start: REASON },
      distance_review: { verdict: 'flagged', reasons: ['office_step'] },
    })
    expect(booking.customer_paid).toBe(booking.estimate)
    const person = await platform.read<User>(`users/${uid}`)
    expect(person?.queue).toBe(false)
    await expect(advanceBooking(driver, booking_id, 'reach', HERE)).resolves.toMatchObject({
      status: 'REACHED',
    })
    expect(await read()).toEqual(booking)
  })

  it('once, when fifty calls of the office and the driver arrive together', async () => {
    const { driver, booking_id, read } = await createAccepted()
    const ofDriver = (index: number) => index % 2 === 1
    const settled = await Promise.allSettled(
      Array.from({ length: CONCURRENT_CALLS }, (_, index) =>
        ofDriver(index)
          ? advanceBooking(driver, booking_id, 'arrive', HERE)
          : advanceBooking(admin, booking_id, 'arrive', { reason: REASON }),
      ),
    )
    const refused = settled.filter(({ status }, index) => ofDriver(index) && status === 'rejected')
    expect(refused).toEqual([])
    const { status, revision, event_log } = await read()
    expect([status, revision]).toEqual(['ARRIVED', 3])
    expect(Object.values(event_log).filter(({ event }) => event === 'arrive')).toHaveLength(1)
  })
})

describe('a customer who does not come', () => {
  /** Creates a booking whose driver has waited for six minutes. */
  const createWaiting = async () => {
    const given = await createAccepted()
    await advanceBooking(given.driver, given.booking_id, 'arrive', HERE)
    const early = await expectRefusal(advanceBooking(given.driver, given.booking_id, 'no_show'))
    expect(early.details.key).toBe('no_show_too_early')
    const arrived = Date.now() - 6 * MINUTE_MS
    await platform.write({
      [`bookings/${given.booking_id}/driver_arrive_time`]: arrived,
      [`bookings/${given.booking_id}/event_log/arrive/at`]: arrived,
    })
    return given
  }

  it('ends the booking as a no-show, and the driver is free', async () => {
    const { uid, driver, booking_id, read } = await createWaiting()
    await advanceBooking(driver, booking_id, 'no_show')
    expect(await read()).toMatchObject({
      status: 'CANCELLED',
      reason: 'no_show',
      cancelledBy: 'driver',
      cancellationFee: 0,
    })
    expect((await platform.read<User>(`users/${uid}`))?.queue).toBe(false)
  })

  it('either starts or is a no-show, when fifty calls arrive together', async () => {
    const { driver, booking_id, read } = await createWaiting()
    const otp = await platform.read<number>(`booking_otps/${booking_id}`)
    await Promise.allSettled(
      Array.from({ length: CONCURRENT_CALLS }, (_, index) =>
        index % 2 === 0
          ? advanceBooking(driver, booking_id, 'start', otp === null ? {} : { otp })
          : advanceBooking(admin, booking_id, 'no_show'),
      ),
    )
    const { status, revision } = await read()
    expect(revision).toBe(4)
    expect(['STARTED', 'CANCELLED']).toContain(status)
  })
})

describe('the office takes a booking out of automatic dispatch', () => {
  it('so that an acceptance at the same moment and the office exclude each other', async () => {
    const [[uid = ''], [customer = '']] = await Promise.all([
      platform.createUsers(1, { usertype: 'driver' }),
      platform.createUsers(1, {}),
    ])
    const { booking_id } = await platform.createBooking(admin, { customer })
    await platform.write({
      [`bookings/${booking_id}/requestedDrivers/${uid}`]: true,
      [`driver_tasks/${uid}/${booking_id}`]: true,
    })
    const driver = await platform.signInAs(uid)
    await Promise.allSettled(
      Array.from({ length: CONCURRENT_CALLS }, (_, index) =>
        index % 2 === 0
          ? advanceBooking(driver, booking_id, 'accept')
          : advanceBooking(admin, booking_id, 'take'),
      ),
    )
    const booking = await platform.read<Booking>(`bookings/${booking_id}`)
    const person = await platform.read<User>(`users/${uid}`)
    const isTaken = booking?.status === 'NEW'
    expect(booking).toMatchObject(
      isTaken ? { taken_by: 'seed-admin' } : { status: 'ACCEPTED', driver: uid },
    )
    expect(person?.queue ?? false).toBe(!isTaken)
    expect(await platform.read(`driver_tasks/${uid}`)).toBeNull()
    if (!isTaken) return
    await advanceBooking(admin, booking_id, 'assign', { driver: uid })
    expect(await platform.read(`driver_tasks/${uid}/${booking_id}`)).toBe(true)
  })
})
