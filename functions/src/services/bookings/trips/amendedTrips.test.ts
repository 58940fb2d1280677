import { describe, expect, it } from 'vitest'
import { quoteFare } from '~/domain/money/fare'
import { toJson } from '~/domain/data/databaseValue'
import { aBooking, aSettings, aVehicleType, MINUTE, PICKUP } from '~/domain/testing/builders'
import { DomainException } from '../../../domainException'
import { aProject, createTestPorts, TEST_NOW } from '../../../testing/testPorts'
import { createTestDatabase } from '../../../testing/testDatabase'
import type { Booking, TrackingPoint } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'

const rider = { uid: 'rider', role: 'rider' } as const
const { id: ID } = aBooking()
const north = (km: number): LatLng => ({ lat: PICKUP.lat + km / 111.195, lng: PICKUP.lng })
const aPlace = (km: number, add: string) => ({ ...north(km), add })

/** Returns the price of `km` kilometers at the 36 km/h of the test's maps. */
const getPrice = (km: number) =>
  quoteFare({
    carType: aVehicleType(),
    settings: aSettings(),
    distanceKm: km,
    seconds: Math.round(km * 100),
    parcelType: undefined,
    option: undefined,
  }).estimateFare

/** Creates a trip of 14 km that has driven `drivenKm` of them, with the track that proves it. */
const createTrip = (drivenKm: number, { appcat = 'delivery' as const, hasTrack = true } = {}) => {
  let now = TEST_NOW
  const startTime = TEST_NOW - 40 * MINUTE
  const point = (km: number, at: number): TrackingPoint => ({ at, status: 'STARTED', ...north(km) })
  const count = hasTrack ? Math.ceil(drivenKm * 5) : 0
  const track = Array.from({ length: count + 1 }, (_, i) =>
    point((drivenKm * i) / Math.max(1, count), startTime + (i * 39 * MINUTE) / Math.max(1, count)),
  )
  const booking = aBooking({
    status: 'STARTED',
    startTime,
    drop: aPlace(14, 'Far end'),
    trip_cost: getPrice(14),
    estimate: getPrice(14),
    estimateDistance: 14,
    distance: 14,
    estimateTime: 1400,
  })
  const project = aProject({ settings: aSettings({ appcat }) })
  const db = createTestDatabase(
    {
      ...project,
      users: {
        ...project.users,
        driver: { ...project.users.driver, queue: true, location: north(drivenKm) },
      },
      bookings: { [ID]: booking },
      tracking: { [ID]: Object.fromEntries(track.map((fix, i) => [`p${1000 + i}`, fix])) },
    },
    { now: () => now },
  )
  const { bookings } = createTestPorts({
    db,
    clock: { now: () => now, wait: () => Promise.resolve() },
  })
  const getBooking = () => db.at(`bookings/${ID}`) as Booking
  return {
    getBooking,
    /** Amends the trip. Returns the price that the server asks for, or the refusal's key. */
    amend: async (change: { drop?: object; waypoints?: object[] }, estimateFare?: number) => {
      const input = { event: 'amend', ...change, ...(estimateFare && { estimateFare }) } as const
      try {
        await bookings.applyEvent(ID, input as never, rider)
        return getBooking().trip_cost
      } catch (error) {
        if (!(error instanceof DomainException)) throw error
        const { key, params } = error.error
        return key === 'estimate_changed' ? Number(params?.estimate) : key
      }
    },
    /** Drives on to this distance from the pickup. */
    driveTo: (km: number, ms: number) => {
      now += ms
      db.put({
        [`tracking/${ID}/q${now}`]: toJson(point(km, now)),
        'users/driver/location': { ...north(km) },
      })
    },
  }
}

describe('an amendment of a trip under way', () => {
  const besidePickup = { drop: aPlace(0.6, 'Beside the pickup') }

  it.each([
    ['a delivery with a track', {}],
    ['a delivery whose phone sends only its location', { hasTrack: false }],
    ['a taxi trip with a believable track', { appcat: 'taxi' as never }],
  ])('charges the road driven so far and the way back: %s', async (_, options) => {
    const trip = createTrip(13, options)
    const before = trip.getBooking().trip_cost
    const price = await trip.amend(besidePickup, before)
    expect(price).toBeGreaterThanOrEqual(getPrice(13 + 12.4) - 0.5)
    expect(trip.getBooking().trip_cost).toBe(before)
    await trip.amend(besidePickup, Number(price))
    expect(trip.getBooking().trip_cost).toBe(price)
    expect(trip.getBooking().drop.add).toBe('Beside the pickup')
  })

  it('plans the driven part too, so that the end of a taxi trip accepts its track', async () => {
    const trip = createTrip(13, { appcat: 'taxi' as never })
    await trip.amend(besidePickup, Number(await trip.amend(besidePickup)))
    expect(trip.getBooking().estimateDistance).toBeCloseTo(25.4, 0)
  })

  it('is cheaper when the customer gets out on the way', async () => {
    const trip = createTrip(5)
    const price = await trip.amend({ drop: aPlace(5.5, 'Here') })
    expect(price).toBeLessThan(getPrice(14))
    expect(price).toBeGreaterThanOrEqual(getPrice(5.5) - 0.5)
    expect(trip.getBooking().trip_cost).toBe(price)
  })

  it('charges a visited stop that the customer removes', async () => {
    const trip = createTrip(12)
    const there = { waypoints: [aPlace(13, 'Stop')], drop: aPlace(0.8, 'Home') }
    const price = Number(await trip.amend(there, 1))
    await trip.amend(there, price)
    trip.driveTo(13, 2 * MINUTE)
    trip.driveTo(1, 20 * MINUTE)
    expect(await trip.amend({ waypoints: [] }, 1)).toBeGreaterThanOrEqual(getPrice(25))
  })

  it('keeps the confirmed price while the car moves on, for two minutes and not longer', async () => {
    const trip = createTrip(10)
    const price = Number(await trip.amend(besidePickup, 1))
    trip.driveTo(11, MINUTE)
    // Another amendment has a price of its own.
    expect(await trip.amend({ drop: aPlace(3, 'Another place') }, 1)).not.toBe(price)
    expect(await trip.amend(besidePickup, 1)).not.toBe(price)
    const later = Number(await trip.amend(besidePickup, 1))
    trip.driveTo(12, MINUTE)
    expect(await trip.amend(besidePickup, later)).toBe(later)
    expect(trip.getBooking()).toMatchObject({ trip_cost: later })
  })

  it('does not keep a price that would make the road driven since then free', async () => {
    const trip = createTrip(10)
    const price = Number(await trip.amend(besidePickup, 1))
    trip.driveTo(12, MINUTE)
    expect(await trip.amend(besidePickup, price)).toBeGreaterThan(price)
    expect(trip.getBooking().drop.add).toBe('Far end')
  })

  it('does not keep a price longer when it is asked for again and again', async () => {
    const trip = createTrip(2)
    const first = Number(await trip.amend(besidePickup, 1))
    for (let km = 4; km <= 12; km += 2) {
      trip.driveTo(km, MINUTE)
      await trip.amend(besidePickup, 1)
    }
    expect(await trip.amend(besidePickup, first)).toBeGreaterThan(first * 2)
    expect(trip.getBooking().drop.add).toBe('Far end')
  })
})
