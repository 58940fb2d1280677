import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../support/database'
import { attempt } from './attempt'
import { titleOf } from './row'
import { STORIES } from './stories'
import { WHO_THEY_ARE } from './world'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

describe.each(Object.entries(STORIES))('%s', (_story, rows) => {
  for (const row of rows)
    test(`${WHO_THEY_ARE[row.who]} ${titleOf(row)}`, async () => {
      expect(await attempt(database, row)).toBe(row.allowed)
    })
})
