import { describe, expect, it } from 'vitest'
import { aDriver, aRider } from '~/domain/testing/builders'
import { save_user } from '../../endpoints/users/saveUser'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import type { Caller } from '../../ports/accounts'

const OLD = '+15555550100'
const NEW = '+15555550190'
const PROOF: Caller = { uid: 'proof', phone: NEW, signedInAt: TEST_NOW }

/** Opens a project whose admin has the number OLD, where `token` proves what `proof` says. */
const open = (proof: Caller | null = PROOF, taken: Record<string, string> = {}) => {
  const memory = createMemoryAccounts({ [OLD]: 'admin', [NEW]: 'proof', ...taken })
  const removed: string[] = []
  const accounts: typeof memory = {
    ...memory,
    verifyToken: (token) => Promise.resolve(token === 'token' ? proof : null),
    remove: (uid) => {
      removed.push(uid)
      return memory.remove(uid)
    },
  }
  const ports = createProjectPorts({ ...aProject() }, { accounts })
  const change = (mobile_token?: string) =>
    save_user.handle(
      { id: 'admin', mobile: NEW, ...(mobile_token !== undefined && { mobile_token }) },
      createUserContext('admin', 'admin', ports),
    )
  const read = () => ports.db.at('users/admin/mobile')
  return { accounts, change, ports, read, removed }
}

describe('a new number', () => {
  it('is that of a second sign-in, whose account goes', async () => {
    const { accounts, change, ports, read, removed } = open()
    await change('token')
    expect([read(), await accounts.findByPhone(NEW), removed]).toEqual([NEW, 'admin', ['proof']])
    expect(await accounts.findByPhone(OLD)).toBeNull()
    expect(Object.values(ports.db.at('inbox/admin') as object)).toHaveLength(1)
  })

  it.each([
    ['no token', undefined, PROOF],
    ['a token that is not valid', 'other', PROOF],
    ['a token of another number', 'token', { ...PROOF, phone: '+15555550191' }],
    ['a token of an old sign-in', 'token', { ...PROOF, signedInAt: TEST_NOW - 3_600_000 }],
  ])('is refused with %s', async (_, token, proof) => {
    const { accounts, change, read, removed } = open(proof)
    expect(await getErrorKey(change(token))).toBe('phone_no_update')
    expect([read(), await accounts.findByPhone(OLD), removed]).toEqual([OLD, 'admin', []])
  })

  it('is refused when it is another person’s, whose account stays', async () => {
    const { change, read, removed } = open({ ...PROOF, uid: 'rider' }, { [NEW]: 'rider' })
    expect(await getErrorKey(change('token'))).toBe('user_exists')
    expect([read(), removed]).toEqual([OLD, []])
  })

  it('is refused when it is in the record of another member of the office', async () => {
    const { change, ports, read } = open()
    const olga = { ...aDriver({ id: 'olga', mobile: NEW }), usertype: 'fleetadmin', approved: true }
    await ports.db.update({ 'users/olga': olga as never })
    expect(await getErrorKey(change('token'))).toBe('user_exists')
    expect([read(), ports.db.at('users/olga/mobile')]).toEqual([OLD, NEW])
  })

  it('leaves the number of the sign-in as it was when the record cannot be written', async () => {
    const { accounts, change, ports, read } = open()
    const { update } = ports.db
    ports.db.update = (changes) =>
      'users/admin/mobile' in changes ? Promise.reject(new Error('fault')) : update(changes)
    await expect(change('token')).rejects.toThrow('fault')
    expect([read(), await accounts.findByPhone(OLD)]).toEqual([OLD, 'admin'])
  })

  it('ends all sessions when a refused change would restore the number of a swapped sign-in', async () => {
    const { accounts, ports, read } = open()
    await accounts.changePhone('admin', '+15555550177')
    const thief = { uid: 'admin', phone: '+15555550177', signedInAt: TEST_NOW }
    const change = save_user.handle(
      { id: 'admin', mobile: thief.phone, email: aRider().email },
      { ...createUserContext('admin', 'admin', ports), caller: thief },
    )
    expect(await getErrorKey(change)).toBe('user_exists')
    expect([read(), await accounts.findByPhone(OLD), accounts.ended]).toEqual([
      ...[OLD, 'admin'],
      ['admin'],
    ])
    expect(ports.db.at('users/admin/sessionsEnd')).toBeGreaterThan(TEST_NOW)
  })

  it('is changed once when 50 calls come at once', async () => {
    const { accounts, change, read } = open()
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => change('token')))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect([read(), await accounts.findByPhone(NEW)]).toEqual([NEW, 'admin'])
  })
})
