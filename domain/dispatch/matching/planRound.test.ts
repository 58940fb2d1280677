import { describe, expect, it } from 'vitest'
import { createSeededRandom, type Random } from '../../data/seededRandom'
import { decideGroup, type GroupInput } from './decideGroup'
import { planNearest, planRound, type RoundBooking, type RoundDriver } from './planRound'

const NOW = 1_750_000_000_000
const FLEET = { income: 0, active_s: 0 }

const aWaiting = (id: string, more: Partial<RoundBooking> = {}): RoundBooking => ({
  id,
  carTypeId: 'taxi',
  event_log: {},
  ...more,
})
const aDriver = (uid: string, more: Partial<RoundDriver> = {}): RoundDriver => ({
  uid,
  carType: 'taxi',
  ...more,
})

type Times = Record<string, Record<string, number>>
const plan = (
  times: Times,
  more: Partial<Parameters<typeof planRound<RoundBooking, RoundDriver>>[0]> = {},
) =>
  planRound({
    bookings: Object.keys(times).map((id) => aWaiting(id)),
    drivers: [...new Set(Object.values(times).flatMap(Object.keys))].map((uid) => aDriver(uid)),
    travelTime: ({ uid }, { id }) => times[id]?.[uid],
    fleet: FLEET,
    settings: {},
    isRound: false,
    now: NOW,
    ...more,
  })
const listOffers = (done: ReturnType<typeof planRound>) =>
  done.groups.flatMap(({ offers }) => offers.map(({ booking, driver }) => `${booking}:${driver}`))

it('decides a booking without a competitor at once, with the nearest driver', () => {
  const done = plan({ a: { d1: 200, d2: 100 } })
  expect(done.competing).toEqual([])
  expect(done.groups[0]?.offers).toEqual([
    { booking: 'a', driver: 'd2', eta_s: 100, cost: 100, rank: 1 },
  ])
})

it('lets bookings that want the same driver wait for the round', () => {
  const times = { a: { d1: 100, d2: 130 }, b: { d1: 110, d2: 400 } }
  expect(plan(times)).toMatchObject({ groups: [], competing: ['a', 'b'] })
  expect(listOffers(plan(times, { isRound: true }))).toEqual(['a:d2', 'b:d1'])
})

it('decides bookings at once that share drivers but want different ones', () => {
  expect(listOffers(plan({ a: { d1: 100, d2: 130 }, b: { d1: 110, d2: 90 } }))).toEqual([
    'a:d1',
    'b:d2',
  ])
})

it('decides a booking at once while others compete for drivers out of its reach', () => {
  const done = plan({ a: { d1: 100 }, b: { d1: 110 }, c: { d3: 50 } })
  expect(listOffers(done)).toEqual(['c:d3'])
  expect(done.competing).toEqual(['a', 'b'])
})

it('gives the only driver of a round to the nearest booking', () => {
  expect(
    listOffers(plan({ a: { d1: 100 }, b: { d1: 90 }, c: { d1: 95 } }, { isRound: true })),
  ).toEqual(['b:d1'])
})

it('breaks ties by the id of the driver', () => {
  expect(listOffers(plan({ a: { d2: 100, d1: 100, d3: 100 } }))).toEqual(['a:d1'])
})

it('asks drivers without an earlier offer first, then those asked longest ago', () => {
  const times = { a: { d1: 10, d2: 20, d3: 500 } }
  const ask = (askedDrivers: Record<string, number>, requested: string[] = []) =>
    listOffers(
      plan(times, {
        bookings: [
          aWaiting('a', {
            askedDrivers,
            requestedDrivers: Object.fromEntries(requested.map((uid) => [uid, true as const])),
          }),
        ],
      }),
    )
  expect(ask({ d1: 1, d2: 2 })).toEqual(['a:d3'])
  expect(ask({ d1: 3, d2: 2, d3: 4 })).toEqual(['a:d2'])
  expect(ask({ d1: 3, d2: 2, d3: 4 }, ['d2'])).toEqual(['a:d1'])
})

it('leaves out drivers who declined, drive another vehicle or are too far', () => {
  const event_log = {
    decline_2: { event: 'decline', by: 'd1', at: NOW, status: 'NEW', revision: 2 } as const,
  }
  const done = plan(
    { a: { d1: 10, d2: 20, d3: 601, d4: 600 } },
    {
      bookings: [aWaiting('a', { event_log })],
      drivers: [aDriver('d1'), aDriver('d2', { carType: 'van' }), aDriver('d3'), aDriver('d4')],
      settings: { maxPickupMinutes: 10 },
    },
  )
  expect(listOffers(done)).toEqual(['a:d4'])
  expect(done.groups[0]?.input.drivers).toEqual([['d4', 0, 0]])
})

it('prefers the poorer of two drivers when the weight outweighs the way', () => {
  const rich = { income: 3000, active_s: 9 * 3600 }
  const poor = { income: 1500, active_s: 9 * 3600 }
  const ask = (fairnessWeight?: number) =>
    plan(
      { a: { d1: 100, d2: 150 } },
      {
        drivers: [aDriver('d1', { earnings: rich }), aDriver('d2', { earnings: poor })],
        fleet: { income: 4500, active_s: 18 * 3600 },
        settings: fairnessWeight === undefined ? {} : { fairnessWeight },
      },
    ).groups[0]?.offers[0]
  expect(ask()).toMatchObject({ driver: 'd1', rank: 1, cost: 100 })
  expect(ask(60)).toMatchObject({ driver: 'd1', rank: 1, cost: 118 })
  expect(ask(120)).toMatchObject({ driver: 'd2', rank: 2, cost: 114 })
})

