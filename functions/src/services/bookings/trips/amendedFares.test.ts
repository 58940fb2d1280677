import { describe, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { quoteFare } from '~/domain/money/fare'
import { getDistanceKm } from '~/domain/geo/geo'
import {
  aBooking,
  aCardPacket,
  aRider,
  aSettings,
  aVehicleType,
  MINUTE,
  PICKUP,
} from '~/domain/testing/builders'
import { DomainException } from '../../../domainException'
import type { MapsPort } from '../../../ports/mapsPort'
import { aProject, createTestPorts, straightLineMaps, TEST_NOW } from '../../../testing/testPorts'
import { createTestDatabase } from '../../../testing/testDatabase'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'

const rider = { uid: 'rider', role: 'rider' } as const
const driver = { uid: 'driver', role: 'driver' } as const
const admin = { uid: 'admin', role: 'admin' } as const
const { id: ID } = aBooking()
const taxi = aVehicleType({
  base_fare: 60,
  rate_per_unit_distance: 20,
  rate_per_hour: 60,
  min_fare: 100,
})
/** The place this far north of the pickup, on the only road of the tests. */
const north = (km: number): LatLng => ({ lat: PICKUP.lat + km / 111.195, lng: PICKUP.lng })
const aPlace = (km: number) => ({ ...north(km), add: `${km} km` })
const SECONDS_PER_KM = 100

const getPrice = (km: number) =>
  quoteFare({
    carType: taxi,
    settings: aSettings(),
    distanceKm: km,
    seconds: km * SECONDS_PER_KM,
    parcelType: undefined,
    option: undefined,
  }).estimateFare

/** Maps whose roads are straight lines, or which have no roads. */
const createMaps = (hasRoads: boolean): MapsPort => ({
  ...straightLineMaps,
  getDirections: async (start, dest, via = []) => {
    const places = [start, ...via, dest]
    const legs = places.slice(1).map((to, i) => getDistanceKm(places[i]!, to))
    const found = await straightLineMaps.getDirections(start, dest, via)
    const steps = legs.map((km, i) => ({
      maneuver: i === legs.length - 1 ? 'arrive' : 'stop',
      distance_in_km: km,
      time_in_secs: km * SECONDS_PER_KM,
    }))
    return found && { ...found, steps: steps as never, approximate: !hasRoads }
  },
})

interface TripOptions {
  plannedKm: number
  appcat?: Settings['appcat']
  paid?: 'wallet'
  hasRoads?: boolean
  hasTrack?: boolean
}

/** Creates a trip that has just started. */
const createTrip = ({
  plannedKm,
  appcat = 'delivery',
  paid,
  hasRoads: hasRoadsFirst = true,
  hasTrack = true,
}: TripOptions) => {
  let now = TEST_NOW
  let hasRoads = hasRoadsFirst
  let [place, drivenKm, count] = [0, 0, 0]
  const fare = getPrice(plannedKm)
  const packet = aCardPacket({
    payment_mode: 'wallet',
    customer_paid: fare,
    cardPaymentAmount: 0,
    usedWalletMoney: fare,
    payableAmount: 0,
  })
  const booking = aBooking({
    status: 'STARTED',
    startTime: now,
    drop: aPlace(plannedKm),
    trip_cost: fare,
    estimate: fare,
    estimateDistance: plannedKm,
    distance: plannedKm,
    estimateTime: plannedKm * SECONDS_PER_KM,
    ...(paid && { prepaid: true, paymentPacket: packet, usedWalletMoney: fare }),
  })
  const project = aProject({ settings: aSettings({ appcat }) })
  const db = createTestDatabase(
    {
      ...project,
      cartypes: { van: taxi },
      users: {
        ...project.users,
        rider: aRider({
          walletBalance: 1000,
          walletHistory: { start: { type: 'Credit', amount: 1000, date: 1, txRef: 'x' } },
        }),
        driver: { ...project.users.driver, queue: true, location: north(0) },
      },
      bookings: { [ID]: booking },
      tracking: { [ID]: { p0: { at: now, status: 'STARTED', ...north(0) } } },
    },
    { now: () => now },
  )
  const { bookings } = createTestPorts({
    db,
    clock: { now: () => now, wait: () => Promise.resolve() },
    maps: () => Promise.resolve(createMaps(hasRoads)),
  })
  const getBooking = () => db.at(`bookings/${ID}`) as Booking
  const apply = async (input: object, actor: typeof rider | typeof driver | typeof admin) => {
    await bookings.applyEvent(ID, input as never, actor)
    return getBooking().trip_cost
  }
  const trip = {
    getBooking,
    apply,
    getWallet: () => db.at('users/rider/walletBalance') as number,
    listReviews: () => Object.keys((db.at('fare_reviews') as object | null) ?? {}),
    getDrivenKm: () => drivenKm,
    /** Drives to this place on the road, at 36 km/h. */
    driveTo: (km: number) => {
      const parts = Math.max(1, Math.round(Math.abs(km - place) * 20))
      const from = place
      for (let part = 1; part <= parts; part++) {
        now += (Math.abs(km - from) / parts) * SECONDS_PER_KM * 1000
        const point = north(from + ((km - from) * part) / parts)
        const key = `tracking/${ID}/q${String(++count).padStart(5, '0')}`
        if (hasTrack)
          db.put({ [key]: toJson({ at: Math.round(now), status: 'STARTED', ...point }) })
      }
      drivenKm += Math.abs(km - place)
      place = km
      db.put({ 'users/driver/location': { ...north(km) } })
      now = Math.round(now) + 1000
    },
    /** Moves the drop-off as the rider does, who accepts the price. Returns what was asked. */
    amend: async (km: number): Promise<{ asked: number | null; price: number }> => {
      const input = { event: 'amend', drop: aPlace(km) }
      try {
        return { asked: null, price: await apply(input, rider) }
      } catch (error) {
        if (!(error instanceof DomainException)) throw error
        expect(error.error.key).toBe('estimate_changed')
        const asked = Number(error.error.params?.estimate)
        return { asked, price: await apply({ ...input, estimateFare: asked }, rider) }
      }
    },
    /** Lets the maps service answer with roads from now on. */
    findRoads: () => void (hasRoads = true),
    /** Reports a position without driving there. */
    claimPosition: (km: number) => {
      now += 1000
      db.put({
        [`tracking/${ID}/r${++count}`]: toJson({ at: now, status: 'STARTED', ...north(km) }),
      })
    },
    reach: () => {
      now += MINUTE / 2
      return apply({ event: 'reach', ...north(place) }, driver)
    },
  }
  return trip
}

/** The lowest right price: the road driven, and the rest. Noise may hide 2 % and 100 meters. */
const getLeast = (drivenKm: number, restKm = 0) => getPrice((drivenKm - 0.1) / 1.02 + restKm)

const KINDS: [string, Omit<TripOptions, 'plannedKm'>][] = [
  ['an unpaid delivery', {}],
  ['a delivery paid from the wallet', { paid: 'wallet' }],
  ['a taxi trip', { appcat: 'taxi' }],
  ['a taxi trip paid from the wallet', { appcat: 'taxi', paid: 'wallet' }],
  ['a delivery whose phone sends no track', { hasTrack: false }],
]

describe.each(KINDS)('%s', (_, options) => {
  test('a: costs the road driven when it goes far beyond a short plan', async () => {
    const trip = createTrip({ plannedKm: 1.148, ...options })
    trip.driveTo(5.46)
    const { asked, price } = await trip.amend(5.46)
    expect(asked).toBe(price)
    expect(price).toBeGreaterThanOrEqual(getLeast(5.46))
    expect(price).toBeLessThanOrEqual(getPrice(5.6))
    expect(await trip.reach()).toBeGreaterThanOrEqual(getLeast(5.46))
    expect(trip.listReviews()).toEqual([])
    if (options.paid) expect(trip.getWallet()).toBeCloseTo(1000 + getPrice(1.148) - price, 2)
  })

  test('b: costs the road driven each time that the drop-off follows the car', async () => {
    const trip = createTrip({ plannedKm: 7.68, ...options })
    for (const km of [1.15, 3.84, 7.68]) {
      trip.driveTo(km)
      const { price } = await trip.amend(km + 0.09)
      expect(price).toBeGreaterThanOrEqual(getLeast(km, 0.09))
    }
    expect(await trip.reach()).toBeGreaterThanOrEqual(getLeast(7.68))
  })

  test('c: costs all of the road half-way, back and out again', async () => {
    const trip = createTrip({ plannedKm: 7.68, ...options })
    await trip.amend(3.84)
    trip.driveTo(3.84)
    await trip.amend(0.05)
    trip.driveTo(0.1)
    await trip.amend(7.68)
    trip.driveTo(7.68)
    const { price } = await trip.amend(7.8)
    expect(price).toBeGreaterThanOrEqual(getLeast(trip.getDrivenKm(), 0.12))
    expect(await trip.reach()).toBeGreaterThanOrEqual(getLeast(trip.getDrivenKm()))
    expect(trip.listReviews()).toEqual([])
  })

  test('d: costs the whole road when a short plan becomes a long one', async () => {
    const trip = createTrip({ plannedKm: 1.148, ...options })
    trip.driveTo(5)
    const { asked, price } = await trip.amend(7.68)
    expect(asked).toBe(price)
    expect(price).toBeGreaterThanOrEqual(getLeast(5, 2.68))
    trip.driveTo(7.68)
    expect((await trip.amend(7.78)).price).toBeGreaterThanOrEqual(getLeast(7.68, 0.1))
  })
})

describe.each(KINDS.filter(([, { hasTrack = true }]) => hasTrack))('%s', (_, options) => {
  test('e: costs both ways when it is driven far and back', async () => {
    const trip = createTrip({ plannedKm: 7.68, ...options })
    trip.driveTo(7.83)
    trip.driveTo(0.2)
    const { asked, price } = await trip.amend(0.35)
    expect(asked).toBe(price)
    expect(price).toBeGreaterThanOrEqual(getLeast(15.46, 0.15))
    expect(price).toBeLessThanOrEqual(getPrice(15.8))
  })
})

describe('a track that the streets do not confirm', () => {
  test('costs the plan and waits for the back office after the trip', async () => {
    const trip = createTrip({ plannedKm: 7.68, paid: 'wallet', hasRoads: false })
    trip.driveTo(7.68)
    trip.driveTo(0.2)
    const { price } = await trip.amend(0.35)
    expect(price).toBeLessThanOrEqual(getPrice(8))
    expect(trip.getBooking().distance_review).toMatchObject({ verdict: 'flagged' })
    expect(trip.listReviews()).toEqual([])
    await expect(trip.apply({ event: 'review', decision: 'driven' }, admin)).rejects.toThrow()
    await trip.reach()
    expect(trip.listReviews()).toEqual([ID])
    await trip.apply({ event: 'review', decision: 'driven' }, admin)
    expect(trip.getBooking().distance_review?.credited).toBeGreaterThan(100)
    expect(trip.getBooking().trip_cost).toBe(price)
    expect(trip.listReviews()).toEqual([])
  })

  test('is no longer under review when a later amendment proves it', async () => {
    const trip = createTrip({ plannedKm: 7.68, hasRoads: false })
    trip.driveTo(7.68)
    trip.driveTo(0.2)
    const guessed = await trip.amend(0.35)
    expect(trip.getBooking().distance_review?.verdict).toBe('flagged')
    trip.findRoads()
    const { price } = await trip.amend(0.4)
    expect(price).toBeGreaterThan(guessed.price * 1.5)
    expect(trip.getBooking().distance_review).toBeUndefined()
    expect(trip.getBooking().driven_distance).toBeUndefined()
  })

  test('costs the plan when the car circles in the same streets', async () => {
    const trip = createTrip({ plannedKm: 2 })
    for (let round = 0; round < 8; round++) {
      trip.driveTo(1)
      trip.driveTo(0)
    }
    const { price } = await trip.amend(0.5)
    expect(price).toBeLessThanOrEqual(getPrice(5))
    expect(trip.getBooking().distance_review).toMatchObject({ verdict: 'flagged' })
  })

  test('costs the plan when the car cannot be at its position', async () => {
    const trip = createTrip({ plannedKm: 2 })
    trip.driveTo(0.5)
    trip.claimPosition(60)
    await trip.amend(1.5)
    // The rest begins where the phone says that the car is.
    expect(trip.getBooking().estimateDistance).toBeLessThanOrEqual(2 + 58.5 + 0.1)
    expect(trip.getBooking().distance_review).toMatchObject({
      verdict: 'flagged',
      reasons: expect.arrayContaining(['end_impossible']) as unknown,
    })
  })

  test('costs the road to the drop-off that the customer has chosen beside it', async () => {
    const trip = createTrip({ plannedKm: 1.148 })
    trip.claimPosition(5.46)
    const { asked, price } = await trip.amend(5.46)
    expect(asked).toBe(price)
    expect(price).toBeGreaterThanOrEqual(getLeast(5.46))
  })
})
