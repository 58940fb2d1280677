import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeRoute } from '~/domain/booking/trip/route'
import { measureTrackKm } from '~/domain/booking/trip/track'
import { formatDay, formatMonth } from '~/domain/language/zonedTime'
import { getDistanceKm } from '~/domain/geo/geo'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { getLengthKm, projectOntoPolyline } from '~/domain/geo/polylineGeometry'
import { encodePolyline } from '~/domain/geo/polyline'
import { DEMO_ACCOUNTS } from './demoAccounts'
import { DEMO_SETTINGS, type DemoCategory } from './catalog'
import { createDemoCity } from './demoCity'
import type { RouteBetween } from './cityHistory'
import { STATUSES, type Booking, type TrackingPoint } from '~/domain/booking/types'
import type { AvailableDriver, DriverMonth, Offer } from '~/domain/dispatch/types'
import type { CancellationReason, Language, Promo, VehicleType } from '~/domain/catalog/types'
import type { NamedDevice, User } from '~/domain/accounts/types'

/** Milliseconds that a busy machine may need for two hundred bookings. */
const TIMEOUT_MS = 300_000
const NOW = Date.UTC(2026, 8, 1, 15)
/** Returns a route around one corner, like a street route. */
const createRoute: RouteBetween = async (from, to) => {
  const distance_in_km = Math.round(getDistanceKm(from, to) * 1300) / 1000
  const corner = { lat: from.lat, lng: to.lng }
  return {
    distance_in_km,
    time_in_secs: Math.round(distance_in_km * 130),
    polylinePoints: encodePolyline([from, corner, to]),
  }
}
const createCity = (now = NOW, category: DemoCategory = 'delivery') =>
  createDemoCity({ now, texts: { en: { hello: 'Hello' } }, routeBetween: createRoute, category })

interface City extends DatabaseTree {
  users: Record<string, User>
  bookings: Record<string, Booking>
  cartypes: Record<string, VehicleType>
  promos: Record<string, Promo>
  languages: Record<string, Language>
  cancel_reason: unknown[]
  available_drivers: Record<string, AvailableDriver>
  tracking: Record<string, Record<string, TrackingPoint>>
  offers: Record<string, Record<string, Offer>>
  internal: {
    driver_months: Record<string, DriverMonth>
    named_devices: Record<string, NamedDevice>
  }
}