const shuffle = <T>(random: Random, list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

const aRandomRound = (random: Random) => {
  const drivers = Array.from({ length: random.integer(1, 12) }, (_, i) =>
    aDriver(`d${i}`, {
      earnings: { income: random.integer(0, 9000), active_s: random.integer(0, 30_000) },
    }),
  )
  const bookings = Array.from({ length: random.integer(1, 8) }, (_, i) =>
    aWaiting(`b${i}`, {
      askedDrivers: Object.fromEntries(
        drivers
          .filter(() => random.chance(0.1))
          .map(({ uid }) => [uid, NOW - random.integer(0, 99)]),
      ),
    }),
  )
  const times = Object.fromEntries(
    bookings.map(({ id }) => [
      id,
      Object.fromEntries(
        drivers
          .filter(() => random.chance(0.6))
          .map(({ uid }) => [uid, random.integer(10, 900) + random.next() / 2]),
      ),
    ]),
  )
  return {
    bookings,
    drivers,
    travelTime: ({ uid }: RoundDriver, { id }: RoundBooking) => times[id]?.[uid],
    fleet: { income: 50_000, active_s: 200_000 },
    settings: random.chance(0.5) ? { fairnessWeight: random.integer(1, 600) } : {},
    isRound: random.chance(0.7),
    now: NOW,
  }
}

it('plans the same offers whatever the order of bookings and drivers', () => {
  const random = createSeededRandom(11)
  for (let i = 0; i < 300; i++) {
    const round = aRandomRound(random)
    const { bookings, drivers } = round
    const mixed = { bookings: shuffle(random, bookings), drivers: shuffle(random, drivers) }
    expect(planRound({ ...round, ...mixed })).toEqual(planRound(round))
  }
})

it('asks each driver once, and no exchange of drivers costs less', () => {
  const random = createSeededRandom(13)
  for (let i = 0; i < 300; i++) {
    const round = aRandomRound(random)
    const { groups, competing } = planRound(round)
    const offers = groups.flatMap((group) => group.offers)
    const asked = offers.map(({ driver }) => driver)
    expect(new Set(asked).size).toBe(asked.length)
    if (round.isRound) expect(competing).toEqual([])
    const eta = (uid: string, id: string) => {
      const time = round.travelTime(aDriver(uid), aWaiting(id))
      return time === undefined ? Infinity : Math.round(time)
    }
    if ('fairnessWeight' in round.settings) continue
    const wasAsked = (id: string) =>
      Object.keys(round.bookings.find((one) => one.id === id)?.askedDrivers ?? {}).length > 0
    for (const one of offers)
      for (const other of offers) {
        if (wasAsked(one.booking) || wasAsked(other.booking)) continue
        const exchanged = eta(one.driver, other.booking) + eta(other.driver, one.booking)
        if (one !== other) expect(exchanged).toBeGreaterThanOrEqual(one.eta_s + other.eta_s)
      }
  }
})

it('decides the same from recorded inputs, bit for bit', () => {
  const random = createSeededRandom(17)
  let replayed = 0
  while (replayed < 10_000)
    for (const { input, offers } of planRound(aRandomRound(random)).groups) {
      const recorded = JSON.parse(JSON.stringify(input)) as GroupInput
      expect(JSON.stringify(decideGroup(recorded))).toBe(JSON.stringify(offers))
      replayed += offers.length
    }
})

describe('the plan of mode `nearest`', () => {
  const near = [
    { ...aDriver('c'), eta_s: 90 },
    { ...aDriver('b'), eta_s: 60 },
    { ...aDriver('a'), eta_s: 60 },
  ]
  const getDriver = (more: Partial<RoundBooking>, drivers = near) =>
    planNearest(aWaiting('trip', more), drivers, {}, NOW)?.offer.driver

  it('asks the driver with the shortest way, the first id among equals', () => {
    expect(planNearest(aWaiting('trip'), near, {}, NOW)?.offer).toEqual({
      booking: 'trip',
      driver: 'a',
      eta_s: 60,
      cost: 60,
      rank: 1,
    })
  })

  it('asks the next driver after one who did not answer, and then the one asked longest ago', () => {
    const asked = (requested: string, askedDrivers: Record<string, number>) =>
      getDriver({ requestedDrivers: { [requested]: true }, askedDrivers })
    expect(asked('a', { a: NOW })).toBe('b')
    expect(asked('c', { a: NOW - 2, b: NOW - 1, c: NOW })).toBe('a')
  })

  it('does not ask the only driver repeatedly', () => {
    const only = [{ ...aDriver('a'), eta_s: 60 }]
    const asked = { requestedDrivers: { a: true }, askedDrivers: { a: NOW } } as const
    expect(getDriver(asked, only)).toBeUndefined()
  })

  it('asks no driver beyond the limit of pickup minutes', () => {
    expect(planNearest(aWaiting('trip'), near, { maxPickupMinutes: 0.9 }, NOW)).toBeUndefined()
  })

  it('decides again to the same result from its recorded inputs', () => {
    const planned = planNearest(aWaiting('trip'), near, {}, NOW)
    const recorded = JSON.parse(JSON.stringify(planned?.input)) as GroupInput
    expect(decideGroup(recorded)).toEqual([planned?.offer])
  })
})
