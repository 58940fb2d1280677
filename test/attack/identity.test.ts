import { get, ref, update } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPhoneNumber,
  openTestPlatform,
  postEndpoint,
  expectRefusal,
  type TestPlatform,
} from '../functions/testPlatform'
import type { TestClient } from '../support/testClients'
import { signInWithSocial, UNUSED_SIGN_IN_METHODS } from '../support/signInMethods'
import type { PendingRegistration, User } from '~/domain/accounts/types'

const CONCURRENT_CALLS = 50
let platform: TestPlatform
let stamp: string
beforeAll(() => {
  platform = openTestPlatform()
  stamp = Date.now().toString(36)
})
afterAll(() => platform.close())

/** Signs in a person by phone who has no profile yet. */
const signInNewcomer = (name: string) => platform.signInAs(`identity-${name}-${stamp}`)
const createBearerHeader = async (client: TestClient) => ({
  Authorization: `Bearer ${await client.idToken()}`,
})
const createSignUp = (mobile: string, more: object = {}) => ({
  usertype: 'driver',
  firstName: 'Mallory',
  lastName: 'Ruiz',
  email: `mallory-${mobile.slice(1)}@example.com`,
  mobile,
  bankAccount: 'ATTACKER-IBAN',
  ...more,
})
/**
 * Returns headers that give the request its own address, so that one attack does not use up
 * another's quota.
 */
const postFromAddress = (address: string) => ({ 'X-Forwarded-For': address })
type Profile = User & { pendingRegistration?: Partial<User> }
const callWith = async (idToken: string, name: string, data: object = {}) => {
  const { status, body } = await postEndpoint(
    name,
    { data },
    { Authorization: `Bearer ${idToken}` },
  )
  const { error, result } = body as {
    error?: { details?: { key: string } }
    result?: Profile
  }
  return { status, key: error?.details?.key, result }
}
const findUsersBy = async (field: string, value: string) => {
  const found = await platform.admin.database.ref('users').orderByChild(field).equalTo(value).get()
  return Object.keys((found.val() ?? {}) as object)
}

