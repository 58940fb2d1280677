import { beforeAll, describe, expect, test } from 'vitest'
import {
  STATUSES,
  type Booking,
  type CarType,
  type Language,
  type Promo,
  type User,
} from '~/domain/entities'
import { distanceKm } from '~/domain/geo'
import { violations, type DatabaseTree } from '~/domain/invariants'
import { ACCOUNTS } from './accounts'
import { demoCity } from './demoCity'
import type { RouteBetween } from './history'

/** A busy machine takes its time over two hundred bookings. */
const PATIENCE_MS = 300_000
const NOW = Date.UTC(2026, 8, 1, 15)
const straight: RouteBetween = async (from, to) => {
  const distance_in_km = Math.round(distanceKm(from, to) * 1300) / 1000
  return { distance_in_km, time_in_secs: Math.round(distance_in_km * 130), polylinePoints: '' }
}
const make = () => demoCity({ now: NOW, texts: { en: { hello: 'Hello' } }, routeBetween: straight })

interface City extends DatabaseTree {
  users: Record<string, User>
  bookings: Record<string, Booking>
  cartypes: Record<string, CarType>
  promos: Record<string, Promo>
  languages: Record<string, Language>
  cancel_reason: unknown[]
  available_drivers: Record<string, { carType: string }>
  tracking: Record<string, unknown>
}

describe('the demo city', () => {
  let city: City
  beforeAll(async () => {
    city = (await make()) as unknown as City
  }, PATIENCE_MS)

  test('breaks none of the rules that live data must keep', () => {
    expect(violations(city)).toEqual([])
  })

  test(
    'is the same whenever it is made for the same moment',
    async () => {
      expect(JSON.stringify(await make())).toBe(JSON.stringify(city))
    },
    PATIENCE_MS,
  )

  test('has the fixed accounts with their phones', () => {
    for (const { uid, mobile } of ACCOUNTS)
      expect(city.users[uid]).toMatchObject({ id: uid, mobile })
    expect(city.users['seed-rider']).toMatchObject({ walletBalance: 100, usertype: 'rider' })
    expect(city.users['seed-driver-pending']).toMatchObject({ approved: false })
    const mobiles = Object.values(city.users).map(({ mobile }) => mobile)
    expect(new Set(mobiles).size).toBe(mobiles.length)
  })

  test('leaves the fixed driver free, near the centre and with the first car type', () => {
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

  test('has free drivers of every car type', () => {
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

  test('has nothing dated after the moment it is made for', () => {
    const late = Object.values(city.bookings).flatMap(({ id, event_log }) =>
      Object.values(event_log)
        .filter(({ at }) => at > NOW)
        .map(({ event }) => `${id} ${event}`),
    )
    expect(late).toEqual([])
  })

  test('keeps every driver able to accept: no wallet is below zero', () => {
    const drivers = Object.values(city.users).filter(({ usertype }) => usertype === 'driver')
    expect(drivers.length).toBeGreaterThanOrEqual(32)
    expect(drivers.filter(({ walletBalance }) => walletBalance < 0)).toEqual([])
  })

  test('offers parcels, cancel slabs, promos, reasons and eight languages', () => {
    const types = Object.values(city.cartypes)
    expect(types.length).toBeGreaterThanOrEqual(4)
    expect(types.filter(({ parcelTypes, options }) => parcelTypes && options)).toHaveLength(2)
    expect(types.every(({ cancelSlab }) => cancelSlab)).toBe(true)
    expect(Object.keys(city.promos)).toHaveLength(3)
    expect(city.cancel_reason).toHaveLength(5)
    expect(Object.keys(city.languages)).toHaveLength(8)
    expect(Object.values(city.languages).filter((one) => one.default)).toHaveLength(1)
    expect(city.languages.en?.keyValuePairs).toEqual({ hello: 'Hello' })
  })
})
