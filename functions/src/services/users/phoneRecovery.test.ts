import { describe, expect, it } from 'vitest'
import { ensure_profile } from '../../endpoints/users/ensureProfile'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createRequestContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'

const OWN = '+15555550100'
const FOREIGN = '+15555550199'

/** Opens a project where a stolen session has replaced the admin's number, and `taken` has it. */
const open = (taken: string, usertype = 'admin') => {
  const accounts = createMemoryAccounts({ [FOREIGN]: 'admin', [OWN]: taken })
  const { users, ...project } = aProject()
  const admin = { ...users.admin, mobile: OWN, usertype }
  const ports = createProjectPorts({ ...project, users: { ...users, admin } }, { accounts })
  const signIn = (caller: { uid: string; phone: string }) =>
    ensure_profile.handle({}, createRequestContext(caller, ports))
  return { accounts, ports, signIn }
}

describe('a member of the office whose number was replaced', () => {
  it('has their account back once they sign in with their own number', async () => {
    const { accounts, ports, signIn } = open('again')
    expect(await getErrorKey(signIn({ uid: 'again', phone: OWN }))).toBe('session_ended')
    expect([accounts.ended, accounts.own.get('admin')]).toEqual([
      ['admin'],
      { phone: OWN, isOffice: true },
    ])
    expect(await accounts.findByPhone(OWN)).toBe('admin')
    expect(ports.db.at('users/admin/sessionsEnd')).toBeGreaterThan(TEST_NOW)
    expect(ports.db.at('users/again')).toBeNull()
    expect(Object.values(ports.db.at('audit') as object)).toEqual([
      { by: 'admin', at: TEST_NOW, action: 'account_recovery', path: 'users/admin' },
    ])
  })

  it('keeps it when a stranger signs in with another number', async () => {
    const { accounts, ports, signIn } = open('again')
    await signIn({ uid: 'stranger', phone: '+15555550166' })
    expect([accounts.ended, ports.db.at('users/admin/sessionsEnd')]).toEqual([[], null])
  })
})

it('takes nothing from a rider, whose number moves to its verified owner', async () => {
  const { accounts, ports, signIn } = open('again', 'rider')
  expect(await signIn({ uid: 'again', phone: OWN })).toMatchObject({ mobile: OWN })
  expect([accounts.ended, ports.db.at('users/admin/mobile')]).toEqual([[], ''])
})
