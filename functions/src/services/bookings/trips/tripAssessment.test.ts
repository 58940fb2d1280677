import { beforeAll, describe, expect, test } from 'vitest'
import { assessTrip, buildRoadQueries } from '~/domain/booking/trip/drivenDistance'
import type { Trip } from '~/domain/booking/trip/track'
import { buildDrivenRoadQueries, measureDrivenRoad } from '~/domain/booking/trip/drivenRoad'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { aVehicleType, aSettings } from '~/domain/testing/builders'
import { quoteFare } from '~/domain/money/fare'
import { ensureBuiltCity } from '../../../testing/builtCity'
import { createBundledMaps, type BundledMaps } from '../../../adapters/maps/bundled/bundledMaps'
import { fetchRoadResults } from './roadQueries'
import { forgeTrip, FORGERIES } from '../../../testing/forgedTracks'
import { simulateHonestTrip, planTrip, type SimulatedTrip } from '../../../testing/simulatedTrips'

const HONEST = 1000
const PATIENCE_MS = 240_000

let maps: BundledMaps
beforeAll(() => {
  maps = createBundledMaps(ensureBuiltCity())
  maps.preload()
}, PATIENCE_MS)

const judged = async (trip: Trip) =>
  assessTrip(trip, await fetchRoadResults(maps, buildRoadQueries(trip)))
/** Taxi rates: 24 per kilometer, 240 per hour. */
const taxi = aVehicleType({
  base_fare: 60,
  rate_per_unit_distance: 24,
  rate_per_hour: 240,
  min_fare: 130,
  convenience_fees: 12,
})
const settings = aSettings({ appcat: 'taxi' })
const getFare = (km: number, seconds: number) =>
  quoteFare({ carType: taxi, settings, distanceKm: km, seconds }).estimateFare

describe('a thousand honest trips', () => {
  const trips: (SimulatedTrip & { driven: Awaited<ReturnType<typeof judged>> })[] = []
  beforeAll(async () => {
    for (let seed = 1; seed <= HONEST; seed++) {
      const simulated = await simulateHonestTrip(maps, createSeededRandom(seed))
      trips.push({ ...simulated, driven: await judged(simulated.trip) })
    }
  }, PATIENCE_MS)

  test('include every kind of incident', () => {
    const met = new Set(trips.flatMap(({ incidents }) => incidents))
    expect([...met].sort()).toEqual([
      'canyon',
      'detour',
      'gets out early',
      'jam',
      'low battery',
      'outage',
      'phone asleep',
      'stop',
      'wild positions',
      'wrong turn',
    ])
  })

  test('are flagged at most five times', () => {
    const flagged = trips.filter(({ driven }) => driven.verdict === 'flagged')
    expect(flagged.map(({ incidents, driven }) => [incidents, driven.reasons])).toHaveLength(
      Math.min(5, flagged.length),
    )
  })

  test('are charged as driven in more than nine of ten cases', () => {
    const ok = trips.filter(({ driven }) => driven.verdict === 'ok')
    expect(ok.length).toBeGreaterThan(0.9 * HONEST)
  })

  test('pay the driver within 10 % of the driven fare in nineteen of twenty cases', () => {
    const off = trips.filter(({ driven, trueKm, trip }) => {
      const seconds = (trip.endedAt - trip.startedAt) / 1000
      const right = getFare(trueKm, Math.min(seconds, driven.chargedSeconds))
      return Math.abs(getFare(driven.chargedKm, driven.chargedSeconds) / right - 1) > 0.1
    })
    expect(off.length).toBeLessThan(0.05 * HONEST)
  })

  test('never cost the rider more than the allowance and the confirmed streets justify', () => {
    const expensive = trips.filter(
      ({ driven }) =>
        driven.chargedKm > driven.plannedKm * 1.4 + 1 || driven.chargedKm > driven.drivenKm,
    )
    expect(expensive).toEqual([])
  })
})

test('almost no honest trip is flagged when the maps service has no data', async () => {
  let flagged = 0
  for (let seed = 1; seed <= 200; seed++) {
    const { trip } = await simulateHonestTrip(maps, createSeededRandom(seed))
    if (assessTrip(trip, null).verdict === 'flagged') flagged++
  }
  expect(flagged).toBeLessThanOrEqual(1)
})

describe('the road before an amendment', () => {
  const measure = async (trip: Trip) =>
    measureDrivenRoad(trip, await fetchRoadResults(maps, buildDrivenRoadQueries(trip)), 2)

  test('is measured within a tenth in nine of ten honest trips, without a plan', async () => {
    const ratios: number[] = []
    for (let seed = 1; seed <= 200; seed++) {
      const { trip, trueKm, incidents } = await simulateHonestTrip(maps, createSeededRandom(seed))
      if (incidents.includes('phone asleep')) continue
      ratios.push((await measure(trip)).km / trueKm)
    }
    const right = ratios.filter((ratio) => Math.abs(ratio - 1) < 0.1)
    expect(right.length).toBeGreaterThan(0.9 * ratios.length)
  })

  test('is not lengthened by sixteen of twenty forgeries', async () => {
    const random = createSeededRandom(5)
    const { planned } = await planTrip(maps, random, { leastKm: 2.5, stops: 0 })
    const longer: string[] = []
    for (const [name, forgery] of Object.entries(FORGERIES)) {
      const { honest, spoofed } = await forgeTrip(maps, planned, forgery, random)
      const [truth, claim] = [await measure(honest), await measure(spoofed)]
      if (claim.km > truth.km * 1.15) longer.push(`${name}: ${(claim.km / truth.km).toFixed(2)}`)
    }
    expect(longer.length, longer.join('\n')).toBeLessThanOrEqual(4)
  })
})

describe('twenty kinds of forged tracks', () => {
  const kinds = Object.entries(FORGERIES)
  test('number twenty', () => expect(kinds).toHaveLength(20))

  /**
   * Maximum ratio of the fares of a forged and an honest trip at which the forgery counts as
   * neutralized.
   */
  const TOLERANCE = 1.1

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'are flagged or neutralized in at least eighteen cases on trip %i',
    async (seed) => {
      const random = createSeededRandom(seed)
      const { planned } = await planTrip(maps, random, { leastKm: 2.5, stops: 0 })
      const through: string[] = []
      for (const [name, forgery] of kinds) {
        const { honest, spoofed } = await forgeTrip(maps, planned, forgery, random)
        const [truth, claim] = [await judged(honest), await judged(spoofed)]
        const share =
          getFare(claim.chargedKm, claim.chargedSeconds) /
          getFare(truth.chargedKm, truth.chargedSeconds)
        expect(truth.verdict).toBe('ok')
        if (claim.verdict !== 'flagged' && share > TOLERANCE)
          through.push(`${name}: ${share.toFixed(2)} times the honest fare`)
        // A flagged trip never costs more than planned.
        if (claim.verdict === 'flagged')
          expect(claim.chargedKm).toBeLessThanOrEqual(claim.plannedKm)
      }
      expect(through.length, through.join('\n')).toBeLessThanOrEqual(2)
    },
    PATIENCE_MS,
  )
})
