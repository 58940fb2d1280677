import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { encodeGeohash } from '~/domain/geo/geohash'
import { aBooking, aDriver, aSettings, PICKUP } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { recordDuty } from '../../services/dispatch/driverShifts'
import { removeExpiredDecisions, runDueBookings } from '../../services/jobs/maintenance'
import { aProject, createProjectPorts, createUserContext, TEST_NOW } from '../../testing/testPorts'
import { fairness_report } from './fairnessReport'
import type { Booking } from '~/domain/booking/types'
import type { DriverMonth } from '~/domain/dispatch/types'

const ID = '-OAbcdefghijklmnopqr'
const MONTH = new Date(TEST_NOW).toISOString().slice(0, 7)
const availableAt = (north: number) => {
  const place = { lat: PICKUP.lat + north, lng: PICKUP.lng }
  return { carType: 'van', ...place, geohash: encodeGeohash(place), at: 1 }
}
const settings = aSettings({ autoDispatch: true, dispatchMode: 'nearest', timezone: 'UTC' })
const createPlatform = (more: Record<string, unknown> = {}) => {
  const booking: Booking = {
    ...aBooking({ id: ID, status: 'NEW', bookingDate: TEST_NOW, tripdate: TEST_NOW }),
    due_at: TEST_NOW,
  }
  return createProjectPorts({
    settings,
    bookings: { [ID]: booking },
    booking_contacts: { [ID]: { customer_contact: '+15555550100', customer_email: 'a@b.example' } },
    users: {
      ...aProject().users,
      near: aDriver({ id: 'near', firstName: 'Nadia', lastName: 'Sol', fleetadmin: 'fleet' }),
      far: aDriver({ id: 'far', firstName: 'Fabio', lastName: 'Mar' }),
    },
    people: {
      near: { usertype: 'driver', firstName: 'Nadia', lastName: 'Sol', fleetadmin: 'fleet' },
      far: { usertype: 'driver', firstName: 'Fabio', lastName: 'Mar' },
    },
    available_drivers: { near: availableAt(0.001), far: availableAt(0.004) },
    ...more,
  })
}
type Given = ReturnType<typeof createPlatform>
const readMonth = (given: Given, driver: string) =>
  given.db.at(`internal/driver_months/${MONTH}_${driver}`) as DriverMonth | undefined
const report = (given: Given, role: 'admin' | 'fleetadmin' = 'admin', cursor?: string) =>
  fairness_report.handle(
    { month: MONTH, ...(cursor !== undefined && { cursor }) },
    createUserContext(role === 'admin' ? 'admin' : 'fleet', role, given),
  )

