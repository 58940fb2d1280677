import { describe, expect, it } from 'vitest'
import {
  aProject,
  createUserContext,
  createRequestContext,
  createMemoryAccounts,
  createProjectPorts,
  getErrorKey,
} from '../../testing/testPorts'
import { parseInput } from '../../http/requestHandler'
import { delete_user } from '../../endpoints/users/deleteUser'
import { ensure_profile } from '../../endpoints/users/ensureProfile'
import { save_user } from '../../endpoints/users/saveUser'
import { user_signup } from '../../endpoints/users/userSignup'
import type { Caller } from '../../ports/accounts'
import type { DatabasePort } from '../../ports/database'
import type { AuditEntry } from '~/domain/office/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { User } from '~/domain/accounts/types'

type Given = ReturnType<typeof createProjectPorts>
const someone = (mobile: string, email = 'eva@example.com') =>
  parseInput(user_signup.input, {
    usertype: 'rider',
    firstName: 'Eva',
    lastName: 'Sosa',
    email,
    mobile,
  })
const toUid = (mobile: string) => `uid-${mobile.slice(1)}`
/** Signs up with a token that proves the number and has any other given claims. */
const signUp = async (
  given: Given,
  mobile: string,
  email?: string,
  more: Partial<Caller> = {},
): Promise<{ uid: string }> => {
  const caller = { uid: toUid(mobile), phone: mobile, ...more }
  await user_signup.handle(someone(mobile, email), createRequestContext(caller, given))
  return { uid: caller.uid }
}
const google = (email: string): Caller => ({ uid: 'owner', email, provider: 'google' })
const first = (given: Given, caller: Caller) =>
  ensure_profile.handle({}, createRequestContext(caller, given))
const edit = (given: Given, uid: string, fields: object, caller: Partial<Caller> = {}) =>
  save_user.handle(parseInput(save_user.input, { id: uid, ...fields }), {
    ...createUserContext(uid, 'rider', given),
    caller: { uid, ...caller },
  })
const getErrorKeys = (calls: readonly Promise<unknown>[]) =>
  Promise.all(calls.map((call) => getErrorKey(call).catch(() => 'done')))

/**
 * Wraps a database so that every email address looks free, as it does to two people who check at
 * the same moment.
 */
const blind = (db: DatabasePort): DatabasePort => ({
  ...db,
  list: (path, query) => (query.by === 'email' ? Promise.resolve([]) : db.list(path, query)),
})
const having = (given: Given, email: string) =>
  Object.values(given.db.at('users') as Record<string, User>).filter((user) => user.email === email)

describe('an email address', () => {
  it('goes to only one of two people who sign up with it at the same moment', async () => {
    const given = createProjectPorts()
    const both = { ...given, db: { ...given.db, ...blind(given.db) } }
    const keys = await getErrorKeys([signUp(both, '+15555550191'), signUp(both, '+15555550192')])
    expect(keys.sort()).toEqual(['done', 'user_exists'])
    expect(having(given, 'eva@example.com')).toHaveLength(1)
  })
  it('creates one record for two simultaneous calls by one person', async () => {
    const given = createProjectPorts()
    const keys = await getErrorKeys([signUp(given, '+15555550191'), signUp(given, '+15555550191')])
    expect(keys.sort()).toEqual(['done', 'user_exists'])
    const caller = { uid: 'new', phone: '+15555550190' }
    const [one, two] = await Promise.all([first(given, caller), first(given, caller)])
    expect(one).toEqual(two)
  })
  it('becomes free when its owner changes it or leaves', async () => {
    const given = createProjectPorts({}, { accounts: createMemoryAccounts() })
    const { uid } = await signUp(given, '+15555550191')
    await edit(given, uid, { email: 'new@example.com' })
    const { uid: next } = await signUp(given, '+15555550192')
    expect(given.db.at(`users/${next}/email`)).toBe('eva@example.com')
    await delete_user.handle({ id: next }, createUserContext('admin', 'admin', given))
    await signUp(given, '+15555550193')
    expect(having(given, 'eva@example.com')).toHaveLength(1)
  })
  it('is free when its former owner has another address', async () => {
    const given = createProjectPorts()
    const { uid } = await signUp(given, '+15555550191')
    await given.db.update({ [`users/${uid}/email`]: 'other@example.com' })
    const { uid: next } = await signUp(given, '+15555550192')
    expect(given.db.at(`users/${next}/email`)).toBe('eva@example.com')
  })
  it('can’t be taken by editing a profile', async () => {
    const given = createProjectPorts()
    await signUp(given, '+15555550191')
    const { users } = aProject()
    const both = { ...given, db: { ...given.db, ...blind(given.db) } }
    const taken = edit(both, users.rider.id, { email: 'eva@example.com' })
    expect(await getErrorKey(taken)).toBe('user_exists')
  })
})

