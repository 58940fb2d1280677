import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import type { Position } from '~/functions/src/ports/positions'
import { getPercentile } from './measurement'
import type { Milliseconds } from '~/domain/language/units'

interface Percentiles {
  p50Ms: Milliseconds
  p95Ms: Milliseconds
}

export interface MapsBench {
  coldStartMs: Milliseconds
  search: Percentiles
  searchWithTypos: Percentiles
  address: Percentiles
  route: Percentiles
  routeWithWaypoints: Percentiles
  matrix100Drivers: Percentiles
}

const getPercentiles = (times: readonly number[]): Percentiles => ({
  p50Ms: getPercentile(times, 0.5),
  p95Ms: getPercentile(times, 0.95),
})

/**
 * Returns a random number generator with the same numbers in every run, so that two runs measure
 * the same work.
 */
export const createSeededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return state / 0x7fff_ffff
  }
}

const QUERIES = [
  '18 de julio',
  'avenida italia',
  'aeropuerto',
  'pocitos',
  'terminal tres cruces',
  'mercado del puerto',
  'bulevar artigas 1199',
  'montevideo shopping',
  'estadio centenario',
  'palacio salvo',
  'punta carretas',
  'hospital de clinicas',
  'rambla republica',
  'plaza',
]

/** Measures search, route and a 100-driver matrix on a built city, in milliseconds. */
export const benchMaps = async (directory: string): Promise<MapsBench> => {
  const began = performance.now()
  const maps = createBundledMaps(directory)
  maps.preload()
  const coldStartMs = Math.round(performance.now() - began)
  const [west, south, east, north] = maps.getCoverage().bounds
  const random = createSeededRandom(7)
  const near = { lat: (south + north) / 2, lng: (west + east) / 2 }
  // Avoids the edges of the box, because bookings start and end where people are.
  const somewhere = async (): Promise<Position> => {
    for (;;) {
      const point = {
        lat: south + (north - south) * (0.1 + 0.8 * random()),
        lng: west + (east - west) * (0.1 + 0.8 * random()),
      }
      if (await maps.getAddress(point)) return point
    }
  }
  const measure = async (count: number, work: () => Promise<() => Promise<unknown>>) => {
    const times: number[] = []
    for (let i = 0; i < count + count / 5; i++) {
      const run = await work()
      const start = performance.now()
      await run()
      // The first sixth only warms up the compiler.
      if (i >= count / 5) times.push(performance.now() - start)
    }
    return getPercentiles(times)
  }
  const pick = () => {
    const query = QUERIES[Math.floor(random() * QUERIES.length)] ?? ''
    return query.slice(0, 2 + Math.floor(random() * query.length))
  }
  const misspelt = () => {
    const query = QUERIES[Math.floor(random() * QUERIES.length)] ?? ''
    const at = Math.floor(random() * (query.length - 1))
    return query.slice(0, at) + (query[at + 1] ?? '') + (query[at] ?? '') + query.slice(at + 2)
  }
  const { country } = maps.getCoverage()
  return {
    coldStartMs,
    search: await measure(2_000, async () => {
      const typed = pick()
      return () => maps.autocomplete(typed, { country, near })
    }),
    searchWithTypos: await measure(2_000, async () => {
      const typed = misspelt()
      return () => maps.autocomplete(typed, { country, near })
    }),
    address: await measure(2_000, async () => {
      const at = await somewhere()
      return () => maps.getAddress(at)
    }),
    route: await measure(500, async () => {
      const [a, b] = [await somewhere(), await somewhere()]
      return () => maps.getDirections(a, b)
    }),
    routeWithWaypoints: await measure(100, async () => {
      const [a, b, c, d] = [
        await somewhere(),
        await somewhere(),
        await somewhere(),
        await somewhere(),
      ]
      return () => maps.getDirections(a, d, [b, c])
    }),
    matrix100Drivers: await measure(100, async () => {
      const drivers: Position[] = []
      for (let i = 0; i < 100; i++) drivers.push(await somewhere())
      const pickup = await somewhere()
      return () => maps.getDistanceMatrix(drivers, [pickup])
    }),
  }
}
