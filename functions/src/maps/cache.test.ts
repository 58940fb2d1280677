import { expect, test } from 'vitest'
import { BoundedMemory, cachedMaps } from './cache'
import { MapsError } from './port'
import type { MapsPort } from './port'

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
    coords: () => Promise.resolve(null),
    address: () => Promise.resolve(null),
    directions: () => {
      calls.push('route')
      return Promise.resolve(route)
    },
    distanceMatrix: () => Promise.resolve([]),
    ...over,
  }
  return { calls, maps }
}
const A = { lat: 1, lng: 2 }
const B = { lat: 3, lng: 4 }

test('the same question is asked once, until its answer is old', async () => {
  let now = 0
  const { calls, maps } = counting()
  const cached = cachedMaps(maps, { now: () => now, keepMs: 1_000 })
  await cached.directions(A, B)
  await cached.directions({ lat: 1.000001, lng: 2 }, B)
  expect(calls).toEqual(['route'])
  await cached.directions(B, A)
  expect(calls).toHaveLength(2)
  now = 1_000
  await cached.directions(A, B)
  expect(calls).toHaveLength(3)
})

test('another language is another question', async () => {
  const { calls, maps } = counting()
  const cached = cachedMaps(maps)
  await cached.directions(A, B, [], { language: 'es' })
  await cached.directions(A, B, [], { language: 'es' })
  await cached.directions(A, B, [], { language: 'de' })
  await cached.directions(A, B)
  expect(calls).toHaveLength(3)
})

test('questions asked at the same time share one call', async () => {
  const { calls, maps } = counting()
  const cached = cachedMaps(maps)
  const [one, two] = await Promise.all([cached.directions(A, B), cached.directions(A, B)])
  expect(one).toBe(two)
  expect(calls).toHaveLength(1)
})

test('a failure is not kept', async () => {
  let fails = true
  const { maps } = counting({
    directions: () => (fails ? Promise.reject(new MapsError('timeout')) : Promise.resolve(route)),
  })
  const cached = cachedMaps(maps)
  await expect(cached.directions(A, B)).rejects.toThrow()
  fails = false
  await expect(cached.directions(A, B)).resolves.toEqual(route)
})

test('a search is another one in another country, language or place', async () => {
  const { calls, maps } = counting()
  const cached = cachedMaps(maps)
  await cached.autocomplete('Rivera', { country: 'UY', near: A })
  await cached.autocomplete('rivera ', { country: 'UY', near: { lat: 1.0001, lng: 2 } })
  expect(calls).toHaveLength(1)
  await cached.autocomplete('rivera', { country: 'AR', near: A })
  await cached.autocomplete('rivera', { country: 'UY', near: B })
  await cached.autocomplete('rivera', { country: 'UY', near: A, language: 'es' })
  expect(calls).toHaveLength(4)
})

test('memory stays within its bound: what was used longest ago goes', () => {
  const memory = new BoundedMemory(1_000)
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
