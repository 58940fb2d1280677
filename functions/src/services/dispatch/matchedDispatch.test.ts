import { describe, expect, it } from 'vitest'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { getDueTime } from '~/domain/booking/deadlines'
import { encodeGeohash } from '~/domain/geo/geohash'
import type { GroupInput } from '~/domain/dispatch/matching/decideGroup'
import { DECISION_RETENTION_MS, explainOffer } from '~/domain/dispatch/matching/explainOffer'
import { aBooking, aDriver, aSettings, MINUTE, PICKUP, rider } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { offerToWaitingBookings } from './driverDispatch'
import { recordDuty } from './driverShifts'
import { removeExpiredDecisions, runDueBookings } from '../jobs/maintenance'
import { runMatchingRound } from './matchedDispatch'
import { aProject, createProjectPorts, TEST_NOW } from '../../testing/testPorts'
import type { AvailableDriver, DecisionRecord, Offer } from '~/domain/dispatch/types'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** A position this many thousandths of a degree, about 111 meters each, north of the pickup. */
const atStep = (step: number) => ({ lat: PICKUP.lat + step / 1000, lng: PICKUP.lng })
const availableAt = (step: number): AvailableDriver => ({
  carType: 'van',
  ...atStep(step),
  geohash: encodeGeohash(atStep(step)),
  at: 1,
})
const toId = (name: string) => name.padEnd(20, 'x')

/** A platform with free drivers and waiting bookings at these positions, by name. */
const platform = (
  drivers: Record<string, number>,
  bookings: Record<string, number> = {},
  settings: Partial<Settings> = {},
  more: Record<string, DatabaseValue> = {},
) => {
  const all = aSettings({ autoDispatch: true, dispatchMode: 'matched', ...settings })
  const waiting = Object.entries(bookings).map(([name, step]): [string, Booking] => {
    const made = aBooking({
      id: toId(name),
      status: 'NEW',
      bookingDate: TEST_NOW,
      tripdate: TEST_NOW,
      pickup: { ...PICKUP, ...atStep(step) },
    })
    const due_at = getDueTime(made, all, TEST_NOW, 'event')
    return [made.id, { ...made, ...(due_at !== null && { due_at }) }]
  })
  const given = createProjectPorts({
    settings: all,
    bookings: Object.fromEntries(waiting),
    users: {
      ...aProject().users,
      ...Object.fromEntries(Object.keys(drivers).map((id) => [id, aDriver({ id })])),
    },
    available_drivers: Object.fromEntries(
      Object.entries(drivers).map(([uid, step]) => [uid, availableAt(step)]),
    ),
    ...more,
  })
  const { db } = given
  const getOffers = (name: string) =>
    Object.values((db.at(`offers/${toId(name)}`) ?? {}) as Record<string, Offer>)
  const getOfferedDrivers = (name: string) =>
    getOffers(name)
      .filter(({ answer }) => answer === undefined)
      .map(({ driver }) => driver)
  const ports = { db, maps: given.maps, change: given.bookings.applyEvent }
  const readInput = (name: string, n = 0): GroupInput => {
    const read = (key: string) => db.at(`internal/offer_decisions/${key}`) as DecisionRecord
    const { input, round = '' } = read(`${toId(name)}_${n}`)
    return JSON.parse(input ?? read(round).input ?? '') as GroupInput
  }
  return { given, settings: all, ports, getOffers, getOfferedDrivers, readInput }
}

