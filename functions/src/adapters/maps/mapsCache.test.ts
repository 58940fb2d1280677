import { expect, test } from 'vitest'
import { LruCache, createCachedMaps } from './mapsCache'
import { MapsError } from '../../ports/mapsPort'
import type { MapsPort } from '../../ports/mapsPort'

const route = {
  distance_in_km: 1,
  time_in_secs: 60,
  polylinePoints: '',
  coords: [],
  steps: [],
  approximate: false,
}
const counting = (over: Partial<MapsPort> = {}) => {
  const calls: string[] = []
  const maps: MapsPort = {
    id: 'osm',
    autocomplete: (typed) => {
      calls.push(`search ${typed}`)
      return Promise.resolve([])
    },
    getCoords: () => Promise.resolve(null),
    getAddress: () => Promise.resolve(null),
    getDirections: () => {
      calls.push('route')
      return Promise.resolve(route)
    },
    getDistanceMatrix: () => Promise.resolve([]),
    ...over,
  }
  return { calls, maps }
}
const A = { lat: 1, lng: 2 }
const B = { lat: 3, lng: 4 }

test('requests the same data once until the response expires', async () => {
  let now = 0
  const { calls, maps } = counting()
  const cached = createCachedMaps(maps, { now: () => now, ttlMs: 1_000 })
  await cached.getDirections(A, B)
  await cached.getDirections({ lat: 1.000001, lng: 2 }, B)
  expect(calls).toEqual(['route'])
  await cached.getDirections(B, A)
  expect(calls).toHaveLength(2)
  now = 1_000
  await cached.getDirections(A, B)
  expect(calls).toHaveLength(3)
})

test('treats another language as another request', async () => {
  const { calls, maps } = counting()
  const cached = createCachedMaps(maps)
  await cached.getDirections(A, B, [], { language: 'es' })
  await cached.getDirections(A, B, [], { language: 'es' })
  await cached.getDirections(A, B, [], { language: 'de' })
  await cached.getDirections(A, B)
  expect(calls).toHaveLength(3)
})

test('shares one call between simultaneous identical requests', async () => {
  const { calls, maps } = counting()
  const cached = createCachedMaps(maps)
  const [one, two] = await Promise.all([cached.getDirections(A, B), cached.getDirections(A, B)])
  expect(one).toBe(two)
  expect(calls).toHaveLength(1)
})

test('does not cache a failure', async () => {
  let fails = true
  const { maps } = counting({
    getDirections: () =>
      fails ? Promise.reject(new MapsError('timeout')) : Promise.resolve(route),
  })
  const cached = createCachedMaps(maps)
  await expect(cached.getDirections(A, B)).rejects.toThrow()
  fails = false
  await expect(cached.getDirections(A, B)).resolves.toEqual(route)
})

test('caches searches separately by country, language and position', async () => {
  const { calls, maps } = counting()
  const cached = createCachedMaps(maps)
  await cached.autocomplete('Rivera', { country: 'UY', near: A })
  await cached.autocomplete('rivera ', { country: 'UY', near: { lat: 1.0001, lng: 2 } })
  expect(calls).toHaveLength(1)
  await cached.autocomplete('rivera', { country: 'AR', near: A })
  await cached.autocomplete('rivera', { country: 'UY', near: B })
  await cached.autocomplete('rivera', { country: 'UY', near: A, language: 'es' })
  expect(calls).toHaveLength(4)
})

test('keeps memory within its limit by removing the least recently used responses', () => {
  const memory = new LruCache(1_000)
  for (let i = 0; i < 10_000; i++) {
    memory.set(`key ${i}`, 'x'.repeat(40), 10)
    memory.get('key 0', 0)
  }
  expect(memory.count).toBeLessThan(25)
  expect(memory.get('key 0', 0)?.value).toBe('x'.repeat(40))
  expect(memory.get('key 9999', 0)).toBeDefined()
  expect(memory.get('key 100', 0)).toBeUndefined()
  memory.set('huge', 'x'.repeat(900), 10)
  expect(memory.get('huge', 0)).toBeUndefined()
  expect(memory.get('key 9999', 10)).toBeUndefined()
})
