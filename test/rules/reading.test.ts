import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../support/database'
import { attempt } from './attempt'
import { readingRows } from './reading'
import { titleOf } from './row'
import { PEOPLE, WHO_THEY_ARE } from './world'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

describe.each(PEOPLE)('%s', (who) => {
  for (const row of readingRows.filter((row) => row.who === who))
    test(`${WHO_THEY_ARE[who]} ${titleOf(row)}`, async () => {
      expect(await attempt(database, row)).toBe(row.allowed)
    })
})
