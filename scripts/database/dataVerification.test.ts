import { expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { findViolations } from '~/domain/data/invariants'
import { createRandomPlatform } from '~/domain/testing/randomPlatform'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { listLeaves } from './databasePages'
import { createCity, type CityTree } from './testing/dyingDatabase'
import { verifyData, type DataSource } from './dataVerification'
import type { Settings } from '~/domain/catalog/types'

const createSource = (tree: CityTree): DataSource => ({
  readCurrency: () => Promise.resolve({ settings: tree['settings'] as unknown as Settings }),
  async *readRecords(collection) {
    const [top = '', kind] = collection.split('/')
    const records = kind === undefined ? tree[top] : tree[top]?.[kind]
    yield* Object.entries((records ?? {}) as object) as [string, DatabaseValue][]
  },
  async *readLeaves(collection) {
    yield* listLeaves(tree[collection] ?? {}, collection)
  },
})
test('finds nothing in a consistent city and holds a small part of it at a time', async () => {
  const tree = await createCity()
  const size = JSON.stringify([tree['users'], tree['bookings']]).length
  const { violationCount, sentences, maxPartLength } = await verifyData(createSource(tree), {
    parts: 32,
    maxBufferLength: 0,
  })
  expect({ count: violationCount, sentences }).toEqual({ count: 0, sentences: [] })
  expect(maxPartLength).toBeLessThan(size / 5)
})

test('finds the same violations as a check of the whole database', async () => {
  const { tree, step } = createRandomPlatform(createSeededRandom(5))
  for (let n = 0; n < 300; n++) step()
  const users = (tree as CityTree)['users'] as Record<string, { walletBalance: number }>
  for (const user of Object.values(users)) user.walletBalance += 1
  delete (tree as CityTree)['driver_tasks']
  const [first = ''] = Object.keys((tree as CityTree)['bookings'] ?? {})
  delete (tree as CityTree)['bookings']?.[first]
  const found = findViolations(tree)
  expect(found.length).toBeGreaterThan(6)
  const { violationCount, sentences } = await verifyData(createSource(tree as CityTree))
  expect([...sentences].sort()).toEqual([...found].sort())
  expect(violationCount).toBe(found.length)
})

test('reads texts with every kind of line break', async () => {
  const tree = await createCity()
  const [booking] = Object.values(tree['bookings'] ?? {}) as { dropAddress: string }[]
  if (booking) booking.dropAddress = 'a\nb\rc\u2028d\u2029e'
  expect((await verifyData(createSource(tree), { maxBufferLength: 0 })).sentences).toEqual([])
})