describe('the demo city', () => {
  let city: City
  beforeAll(async () => {
    city = (await createCity()) as unknown as City
  }, TIMEOUT_MS)

  test('satisfies all invariants of live data', () => {
    expect(findViolations(city)).toEqual([])
  })

  test(
    'is identical whenever it is created for the same time',
    async () => {
      expect(JSON.stringify(await createCity())).toBe(JSON.stringify(city))
    },
    TIMEOUT_MS,
  )

  test('has the fixed accounts with their phones', () => {
    for (const { uid, mobile } of DEMO_ACCOUNTS)
      expect(city.users[uid]).toMatchObject({ id: uid, mobile })
    expect(city.users['seed-rider']).toMatchObject({ walletBalance: 100, usertype: 'rider' })
    expect(city.users['seed-driver-pending']).toMatchObject({ approved: false })
    const mobiles = Object.values(city.users).map(({ mobile }) => mobile)
    expect(new Set(mobiles).size).toBe(mobiles.length)
  })

  test('leaves the fixed driver free, near the center and with the first vehicle type', () => {
    const first = Object.keys(city.cartypes).sort()[0]
    expect(city.users['seed-driver']).toMatchObject({
      approved: true,
      driverActiveStatus: true,
      queue: false,
      carType: first,
      fleetadmin: 'seed-fleetadmin',
    })
    expect(city.available_drivers['seed-driver']?.carType).toBe(first)
    expect(city.cartypes[first ?? '']?.parcelTypes).toBeDefined()
  })

  test('has free drivers of every vehicle type', () => {
    const free = Object.values(city.available_drivers).map(({ carType }) => carType)
    const counts = Object.keys(city.cartypes).map((id) => free.filter((one) => one === id).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
  })

  test('has two hundred bookings, in every status', () => {
    const statuses = Object.values(city.bookings).map(({ status }) => status)
    expect(statuses).toHaveLength(200)
    expect(new Set(statuses)).toEqual(new Set(STATUSES))
  })

  test('spreads its bookings over twelve months', () => {
    const months = Object.values(city.bookings).map(({ bookingDate }) =>
      new Date(bookingDate).toISOString().slice(0, 7),
    )
    expect(new Set(months).size).toBeGreaterThanOrEqual(12)
    expect(Object.values(city.bookings).every(({ bookingDate }) => bookingDate <= NOW)).toBe(true)
  })

  test('has no events dated after its creation time', () => {
    const late = Object.values(city.bookings).flatMap(({ id, event_log }) =>
      Object.values(event_log)
        .filter(({ at }) => at > NOW)
        .map(({ event }) => `${id} ${event}`),
    )
    expect(late).toEqual([])
  })

  test('leaves no driver with a negative wallet, so every driver can accept bookings', () => {
    const drivers = Object.values(city.users).filter(({ usertype }) => usertype === 'driver')
    expect(drivers.length).toBeGreaterThanOrEqual(32)
    expect(drivers.filter(({ walletBalance }) => walletBalance < 0)).toEqual([])
  })

  test('has bookings whose tracks follow their routes in chronological order', () => {
    const bookings = Object.values(city.bookings)
    expect(bookings.filter(({ route }) => route === undefined)).toEqual([])
    let driven = 0
    for (const { id, route, startTime = 0, endTime = NOW } of bookings) {
      const points = Object.values(city.tracking[id] ?? {})
        .filter(({ status }) => status === 'STARTED' || status === 'REACHED')
        .sort((a, b) => a.at - b.at)
      driven += points.length > 2 ? 1 : 0
      for (const point of points) {
        expect(projectOntoPolyline(decodeRoute({ route }), point).off).toBeLessThan(20)
        expect(point.at).toBeGreaterThanOrEqual(startTime)
        expect(point.at).toBeLessThanOrEqual(endTime)
      }
      expect(measureTrackKm(points)).toBeLessThanOrEqual(
        getLengthKm(decodeRoute({ route })) * 1.01 + 0.05,
      )
    }
    expect(driven).toBeGreaterThan(100)
  })

  test('places drivers en route at the end of their track', () => {
    for (const { id, driver = '', status } of Object.values(city.bookings)) {
      if (status !== 'STARTED' && status !== 'ACCEPTED') continue
      const last = Object.values(city.tracking[id] ?? {}).sort((a, b) => b.at - a.at)[0]!
      const { location } = city.users[driver]!
      expect(location && getDistanceKm(location, last)).toBeLessThan(0.01)
    }
  })

  test('has the answer of each offer, except for bookings that still wait for one', () => {
    const counts: Record<string, number> = {}
    for (const [id, offers] of Object.entries(city.offers))
      for (const { driver, answer, at, answeredAt = NOW } of Object.values(offers)) {
        const { status, requestedDrivers = {} } = city.bookings[id]!
        const isOpen = status === 'NEW' && requestedDrivers[driver] === true
        expect(answer === undefined).toBe(isOpen)
        expect(answeredAt).toBeGreaterThanOrEqual(at)
        if (answer === 'accepted') expect(city.bookings[id]?.driver).toBe(driver)
        counts[answer ?? 'open'] = (counts[answer ?? 'open'] ?? 0) + 1
      }
    expect(counts).toMatchObject({
      accepted: Object.values(city.bookings).filter(({ driver }) => driver !== undefined).length,
    })
    for (const answer of ['declined', 'expired'])
      expect(counts[answer]).toBeGreaterThan((counts.accepted ?? 0) / 20)
  })

  test('has monthly counts of offers and answers that match the offers', () => {
    const sum = (months: DriverMonth[], field: 'offers' | 'accepted' | 'declined' | 'expired') =>
      months.reduce((total, month) => total + (month[field] ?? 0), 0)
    const months = Object.values(city.internal.driver_months)
    const offers = Object.values(city.offers).flatMap((one) => Object.values(one))
    expect(sum(months, 'offers')).toBe(offers.length)
    for (const answer of ['accepted', 'declined', 'expired'] as const)
      expect(sum(months, answer)).toBe(offers.filter((one) => one.answer === answer).length)
  })

  test('counts time on duty for every driver and month with a trip', () => {
    const months = city.internal.driver_months
    const trips = Object.values(city.bookings).filter(({ status }) => status === 'COMPLETE')
    for (const { driver = '', event_log } of trips) {
      const { at } = Object.values(event_log).find(({ event }) => event === 'accept')!
      const row = months[`${formatMonth(at, DEMO_SETTINGS.timezone)}_${driver}`]
      expect(row?.active_s).toBeGreaterThan(30 * 60)
      expect(row?.active_s).toBeLessThan(31 * 12 * 3600)
    }
  })

  test('includes cancellations with a fee', () => {
    const cancelled = Object.values(city.bookings).filter(({ status }) => status === 'CANCELLED')
    const fees = cancelled.filter(({ cancellationFee = 0 }) => cancellationFee > 0)
    expect(fees.length).toBeGreaterThanOrEqual(5)
    expect(fees.length).toBeLessThan(cancelled.length / 2)
  })

  test('gives riders and drivers a device, but drivers no Apple device', () => {
    const people = Object.values(city.users).filter(
      ({ id, usertype }) =>
        id !== 'seed-driver-pending' && (usertype === 'rider' || usertype === 'driver'),
    )
    const devices = people.map(({ id }) => city.internal.named_devices[id])
    const tokens = devices.map((device) => device?.token)
    expect(new Set(tokens).size).toBe(people.length)
    expect(tokens.every((token) => token?.startsWith('demo'))).toBe(true)
    const ofDrivers = devices.filter((_, at) => people[at]?.usertype === 'driver')
    expect(ofDrivers.some((device) => device?.platform === 'IOS')).toBe(false)
  })

  test('has ids in the same format as the clients’', () => {
    const ids = Object.keys(city.bookings)
    expect(ids.filter((id) => !/^-[A-Za-z0-9_-]{19}$/.test(id))).toEqual([])
    expect(ids.filter((id) => /--/.test(id.slice(8))).length).toBeLessThan(20)
  })

  test.each([
    ['a Tuesday afternoon', NOW],
    ['a Monday at two in the morning', Date.UTC(2026, 8, 7, 5)],
    ['the first of a month at two in the morning', Date.UTC(2026, 9, 1, 5)],
  ])(
    'gives the demo driver a photo, a license, and earnings today, this week, and this month on %s',
    async (_, now) => {
      const { users } = (now === NOW ? city : await createCity(now)) as unknown as City
      const driver = users['seed-driver']!
      for (const picture of [driver.profile_image, driver.licenseImage])
        expect(existsSync(join('public', picture ?? 'none'))).toBe(true)
      const today = formatDay(now, DEMO_SETTINGS.timezone)
      const shares = Object.entries(driver.walletHistory ?? {}).filter(([key]) =>
        key.endsWith('-share'),
      )
      const since = (day: string) =>
        shares.filter(([, { date }]) => formatDay(date, DEMO_SETTINGS.timezone) >= day).length
      const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
      const monday = new Date(Date.parse(`${today}T00:00:00Z`) - weekday * 86_400_000)
      expect(since(today)).toBeGreaterThan(0)
      expect(since(monday.toISOString().slice(0, 10))).toBeGreaterThan(0)
      expect(since(`${today.slice(0, 7)}-01`)).toBeGreaterThan(0)
      expect(shares.length).toBeGreaterThan(20)
    },
    TIMEOUT_MS,
  )

  test('offers parcels, cancellation fee tiers, promos, reasons and eight languages', () => {
    const types = Object.values(city.cartypes)
    expect(types.length).toBeGreaterThanOrEqual(4)
    expect(types.filter(({ parcelTypes, options }) => parcelTypes && options)).toHaveLength(2)
    expect(types.every(({ cancelSlab }) => cancelSlab)).toBe(true)
    expect(Object.keys(city.promos)).toHaveLength(3)
    expect(city.cancel_reason).toHaveLength(5)
    expect(Object.keys(city.languages)).toHaveLength(8)
    expect(Object.values(city.languages).filter((one) => one.default)).toHaveLength(1)
    expect(city.languages.en?.keyValuePairs).toEqual({})
  })

  test('has the office’s texts in the seven languages besides English', () => {
    const types = Object.values(city.cartypes)
    const translated = [
      ...types,
      ...types.flatMap(({ parcelTypes = [], options = [] }) => [...parcelTypes, ...options]),
      ...(city.cancel_reason as CancellationReason[]),
    ]
    expect(translated.length).toBeGreaterThan(20)
    for (const entry of translated)
      expect(Object.keys(entry.names ?? {}).sort(), JSON.stringify(entry)).toEqual([
        'ar',
        'de',
        'es',
        'fr',
        'he',
        'hi',
        'pt',
      ])
  })
})

test(
  'the demo of a taxi company has no parcels, and satisfies all invariants too',
  async () => {
    const city = (await createCity(NOW, 'taxi')) as unknown as City
    expect(findViolations(city)).toEqual([])
    expect(JSON.stringify(city)).not.toMatch(/parcel|courier/i)
    const statuses = new Set(Object.values(city.bookings).map(({ status }) => status))
    expect([...statuses].sort()).toEqual(
      STATUSES.filter((status) => status !== 'PAYMENT_PENDING').sort(),
    )
  },
  TIMEOUT_MS,
)
