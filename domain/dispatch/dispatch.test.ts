import { describe, expect, test } from 'vitest'
import {
  isAvailable,
  isCarKeyExpired,
  buildAvailabilityUpdates,
  toAvailability,
  findNearestDrivers,
  isAnswerAwaited,
  orderByPickupTime,
  selectDriversToOffer,
  buildUnavailabilityUpdates,
} from './dispatch'
import { createSettings } from '../catalog/defaultSettings'
import { createPushKey } from '../data/pushKeys'
import { aBooking, aDriver, aRider, aSettings, NOON, PICKUP } from '../testing/builders'
import type { Settings } from '../catalog/types'

const at = (km: number, carType = 'van') =>
  toAvailability({ carType, location: { lat: PICKUP.lat + km / 111.195, lng: PICKUP.lng } }, NOON)

test.each([
  ['a free driver', aDriver(), true],
  ['a rider', aRider({ location: PICKUP, driverActiveStatus: true }), false],
  ['an unapproved driver', aDriver({ approved: false }), false],
  ['a busy driver', aDriver({ queue: true }), false],
  ['a driver off duty', aDriver({ driverActiveStatus: false }), false],
  ['a driver without a position', aDriver({ location: undefined }), false],
])('checks whether %s is available: %s', (_, user, available) => {
  expect(isAvailable(user)).toBe(available)
})

test('lists position and vehicle type of a driver, but no identity', () => {
  expect(Object.keys(at(1)).sort()).toEqual(['at', 'carType', 'geohash', 'lat', 'lng'])
})

const HERE = { lat: -34.9, lng: -56.18 }
test('lists a free driver by uid for the back office and anonymously for riders', () => {
  const updates = buildAvailabilityUpdates(aDriver({ fleetadmin: 'fleet' }), HERE, 'key', NOON)
  const line = { carType: 'van', geohash: '6dp4f04cc', ...HERE, at: NOON }
  expect(updates).toEqual({
    'available_drivers/driver': { ...line, fleetadmin: 'fleet', geohash: expect.any(String) },
    'nearby_cars/key': { ...line, geohash: expect.any(String) },
    'users/driver/shift': 'key',
  })
  expect(JSON.stringify(updates['nearby_cars/key'])).not.toMatch(/driver|fleet/)
})

test('keeps the key of a moving car, and removes its previous key', () => {
  const moved = buildAvailabilityUpdates(aDriver({ shift: 'key' }), HERE, 'key')
  expect(Object.keys(moved).sort()).toEqual(['available_drivers/driver', 'nearby_cars/key'])
  expect(buildAvailabilityUpdates(aDriver({ shift: 'old' }), HERE, 'key')).toMatchObject({
    'users/driver/shift': 'key',
    'nearby_cars/old': null,
  })
})

test('removes a driver from both lists at once', () => {
  expect(buildUnavailabilityUpdates({ id: 'driver', shift: 'key' })).toEqual({
    'available_drivers/driver': null,
    'users/driver/shift': null,
    'nearby_cars/key': null,
  })
  expect(buildUnavailabilityUpdates({ id: 'driver' })).toEqual({ 'available_drivers/driver': null })
})

test('expires a key after two minutes, by either clock', () => {
  expect(isCarKeyExpired(createPushKey(NOON, 1), NOON + 119_000)).toBe(false)
  expect(isCarKeyExpired(createPushKey(NOON, 1), NOON + 121_000)).toBe(true)
  expect(isCarKeyExpired(createPushKey(NOON, 1), NOON - 3_600_000)).toBe(true)
  expect(isCarKeyExpired('no key of the database', NOON)).toBe(true)
})

test('sorts drivers of the vehicle type within the radius by distance', () => {
  const listed = {
    far: at(9.9),
    near: at(0.5),
    bike: at(0.1, 'bike'),
    away: at(10.1),
    middle: at(3),
  }
  const found = findNearestDrivers(listed, { from: PICKUP, carType: 'van' }, aSettings())
  expect(found.map(({ uid }) => uid)).toEqual(['near', 'middle', 'far'])
  const miles = findNearestDrivers(
    listed,
    { from: PICKUP, carType: 'van' },
    aSettings({ convert_to_mile: true }),
  )
  expect(miles.map(({ uid }) => uid)).toContain('away')
})

test('orders drivers at the same distance by uid, so that every process selects the same one', () => {
  const listed = { zoe: at(1), ana: at(1), mia: at(1) }
  const found = findNearestDrivers(listed, { from: PICKUP, carType: 'van' }, aSettings())
  expect(found.map(({ uid }) => uid)).toEqual(['ana', 'mia', 'zoe'])
})

const nearby = [{ uid: 'a' }, { uid: 'b' }, { uid: 'c' }]
const declined = (uid: string) => ({
  [`decline_${uid}`]: { event: 'decline', by: uid, at: NOON, status: 'NEW' as const, revision: 2 },
})

describe('offers to all drivers', () => {
  const settings = aSettings({ autoDispatch: true })
  test('go to every nearby driver who has not declined, once each', () => {
    expect(selectDriversToOffer(aBooking(), nearby, settings)).toEqual(['a', 'b', 'c'])
    expect(selectDriversToOffer(aBooking({ event_log: declined('b') }), nearby, settings)).toEqual([
      'a',
      'c',
    ])
    const asked = aBooking({ requestedDrivers: { a: true, b: true, c: true } })
    expect(selectDriversToOffer(asked, nearby, settings)).toEqual([])
  })
  test('go to drivers who arrive nearby later, in addition to the open ones', () => {
    const asked = aBooking({ requestedDrivers: { a: true } })
    expect(selectDriversToOffer(asked, nearby.slice(0, 2), settings)).toEqual(['a', 'b'])
  })
})

test('waits for an answer for the configured time', () => {
  const settings = aSettings({ dispatchSeconds: 20 })
  const asked = aBooking({ requestedDrivers: { a: true }, askedDrivers: { a: NOON } })
  expect(isAnswerAwaited(asked, settings, NOON + 19_999)).toBe(true)
  expect(isAnswerAwaited(asked, settings, NOON + 20_000)).toBe(false)
  expect(isAnswerAwaited(aBooking(), settings, NOON)).toBe(false)
})

test('a new platform asks one driver at a time', () => {
  const { dispatchMode } = createSettings({
    country: 'Uruguay',
    restrictCountry: 'UY',
    symbol: '$',
    code: 'UYU',
    appcat: 'taxi',
    timezone: 'UTC',
  })
  expect(dispatchMode).toBe('nearest')
})

test('orders drivers by their time to the pickup, up to the limit', () => {
  const candidates = [
    { uid: 'a', eta_s: 301 },
    { uid: 'b', eta_s: 120 },
    { uid: 'c', eta_s: 300 },
  ]
  const order = (more: Partial<Settings>) =>
    orderByPickupTime(candidates, aSettings(more)).map(({ uid }) => uid)
  expect(order({})).toEqual(['b', 'c', 'a'])
  expect(order({ maxPickupMinutes: 5 })).toEqual(['b', 'c'])
})

test('selects no drivers when the back office assigns them, or once the booking is settled', () => {
  expect(selectDriversToOffer(aBooking(), nearby, aSettings())).toEqual([])
  expect(
    selectDriversToOffer(
      aBooking({ status: 'ACCEPTED' }),
      nearby,
      aSettings({ autoDispatch: true }),
    ),
  ).toEqual([])
})