describe('a booking without a competitor', () => {
  it('is offered at once, with its cost and its rank', async () => {
    const { given, getOffers, readInput } = platform(
      { near: 2, far: 5 },
      { a: 0 },
      { autoDispatch: true },
    )
    given.db.put({ [`bookings/${toId('a')}/status`]: 'PAYMENT_PENDING' })
    await given.bookings.applyEvent(toId('a'), { event: 'pay', payment_mode: 'cash' }, rider)
    expect(getOffers('a')).toEqual([
      {
        driver: 'near',
        at: TEST_NOW,
        expires: TEST_NOW + 30_000,
        eta_s: 22,
        by: 'system',
        cost: 22,
        rank: 1,
      },
    ])
    expect(explainOffer(readInput('a'), toId('a'))?.offer).toEqual({
      booking: toId('a'),
      driver: 'near',
      eta_s: 22,
      cost: 22,
      rank: 1,
    })
  })

  it('is offered to the driver with less income when the weight outweighs the way', async () => {
    const hour = HOUR_MS
    const shift = (income: number) => ({ since: TEST_NOW - 9 * hour, income, revision: 1 })
    const { given, ports, settings, getOffers, readInput } = platform(
      { rich: 1, poor: 3 },
      { a: 0 },
      { fairnessWeight: 120 },
      { internal: { driver_shifts: { rich: shift(3000), poor: shift(1500) } } },
    )
    const booking = given.db.at(`bookings/${toId('a')}`) as Booking
    await runMatchingRound(ports, [booking], { settings, now: TEST_NOW })
    expect(getOffers('a')).toMatchObject([{ driver: 'poor', eta_s: 33, rank: 2 }])
    const explained = explainOffer(readInput('a'), toId('a'))
    expect(explained?.drivers.map(({ driver, aboveMean }) => [driver, aboveMean])).toEqual([
      ['poor', expect.closeTo(-0.3) as number],
      ['rich', expect.closeTo(0.3) as number],
    ])
    expect(explained?.offer.cost).toBe(getOffers('a')[0]?.cost)
  })

  it('goes to the next driver at once when the first declines', async () => {
    const { given, getOfferedDrivers } = platform({ near: 2, far: 5 }, { a: 0 })
    await runDueBookings(given, TEST_NOW)
    expect(getOfferedDrivers('a')).toEqual(['near'])
    await given.bookings.applyEvent(
      toId('a'),
      { event: 'decline' },
      { uid: 'near', role: 'driver' },
    )
    expect(getOfferedDrivers('a')).toEqual(['far'])
  })

  it('is offered at once to a driver who becomes free', async () => {
    const { given, ports, getOfferedDrivers } = platform({}, { a: 0 })
    given.db.put({ 'available_drivers/driver': { ...availableAt(1) } })
    await offerToWaitingBookings(ports, ['driver'], TEST_NOW)
    expect(getOfferedDrivers('a')).toEqual(['driver'])
  })
})

describe('bookings that compete', () => {
  // Each alone would take the driver in the middle.
  const drivers = { west: -9, middle: 0 }
  const places = { a: 1, b: -3 }

  it('wait for the round and then get different drivers at the least total cost', async () => {
    const { given, ports, getOfferedDrivers, getOffers, readInput } = platform(drivers, places)
    await offerToWaitingBookings(ports, ['middle', 'west'], TEST_NOW)
    expect([getOfferedDrivers('a'), getOfferedDrivers('b')]).toEqual([[], []])
    expect((await runDueBookings(given, TEST_NOW + 15_000))?.dispatched.sort()).toEqual(
      ['a', 'b'].map(toId),
    )
    expect([getOfferedDrivers('a'), getOfferedDrivers('b')]).toEqual([['middle'], ['west']])
    expect(getOffers('b')).toMatchObject([{ rank: 2 }])
    // Both offers share the record of their round, and it explains each of them.
    expect(readInput('a')).toEqual(readInput('b'))
    for (const name of ['a', 'b']) {
      const { offer } = explainOffer(readInput(name), toId(name)) ?? {}
      const { driver, eta_s, cost, rank } = getOffers(name)[0] ?? {}
      expect(offer).toEqual({ booking: toId(name), driver, eta_s, cost, rank })
    }
  })

  it('are due for the next round although their search pauses', async () => {
    const { given, ports, getOfferedDrivers } = platform({}, places)
    const later = Object.keys(places).map((name) => [
      `bookings/${toId(name)}/due_at`,
      TEST_NOW + 6 * MINUTE,
    ])
    given.db.put({
      ...(Object.fromEntries(later) as Record<string, number>),
      'available_drivers/driver': { ...availableAt(0) },
    })
    await offerToWaitingBookings(ports, ['driver'], TEST_NOW)
    expect([getOfferedDrivers('a'), getOfferedDrivers('b')]).toEqual([[], []])
    await runDueBookings(given, TEST_NOW + 15_000)
    expect([getOfferedDrivers('a'), getOfferedDrivers('b')]).toEqual([['driver'], []])
  })

  it('keep their due time when no driver is left for them', async () => {
    const { given, getOfferedDrivers } = platform({ only: 0 }, places)
    expect(await runDueBookings(given, TEST_NOW)).toMatchObject({ dispatched: [toId('a')] })
    expect(getOfferedDrivers('b')).toEqual([])
    expect(given.db.at(`bookings/${toId('b')}/due_at`)).toBe(TEST_NOW + 15_000)
  })

  it('are matched although one of them cannot be read', async () => {
    const { given, getOfferedDrivers } = platform(drivers, places)
    given.db.put({
      [`bookings/${toId('c')}`]: { status: 'NEW', carTypeId: 'van', due_at: 1 },
    })
    await runDueBookings(given, TEST_NOW)
    expect([getOfferedDrivers('a'), getOfferedDrivers('b')]).toEqual([['middle'], ['west']])
  })

  it('get one offer each and never the same driver in fifty rounds and passes at once', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `b${String(i).padStart(2, '0')}`)
    const { given, ports, settings, getOfferedDrivers, getOffers } = platform(
      Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`d${i}`, i])),
      Object.fromEntries(names.map((name, i) => [name, i])),
    )
    const bookings = names.map((name) => given.db.at(`bookings/${toId(name)}`) as Booking)
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        if (i % 3 === 0) await runDueBookings(given, TEST_NOW)
        else if (i % 3 === 1) await runMatchingRound(ports, bookings, { settings, now: TEST_NOW })
        else await offerToWaitingBookings(ports, [`d${i % 8}`], TEST_NOW)
      }),
    )
    await runDueBookings(given, TEST_NOW + 15_000)
    const asked = names.flatMap(getOfferedDrivers)
    expect(asked.sort()).toEqual(Array.from({ length: 8 }, (_, i) => `d${i}`))
    for (const name of names) expect(getOffers(name).length).toBeLessThanOrEqual(1)
  })
})

