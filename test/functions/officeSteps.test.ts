import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
