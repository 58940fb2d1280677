import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { FUNCTIONS_UID } from '~/domain/data/databasePaths'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { LONG_AGO, createWorld } from './rulesFixtures'

const NEXT_VERSION = 9_000_000_000_000
let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
beforeEach(() => database.put(createWorld()))
afterAll(() => database.stop())

/**
 * Makes one update as functions with this schema version do; undefined means a release without
 * versions. Returns true when it is allowed.
 */
const createFunctionUpdate = async (
  schema: number | undefined,
  updates: DatabaseValue,
): Promise<boolean> => {
  const { host, namespace } = database.address
  const where = new URL(`http://${host}/.json`)
  where.searchParams.set('ns', namespace)
  where.searchParams.set('auth_variable_override', JSON.stringify({ uid: FUNCTIONS_UID, schema }))
  const response = await fetch(where, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer owner' },
    body: JSON.stringify(updates),
  })
  if (response.ok) return true
  expect(await response.text()).toMatch(/permission denied/i)
  return false
}
const bookingUpdate = { 'bookings/riding/revision': 4, 'bookings/riding/trip_cost': 13 }
const createLanguageUpdate = () =>
  isAllowed(
    database.getClient('rider').ref('users/rider/lang').set({ langLocale: 'es', dateLocale: 'es' }),
  )

describe('the functions write only data of their own version', () => {
  test.each([
    ['accepts the same version', 2, 2, true],
    ['refuses newer data', 3, 2, false],
    ['refuses older data', 1, 2, false],
    ['refuses data without a version', null, 2, false],
    ['accepts functions without a version for data without a version', null, undefined, true],
    ['refuses functions without a version for newer data', 2, undefined, false],
  ])('%s', async (_, data, known, allowed) => {
    await database.put(data, 'schema/version')
    expect(await createFunctionUpdate(known, bookingUpdate)).toBe(allowed)
    expect(await createFunctionUpdate(known, { 'driver_tasks/requested/waiting': null })).toBe(
      allowed,
    )
    // Fields that only clients write have no version.
    expect(await createLanguageUpdate()).toBe(true)
  })

  test('setup writes the first version, and only in an empty project', async () => {
    const first = { 'schema/version': SCHEMA_VERSION, 'schema/texts': 'abc' }
    expect(await createFunctionUpdate(SCHEMA_VERSION, first)).toBe(false)
    await database.put(null, 'settings')
    expect(await createFunctionUpdate(SCHEMA_VERSION, first)).toBe(true)
    expect(await createFunctionUpdate(SCHEMA_VERSION, { 'schema/version': 9 })).toBe(false)
  })
})

describe('a closed database', () => {
  beforeEach(() => database.put(SCHEMA_VERSION, 'schema/version'))

  test('refuses every write during a migration, even a removal', async () => {
    await database.put({ until: NEXT_VERSION, all: true }, 'schema/closed')
    expect(await createFunctionUpdate(SCHEMA_VERSION, bookingUpdate)).toBe(false)
    expect(
      await createFunctionUpdate(SCHEMA_VERSION, { 'driver_tasks/requested/waiting': null }),
    ).toBe(false)
    expect(await createLanguageUpdate()).toBe(false)
    expect(await isAllowed(database.getClient('admin').ref('settings/appName').set('New'))).toBe(
      false,
    )
    expect(await isAllowed(database.getClient('rider').ref('users/rider/firstName').get())).toBe(
      true,
    )
  })

  test('refuses the functions during a backup, but accepts the clients’ own fields', async () => {
    await database.put({ until: NEXT_VERSION }, 'schema/closed')
    expect(await createFunctionUpdate(SCHEMA_VERSION, bookingUpdate)).toBe(false)
    expect(await createLanguageUpdate()).toBe(true)
  })

  test('opens again when its time limit has passed', async () => {
    await database.put({ until: LONG_AGO, all: true }, 'schema/closed')
    expect(await createFunctionUpdate(SCHEMA_VERSION, bookingUpdate)).toBe(true)
    expect(await createLanguageUpdate()).toBe(true)
  })
})