it('takes over from a round that was killed, after its lease', async () => {
  const { given, ports, settings, getOfferedDrivers } = platform({ driver: 1 }, { a: 0 })
  given.db.put({
    'internal/jobs/matching_round': { until: TEST_NOW + 30_000, revision: 4 },
  })
  const booking = given.db.at(`bookings/${toId('a')}`) as Booking
  await runMatchingRound(ports, [booking], { settings, now: TEST_NOW + 29_000 })
  expect(getOfferedDrivers('a')).toEqual([])
  await runMatchingRound(ports, [booking], { settings, now: TEST_NOW + 30_000 })
  expect(getOfferedDrivers('a')).toEqual(['driver'])
})

it('removes the inputs of decisions after their time and keeps the offers', async () => {
  const { given, getOffers } = platform({ driver: 1 }, { a: 0 })
  await runDueBookings(given, TEST_NOW)
  const over = TEST_NOW + DECISION_RETENTION_MS
  expect(await removeExpiredDecisions(given, over - 1)).toBe(0)
  expect(await removeExpiredDecisions(given, over)).toBe(1)
  expect(given.db.at('internal/offer_decisions')).toBeNull()
  expect(getOffers('a')).toHaveLength(1)
})

describe('the shift of a driver', () => {
  const turn = async (given: ReturnType<typeof platform>['given'], on: boolean, at: number) => {
    await given.db.update({ 'users/driver/driverActiveStatus': on })
    await recordDuty(given.db, 'driver', at)
  }

  it('counts the time on duty over short breaks and starts again after a long one', async () => {
    const { given } = platform({ driver: 1 })
    const shift = () => given.db.at('internal/driver_shifts/driver')
    await turn(given, true, TEST_NOW)
    // A repeat changes nothing.
    await recordDuty(given.db, 'driver', TEST_NOW + MINUTE)
    await turn(given, false, TEST_NOW + 2 * HOUR_MS)
    await turn(given, true, TEST_NOW + 3 * HOUR_MS)
    expect(shift()).toMatchObject({ since: TEST_NOW + 3 * HOUR_MS, active_ms: 2 * HOUR_MS })
    await turn(given, false, TEST_NOW + 4 * HOUR_MS)
    expect(shift()).toMatchObject({ ended: TEST_NOW + 4 * HOUR_MS, active_ms: 3 * HOUR_MS })
    await turn(given, true, TEST_NOW + 9 * HOUR_MS)
    expect(shift()).toEqual({ since: TEST_NOW + 9 * HOUR_MS, revision: 5 })
  })

  it('counts the income of paid trips while fifty duty changes arrive at once', async () => {
    const { given } = platform({ driver: 1 })
    const paid = toJson(
      aBooking({ id: toId('p'), status: 'PENDING', driver: 'driver', driver_share: 12.5 }),
    )
    given.db.put({ [`bookings/${toId('p')}`]: paid })
    await Promise.all([
      ...Array.from({ length: 50 }, () => recordDuty(given.db, 'driver', TEST_NOW)),
      given.bookings.applyEvent(toId('p'), { event: 'collect' }, { uid: 'driver', role: 'driver' }),
    ])
    expect(given.db.at('internal/driver_shifts/driver')).toEqual({
      since: TEST_NOW,
      income: 1250,
      revision: 2,
    })
  })
})

it('asks a driver who did not answer another booking in time when no other is free', async () => {
  const { given, getOfferedDrivers, getOffers } = platform(
    { driver: 1 },
    { a: 0, b: 2 },
    { dispatchSeconds: 30 },
  )
  await runDueBookings(given, TEST_NOW)
  const [first, second] = getOfferedDrivers('a').length === 1 ? ['a', 'b'] : ['b', 'a']
  expect([getOfferedDrivers(first ?? ''), getOfferedDrivers(second ?? '')]).toEqual([
    ['driver'],
    [],
  ])
  await runDueBookings(given, TEST_NOW + 31_000)
  expect(getOfferedDrivers(second ?? '')).toEqual(['driver'])
  expect(getOffers(first ?? '')).toMatchObject([{ answer: 'expired' }])
})
