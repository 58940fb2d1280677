import { afterAll, beforeAll, expect, test } from 'vitest'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { createBooking, createWorld } from './rulesFixtures'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  await database.put(createWorld())
})
afterAll(() => database.stop())

test('creates only one of fifty bookings with the same reference at once', async () => {
  const reference = 'K7M-4QX'
  const ids = Array.from({ length: 50 }, (_, n) => `fresh${n}`)
  const made = await Promise.all(
    ids.map((id) =>
      isAllowed(
        database
          .getClient(FUNCTIONS_UID)
          .ref('/')
          .update({
            [`bookings/${id}`]: JSON.parse(
              JSON.stringify(createBooking(id, 'NEW', { revision: 1, reference })),
            ) as object,
            [`booking_refs/${reference}`]: id,
          }),
      ),
    ),
  )
  expect(made.filter(Boolean)).toHaveLength(1)
  const winner = ids[made.indexOf(true)] ?? ''
  expect(await database.read(`booking_refs/${reference}`)).toBe(winner)
  const bookings = (await database.read('bookings')) as Record<string, { reference: string }>
  expect(Object.keys(bookings).filter((id) => bookings[id]?.reference === reference)).toEqual([
    winner,
  ])
})
