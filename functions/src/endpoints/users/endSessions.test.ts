import { describe, expect, it } from 'vitest'
import { aSettings } from '~/domain/testing/builders'
import { handleRequest } from '../../http/requestHandler'
import { findPushTokens, registerDevice } from '../../services/messages/pushDevices'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { end_sessions } from './endSessions'
import type { UserType } from '~/domain/access/types'

const open = (settings: object = {}) => {
  const accounts = createMemoryAccounts()
  const { users } = aProject()
  const ports = createProjectPorts(
    {
      settings: aSettings(settings),
      users: { ...users, fleet: { ...users.admin, id: 'fleet', usertype: 'fleetadmin' } },
    },
    { accounts },
  )
  const end = (uid: string, by: string, role: UserType, now = TEST_NOW) =>
    end_sessions.handle({ uid }, { ...createUserContext(by, role, ports), now })
  return { accounts, ports, end, getEnd: (uid: string) => ports.db.at(`users/${uid}/sessionsEnd`) }
}

describe('end_sessions', () => {
  it('ends those of the caller up to a whole second, as sign-ins are counted', async () => {
    const { accounts, end, getEnd } = open()
    const sessionsEnd = TEST_NOW + 1000
    expect(await end('rider', 'rider', 'rider', TEST_NOW + 1999)).toEqual({
      uid: 'rider',
      sessionsEnd,
    })
    expect([accounts.ended, getEnd('rider')]).toEqual([['rider'], sessionsEnd])
  })

  it('ends those of the same second too when it took a number away', async () => {
    const { accounts, end, getEnd } = open()
    await accounts.changePhone('rider', '+15555550177')
    await end('rider', 'rider', 'rider', TEST_NOW + 1)
    expect(await accounts.findByPhone('+15555550177')).toBeNull()
    expect(getEnd('rider')).toBeGreaterThan(TEST_NOW + 1)
  })

  it('ends those of anyone for an admin', async () => {
    const { accounts, end } = open()
    await end('driver', 'admin', 'admin')
    expect(accounts.ended).toEqual(['driver'])
  })

  it('is in the audit trail when an admin does it to another person', async () => {
    const { ports, end } = open()
    await end('rider', 'rider', 'rider')
    await end('admin', 'admin', 'admin')
    expect(ports.db.at('audit')).toBeNull()
    await end('driver', 'admin', 'admin')
    expect(Object.values(ports.db.at('audit') as object)).toEqual([
      { by: 'admin', at: TEST_NOW, action: 'sessions_end', path: 'users/driver' },
    ])
  })

  it('ends the pushes to all devices of the account, and to no other', async () => {
    const { ports, end } = open()
    for (const [uid, token] of [
      ['rider', 'lost'],
      ['rider', 'own'],
      ['driver', 'other'],
    ] as const)
      await registerDevice(ports.db, { uid, token, at: TEST_NOW })
    await end('rider', 'rider', 'rider')
    expect(await findPushTokens(ports.db, 'rider')).toEqual([])
    expect(await findPushTokens(ports.db, 'driver')).toEqual(['other'])
  })

  it.each([
    ['a rider', 'rider', 'rider'],
    ['a driver', 'driver', 'driver'],
    ['a fleet admin', 'fleet', 'fleetadmin'],
  ] as const)('is refused to %s for another account', async (_, by, role) => {
    const { accounts, end, getEnd } = open()
    expect(await getErrorKey(end('admin', by, role))).toBe('not_allowed')
    expect([accounts.ended, getEnd('admin')]).toEqual([[], null])
  })

  it('is refused for an account that does not exist', async () => {
    expect(await getErrorKey(open().end('nobody', 'admin', 'admin'))).toBe('not_found')
  })

  it('is refused in demo mode, where many people share an account', async () => {
    const { accounts, end } = open({ AllowCriticalEditsAdmin: false })
    expect(await getErrorKey(end('rider', 'rider', 'rider'))).toBe('demo_mode')
    expect(await getErrorKey(end('driver', 'admin', 'admin'))).toBe('demo_mode')
    expect(accounts.ended).toEqual([])
  })

  it('marks the end even when the sign-in service does not answer, and is repeated', async () => {
    const { accounts, end, getEnd } = open()
    const { endSessions } = accounts
    accounts.endSessions = () => Promise.reject(new Error('no answer'))
    await expect(end('rider', 'rider', 'rider')).rejects.toThrow('no answer')
    expect(getEnd('rider')).toBe(TEST_NOW)
    accounts.endSessions = endSessions
    await end('rider', 'rider', 'rider')
    expect(accounts.ended).toEqual(['rider'])
  })
})

describe('a call', () => {
  it.each([
    ['of an earlier sign-in is refused', TEST_NOW - 1000, 'session_ended'],
    ['without a time of the sign-in is refused', undefined, 'session_ended'],
    ['of a sign-in in the same second is served', TEST_NOW, undefined],
  ])('%s', async (_, signedInAt, key) => {
    const { ports, end } = open()
    await end('rider', 'rider', 'rider')
    const call = handleRequest(
      end_sessions,
      {
        input: { uid: 'rider' },
        caller: { uid: 'rider', ...(signedInAt !== undefined && { signedInAt }) },
        hasMapsBasicAuth: false,
        ip: '10.0.0.1',
        now: TEST_NOW,
      },
      ports,
    )
    expect(
      await call.then(
        () => undefined,
        () => getErrorKey(call),
      ),
    ).toBe(key)
  })
})
