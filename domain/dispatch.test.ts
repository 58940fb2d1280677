import { describe, expect, test } from 'vitest'
import { isAvailable, listing, nearest, nextWave } from './dispatch'
import { aBooking, aDriver, aRider, aSettings, NOON, PICKUP } from './testing/builders'

const at = (km: number, carType = 'van') =>
  listing({ carType, location: { lat: PICKUP.lat + km / 111.195, lng: PICKUP.lng } }, NOON)

test.each([
  ['a free driver', aDriver(), true],
  ['a rider', aRider({ location: PICKUP, driverActiveStatus: true }), false],
  ['one not approved', aDriver({ approved: false }), false],
  ['one who is busy', aDriver({ queue: true }), false],
  ['one off duty', aDriver({ driverActiveStatus: false }), false],
  ['one who is nowhere', aDriver({ location: undefined }), false],
])('%s is available: %s', (_, user, available) => {
  expect(isAvailable(user)).toBe(available)
})

test('a listing tells where and what, and nothing of who', () => {
  expect(Object.keys(at(1)).sort()).toEqual(['at', 'carType', 'geohash', 'lat', 'lng'])
})

test('the nearest of the car type within the radius come first', () => {
  const listed = {
    far: at(9.9),
    near: at(0.5),
    bike: at(0.1, 'bike'),
    away: at(10.1),
    middle: at(3),
  }
  const found = nearest(listed, { from: PICKUP, carType: 'van' }, aSettings())
  expect(found.map(({ uid }) => uid)).toEqual(['near', 'middle', 'far'])
  const miles = nearest(
    listed,
    { from: PICKUP, carType: 'van' },
    aSettings({ convert_to_mile: true }),
  )
  expect(miles.map(({ uid }) => uid)).toContain('away')
})

const nearby = [{ uid: 'a' }, { uid: 'b' }, { uid: 'c' }]
const declined = (uid: string) => ({
  [`decline_${uid}`]: { event: 'decline', by: uid, at: NOON, status: 'NEW' as const, revision: 2 },
})

describe('waves to all', () => {
  const settings = aSettings({ autoDispatch: true })
  test('ask everybody near who has not declined, and nobody twice', () => {
    expect(nextWave(aBooking(), nearby, settings, NOON)).toEqual(['a', 'b', 'c'])
    expect(nextWave(aBooking({ event_log: declined('b') }), nearby, settings, NOON)).toEqual([
      'a',
      'c',
    ])
    const asked = aBooking({ requestedDrivers: { a: true, b: true, c: true } })
    expect(nextWave(asked, nearby, settings, NOON)).toEqual([])
  })
  test('ask whoever comes near later, beside those still asked', () => {
    const asked = aBooking({ requestedDrivers: { a: true } })
    expect(nextWave(asked, nearby.slice(0, 2), settings, NOON)).toEqual(['a', 'b'])
  })
})

describe('waves one by one', () => {
  const settings = aSettings({
    autoDispatch: true,
    dispatchMode: 'one_by_one',
    dispatchSeconds: 20,
  })
  const asking = (uid: string, at: number, before = {}) =>
    aBooking({ requestedDrivers: { [uid]: true }, askedDrivers: { ...before, [uid]: at } })
  test('wait for an answer as long as the settings say, then ask the next', () => {
    expect(nextWave(aBooking(), nearby, settings, NOON)).toEqual(['a'])
    expect(nextWave(asking('a', NOON), nearby, settings, NOON + 19_999)).toEqual([])
    expect(nextWave(asking('a', NOON), nearby, settings, NOON + 20_000)).toEqual(['b'])
  })
  test('when all were asked, come back to who was asked longest ago', () => {
    const booking = asking('c', NOON + 40_000, { a: NOON, b: NOON + 20_000 })
    expect(nextWave(booking, nearby, settings, NOON + 60_000)).toEqual(['a'])
  })
  test('do not ask the only one again and again', () => {
    expect(nextWave(asking('a', NOON), [{ uid: 'a' }], settings, NOON + 60_000)).toEqual([])
  })
})

test('nobody is asked while the office does it, or once it is settled', () => {
  expect(nextWave(aBooking(), nearby, aSettings(), NOON)).toEqual([])
  expect(
    nextWave(aBooking({ status: 'ACCEPTED' }), nearby, aSettings({ autoDispatch: true }), NOON),
  ).toEqual([])
})
