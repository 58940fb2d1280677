import { beforeAll, expect, test } from 'vitest'
import { builtCity } from './builtCity'
import { createBundledMaps } from './bundled'
import referee from './referee.fixture.json'

// Recorded once from another router (docs/maps.md says how), on the very same streets. Distances can
// be compared; times cannot: it drives without lights and queues.
interface Compared {
  ours: number
  quickest: number
  shortest: number
}

let compared: Compared[]
beforeAll(async () => {
  const maps = createBundledMaps(builtCity())
  compared = await Promise.all(
    referee.rows.map(async ([fromLat, fromLng, toLat, toLng, quickest, shortest]) => {
      const route = await maps.directions(
        { lat: fromLat!, lng: fromLng! },
        { lat: toLat!, lng: toLng! },
      )
      return { ours: route!.distance_in_km, quickest: quickest!, shortest: shortest! }
    }),
  )
}, 120_000)

const sorted = (values: number[]) => values.toSorted((a, b) => a - b)

test('half of the routes differ by less than 3 % from the other router’s', () => {
  const ratios = sorted(compared.map(({ ours, quickest }) => ours / quickest))
  const median = ratios[Math.floor(ratios.length / 2)]!
  expect(Math.abs(median - 1)).toBeLessThan(0.03)
})

test('all but a few differ by less than a quarter', () => {
  const ratios = sorted(compared.map(({ ours, quickest }) => ours / quickest))
  expect(ratios[Math.ceil(ratios.length * 0.05)]).toBeGreaterThan(0.78)
  expect(ratios[Math.floor(ratios.length * 0.95)]).toBeLessThan(1.12)
})

test('none is shorter than the shortest way the law allows', () => {
  const tooShort = compared.filter(({ ours, shortest }) => ours < shortest * 0.99 - 0.01)
  expect(tooShort).toEqual([])
})