describe('another person’s phone number', () => {
  it('used for a driver sign-up leaves its owner a rider who can discard that sign-up', async () => {
    const owner = await signInNewcomer('driver')
    const response = await postEndpoint(
      'user_signup',
      createSignUp(owner.phone),
      postFromAddress('10.1.0.1'),
    )
    expect(response).toMatchObject({
      status: 200,
      body: { success: true, uid: null, approved: false, pending: true },
    })
    expect(await findUsersBy('mobile', owner.phone)).toEqual([])
    const profile = await owner.call('ensure_profile')
    expect(profile).toMatchObject({ usertype: 'rider', approved: true, email: '', firstName: '' })
    expect(profile.bankAccount).toBeUndefined()
    expect(profile.pendingRegistration).toMatchObject({
      usertype: 'driver',
      bankAccount: 'ATTACKER-IBAN',
    })
    await owner.call('discard_registration')
    const later = await owner.call('ensure_profile')
    expect(later.pendingRegistration).toBeUndefined()
    expect(JSON.stringify(await platform.read(`users/${owner.uid}`))).not.toMatch(
      /ATTACKER|Mallory/,
    )
    // The number is now known; check_user_exists reports the same.
    const again = await postEndpoint(
      'user_signup',
      createSignUp(owner.phone),
      postFromAddress('10.1.0.1'),
    )
    expect(again.body.key).toBe('user_exists')
  })

  it('used for a rider sign-up becomes a profile with only the data its owner confirms', async () => {
    const owner = await signInNewcomer('rider')
    const wanted = createSignUp(owner.phone, { usertype: 'rider' })
    await postEndpoint('user_signup', wanted, postFromAddress('10.1.0.2'))
    await owner.call('ensure_profile')
    const own = {
      usertype: 'rider',
      firstName: 'Olga',
      lastName: 'Paz',
      email: `olga-${stamp}@example.com`,
      mobile: owner.phone,
    }
    const confirmed = await postEndpoint('user_signup', own, await createBearerHeader(owner))
    expect(confirmed.body).toEqual({ success: true, uid: owner.uid, approved: true })
    const user = await platform.read<User>(`users/${owner.uid}`)
    expect(user).toMatchObject({ firstName: 'Olga', email: own.email, walletBalance: 0 })
    expect(user?.bankAccount).toBeUndefined()
    expect(await platform.read(`people/${owner.uid}`)).toMatchObject({ firstName: 'Olga' })
    expect((await postEndpoint('user_signup', own, await createBearerHeader(owner))).body.key).toBe(
      'user_exists',
    )
  })

  it('confirmed by fifty concurrent requests is confirmed once', async () => {
    const owner = await signInNewcomer('confirming')
    await postEndpoint('user_signup', createSignUp(owner.phone), postFromAddress('10.1.0.3'))
    await owner.call('ensure_profile')
    const token = await createBearerHeader(owner)
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLS }, () =>
        postEndpoint('user_signup', createSignUp(owner.phone), token),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // One caller can send at most thirty requests a minute.
    expect([...new Set(answers.map(({ body }) => body.key))].sort()).toEqual(
      [undefined, 'too_many_requests', 'user_exists'].sort(),
    )
    expect(await platform.read(`users/${owner.uid}`)).toMatchObject({ usertype: 'driver' })
  })

  it('signed up by fifty concurrent requests with its owner’s token makes one profile', async () => {
    const owner = await signInNewcomer('signing-up')
    const token = await createBearerHeader(owner)
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLS }, () =>
        postEndpoint('user_signup', createSignUp(owner.phone), token),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await findUsersBy('mobile', owner.phone)).toEqual([owner.uid])
  })

  it('is not claimed by a social account, during or after sign-up', async () => {
    const victim = await signInNewcomer('victim')
    await platform.write({ 'settings/FacebookLoginEnabled': true })
    try {
      const { idToken, localId } = await signInWithSocial('google.com', { sub: `claim-${stamp}` })
      const token = { Authorization: `Bearer ${idToken}` }
      const claimed = await postEndpoint('user_signup', createSignUp(victim.phone), token)
      expect([claimed.status, claimed.body.key]).toEqual([409, 'phone_no_update'])
      expect((await callWith(idToken, 'ensure_profile')).result).toMatchObject({ mobile: '' })
      const edit = { id: localId, mobile: victim.phone }
      expect((await callWith(idToken, 'save_user', edit)).key).toBe('phone_no_update')
      expect(await victim.call('ensure_profile')).toMatchObject({ mobile: victim.phone })
      expect(await findUsersBy('mobile', victim.phone)).toEqual([victim.uid])
    } finally {
      await platform.write({ 'settings/FacebookLoginEnabled': false })
    }
  })

  it('used seventy times from one address leaves at most twenty pending sign-ups', async () => {
    const waiting = async () =>
      Object.keys(
        (await platform.read<Record<string, PendingRegistration>>('pending_registrations')) ?? {},
      ).length
    const before = await waiting()
    const statuses: number[] = []
    for (let i = 0; i < 70; i++) {
      const { status } = await postEndpoint(
        'user_signup',
        createSignUp(createPhoneNumber()),
        postFromAddress('10.1.0.70'),
      )
      statuses.push(status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect((await waiting()) - before).toBe(20)
    const other = await postEndpoint(
      'user_signup',
      createSignUp(createPhoneNumber()),
      postFromAddress('10.1.0.71'),
    )
    expect(other.status).toBe(200)
    // Only the functions read and write pending sign-ups.
    const rider = await platform.signInAs('seed-rider')
    for (const path of ['pending_registrations', 'user_emails', 'push_tokens'])
      await expect(get(ref(rider.database, path))).rejects.toThrow(/denied/i)
  })
})

