import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { isAttemptAllowed } from './accessAttempt'
import { readCases } from './readCases'
import { getTitle } from './accessCase'
import { TEST_PEOPLE, PERSON_DESCRIPTIONS } from './rulesFixtures'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

describe.each(TEST_PEOPLE)('%s', (who) => {
  for (const row of readCases.filter((row) => row.who === who))
    test(`${PERSON_DESCRIPTIONS[who]} ${getTitle(row)}`, async () => {
      expect(await isAttemptAllowed(database, row)).toBe(row.allowed)
    })
})
