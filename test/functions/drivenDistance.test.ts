import { ref, update } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeRoute } from '~/domain/booking/trip/route'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createPushKey } from '~/domain/data/pushKeys'
import { interpolatePosition } from '~/domain/geo/polylineGeometry'
import { buildTrackPointUpdates } from '~/domain/access/rateLimitedWrites'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { TestClient } from '../support/testClients'
import {
  advanceBooking,
  openTestPlatform,
  expectRefusal,
  type TestPlatform,
  toPosition,
} from './testPlatform'
import type { AuditEntry } from '~/domain/office/types'
import type { Booking, FareReview } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
/** A rider for these tests only, because one rider has at most five open bookings. */
let rider: TestClient
let admin: TestClient

beforeAll(async () => {
  platform = openTestPlatform()
  const [uid = ''] = await platform.createUsers(1, {})
  ;[rider, admin] = await Promise.all([platform.signInAs(uid), platform.signInAs('seed-admin')])
  await platform.write({ 'settings/appcat': 'taxi' })
})
afterAll(async () => {
  await platform.write({ 'settings/appcat': 'delivery' })
  await platform.close()
})

/** Starts a taxi trip that began ten minutes ago; returns its driver and its booking. */
const startTrip = async () => {
  const [uid = ''] = await platform.createUsers(1, {
    usertype: 'driver',
    carType: (await platform.read<string>('users/seed-driver/carType')) ?? '',
  })
  const driver = await platform.signInAs(uid)
  const { booking_id, pickup } = await platform.createBooking(rider)
  await advanceBooking(admin, booking_id, 'assign', { driver: uid })
  await advanceBooking(driver, booking_id, 'accept')
  await advanceBooking(driver, booking_id, 'arrive', toPosition(pickup))
  const otp = await platform.read<number>(`booking_otps/${booking_id}`)
  await advanceBooking(driver, booking_id, 'start', { otp })
  const startTime = await platform.moveStartBack(booking_id)
  const booking = (await platform.read<Booking>(`bookings/${booking_id}`))!
  return { uid, driver, booking_id, booking, startTime }
}
/** Writes positions as the driver's phone does, evenly spaced between two times. */
const writeTrack = async (
  driver: TestClient,
  id: string,
  places: LatLng[],
  from: number,
  to: number,
) => {
  for (const [i, { lat, lng }] of places.entries()) {
    const at = Math.round(from + ((to - from) * (i + 1)) / (places.length + 1))
    const point = { at, status: 'STARTED' as const, lat, lng }
    await update(
      ref(driver.database),
      buildTrackPointUpdates(id, driver.uid, createPushKey(at, i), point),
    )
  }
}
const readBooking = async (id: string) => (await platform.read<Booking>(`bookings/${id}`))!
const readReview = (id: string) => platform.read<FareReview>(`fare_reviews/${id}`)

describe('a taxi trip', () => {
  it('along its route costs the driven distance, measured along the streets', async () => {
    const { driver, booking_id, booking, startTime } = await startTrip()
    const route = decodeRoute(booking)
    const places = Array.from({ length: 30 }, (_, i) => interpolatePosition(route, (i + 1) / 31)!)
    await writeTrack(driver, booking_id, places, startTime, Date.now() - MINUTE_MS)
    await advanceBooking(driver, booking_id, 'reach', route.at(-1))
    const reached = await readBooking(booking_id)
    expect(reached.distance_review).toMatchObject({ verdict: 'ok', dropped_points: 0 })
    expect(reached.driven_distance).toBeCloseTo(booking.estimateDistance, 1)
    expect(reached.distance).toBeCloseTo(booking.estimateDistance, 1)
    expect(await readReview(booking_id)).toBeNull()
  })

  it('with forged positions costs no more than the estimate and waits for a review', async () => {
    const { uid, driver, booking_id, booking, startTime } = await startTrip()
    const forged = Array.from({ length: 60 }, (_, i) => ({
      lat: booking.pickup.lat - (i % 2 ? 15 : 0),
      lng: booking.pickup.lng,
    }))
    await writeTrack(driver, booking_id, forged, startTime, Date.now() - MINUTE_MS)
    await advanceBooking(driver, booking_id, 'reach', toPosition(booking.drop))
    const reached = await readBooking(booking_id)
    expect(reached.distance_review?.verdict).toBe('flagged')
    expect(reached.trip_cost).toBeLessThanOrEqual(booking.estimate)
    expect(await readReview(booking_id)).toMatchObject({ driver: uid })

    await advanceBooking(driver, booking_id, 'finish')
    await advanceBooking(driver, booking_id, 'collect')
    const decide = (client: TestClient, decision: string) =>
      advanceBooking(client, booking_id, 'review', { decision })
    expect((await expectRefusal(decide(rider, 'keep'))).details.key).toBe('not_allowed')
    expect((await expectRefusal(decide(driver, 'keep'))).details.key).toBe('not_allowed')
    // Fifty concurrent clicks must move the money once.
    const taps = await Promise.allSettled(
      Array.from({ length: 50 }, () => decide(admin, 'planned')),
    )
    expect(taps.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    const decided = await readBooking(booking_id)
    const { credited = 0 } = decided.distance_review ?? {}
    expect(decided).toMatchObject({
      status: 'PAID',
      trip_cost: reached.trip_cost,
      distance_review: { decision: 'planned', decided_by: 'seed-admin' },
    })
    expect(credited).toBeGreaterThan(0)
    const { walletBalance = 0 } = (await platform.read<User>(`users/${uid}`)) ?? {}
    const cash = decided.cashPaymentAmount ?? 0
    expect(walletBalance).toBeCloseTo(decided.driver_share - cash + credited, 2)
    expect(await readReview(booking_id)).toBeNull()
    expect((await expectRefusal(decide(admin, 'driven'))).details.key).toBe('already_processed')
    const audit = Object.values((await platform.read<Record<string, AuditEntry>>('audit')) ?? {})
    const entries = audit.filter(({ path }) => path === `bookings/${booking_id}`)
    expect(entries.filter(({ action }) => action === 'fare_review')).toHaveLength(1)
    expect(findViolations((await platform.read<DatabaseTree>('/')) ?? {})).toEqual([])
  })
})
