import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getDistanceKm } from '~/domain/geo/geo'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { createDemoCity } from '~/seed/demoCity'
import type { RouteBetween } from '~/seed/cityHistory'
import {
  isAllowed,
  PRODUCT_RULES,
  startTestDatabase,
  type TestDatabase,
} from '../support/testDatabase'
import type { User } from '~/domain/accounts/types'

// The seed bypasses the rules, so only this test notices when the rules would refuse a later change
// of it.
const isOpenForWrites = () => {
  const { rules } = JSON.parse(readFileSync(PRODUCT_RULES, 'utf8')) as { rules: object }
  return JSON.stringify({ rules: { ...rules, '.write': true } })
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase(isOpenForWrites())
})
afterAll(() => database.stop())

const createStraightRoute: RouteBetween = (from, to) => {
  const distance_in_km = 1.3 * getDistanceKm(from, to)
  const time_in_secs = Math.round((distance_in_km / 30) * 3600)
  return Promise.resolve({ distance_in_km, time_in_secs, polylinePoints: '' })
}

test('the demo city satisfies the rules', async () => {
  const now = Date.UTC(2026, 10, 20, 12)
  const texts = { en: { book_now: 'Book Now' } }
  const city = await createDemoCity({ now, texts, routeBetween: createStraightRoute })
  // These clients send no schema version; schemaVersion.test.ts covers the version rules.
  const tree = Object.entries(city as Record<string, DatabaseValue>).filter(
    ([name]) => name !== 'schema',
  )
  await database.put(Object.fromEntries(tree))
  const { users } = city as unknown as { users: Record<string, User> }
  const findDriver = (shift: string) =>
    Object.values(users).find((user) => user.shift === shift)?.id
  const refused: string[] = []
  const check = async (path: string, value: DatabaseValue) => {
    // The path is cleared first, because the rules refuse to overwrite a value that may only rise
    // by one.
    await database.put(null, path)
    // The rules compare a vehicle on the riders' map with its driver's availability entry.
    const writer = path.startsWith('nearby_cars/')
      ? findDriver(path.split('/')[1] ?? '')
      : FUNCTIONS_UID
    if (
      !(await isAllowed(
        database
          .getClient(writer ?? '')
          .ref(path)
          .set(value),
      ))
    )
      refused.push(path)
  }
  for (const [name, branch] of tree)
    for (const [key, value] of Object.entries(branch as Record<string, DatabaseValue>))
      await check(`${name}/${key}`, value)
  expect(refused).toEqual([])
})
