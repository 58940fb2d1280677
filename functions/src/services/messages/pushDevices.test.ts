import { describe, expect, it } from 'vitest'
import { aRider } from '~/domain/testing/builders'
import type { PushMessage } from '~/domain/booking/eventTypes'
import { WriteConflictError } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'
import { nameDevices } from '../../testing/testPorts'
import type { PushOutcome } from '../../ports/push'
import { pushToUser, registerDevice } from './pushDevices'
import type { PushDevice, User } from '~/domain/accounts/types'

const MESSAGE: Omit<PushMessage, 'to'> = { title: 'a', msg: 'b', screen: 'BookedCab' }

const createPorts = (
  users: Record<string, Partial<User>>,
  outcomes: Record<string, PushOutcome>,
  devices: Parameters<typeof nameDevices>[0] = {},
) => {
  const people = Object.entries(users).map(([id, more]) => [id, aRider({ id, ...more })])
  const db = createTestDatabase({
    users: Object.fromEntries(people) as object,
    ...nameDevices(devices),
  })
  const sent: string[] = []
  const push = {
    send: (token: string) => {
      sent.push(token)
      return Promise.resolve(outcomes[token] ?? 'sent')
    },
  }
  const register = (uid: string, token: string, at: number) =>
    registerDevice(db, { uid, token, at })
  const tokens = () =>
    Object.values((db.at('push_tokens') ?? {}) as Record<string, PushDevice>).map(
      ({ token }) => token,
    )
  return { db, push, sent, register, tokens }
}

describe('a push to a person', () => {
  it('goes to each of their devices once', async () => {
    const ports = createPorts({ ana: {}, bo: {} }, {})
    await ports.register('ana', 'phone', 1)
    await ports.register('ana', 'laptop', 2)
    await ports.register('bo', 'tablet', 3)
    await pushToUser(ports, 'ana', MESSAGE)
    expect(ports.sent.sort()).toEqual(['laptop', 'phone'])
  })
  it('goes to the named device that earlier data has without a registration', async () => {
    const ports = createPorts({ ana: {} }, {}, { ana: { token: 'imported' } })
    await pushToUser(ports, 'ana', MESSAGE)
    expect(ports.sent).toEqual(['imported'])
  })
  it('never goes to a device that another person has registered since', async () => {
    const ports = createPorts({ ana: {}, bo: {} }, {})
    await ports.register('bo', 'shared', 1)
    // An import brought the old token back.
    ports.db.put({ 'internal/named_devices/ana': { token: 'shared', revision: 1 } })
    await pushToUser(ports, 'ana', MESSAGE)
    expect(ports.sent).toEqual([])
  })
  it('removes devices that the push service no longer knows, and only those', async () => {
    const ports = createPorts({ ana: {} }, { old: 'gone', broken: 'failed' })
    await ports.register('ana', 'phone', 1)
    await ports.register('ana', 'broken', 2)
    await ports.register('ana', 'old', 3)
    await pushToUser(ports, 'ana', MESSAGE)
    expect(ports.tokens().sort()).toEqual(['broken', 'phone'])
    expect(ports.db.at('internal/named_devices/ana/token')).toBe('broken')
  })
  it('removes a named device without a registration', async () => {
    const ports = createPorts(
      { ana: {} },
      { old: 'gone' },
      { ana: { token: 'old', platform: 'IOS' } },
    )
    await pushToUser(ports, 'ana', MESSAGE)
    expect(ports.db.at('internal/named_devices')).toBeNull()
  })
  it('does not fail the change that it reports when the database fails', async () => {
    const { push } = createPorts({}, {})
    const fail = () => Promise.reject(new WriteConflictError())
    const db = { read: fail, list: fail, update: fail }
    await expect(pushToUser({ db, push }, 'ana', MESSAGE)).resolves.toBeUndefined()
  })
})
