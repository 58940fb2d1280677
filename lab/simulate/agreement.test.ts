import { expect, it } from 'vitest'
import { getDistanceKm } from '~/domain/geo/geo'
import { generateDemand } from '~/domain/replay/generatedDemand'
import type { TravelTimes } from '~/domain/replay/scenario'
import { aSettings, aVehicleType, NOON } from '~/domain/testing/builders'
import {
  compressScenario,
  formatAgreement,
  isInAgreement,
  measurePlayed,
  measureReplayed,
  type HourMeasures,
} from './agreement'

const CENTER = { lat: -34.9, lng: -56.18 }
const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to) * 1.3
  return { km, seconds: Math.round(km * 150) }
}
const scenario = generateDemand({
  seed: 1,
  drivers: 10,
  load: 0.6,
  hours: 2,
  start: NOON,
  places: Array.from({ length: 100 }, (_, i) => ({
    lat: CENTER.lat + 0.005 * (i % 10),
    lng: CENTER.lng + 0.005 * Math.floor(i / 10),
  })),
  center: CENTER,
  travel,
  settings: aSettings({ appcat: 'taxi' }),
  vehicleType: aVehicleType(),
})

const toMeasures = (meanWait: number): HourMeasures => ({ meanWait, served: 10, offersPerTrip: 1 })
const compare = (...waits: [simulated: number, replayed: number][]) =>
  waits.map(([simulated, replayed], i) => ({
    policy: `policy ${i}`,
    simulated: toMeasures(simulated),
    replayed: toMeasures(replayed),
  }))

it('agrees when each mean wait is within ten percent and no ranking is opposite', () => {
  expect(isInAgreement(compare([10, 10.9], [12, 11.5]))).toBe(true)
  expect(isInAgreement(compare([10, 11.1], [12, 12]))).toBe(false)
  expect(isInAgreement(compare([10, 10.5], [10.4, 10]))).toBe(false)
  expect(isInAgreement(compare([10, 10.5], [10.1, 10]))).toBe(true)
})

it('prints the difference of each policy and both rankings', () => {
  const text = formatAgreement(compare([10, 11], [8, 8]))
  expect(text).toContain('10.0 %')
  expect(text).toContain('simulated: policy 1, policy 0')
})

it('measures the wait at the pace of the people', () => {
  const played = [
    { outcome: 'served' as const, waitMs: 30_000, offers: 1 },
    { outcome: 'given_up' as const, offers: 3 },
  ]
  expect(measurePlayed(played, 10)).toEqual({ meanWait: 5, served: 1, offersPerTrip: 1 })
})

it('serves fewer impatient people at a faster pace, because offers take as long as before', () => {
  const run = { policy: 'nearest', travel, seed: 1 }
  const real = measureReplayed(scenario, { ...run, pace: 1 })
  const fast = measureReplayed(compressScenario(scenario, 20), { ...run, pace: 20 })
  expect(fast.served).toBeLessThan(real.served)
  expect(measureReplayed(compressScenario(scenario, 1), { ...run, pace: 1 })).toEqual(real)
})
