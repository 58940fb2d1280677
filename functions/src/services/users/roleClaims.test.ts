import { describe, expect, it } from 'vitest'
import { aDriver, aRider } from '~/domain/testing/builders'
import { getRoleClaim } from '~/domain/access/roles'
import { ensure_profile } from '../../endpoints/users/ensureProfile'
import type { Caller } from '../../ports/accounts'
import { syncRoleClaim } from './roleClaims'
import {
  createRequestContext,
  createMemoryAccounts,
  createProjectPorts,
  getErrorKey,
} from '../../testing/testPorts'

describe('the role in an account’s token', () => {
  it.each([
    ['an approved driver', { usertype: 'driver', approved: true }, 'driver'],
    [
      'a driver who waits for approval or was suspended',
      { usertype: 'driver', approved: false },
      'none',
    ],
    ['a profile without an approval', { usertype: 'rider', approved: null }, 'none'],
    ['an unknown user type', { usertype: 'pilot', approved: true }, 'none'],
    ['a missing profile', { usertype: null, approved: null }, null],
  ])('is correct for %s', (_, profile, role) => expect(getRoleClaim(profile)).toBe(role))
})

describe('a change of approval', () => {
  it('sets the claim, and removes it with the profile', async () => {
    const accounts = createMemoryAccounts()
    const ports = createProjectPorts({}, { accounts })
    const after = async (change: Record<string, null | boolean>) => {
      ports.db.put(change)
      await syncRoleClaim(ports, 'driver')
      return accounts.roles.get('driver')
    }
    expect(await after({})).toBe('driver')
    expect(await after({ 'users/driver/approved': false })).toBe('none')
    expect(await after({ 'users/driver/approved': true })).toBe('driver')
    expect(await after({ 'users/driver': null })).toBeNull()
  })

  it('is applied when it happens during the write of another change', async () => {
    const accounts = createMemoryAccounts()
    const ports = createProjectPorts({}, { accounts })
    const setRole: typeof accounts.setRole = async (uid, role) => {
      // The back office blocks the driver between the read and the write.
      if (role === 'driver') ports.db.put({ 'users/driver/approved': false })
      return accounts.setRole(uid, role)
    }
    await syncRoleClaim({ ...ports, accounts: { ...accounts, setRole } }, 'driver')
    expect(accounts.roles.get('driver')).toBe('none')
  })
})

describe('ensure_profile', () => {
  const called = async (caller: Caller, users: object) => {
    const accounts = createMemoryAccounts()
    const ports = createProjectPorts({ users }, { accounts })
    const call = ensure_profile.handle({}, createRequestContext(caller, ports))
    const key = await call.then(
      () => 'ok',
      () => getErrorKey(call),
    )
    return [key, Object.fromEntries(accounts.roles)]
  }

  it('sets the role of an account that is older than the claim or was just approved', async () => {
    const users = { rider: aRider() }
    expect(await called({ uid: 'rider' }, users)).toEqual(['ok', { rider: 'rider' }])
    expect(await called({ uid: 'rider', role: 'none' }, users)).toEqual(['ok', { rider: 'rider' }])
    expect(await called({ uid: 'rider', role: 'rider' }, users)).toEqual(['ok', {}])
  })
  it('sets the role of a new rider and removes that of a blocked driver', async () => {
    const newcomer = { uid: 'new', phone: '+15555550188' }
    expect(await called(newcomer, {})).toEqual(['ok', { new: 'rider' }])
    const blocked = { driver: aDriver({ approved: false }) }
    expect(await called({ uid: 'driver', role: 'driver' }, blocked)).toEqual([
      'require_approval',
      { driver: 'none' },
    ])
  })
})
