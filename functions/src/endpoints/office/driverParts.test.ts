import { beforeAll, describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { encodeGeohash } from '~/domain/geo/geohash'
import { aBooking, aDriver, aSettings, PICKUP } from '~/domain/testing/builders'
import { runDueBookings } from '../../services/jobs/maintenance'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { driver_parts } from './driverParts'
import type { Booking } from '~/domain/booking/types'

const FIRST = '-OAbcdefghijklmnopqr'
const SECOND = '-OBbcdefghijklmnopqr'
const OLD = '-O0bcdefghijklmnopqr'
const availableAt = (north: number) => {
  const place = { lat: PICKUP.lat + north, lng: PICKUP.lng }
  return { carType: 'van', ...place, geohash: encodeGeohash(place), at: 1 }
}
const aWaiting = (id: string): Booking => ({
  ...aBooking({ id, status: 'NEW', bookingDate: TEST_NOW, tripdate: TEST_NOW }),
  due_at: TEST_NOW,
})
const createPlatform = (dispatchMode: 'nearest' | 'matched' | 'broadcast') =>
  createProjectPorts({
    settings: aSettings({ autoDispatch: true, dispatchMode }),
    bookings: {
      [FIRST]: aWaiting(FIRST),
      [OLD]: {
        ...aBooking({ id: OLD, status: 'STARTED', driver: 'busy', accepted_at: TEST_NOW - 60_000 }),
        event_log: {},
      },
    },
    users: {
      ...aProject().users,
      near: aDriver({ id: 'near' }),
      far: aDriver({ id: 'far' }),
      busy: aDriver({ id: 'busy' }),
      home: aDriver({ id: 'home' }),
      truck: aDriver({ id: 'truck', carType: 'truck' }),
    },
    available_drivers: { near: availableAt(0.001), far: availableAt(0.004) },
  })
const ask = (
  ports: ReturnType<typeof createPlatform>,
  input: Parameters<typeof driver_parts.handle>[0],
) => driver_parts.handle(input, createUserContext('admin', 'admin', ports))

describe.each(['nearest', 'matched'] as const)('the parts of drivers in mode %s', (mode) => {
  let given: ReturnType<typeof createPlatform>
  beforeAll(async () => {
    given = createPlatform(mode)
    await runDueBookings(given, TEST_NOW)
  })
  const getOutcome = async (driver: string) =>
    (await ask(given, { driver, booking_id: FIRST })).rows[0]?.outcome

  it('says who got the offer of a booking and why another driver did not', async () => {
    const { rows } = await ask(given, { driver: 'far', booking_id: FIRST })
    expect(rows).toEqual([
      {
        booking: FIRST,
        offer: '0',
        at: TEST_NOW,
        outcome: 'farther',
        eta_s: 44,
        cost: 44,
        total: 2,
        chosen: { driver: 'near', eta_s: 11, cost: 11 },
      },
    ])
    expect(await getOutcome('near')).toBe('offered')
  })

  it('says why a driver was not considered at all', async () => {
    expect(await getOutcome('truck')).toBe('vehicle_type')
    expect(await getOutcome('home')).toBe('out_of_reach')
    const { rows } = await ask(given, { driver: 'busy', booking_id: FIRST })
    expect(rows).toMatchObject([{ outcome: 'on_trip', other: OLD, chosen: { driver: 'near' } }])
  })

  it('lists the decisions that considered a driver, without those of other drivers', async () => {
    const { rows, next } = await ask(given, { driver: 'far' })
    expect(rows).toMatchObject([{ booking: FIRST, offer: '0', outcome: 'farther' }])
    expect(next).toBeNull()
    expect((await ask(given, { driver: 'home' })).rows).toEqual([])
    expect((await ask(given, { driver: 'far', before: TEST_NOW - 1 })).rows).toEqual([])
  })

  it('keeps the reasons of a driver who holds an open offer of another booking', async () => {
    given.db.put({ [`bookings/${SECOND}`]: toJson(aWaiting(SECOND)) })
    await runDueBookings(given, TEST_NOW)
    const { rows } = await ask(given, { driver: 'near', booking_id: SECOND })
    expect(rows).toMatchObject([{ outcome: 'open_offer', chosen: { driver: 'far' } }])
  })

  it('refuses a booking or a driver that does not exist', async () => {
    expect(await getErrorKey(ask(given, { driver: 'near', booking_id: 'none' }))).toBe('not_found')
    expect(await getErrorKey(ask(given, { driver: 'admin', booking_id: FIRST }))).toBe('not_found')
  })
})

describe('the parts of drivers in mode broadcast', () => {
  it('are the offers, and unknown for a driver without one', async () => {
    const given = createPlatform('broadcast')
    await runDueBookings(given, TEST_NOW)
    const { rows } = await ask(given, { driver: 'far', booking_id: FIRST })
    expect(rows.map(({ outcome }) => outcome)).toContain('offered')
    const missed = await ask(given, { driver: 'home', booking_id: FIRST })
    expect(missed.rows.map(({ outcome }) => outcome)).toEqual(['unrecorded', 'unrecorded'])
  })
})

it('reads decisions page by page, each of them once', async () => {
  const given = createPlatform('nearest')
  const input = JSON.stringify({
    at: TEST_NOW,
    isRound: false,
    weight: 0,
    fleet: { income: 0, active_s: 0 },
    drivers: [['near', 0, 0]],
    bookings: [['trip', [[0, 10, 0]]]],
  })
  const day = 86_400_000
  await given.db.update(
    Object.fromEntries(
      Array.from({ length: 620 }, (_, i) => [
        `internal/offer_decisions/trip_${i}`,
        // Three decisions at each time.
        { due: TEST_NOW + 90 * day - Math.floor(i / 3), input },
      ]),
    ),
  )
  const seen: string[] = []
  let before: number | null = TEST_NOW
  let pages = 0
  while (before !== null) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(given, { driver: 'near', before })
    seen.push(...page.rows.map(({ offer = '' }) => offer))
    before = page.next
    pages++
  }
  expect(pages).toBe(3)
  expect(seen.length).toBe(620)
  expect(new Set(seen).size).toBe(620)
})
