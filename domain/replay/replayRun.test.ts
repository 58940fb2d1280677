import { describe, expect, it } from 'vitest'
import { getDistanceKm } from '../geo/geo'
import { findViolations } from '../data/invariants'
import { createPushKey } from '../data/pushKeys'
import { chooseLength } from '../testing/endurance'
import { aSettings, aVehicleType, MINUTE, NOON } from '../testing/builders'
import { createSeededRandom } from '../data/seededRandom'
import { comparePolicies } from './comparison'
import { generateDemand } from './generatedDemand'
import { findPolicy } from './policies'
import { measureReplay } from './replayMeasures'
import { runReplay } from './replayRun'
import type { ReplayOptions, RequestResult } from './replayState'
import type {
  DriverBehavior,
  ReplayDriver,
  ReplayRequest,
  ReplayScenario,
  TravelTimes,
} from './scenario'
import { BUSY_STATUSES, type Booking } from '../booking/types'
import type { LatLng, Place } from '../geo/types'
import type { Offer } from '../dispatch/types'

const POLICY_NAMES = [
  'nearest',
  'broadcast',
  'matched',
  'matched:600',
  'nearest+5',
  'matched:600+5',
]
const ORIGIN = { lat: -34.9, lng: -56.18 }
const KM_PER_DEGREE = 111.195
/** Two minutes for each kilometer of a straight line. */
const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to)
  return { km, seconds: Math.round(km * 120) }
}
/** Returns the place this many kilometers north of the origin. */
const at = (km: number): Place => ({
  lat: ORIGIN.lat + km / KM_PER_DEGREE,
  lng: ORIGIN.lng,
  add: `${km} km`,
})

/** Every driver accepts after exactly five seconds. */
const READY: DriverBehavior = {
  acceptShare: 1,
  acceptLossPerMinute: 0,
  leastAcceptShare: 1,
  declineShare: 0,
  leastAnswerSeconds: 5,
  mostAnswerSeconds: 5,
  answerSecondsPerMinute: 0,
}
const van = aVehicleType()
const aRequest = (
  n: number,
  seconds: number,
  [from, to]: readonly [number, number],
  over: Partial<ReplayRequest> = {},
): ReplayRequest => {
  const way = travel(at(from), at(to))
  const time = NOON + seconds * 1000
  return {
    id: createPushKey(time, n),
    at: time,
    pickup: at(from),
    drop: at(to),
    carType: van.id,
    km: way.km,
    plannedSeconds: way.seconds,
    tripSeconds: way.seconds,
    pickupSeconds: 60,
    dropSeconds: 60,
    patienceSeconds: 480,
    ...over,
  }
}
const aDriverAt = (uid: string, place: LatLng, minutes = 240): ReplayDriver => ({
  uid,
  carType: van.id,
  duty: [{ from: NOON - MINUTE, to: NOON + minutes * MINUTE, place }],
})
const aScenario = (over: Partial<ReplayScenario>): ReplayScenario => ({
  settings: aSettings({ appcat: 'taxi', autoDispatch: true }),
  vehicleTypes: { [van.id]: van },
  requests: [],
  drivers: [],
  behavior: READY,
  countFrom: NOON,
  countTo: NOON + 240 * MINUTE,
  ...over,
})
const play = (scenario: ReplayScenario, policy: string, over: Partial<ReplayOptions> = {}) =>
  runReplay({ scenario, policy: findPolicy(policy), travel, seed: 1, keepsRecords: true, ...over })
const readOffers = (tree: ReturnType<typeof play>['tree'], id: string) =>
  Object.values((tree.offers as unknown as Record<string, Record<string, Offer>>)[id] ?? {})

/** A busy evening of eight drivers and far more requests than they can serve. */
const createRushScenario = (seed: number, hours = chooseLength(1, 2)): ReplayScenario => {
  const random = createSeededRandom(seed)
  return {
    ...generateDemand({
      seed,
      drivers: 8,
      load: 2.5,
      hours,
      start: NOON,
      places: Array.from({ length: 60 }, () => ({
        lat: ORIGIN.lat + (random.next() - 0.5) / 12,
        lng: ORIGIN.lng + (random.next() - 0.5) / 10,
      })),
      center: ORIGIN,
      travel,
      settings: aSettings({ appcat: 'taxi', autoDispatch: true }),
      vehicleType: van,
    }),
  }
}