describe('another person’s email address', () => {
  beforeAll(() => platform.write({ 'settings/FacebookLoginEnabled': true }))
  afterAll(() => platform.write({ 'settings/FacebookLoginEnabled': false }))
  const google = (email: string) =>
    signInWithSocial('google.com', { sub: email, email, email_verified: true, name: 'Vera Sosa' })

  it('entered first goes to its verified owner, and the other account gets a message', async () => {
    const [claimant = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(claimant)
    const email = `vera1-${stamp}@example.com`
    await client.call('save_user', { id: claimant, email })
    const { idToken, localId } = await google(email)
    expect((await callWith(idToken, 'ensure_profile')).result).toMatchObject({
      email,
      emailVerified: true,
      firstName: 'Vera',
    })
    expect(await findUsersBy('email', email)).toEqual([localId])
    expect(await platform.read(`users/${claimant}/email`)).toBe('')
    expect(await platform.read(`people/${claimant}/email`)).toBe('')
    const inbox = await platform.read<Record<string, { title: string }>>(`inbox/${claimant}`)
    expect(Object.values(inbox ?? {}).map(({ title }) => title)).toContain(
      'push_email_claimed_title',
    )
    const taken = client.call('save_user', { id: claimant, email })
    expect((await expectRefusal(taken)).details).toMatchObject({
      key: 'user_exists',
      field: 'email',
    })
  })

  it('entered later is refused by every endpoint', async () => {
    const email = `vera2-${stamp}@example.com`
    const { idToken, localId } = await google(email)
    await callWith(idToken, 'ensure_profile')
    const [claimant = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(claimant)
    const taken = client.call('save_user', { id: claimant, email })
    expect((await expectRefusal(taken)).details).toMatchObject({
      key: 'user_exists',
      field: 'email',
    })
    await expect(
      update(ref(client.database), { [`users/${claimant}/email`]: email }),
    ).rejects.toThrow(/denied/i)
    const fresh = await signInNewcomer('late')
    const signUp = createSignUp(fresh.phone, { email })
    expect(
      (await postEndpoint('user_signup', signUp, await createBearerHeader(fresh))).body.key,
    ).toBe('user_exists')
    expect((await postEndpoint('user_signup', signUp, postFromAddress('10.1.0.4'))).body.key).toBe(
      'user_exists',
    )
    expect(await findUsersBy('email', email)).toEqual([localId])
  })

  it('is not added to a profile when no provider has verified it', async () => {
    const email = `vera3-${stamp}@example.com`
    const { idToken } = await signInWithSocial('facebook.com', { sub: `fb-${stamp}`, email })
    const { result } = await callWith(idToken, 'ensure_profile')
    expect(result).toMatchObject({ email: '', loginType: 'facebook' })
  })

  it('used by fifty people signing up at once goes to one of them', async () => {
    const email = `rush-${stamp}@example.com`
    const clients = await Promise.all(
      Array.from({ length: CONCURRENT_CALLS }, (_, i) => signInNewcomer(`rush${i}`)),
    )
    const answers = await Promise.all(
      clients.map(async (client) =>
        postEndpoint(
          'user_signup',
          createSignUp(client.phone, { email }),
          await createBearerHeader(client),
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.key === 'user_exists')).toHaveLength(
      CONCURRENT_CALLS - 1,
    )
    expect(await findUsersBy('email', email)).toHaveLength(1)
  })
})

describe('a sign-in method that Kerbside does not offer', () => {
  it.each(Object.keys(UNUSED_SIGN_IN_METHODS))('gives a %s account no access', async (method) => {
    const { idToken, localId } = (await UNUSED_SIGN_IN_METHODS[method]?.()) ?? {
      idToken: '',
      localId: '',
    }
    for (const [name, input] of [
      ['ensure_profile', {}],
      ['save_user', { firstName: 'A' }],
      ['register_push_token', { token: 'a' }],
    ] as const)
      expect(await callWith(idToken, name, input)).toMatchObject({
        status: 403,
        key: 'sign_in_not_offered',
      })
    const token = { Authorization: `Bearer ${idToken}` }
    const bodies = {
      user_signup: createSignUp(createPhoneNumber()),
      check_user_exists: { mobile: '+15555550103' },
      'googleapis-getaddress': { latlng: '-34.9,-56.1' },
    }
    for (const [name, body] of Object.entries(bodies)) {
      const answer = await postEndpoint(name, body, token)
      expect([name, answer.status, answer.body.key]).toEqual([name, 403, 'sign_in_not_offered'])
    }
    expect(await platform.read(`users/${localId}`)).toBeNull()
  })

  it('gives a social account no access while the settings offer none', async () => {
    const { idToken, localId } = await signInWithSocial('google.com', {
      sub: `off-${stamp}`,
      email: `off-${stamp}@example.com`,
      email_verified: true,
    })
    expect(await callWith(idToken, 'ensure_profile')).toMatchObject({
      status: 403,
      key: 'sign_in_not_offered',
    })
    expect(await platform.read(`users/${localId}`)).toBeNull()
  })
})

describe('a record that the back office approved', () => {
  it('holds a driver’s new plate for approval and refuses a direct write of it', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const driver = await platform.signInAs(uid)
    for (const field of ['vehicleNumber', 'vehicleModel', 'licenseImage', 'firstName'])
      await expect(
        update(ref(driver.database), { [`users/${uid}/${field}`]: 'https://x.example/1' }),
      ).rejects.toThrow(/denied/i)
    expect(await driver.call('save_user', { id: uid, vehicleNumber: 'NEW 1' })).toEqual({
      id: uid,
      approved: false,
    })
    expect(await platform.read(`users/${uid}`)).toMatchObject({
      vehicleNumber: 'NEW 1',
      approved: false,
      driverActiveStatus: false,
    })
    const key = (await expectRefusal(driver.call('ensure_profile'))).details.key
    expect(key).toBe('require_approval')
    const admin = await platform.signInAs('seed-admin')
    await admin.call('save_user', { id: uid, approved: true })
    expect(await driver.call('ensure_profile')).toMatchObject({ vehicleNumber: 'NEW 1' })
  })

  it('binds a push token to the last account that registered it', async () => {
    const [first = '', second = ''] = await platform.createUsers(2, {})
    const [one, two] = await Promise.all([platform.signInAs(first), platform.signInAs(second)])
    const token = `device-${stamp}`
    await one.call('register_push_token', { token, platform: 'WEB' })
    await expect(
      update(ref(two.database), { [`internal/named_devices/${second}/token`]: token }),
    ).rejects.toThrow(/denied/i)
    await two.call('register_push_token', { token, platform: 'IOS' })
    const read = (uid: string) => platform.read(`internal/named_devices/${uid}/token`)
    expect([await read(first), await read(second)]).toEqual([null, token])
    await two.call('register_push_token', { token: null })
    expect([await read(first), await read(second)]).toEqual([null, null])
  })
})
