import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { isAttemptAllowed } from './accessAttempt'
import { getTitle } from './accessCase'
import { SCENARIOS } from './scenarioCases'
import { PERSON_DESCRIPTIONS } from './rulesFixtures'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

describe.each(Object.entries(SCENARIOS))('%s', (_story, rows) => {
  for (const row of rows)
    test(`${PERSON_DESCRIPTIONS[row.who]} ${getTitle(row)}`, async () => {
      expect(await isAttemptAllowed(database, row)).toBe(row.allowed)
    })
})