describe('a replay of few bookings, computed by hand', () => {
  // The first booking is 1 km from one driver and 2 km from the other.
  const drivers = [aDriverAt('near', at(1)), aDriverAt('far', at(-2))]

  it('asks the nearest driver, who is there after the answer and the way', () => {
    const { requests, tree } = play(
      aScenario({ drivers, requests: [aRequest(0, 0, [0, 5])] }),
      'nearest',
    )
    const booked = NOON
    expect(requests[0]).toEqual({
      id: aRequest(0, 0, [0, 5]).id,
      outcome: 'served',
      at: booked,
      offers: 1,
      driver: 'near',
      acceptedAt: booked + 5_000,
      arrivedAt: booked + 5_000 + 120_000,
      // One minute at the pickup, ten on the way, one at the drop-off.
      finishedAt: booked + 125_000 + 12 * MINUTE,
      emptyKm: expect.closeTo(1, 3),
      // 10 to start, 5 km at 5, ten minutes at 6 an hour, and a fee of 15 %.
      driverShare: expect.closeTo(36, 1),
      paid: expect.closeTo(41.4, 1),
    })
    expect(readOffers(tree, requests[0]?.id ?? '').map(({ driver }) => driver)).toEqual(['near'])
  })

  it('asks the next driver at the first pass after an offer has expired', () => {
    // No driver answers.
    const scenario = aScenario({
      drivers,
      requests: [aRequest(0, 1, [0, 5])],
      behavior: { ...READY, acceptShare: 0, leastAcceptShare: 0 },
    })
    const { requests, tree } = play(scenario, 'nearest')
    const offers = readOffers(tree, requests[0]?.id ?? '')
    expect(offers[0]).toMatchObject({ driver: 'near', at: NOON + 1_000, answer: 'expired' })
    // The offer ends at 31 seconds, and the job runs every 15.
    expect(offers[1]).toMatchObject({ driver: 'far', at: NOON + 45_000 })
    expect(requests[0]?.outcome).toBe('given_up')
  })

  it('asks both drivers at once with broadcast, and the others of a taken booking lose it', () => {
    const { requests, tree } = play(
      aScenario({ drivers, requests: [aRequest(0, 0, [0, 5])] }),
      'broadcast',
    )
    expect(requests[0]).toMatchObject({ outcome: 'served', driver: 'near', offers: 2 })
    expect(readOffers(tree, requests[0]?.id ?? '').map(({ answer }) => answer)).toEqual([
      'accepted',
      'withdrawn',
    ])
  })

  describe('with two bookings that are due at once and prefer the same driver', () => {
    // A is 1 km from the near driver and 2 km from the far one, B is 2 km and 5 km from them.
    const tripdate = NOON + 60 * MINUTE
    const scenario = aScenario({
      drivers,
      requests: [aRequest(0, 0, [0, 5], { tripdate }), aRequest(1, 1, [3, 9], { tripdate })],
    })
    const dueAt = NOON + 30 * MINUTE
    const getDecisions = (policy: string) =>
      play(scenario, policy).requests.map(({ driver, acceptedAt = 0, emptyKm = 0 }) => [
        driver,
        (acceptedAt - dueAt) / 1000,
        Math.round(emptyKm),
      ])

    it('gives the older booking its nearest driver with nearest', () => {
      expect(getDecisions('nearest')).toEqual([
        ['near', 5, 1],
        ['far', 5, 5],
      ])
    })

    it('decides them together in a round with matched, by the least total time', () => {
      expect(getDecisions('matched')).toEqual([
        ['far', 5, 2],
        ['near', 5, 2],
      ])
    })
  })

  it('asks a driver who has earned less with a fairness weight', () => {
    const scenario = aScenario({
      drivers,
      requests: [aRequest(0, 0, [0, 1]), aRequest(1, 3600, [0, 5])],
    })
    const getDrivers = (policy: string) =>
      play(scenario, policy).requests.map(({ driver }) => driver)
    expect(getDrivers('matched')).toEqual(['near', 'near'])
    // After an hour the near driver is 50 % above the mean and the far one 50 % below it.
    expect(getDrivers('matched:600')).toEqual(['near', 'far'])
  })

  it('lets riders give up without a driver after their patience', () => {
    const { requests } = play(
      aScenario({
        drivers: [aDriverAt('near', at(1))],
        requests: [aRequest(0, 0, [0, 5]), aRequest(1, 1, [0, 5], { patienceSeconds: 60 })],
      }),
      'nearest',
    )
    expect(requests.map(({ outcome }) => outcome)).toEqual(['served', 'given_up'])
  })

  it('refuses a booking while no car is free and books it at a later try', () => {
    const { requests } = play(
      aScenario({
        drivers: [aDriverAt('near', at(0))],
        requests: [aRequest(0, 0, [0, 1]), aRequest(1, 30, [0, 5])],
      }),
      'nearest',
    )
    // The car is free again after 5 s, 60 s, 120 s and 60 s, so the try after 270 s succeeds.
    expect(requests[1]).toMatchObject({
      outcome: 'served',
      acceptedAt: NOON + 270_000 + 5_000,
    })
  })

  describe('with a booking at the end of the only driver’s trip', () => {
    // The trip begins after 185 seconds and is expected to end after 860; it ends after 845.
    const scenario = aScenario({
      drivers: [aDriverAt('near', at(1))],
      requests: [aRequest(0, 0, [0, 5]), aRequest(1, 600, [6, 8])],
    })
    it.each([
      ['nearest+5', 605],
      ['matched+5', 605],
      // The first try within two minutes of the expected end.
      ['nearest+2', 755],
    ])('gives it to the driver during the trip with %s', (policy, acceptedAfter) => {
      const { requests } = play(scenario, policy)
      expect(requests[1]).toMatchObject({
        outcome: 'served',
        acceptedAt: NOON + acceptedAfter * 1000,
        // A kilometer from the drop-off.
        arrivedAt: NOON + (845 + 120) * 1000,
        emptyKm: expect.closeTo(1, 3),
      })
    })

    it('waits for the end of the trip without follow-on offers', () => {
      const { requests } = play(scenario, 'nearest')
      // No driver is free when it is first booked. The rider tries again every half minute.
      expect(requests[1]?.acceptedAt).toBe(NOON + (870 + 5) * 1000)
    })
  })

  it('ends a trip that its rider cancels after the acceptance', () => {
    const { requests } = play(
      aScenario({ drivers, requests: [aRequest(0, 0, [0, 5], { cancelSeconds: 60 })] }),
      'nearest',
    )
    // Halfway there.
    expect(requests[0]).toMatchObject({ outcome: 'canceled', emptyKm: expect.closeTo(0.5, 3) })
  })

  it('does not give bookings to drivers who have gone off duty', () => {
    const { requests } = play(
      aScenario({
        drivers: [aDriverAt('near', at(1), 10), aDriverAt('far', at(-2))],
        requests: [aRequest(0, 15 * 60, [0, 5])],
      }),
      'nearest',
    )
    expect(requests[0]?.driver).toBe('far')
  })

  it('searches a driver for a later booking half an hour before its time', () => {
    const pickupAt = NOON + 60 * MINUTE
    const { requests } = play(
      aScenario({ drivers, requests: [aRequest(0, 0, [0, 5], { tripdate: pickupAt })] }),
      'nearest',
    )
    expect(requests[0]).toMatchObject({
      outcome: 'served',
      at: pickupAt,
      acceptedAt: NOON + 30 * MINUTE + 5_000,
    })
  })
})

