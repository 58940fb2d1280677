import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aRider, aSettings } from '~/domain/testing/builders'
import { register_push_token } from '~/functions/src/endpoints/users/registerPushToken'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { MAX_DEVICES, pushToUser } from '~/functions/src/services/messages/pushDevices'
import { createUserContext } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import type { NamedDevice, PushDevice } from '~/domain/accounts/types'

/**
 * Registers devices with fifty concurrent calls, through the functions' own code and the real
 * rules: a device must never push to two people.
 */

const CONCURRENT_CALLS = 50
let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const people = { ana: aRider({ id: 'ana' }), bo: aRider({ id: 'bo' }) }
beforeEach(() =>
  database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings: aSettings(),
      users: people,
      people: toDirectory(people),
      roles: getRoles(people),
    }),
  ),
)

const db = createFirebaseDatabase()
const numbers = Array.from({ length: CONCURRENT_CALLS }, (_, n) => n)
const register = (uid: string, input: { token: string | null; replaces?: string }, now: number) =>
  register_push_token.handle(input, { ...createUserContext(uid, 'rider', { db }), now })
const readDevices = async () =>
  Object.values(((await database.read('push_tokens')) ?? {}) as Record<string, PushDevice>)
const readNamed = async (uid: string) =>
  ((await database.read(`internal/named_devices/${uid}`)) as NamedDevice | null)?.token ?? null
const readReceivers = async (uid: string) => {
  const tokens: string[] = []
  const push = {
    send: (token: string) => {
      tokens.push(token)
      return Promise.resolve('sent' as const)
    },
  }
  await pushToUser({ db, push }, uid, { title: 'a', msg: 'b', screen: 'BookedCab' })
  return tokens
}

describe('fifty concurrent registrations', () => {
  test('of one device by two people leave it with one of them', async () => {
    await Promise.allSettled(
      numbers.map((n) => register(n % 2 ? 'ana' : 'bo', { token: 'shared' }, 1000 + n)),
    )
    const devices = await readDevices()
    expect(devices).toHaveLength(1)
    const owner = devices[0]?.uid ?? ''
    const other = owner === 'ana' ? 'bo' : 'ana'
    expect([await readNamed(owner), await readNamed(other)]).toEqual(['shared', null])
    expect([await readReceivers(owner), await readReceivers(other)]).toEqual([['shared'], []])
  })
  test('and sign-outs of one device by two people leave it with one of them at most', async () => {
    await Promise.allSettled(
      numbers.map((n) =>
        register(
          n % 2 ? 'ana' : 'bo',
          n % 3 ? { token: 'shared' } : { token: null, replaces: 'shared' },
          1000 + n,
        ),
      ),
    )
    const devices = await readDevices()
    expect(devices.length).toBeLessThanOrEqual(1)
    for (const uid of ['ana', 'bo']) {
      const isOwner = devices[0]?.uid === uid
      expect(await readNamed(uid)).toBe(isOwner ? 'shared' : null)
      expect(await readReceivers(uid)).toEqual(isOwner ? ['shared'] : [])
    }
  })
  test('of a person’s own devices leave the ten newest', async () => {
    await Promise.allSettled(
      numbers.map((n) => register('ana', { token: `device-${n}` }, 1000 + n)),
    )
    // A call that lost every race reports it, and the app repeats it.
    await register('ana', { token: 'last' }, 5000)
    const devices = await readDevices()
    expect(devices).toHaveLength(MAX_DEVICES)
    expect(await readNamed('ana')).toBe('last')
    expect(await readReceivers('ana')).toContain('last')
  })
})
