import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getDistanceKm } from '~/domain/geo/geo'
import { findViolations } from '~/domain/data/invariants'
import { comparePolicies } from '~/domain/replay/comparison'
import { generateDemand } from '~/domain/replay/generatedDemand'
import { findPolicy } from '~/domain/replay/policies'
import { runReplay } from '~/domain/replay/replayRun'
import type { TravelTimes } from '~/domain/replay/scenario'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aSettings, aVehicleType } from '~/domain/testing/builders'
import { renderReplayReport } from './htmlReport'
import { openRecordedData, readRecordedDemand } from './recordedDemand'
import { formatComparison } from './textReport'

const CENTER = { lat: -34.9, lng: -56.18 }
const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to)
  return { km, seconds: Math.round(km * 120) }
}
/** A morning of ten drivers on 7 September in Montevideo, played as if it had happened. */
const createHistory = () => {
  const scenario = generateDemand({
    seed: 5,
    drivers: 10,
    load: 1.2,
    hours: 3,
    start: Date.UTC(2026, 8, 7, 11),
    places: Array.from({ length: 40 }, (_, i) => ({
      lat: CENTER.lat + ((i % 7) - 3) / 60,
      lng: CENTER.lng + ((i % 11) - 5) / 60,
    })),
    center: CENTER,
    travel,
    settings: aSettings({ appcat: 'taxi' }),
    vehicleType: aVehicleType(),
  })
  return runReplay({ scenario, policy: findPolicy('nearest'), travel, seed: 1, keepsRecords: true })
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kerbside-replay-'))
})
afterEach(async () => rm(folder, { recursive: true, force: true }))

/** Saves the history as a backup and opens it again. */
const openHistory = async (version = SCHEMA_VERSION) => {
  const { tree, requests } = createHistory()
  const file = join(folder, 'backup.json')
  await writeFile(file, JSON.stringify({ ...tree, schema: { version } }))
  return { requests, data: await openRecordedData({ backup: file }, {}) }
}

it('replays the bookings of a backup', async () => {
  const { requests, data } = await openHistory()
  const scenario = await readRecordedDemand(data, { from: '2026-09-07', days: 1 })
  const booked = requests.filter(({ outcome }) => outcome !== 'refused')
  expect(scenario.requests).toHaveLength(booked.length)
  expect(scenario.drivers).toHaveLength(10)
  const replayed = runReplay({
    scenario,
    policy: findPolicy('matched'),
    travel,
    seed: 1,
    keepsRecords: true,
  })
  expect(findViolations(replayed.tree as Parameters<typeof findViolations>[0])).toEqual([])
  const isServed = ({ outcome }: { outcome: string }) => outcome === 'served'
  expect(replayed.requests.filter(isServed).length).toBeGreaterThan(
    booked.filter(isServed).length * 0.9,
  )
})

it('writes the same bytes for the same seeds, in text and HTML', async () => {
  const report = async () => {
    const { data } = await openHistory()
    const scenario = await readRecordedDemand(data, { from: '2026-09-07', days: 1 })
    const compared = comparePolicies({
      policies: ['nearest', 'broadcast', 'matched:600'].map(findPolicy),
      seeds: [1, 2],
      createScenario: () => scenario,
      travel,
    })
    return `${formatComparison(compared)}\n${renderReplayReport('A morning <in> September', compared)}`
  }
  const first = await report()
  expect(await report()).toBe(first)
  expect(first).toContain('A morning &lt;in&gt; September')
  expect(first).not.toContain('NaN')
})

it('says which days have no bookings', async () => {
  const { data } = await openHistory()
  await expect(readRecordedDemand(data, { from: '2026-09-08', days: 2 })).rejects.toThrow(
    'There are no bookings from 2026-09-08 on for 2 days. Choose other days with --from and --days.',
  )
})

it('refuses a backup of another schema', async () => {
  await expect(openHistory(SCHEMA_VERSION - 1)).rejects.toThrow('The data has schema')
})