describe.each(POLICY_NAMES)('a replay of a rush with %s', (name) => {
  it('ends every booking once and keeps the data sound', () => {
    const scenario = createRushScenario(7)
    const { requests, tree } = play(scenario, name)
    expect(requests.map(({ id }) => id)).toEqual(scenario.requests.map(({ id }) => id))
    expect(findViolations(tree as Parameters<typeof findViolations>[0])).toEqual([])
    const bookings = Object.values(tree.bookings as unknown as Record<string, Booking>)
    const statuses = Object.fromEntries(bookings.map(({ id, status }) => [id, status]))
    for (const { id, outcome } of requests)
      expect([id, statuses[id]]).toEqual([
        id,
        outcome === 'served' ? 'PAID' : outcome === 'refused' ? undefined : 'CANCELLED',
      ])
    expect(bookings.filter(({ status }) => BUSY_STATUSES.includes(status))).toEqual([])
    expect(requests.some(({ outcome }) => outcome === 'served')).toBe(true)
    expect(requests.some(({ outcome }) => outcome === 'given_up')).toBe(true)
  })

  it('never gives a driver two trips at once', () => {
    const { requests } = play(createRushScenario(8), name)
    const byDriver = new Map<string, RequestResult[]>()
    for (const one of requests)
      if (one.driver !== undefined)
        byDriver.set(one.driver, [...(byDriver.get(one.driver) ?? []), one])
    expect(byDriver.size).toBe(8)
    for (const trips of byDriver.values()) {
      const ordered = trips.sort((a, b) => (a.acceptedAt ?? 0) - (b.acceptedAt ?? 0))
      for (const [i, trip] of ordered.slice(1).entries()) {
        const begunAt = name.includes('+') ? trip.arrivedAt : trip.acceptedAt
        expect(begunAt).toBeGreaterThanOrEqual(ordered[i]?.finishedAt ?? Infinity)
      }
    }
  })

  it('gives the same bytes for the same seed and others for another seed', () => {
    const bytes = (seed: number) => JSON.stringify(play(createRushScenario(9), name, { seed }))
    expect(bytes(3)).toBe(bytes(3))
    expect(bytes(3)).not.toBe(bytes(4))
  })

  it('has the same results when it forgets the records of finished bookings', () => {
    const scenario = createRushScenario(10)
    const forgets = play(scenario, name, { keepsRecords: false })
    expect(forgets.requests).toEqual(play(scenario, name).requests)
    expect(forgets.tree.bookings).toBeUndefined()
    expect(forgets.tree.offers).toBeUndefined()
  })
})

