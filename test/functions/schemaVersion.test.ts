import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SCHEMA_VERSION, schemaPaths } from '~/domain/data/schemaVersion'
import { openLocalDatabase, type LocalDatabase } from '~/scripts/local/localDatabase'
import type { TestClient } from '../support/testClients'
import { openTestPlatform, postEndpoint, expectRefusal, type TestPlatform } from './testPlatform'
import { getSuite } from '../support/testSuite'

let platform: TestPlatform
let rider: TestClient
let database: LocalDatabase
let before: unknown

beforeAll(async () => {
  platform = openTestPlatform()
  rider = await platform.signInAs('seed-rider')
  database = openLocalDatabase(getSuite().urls.database)
  before = await database.get(schemaPaths.root)
})
afterEach(() => database.put(schemaPaths.root, before as Record<string, string>))
afterAll(() => platform.close())

const fetchHealth = async () => {
  const response = await fetch(`${getSuite().urls.functions}/health`)
  return { status: response.status, ...((await response.json()) as object) }
}
const renameSetting = (name: string) =>
  expectRefusal(rider.call('save_user', { id: 'seed-rider', firstName: name }))

it('a new city has the schema version of this release', () => {
  expect(before).toMatchObject({ version: SCHEMA_VERSION })
})

describe.each([
  ['newer than the functions', { version: SCHEMA_VERSION + 1 }, 'schema_newer'],
  ['older than the functions', {}, 'schema_older'],
  [
    'closed for maintenance',
    { version: SCHEMA_VERSION, closed: { until: 9_000_000_000_000, all: true } },
    'maintenance',
  ],
])('data that is %s', (_, schema, key) => {
  it('cannot be written, and every endpoint says why', async () => {
    const name = await database.get('users/seed-rider/firstName')
    await database.put(schemaPaths.root, schema)
    expect(await renameSetting('Other')).toMatchObject({
      code: 'functions/unavailable',
      details: { key },
    })
    const plain = await postEndpoint('check_user_exists', { mobile: '+15555550103' })
    expect([plain.status, plain.body.key]).toEqual([503, key])
    expect(await fetchHealth()).toMatchObject({ status: 503, key })
    expect(await database.get('users/seed-rider/firstName')).toBe(name)
  })

  it('makes a payment provider resend its webhook', async () => {
    await database.put(schemaPaths.root, schema)
    const hook = await postEndpoint('payment_webhook/test', '{}')
    expect(hook.status).toBe(503)
  })
})

it('reopens a database when its maintenance window expires', async () => {
  await database.put(schemaPaths.root, { version: SCHEMA_VERSION, closed: { until: 1, all: true } })
  expect(await fetchHealth()).toEqual({ status: 200, ok: true, set_up: true })
})

it('a database that is closed and opened while calls are under way fails none of them', async () => {
  const closed = { version: SCHEMA_VERSION, closed: { until: 9_000_000_000_000 } }
  const answers: unknown[] = []
  for (let round = 0; round < 5; round += 1) {
    await database.put(schemaPaths.root, closed)
    const calls = Array.from({ length: 50 }, (_, index) =>
      postEndpoint('check_user_exists', { mobile: `+1555555${String(2000 + index)}` }),
    )
    await database.put(schemaPaths.root, before as Record<string, string>)
    answers.push(...(await Promise.all(calls)).map(({ status, body }) => body.key ?? status))
  }
  const expected = ['maintenance', 'too_many_requests', 200]
  expect(answers.filter((answer) => !expected.includes(answer as string))).toEqual([])
})
