import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
} from '@firebase/rules-unit-testing'
import type { RulesTestEnvironment } from '@firebase/rules-unit-testing'
import { get, ref, set, update } from 'firebase/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunningDatabase } from '../src/server'
import { openTestServer } from './testServer'

const RULES = `{
  "rules": {
    // Everybody has a notebook of his own.
    "notes": { "$uid": {
      ".read": "auth.uid === $uid",
      ".write": "auth.uid === $uid",
      "$note": { ".validate": "newData.isString() && newData.val().length < 10" }
    } },
    "stats": { ".read": "auth.token.role === 'admin'" }
  }
}`

let server: RunningDatabase
let environment: RulesTestEnvironment

const openEnvironment = (rules: string) =>
  initializeTestEnvironment({
    projectId: 'demo-rules',
    database: { host: '127.0.0.1', port: server.port, rules },
  })

beforeAll(async () => {
  server = await openTestServer()
  environment = await openEnvironment(RULES)
})
afterAll(async () => {
  await environment.cleanup()
  await server.close()
})
beforeEach(() => environment.clearDatabase())

test('a signed-in client can do only what the rules allow', async () => {
  const ana = environment.authenticatedContext('ana').database()
  await assertSucceeds(set(ref(ana, 'notes/ana/one'), 'short'))
  await assertSucceeds(get(ref(ana, 'notes/ana')))
  await assertFails(set(ref(ana, 'notes/ana/one'), 'much too long'))
  await assertFails(update(ref(ana), { 'notes/ana/two': 'fine', 'notes/bo/two': 'not' }))
  await assertFails(get(ref(ana, 'notes')))
  await assertFails(get(ref(environment.unauthenticatedContext().database(), 'notes/ana')))
})

test('the rules see the claims of the token', async () => {
  const admin = environment.authenticatedContext('root', { role: 'admin' }).database()
  await assertSucceeds(get(ref(admin, 'stats')))
  await assertFails(get(ref(environment.authenticatedContext('ana').database(), 'stats')))
})

test('rules can be disabled to arrange test data, and the database can be cleared', async () => {
  await environment.withSecurityRulesDisabled(async (context) => {
    await set(ref(context.database(), 'stats/n'), 5)
    expect((await get(ref(context.database(), 'stats/n'))).val()).toBe(5)
  })
  await environment.clearDatabase()
  const admin = environment.authenticatedContext('root', { role: 'admin' }).database()
  expect((await get(ref(admin, 'stats'))).val()).toBe(null)
})

test('rules that do not parse are refused', async () => {
  await expect(openEnvironment('{ "rules": ')).rejects.toThrow(/Parse error/)
})