describe('a comparison of policies', () => {
  const options = {
    policies: [
      findPolicy('nearest'),
      { ...findPolicy('matched'), name: 'again' },
      findPolicy('matched'),
    ],
    seeds: [1, 2, 3],
    createScenario: (seed: number) => createRushScenario(seed, 2),
    travel,
  }

  it('pairs the runs of a seed, so equal policies differ by exactly nothing', () => {
    const [base, again, matched] = comparePolicies(options)
    expect(base?.measures.meanWait.difference).toBeUndefined()
    expect(again?.measures).toEqual(matched?.measures)
    expect(matched?.measures.meanWait.difference?.error).toBeGreaterThan(0)
  })

  it('gives the same bytes again', () => {
    expect(JSON.stringify(comparePolicies(options))).toBe(JSON.stringify(comparePolicies(options)))
  })

  it('counts only requests and hours of the counted period', () => {
    const scenario = aScenario({
      drivers: [aDriverAt('near', at(0))],
      requests: [aRequest(0, 0, [0, 5]), aRequest(1, 3600, [5, 0])],
      countFrom: NOON + 30 * MINUTE,
      countTo: NOON + 90 * MINUTE,
    })
    const { requests } = play(scenario, 'nearest')
    const measures = measureReplay(scenario, requests)
    expect(measures).toMatchObject({ requests: 1, servedPercent: 100, lost: 0, gini: 0 })
    expect(measures.meanWait).toBeCloseTo(5 / 60, 5)
    expect(measures.incomePerHour).toBeCloseTo(36, 1)
    expect(measures.takings).toBeCloseTo(41.4, 1)
  })
})
