import { expect, it } from 'vitest'
import { getDistanceKm } from '~/domain/geo/geo'
import { aSettings, aVehicleType, NOON } from '~/domain/testing/builders'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { compareParcelPolicies } from './parcelComparison'
import { generateParcels, type ParcelScenario } from './parcelDemand'
import { findParcelPolicy } from './parcelPolicies'
import { measureParcelReplay, runParcelReplay } from './parcelReplay'
import { findPolicy } from '~/domain/replay/policies'
import { runReplay } from '~/domain/replay/replayRun'
import type { ReplayScenario, TravelTimes } from '~/domain/replay/scenario'

const CENTER = { lat: 0, lng: 0 }
const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to) * 1.3
  return { km, seconds: Math.round(km * 150) }
}
const random = createSeededRandom(1)
const PLACES = Array.from({ length: 200 }, () => ({
  lat: 0.1 * random.next() - 0.05,
  lng: 0.1 * random.next() - 0.05,
}))
const createScenario = (seed: number, couriers = 8): ParcelScenario =>
  generateParcels({
    seed,
    couriers,
    parcelsPerHour: 20,
    hours: 4,
    shops: 4,
    promiseMinutes: 90,
    start: NOON,
    places: PLACES,
    center: CENTER,
    travel,
  })

it.each(['nearest', 'tours', 'tours:2'])('delivers every parcel once under %s', (name) => {
  const scenario = createScenario(1)
  const policy = findParcelPolicy(name)
  const { parcels, mostOnBoard } = runParcelReplay({ scenario, policy, travel, seed: 1 })
  expect(parcels.map(({ id }) => id).sort()).toEqual(scenario.parcels.map(({ id }) => id).sort())
  expect(mostOnBoard).toBeLessThanOrEqual(policy.capacity)
  const requests = new Map(scenario.parcels.map((parcel) => [parcel.id, parcel]))
  for (const { id, deliveredAt } of parcels)
    expect(deliveredAt).toBeGreaterThan(requests.get(id)?.readyAt ?? Infinity)
})

it('gives the same result again', () => {
  const play = () =>
    compareParcelPolicies({
      policies: ['nearest', 'tours'].map(findParcelPolicy),
      seeds: [3, 4],
      createScenario,
      travel,
    })
  expect(JSON.stringify(play())).toBe(JSON.stringify(play()))
})

it('has the same parcels for any number of couriers', () => {
  expect(createScenario(5, 4).parcels).toEqual(createScenario(5, 12).parcels)
})

it('drives fewer kilometers with tours and keeps more promises', () => {
  const [nearest, tours] = compareParcelPolicies({
    policies: ['nearest', 'tours'].map(findParcelPolicy),
    seeds: [1, 2, 3],
    createScenario,
    travel,
  })
  expect(nearest?.measures.kmPerParcel.difference).toBeUndefined()
  const { kmPerParcel, onTimePercent } = tours?.measures ?? {}
  expect(kmPerParcel?.difference?.mean ?? 0).toBeLessThan(0)
  expect(onTimePercent?.difference?.mean ?? -1).toBeGreaterThanOrEqual(0)
})

/** Returns the scenario for the replay of bookings, with drivers who accept each offer at once. */
const toBookings = ({ parcels, couriers, countFrom }: ParcelScenario): ReplayScenario => {
  const vehicleType = aVehicleType()
  const end = (parcels.at(-1)?.readyAt ?? 0) + 24 * 3_600_000
  return {
    settings: aSettings({ appcat: 'taxi', driverRadius: 100 }),
    vehicleTypes: { [vehicleType.id]: vehicleType },
    requests: parcels.map((parcel) => ({
      id: parcel.id,
      at: parcel.readyAt,
      pickup: parcel.pickup,
      drop: parcel.drop,
      carType: vehicleType.id,
      km: parcel.km,
      plannedSeconds: parcel.seconds,
      tripSeconds: parcel.seconds,
      pickupSeconds: parcel.pickupSeconds,
      dropSeconds: parcel.dropSeconds,
      patienceSeconds: 86_400,
    })),
    drivers: couriers.map(({ uid, place }) => ({
      uid,
      carType: vehicleType.id,
      duty: [{ from: (parcels[0]?.readyAt ?? 0) - 1, to: end, place }],
    })),
    behavior: {
      acceptShare: 1,
      acceptLossPerMinute: 0,
      leastAcceptShare: 1,
      declineShare: 0,
      leastAnswerSeconds: 0,
      mostAnswerSeconds: 0,
      answerSecondsPerMinute: 0,
    },
    countFrom,
    countTo: end,
  }
}

it('gives parcels one at a time as the dispatch of bookings does', () => {
  const scenario = createScenario(2, 14)
  const { requests } = runReplay({
    scenario: toBookings(scenario),
    policy: findPolicy('nearest'),
    travel,
    seed: 2,
  })
  expect(requests.filter(({ outcome }) => outcome !== 'served')).toEqual([])
  const km = requests.reduce((sum, { emptyKm = 0 }) => sum + emptyKm, 0)
  const carried = scenario.parcels.reduce((sum, parcel) => sum + parcel.km, 0)
  const minutes = requests.map(({ at, finishedAt = at }) => (finishedAt - at) / 60_000)
  const result = runParcelReplay({
    scenario,
    policy: findParcelPolicy('nearest'),
    travel,
    seed: 2,
    isUncertain: false,
  })
  const own = measureParcelReplay({ ...scenario, countFrom: 0 }, result)
  const mean = minutes.reduce((sum, one) => sum + one, 0) / minutes.length
  // The scheduled job of bookings runs every 15 seconds, so a few choices differ.
  expect(Math.abs(own.kmPerParcel / ((km + carried) / requests.length) - 1)).toBeLessThan(0.02)
  expect(Math.abs(own.meanMinutes / mean - 1)).toBeLessThan(0.02)
})
