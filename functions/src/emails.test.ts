import { describe, expect, it } from 'vitest'
import type { User } from '~/domain/entities'
import { aProject, as, memoryAccounts, projectPorts, refusedKey, TEST_NOW } from './testing'
import { parse } from './guard'
import { delete_user } from './endpoints/deleteUser'
import { ensure_profile } from './endpoints/ensureProfile'
import { save_user } from './endpoints/saveUser'
import { user_signup } from './endpoints/userSignup'
import type { DatabasePort } from './ports/database'

const someone = (mobile: string, email = 'eva@example.com') =>
  parse(user_signup.input, { usertype: 'rider', firstName: 'Eva', lastName: 'Sosa', email, mobile })
const open = (given: ReturnType<typeof projectPorts>) => ({ ...given, now: TEST_NOW, caller: null })
const signUp = (given: ReturnType<typeof projectPorts>, mobile: string, email?: string) =>
  user_signup.handle(someone(mobile, email), open(given))
const keysOf = (calls: readonly Promise<unknown>[]) =>
  Promise.all(calls.map((call) => refusedKey(call).catch(() => 'done')))

/** Everybody finds every e-mail free, as two do who ask at the same moment. */
const blind = (db: DatabasePort): DatabasePort => ({
  ...db,
  list: (path, query) => (query.by === 'email' ? Promise.resolve([]) : db.list(path, query)),
})

describe('an e-mail is one person’s', () => {
  it('of two who sign up with it at the same moment, one has it and the other is told', async () => {
    const given = projectPorts()
    const both = { ...given, db: { ...given.db, ...blind(given.db) } }
    const keys = await keysOf([signUp(both, '+15555550191'), signUp(both, '+15555550192')])
    expect(keys.sort()).toEqual(['done', 'user_exists'])
    const users = Object.values(given.db.at('users') as Record<string, User>)
    expect(users.filter(({ email }) => email === 'eva@example.com')).toHaveLength(1)
  })
  it('two calls of one person at once make one record', async () => {
    const given = projectPorts()
    const keys = await keysOf([signUp(given, '+15555550191'), signUp(given, '+15555550191')])
    expect(keys.sort()).toEqual(['done', 'user_exists'])
    const caller = { uid: 'new', phone: '+15555550190' }
    const first = () => ensure_profile.handle({}, { ...open(given), caller })
    const [one, two] = await Promise.all([first(), first()])
    expect(one).toEqual(two)
  })
  it('comes free when he changes it, and when he leaves', async () => {
    const given = projectPorts({}, { accounts: memoryAccounts() })
    const { uid } = await signUp(given, '+15555550191')
    const change = parse(save_user.input, { id: uid, email: 'new@example.com' })
    await save_user.handle(change, as(uid, 'rider', given))
    const { uid: next } = await signUp(given, '+15555550192')
    expect(given.db.at(`users/${next}/email`)).toBe('eva@example.com')
    await delete_user.handle({ id: next }, as('admin', 'admin', given))
    expect(await signUp(given, '+15555550193')).toMatchObject({ success: true })
  })
  it('is nobody’s when the one who had it has typed another himself', async () => {
    const given = projectPorts()
    const { uid } = await signUp(given, '+15555550191')
    await given.db.update({ [`users/${uid}/email`]: 'other@example.com' })
    expect(await signUp(given, '+15555550192')).toMatchObject({ success: true })
  })
  it('that is taken is not taken by editing', async () => {
    const given = projectPorts()
    await signUp(given, '+15555550191')
    const { users } = aProject()
    const change = parse(save_user.input, { id: users.rider.id, email: 'eva@example.com' })
    const both = { ...given, db: { ...given.db, ...blind(given.db) } }
    expect(await refusedKey(save_user.handle(change, as('rider', 'rider', both)))).toBe(
      'user_exists',
    )
  })
})
