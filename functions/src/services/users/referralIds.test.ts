import { describe, expect, it } from 'vitest'
import { aRider } from '~/domain/testing/builders'
import { delete_user } from '../../endpoints/users/deleteUser'
import { ensure_profile } from '../../endpoints/users/ensureProfile'
import { save_user } from '../../endpoints/users/saveUser'
import { user_signup } from '../../endpoints/users/userSignup'
import { validate_referrer } from '../../endpoints/users/validateReferrer'
import { parseInput } from '../../http/requestHandler'
import type { Caller } from '../../ports/accounts'
import type { RandomPort } from '../../ports/random'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createRequestContext,
  createUserContext,
  TEST_NOW,
} from '../../testing/testPorts'
import type { User } from '~/domain/accounts/types'

type Given = ReturnType<typeof createProjectPorts>
const { users } = aProject()
const signIn = (given: Given, caller: Caller) =>
  ensure_profile.handle({}, createRequestContext(caller, given))
const edit = (given: Given, id: string, fields: object, by = id) =>
  save_user.handle(
    parseInput(save_user.input, { id, ...fields }),
    createUserContext(by, by === 'admin' ? 'admin' : 'rider', given),
  )
const validate = (given: Given, referralId: string) =>
  validate_referrer.handle({ referralId }, createRequestContext(null, given))
const getReferralId = (given: Given, uid: string) => String(given.db.at(`users/${uid}/referralId`))
const getMobile = (n: number) => `+1555555${String(4000 + n)}`

describe('the referral id of a new account', () => {
  it('starts with the first name that a social account has', async () => {
    const given = createProjectPorts()
    await signIn(given, { uid: 'eva', name: 'Eva Sosa', provider: 'google' })
    expect(getReferralId(given, 'eva')).toMatch(/^eva\d{4}$/)
  })
  it('is made from the first name as soon as the owner gives it', async () => {
    const given = createProjectPorts()
    await signIn(given, { uid: 'eva', phone: '+15555550188' })
    expect(getReferralId(given, 'eva')).toMatch(/^code\d{4}$/)
    await edit(given, 'eva', { lastName: 'Sosa' })
    expect(getReferralId(given, 'eva')).toMatch(/^code\d{4}$/)
    await edit(given, 'eva', { firstName: 'Eva' })
    const named = getReferralId(given, 'eva')
    expect(named).toMatch(/^eva\d{4}$/)
    expect(given.db.at('people/eva/referralId')).toBe(named)
    await edit(given, 'eva', { firstName: 'Evita' })
    expect(getReferralId(given, 'eva')).toBe(named)
  })
  it('is made from the first name that the office enters', async () => {
    const given = createProjectPorts()
    await signIn(given, { uid: 'eva', phone: '+15555550188' })
    await edit(given, 'eva', { firstName: 'Eva' }, 'admin')
    expect(getReferralId(given, 'eva')).toMatch(/^eva\d{4}$/)
  })
  it('starts with a word of ours when a social account’s name has no letters or digits', async () => {
    const given = createProjectPorts()
    await signIn(given, { uid: 'eva', name: '***', provider: 'google' })
    expect(getReferralId(given, 'eva')).toMatch(/^code\d{4}$/)
  })
  it('leads to the same person under the old id, which no other person gets', async () => {
    const friend = aRider({ id: 'friend', createdAt: new Date(TEST_NOW).toISOString() })
    const given = createProjectPorts({ users: { ...users, friend } })
    await signIn(given, { uid: 'eva', phone: '+15555550188' })
    const old = getReferralId(given, 'eva')
    await edit(given, 'eva', { firstName: 'Eva' })
    expect(await validate(given, old)).toEqual({ valid: true })
    await edit(given, 'friend', { referralId: old })
    expect(given.db.at('users/friend/signupViaReferral')).toBe('eva')
    const sameNumber = { ...given.random, integerBetween: (min: number) => min }
    await signIn({ ...given, random: sameNumber }, { uid: 'second', phone: '+15555550187' })
    expect(getReferralId(given, 'second')).not.toBe(old)
  })
  it('leads to no account after the owner deleted their account', async () => {
    const given = createProjectPorts({}, { accounts: createMemoryAccounts() })
    await signIn(given, { uid: 'eva', phone: '+15555550188' })
    const old = getReferralId(given, 'eva')
    await edit(given, 'eva', { firstName: 'Eva' })
    const named = getReferralId(given, 'eva')
    await delete_user.handle({ id: 'eva' }, createUserContext('eva', 'rider', given))
    expect(await validate(given, old)).toEqual({ valid: false })
    expect(await validate(given, named)).toEqual({ valid: false })
    expect(given.db.at(`internal/referral_ids/${named}`)).toBeNull()
  })
})

describe('two accounts never have the same referral id', () => {
  /** Draws the same few numbers for everyone, so that most candidates are taken. */
  const draw = (): RandomPort => {
    let n = 0
    return {
      integerBetween: (min) => min + (n++ % 10),
      createToken: () => `token-${Math.random()}`,
    }
  }
  const listIds = (given: Given, firstName: string) =>
    Object.values(given.db.at('users') as Record<string, User>)
      .filter((user) => user.firstName === firstName)
      .map(({ referralId }) => referralId)

  it('when fifty people of one name sign up at a time', async () => {
    const given = { ...createProjectPorts(), random: draw() }
    const input = (n: number) =>
      parseInput(user_signup.input, {
        usertype: 'rider',
        firstName: 'Eva',
        lastName: 'Sosa',
        email: `eva${n}@example.com`,
        mobile: getMobile(n),
      })
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        user_signup.handle(
          input(n),
          createRequestContext({ uid: `eva-${n}`, phone: getMobile(n) }, given),
        ),
      ),
    )
    expect(new Set(listIds(given, 'Eva')).size).toBe(50)
  })
  it('when fifty people of one name enter it at a time', async () => {
    const given = createProjectPorts()
    const people = Array.from({ length: 50 }, (_, n) => `eva-${n}`)
    for (const [n, uid] of people.entries()) await signIn(given, { uid, phone: getMobile(n) })
    const same = { ...given, random: draw() }
    await Promise.all(people.map((uid) => edit(same, uid, { firstName: 'Eva' })))
    const ids = listIds(given, 'Eva')
    expect(ids).toHaveLength(50)
    expect(new Set(ids).size).toBe(50)
    // Ten of each length were free, so the numbers grew.
    expect(Math.max(...ids.map((id = '') => id.length))).toBeGreaterThan('eva1000'.length)
  })
  it('and the search for a free one ends with an error', async () => {
    const given = createProjectPorts()
    const stuck = { ...given, random: { ...draw(), integerBetween: (min: number) => min } }
    const ids = [4, 5, 6, 7, 8, 9].map((digits) => `code${10 ** (digits - 1)}`)
    given.db.put(Object.fromEntries(ids.map((id) => [`internal/referral_ids/${id}`, 'rider'])))
    await expect(signIn(stuck, { uid: 'eva', phone: '+15555550188' })).rejects.toThrow(
      'All random referral ids were taken',
    )
  })
})