describe('an email address of a domain that the office refuses', () => {
  const mobile = '+15555550144'
  const refusing = () =>
    createProjectPorts({
      internal: {
        message_settings: { current: { revision: 1, refusedEmailDomains: ['trash.example'] } },
      },
    })
  const refused = 'eva@trash.example'

  it('is refused at a sign-up, and another is not', async () => {
    const given = refusing()
    expect(await getErrorKey(signUp(given, mobile, refused))).toBe('email_domain_refused')
    const visitor = createRequestContext(null, given)
    const pending = user_signup.handle(someone(mobile, refused), visitor)
    expect(await getErrorKey(pending)).toBe('email_domain_refused')
    expect(given.db.at('pending_registrations')).toBeNull()
    await signUp(given, mobile, 'eva@mail.example')
    expect(having(given, 'eva@mail.example')).toHaveLength(1)
  })

  it('is refused to the owner of a profile and to the office, before an account is made', async () => {
    const given = refusing()
    expect(await getErrorKey(edit(given, 'rider', { email: refused }))).toBe('email_domain_refused')
    const { usertype, ...person } = { ...someone(mobile, refused), usertype: 'rider' as const }
    const added = save_user.handle(
      parseInput(save_user.input, { ...person, usertype }),
      createUserContext('admin', 'admin', given),
    )
    expect(await getErrorKey(added)).toBe('email_domain_refused')
    expect(await given.accounts.findByPhone(mobile)).toBeNull()
    await edit(given, 'rider', { email: 'eva@mail.example' })
    expect(having(given, 'eva@mail.example')).toHaveLength(1)
  })

  it('is left out of a profile that a social account starts', async () => {
    const given = refusing()
    expect(await first(given, google(refused))).toMatchObject({ usertype: 'rider' })
    expect(having(given, refused)).toEqual([])
  })

  it('does not hinder other changes of a profile that already has it', async () => {
    const given = refusing()
    given.db.put({ 'users/rider/email': refused })
    await edit(given, 'rider', { firstName: 'Eva', email: refused })
    expect(given.db.at('users/rider/firstName')).toBe('Eva')
  })
})

describe('a verified owner of an email address', () => {
  const email = 'eva@example.com'

  it('takes it from an unverified claimant, with a message and an audit entry', async () => {
    const given = createProjectPorts()
    const { uid: claimant } = await signUp(given, '+15555550191')
    expect(await first(given, google(email))).toMatchObject({ email, emailVerified: true })
    expect(having(given, email).map(({ id }) => id)).toEqual(['owner'])
    expect(given.db.at(`users/${claimant}/email`)).toBe('')
    const inbox = Object.values(given.db.at(`inbox/${claimant}`) as Record<string, InboxEntry>)
    expect(inbox).toMatchObject([{ title: 'push_email_claimed_title', screen: 'Profile' }])
    const audit = Object.values(given.db.at('audit') as Record<string, AuditEntry>)
    expect(audit).toMatchObject([
      {
        by: 'owner',
        action: 'email_claimed',
        path: `users/${claimant}`,
        to: { fields: ['email'] },
      },
    ])
    expect(JSON.stringify(audit)).not.toContain(email)
    const again = edit(given, claimant, { email })
    expect(await getErrorKey(again)).toBe('user_exists')
  })
  it('keeps it when other people only type it', async () => {
    const given = createProjectPorts()
    await first(given, google(email))
    expect(await getErrorKey(signUp(given, '+15555550191'))).toBe('user_exists')
    expect(await getErrorKey(edit(given, 'rider', { email }))).toBe('user_exists')
    const office = {
      usertype: 'rider',
      firstName: 'E',
      lastName: 'S',
      email,
      mobile: '+15555550188',
    }
    const added = save_user.handle(
      parseInput(save_user.input, office),
      createUserContext('admin', 'admin', given),
    )
    expect(await getErrorKey(added)).toBe('user_exists')
  })
  it('signs in without it when another profile has verified it too', async () => {
    const given = createProjectPorts()
    await first(given, google(email))
    const second = await first(given, { uid: 'second', email, provider: 'apple' })
    expect(second).toMatchObject({ id: 'second', email: '' })
    expect(second.emailVerified).toBeUndefined()
    expect(having(given, email).map(({ id }) => id)).toEqual(['owner'])
  })
  it('takes it by editing a profile that they signed in to by phone', async () => {
    const given = createProjectPorts()
    const { uid: claimant } = await signUp(given, '+15555550191')
    await edit(given, 'rider', { email }, { email })
    expect(given.db.at('users/rider')).toMatchObject({ email, emailVerified: true })
    expect(given.db.at(`users/${claimant}/email`)).toBe('')
  })
  it('is no longer verified when they type another address', async () => {
    const given = createProjectPorts()
    await first(given, google(email))
    await edit(given, 'owner', { email: 'other@example.com' }, { email })
    expect(given.db.at('users/owner/emailVerified')).toBeNull()
    await signUp(given, '+15555550191')
    expect(having(given, email)).toHaveLength(1)
  })
  it('gets the address of a profile that has none yet at the next sign-in', async () => {
    const given = createProjectPorts()
    await first(given, { uid: 'owner', phone: '+15555550190' })
    const proved = { uid: 'owner', phone: '+15555550190', email }
    expect(await first(given, proved)).toMatchObject({ email, emailVerified: true })
  })
  it('takes it from every profile from before addresses were reserved', async () => {
    const { users } = aProject()
    const given = createProjectPorts({
      users: {
        rider: { ...users.rider, email },
        driver: { ...users.driver, email },
        admin: users.admin,
      },
    })
    await first(given, google(email))
    expect(having(given, email).map(({ id }) => id)).toEqual(['owner'])
    expect(having(given, '').map(({ id }) => id)).toEqual(['driver', 'rider'])
  })
  it('gets it in a race with fifty people who only typed it', async () => {
    const given = createProjectPorts()
    const both = { ...given, db: { ...given.db, ...blind(given.db) } }
    const numbers = Array.from({ length: 50 }, (_, i) => `+155555502${String(i).padStart(2, '0')}`)
    await getErrorKeys([
      ...numbers.map((mobile) => signUp(both, mobile)),
      first(given, google(email)),
    ])
    expect(having(given, email).map(({ id }) => id)).toEqual(['owner'])
  })
})