describe('the monthly report about dispatch', () => {
  it('counts an offer and its answer in the updates that make them', async () => {
    const given = createPlatform()
    await runDueBookings(given, TEST_NOW)
    expect(readMonth(given, 'near')).toMatchObject({ offers: 1, revision: 1 })
    await given.bookings.applyEvent(ID, { event: 'decline' }, { uid: 'near', role: 'driver' })
    expect(readMonth(given, 'near')).toMatchObject({ offers: 1, declined: 1, revision: 2 })
    await runDueBookings(given, TEST_NOW)
    await given.bookings.applyEvent(ID, { event: 'accept' }, { uid: 'far', role: 'driver' })
    expect(readMonth(given, 'far')).toMatchObject({ offers: 1, accepted: 1, revision: 2 })
    const { rows, next } = await report(given)
    expect(next).toBeNull()
    expect(rows).toEqual([
      expect.objectContaining({ driver: 'far', name: 'Fabio Mar', offers: 1, accepted: 1 }),
      expect.objectContaining({ driver: 'near', name: 'Nadia Sol', offers: 1, declined: 1 }),
    ])
  })

  it('counts one accept when fifty arrive at once', async () => {
    const given = createPlatform()
    await runDueBookings(given, TEST_NOW)
    await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        given.bookings.applyEvent(ID, { event: 'accept' }, { uid: 'near', role: 'driver' }),
      ),
    )
    expect(readMonth(given, 'near')).toMatchObject({ offers: 1, accepted: 1, revision: 2 })
  })

  it('counts the time on duty once, and shows the running period before it ends', async () => {
    const given = createPlatform()
    const start = TEST_NOW - 2 * HOUR_MS
    await recordDuty(given.db, 'far', start)
    const before = await report(given, 'admin')
    expect(before.rows).toEqual([])
    await given.db.update({
      [`internal/driver_months/${MONTH}_far`]: { offers: 3, due: TEST_NOW + HOUR_MS, revision: 1 },
    })
    const running = (await report(given)).rows[0]
    expect(running?.active_s).toBeGreaterThanOrEqual(7200)
    await given.db.update({ 'users/far/driverActiveStatus': false })
    await Promise.all(Array.from({ length: 50 }, () => recordDuty(given.db, 'far', TEST_NOW)))
    expect(readMonth(given, 'far')).toMatchObject({ offers: 3, active_s: 7200, revision: 2 })
  })

  it('shows the income of the month in the currency of the settings', async () => {
    const minor = { [`${settings.code}${settings.decimal}`]: { driverShare: 12_345 } }
    const given = createPlatform({
      internal: { driver_months: { [`${MONTH}_far`]: { offers: 1, due: 1, revision: 1 } } },
      stats: { driver_earnings: { far: { [MONTH]: { total_rides: 4, minor } } } },
    })
    expect((await report(given)).rows).toMatchObject([
      { driver: 'far', trips: 4, income: 12_345 / 10 ** settings.decimal },
    ])
  })

  it('shows a fleet admin only the drivers of their fleet', async () => {
    const counts = { offers: 1, due: 1, revision: 1 }
    const given = createPlatform({
      internal: { driver_months: { [`${MONTH}_far`]: counts, [`${MONTH}_near`]: counts } },
    })
    const { rows } = await report(given, 'fleetadmin')
    expect(rows.map(({ driver }) => driver)).toEqual(['near'])
  })

  it('pages through many drivers, each of them once', async () => {
    const given = createPlatform({
      internal: {
        driver_months: Object.fromEntries(
          [...Array.from({ length: 250 }, (_, i) => `${MONTH}_d${i}`), '2020-01_old'].map((key) => [
            key,
            { offers: 1, due: 1, revision: 1 },
          ]),
        ),
      },
    })
    const seen: string[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await report(given, 'admin', cursor)
      expect(page.rows.length).toBeLessThanOrEqual(100)
      seen.push(...page.rows.map(({ driver }) => driver))
      if (page.next === null) break
      cursor = page.next
    }
    expect(seen.length).toBe(250)
    expect(new Set(seen).size).toBe(250)
  })

  it('is without the counts that the daily job has removed', async () => {
    const given = createPlatform({
      internal: {
        driver_months: {
          [`${MONTH}_far`]: { offers: 1, due: TEST_NOW - 1, revision: 1 },
          [`${MONTH}_near`]: { offers: 1, due: TEST_NOW + 1, revision: 1 },
        },
      },
    })
    expect(await removeExpiredDecisions(given, TEST_NOW)).toBe(1)
    expect((await report(given)).rows.map(({ driver }) => driver)).toEqual(['near'])
  })
})

describe('the input of the report', () => {
  it.each([
    [{ month: '2026-13' }, 'month'],
    [{ month: '2026-11', cursor: 'a/b' }, 'cursor'],
    [{ month: '2026-11', cursor: 'a.b' }, 'cursor'],
  ])('is refused for %o, with the field', (input, field) => {
    const parsed = v.safeParse(fairness_report.input, input)
    expect(parsed.issues?.map(({ path }) => path?.[0]?.key)).toEqual([field])
  })
})
