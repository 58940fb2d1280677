import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '~/domain/booking/change'
import { distanceKm } from '~/domain/geo'
import { SERVER_UID } from '~/domain/paths'
import { demoCity } from '~/seed/demoCity'
import type { RouteBetween } from '~/seed/history'
import { isAllowed, RULES, startTestDatabase, type TestDatabase } from '../support/database'

// The seed is written past the rules, so nothing else would notice that later changes to it are refused.
const openToWrite = () => {
  const { rules } = JSON.parse(readFileSync(RULES, 'utf8')) as { rules: object }
  return JSON.stringify({ rules: { ...rules, '.write': "auth.uid === 'kerbside-server'" } })
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase(openToWrite())
})
afterAll(() => database.stop())

const asTheCrowFlies: RouteBetween = (from, to) => {
  const distance_in_km = 1.3 * distanceKm(from, to)
  const time_in_secs = Math.round((distance_in_km / 30) * 3600)
  return Promise.resolve({ distance_in_km, time_in_secs, polylinePoints: '' })
}

test('the demo city has the shape the rules ask for', async () => {
  const now = Date.UTC(2026, 10, 20, 12)
  const texts = { en: { book_now: 'Book Now' } }
  const tree = await demoCity({ now, texts, routeBetween: asTheCrowFlies })
  await database.put(tree)
  const refused: string[] = []
  const check = async (path: string, value: Value) => {
    // As something new: what may only rise by one could not be written over itself.
    await database.put(null, path)
    if (!(await isAllowed(database.as(SERVER_UID).ref(path).set(value)))) refused.push(path)
  }
  for (const [name, branch] of Object.entries(tree as Record<string, Value>))
    for (const [key, value] of Object.entries(branch as Record<string, Value>))
      await check(`${name}/${key}`, value)
  expect(refused).toEqual([])
})
