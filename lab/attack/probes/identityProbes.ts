import { DAY_MS } from '~/domain/language/timeUnits'
import { firstProblem, createProbes } from './probe'
import type { SignedInAccount, ProbeResponse, ProbeContext } from './probeContext'

const createRegistration = (mobile: string, more: object = {}) => ({
  usertype: 'driver',
  firstName: 'Eve',
  lastName: 'Attacker',
  email: `eve-${mobile.slice(1)}@evil.example`,
  mobile,
  bankName: 'Evil bank',
  bankAccount: 'EVIL-IBAN',
  ...more,
})
const createBearerHeader = ({ token }: SignedInAccount) => ({ Authorization: `Bearer ${token}` })
const createGoogleAccount = (sub: string, more: object = {}) => ({
  requestUri: 'http://localhost',
  postBody: `providerId=google.com&id_token=${encodeURIComponent(JSON.stringify({ sub, iss: '', aud: '', exp: 0, iat: 0, ...more }))}`,
})

/**
 * Returns the problem when the owner of a phone number signs in: a refusal, or an attacker's data
 * in the profile.
 */
const checkOwnerSignIn = async (
  scene: ProbeContext,
  mobile: string,
): Promise<string | undefined> => {
  const owner = await scene.signInByPhone(mobile)
  const { status, key, body } = await scene.call(owner, 'ensure_profile')
  const profile = JSON.stringify(await scene.database.get(`users/${owner.uid}`))
  return firstProblem(
    status !== 200 && `the owner of the number is refused with ${key ?? JSON.stringify(body)}`,
    /evil/i.test(profile) && `the owner's profile has data that the attacker wrote: ${profile}`,
  )
}
/** Runs `act` with social sign-in enabled, which the seeded settings disable. */
const withSocialSignIn = async <Result>(
  scene: ProbeContext,
  act: () => Promise<Result>,
): Promise<Result> => {
  const setting = 'settings/FacebookLoginEnabled'
  const before = (await scene.database.get(setting)) as boolean | null
  await scene.database.put(setting, true)
  try {
    return await act()
  } finally {
    await scene.database.put(setting, before)
  }
}
const isProfileResponse = ({ status, body }: ProbeResponse) =>
  status === 200 && JSON.stringify(body).includes('walletBalance')

/** Returns the account with the token of a session that began at this time (ms). */
export const withSignInAt = (account: SignedInAccount, at: number): SignedInAccount => {
  const [header = '', payload = ''] = account.token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const aged = JSON.stringify({ ...claims, auth_time: Math.floor(at / 1000) })
  return { ...account, token: `${header}.${Buffer.from(aged).toString('base64url')}.` }
}

export const identityProbes = createProbes('identity claims', {
  "a session of yesterday cannot redirect a driver's money or make an admin": async (scene) => {
    const admin = await scene.createUser({ usertype: 'admin' })
    const driver = await scene.createUser({ usertype: 'driver' })
    const old = withSignInAt(admin, Date.now() - DAY_MS)
    const redirect = await scene.call(old, 'save_user', { id: driver.uid, bankAccount: 'EVIL' })
    const promote = await scene.call(old, 'save_user', {
      ...createRegistration(scene.createPhoneNumber()),
      bankName: undefined,
      bankAccount: undefined,
      usertype: 'admin',
    })
    const remove = await scene.call(old, 'delete_user', { id: driver.uid })
    return firstProblem(
      redirect.key !== 'fresh_sign_in_needed' && `the bank account: ${redirect.key ?? 'changed'}`,
      promote.key !== 'fresh_sign_in_needed' && `a new admin: ${promote.key ?? 'made'}`,
      remove.key !== 'fresh_sign_in_needed' && `the driver: ${remove.key ?? 'deleted'}`,
    )
  },

  "a visitor cannot sign up with another person's phone number": async (scene) => {
    const mobile = scene.createPhoneNumber()
    await scene.post('user_signup', createRegistration(mobile))
    await scene.post('user_signup', createRegistration(mobile, { usertype: 'rider' }))
    return checkOwnerSignIn(scene, mobile)
  },

  'a social account cannot claim a phone number that it did not verify': async (scene) => {
    const mobile = scene.createPhoneNumber()
    const eve = await scene.signInByMethod('signInWithIdp', createGoogleAccount(`eve-${mobile}`))
    await withSocialSignIn(scene, async () => {
      await scene.call(eve, 'ensure_profile')
      await scene.post('user_signup', createRegistration(mobile), createBearerHeader(eve))
      await scene.call(eve, 'save_user', { id: eve.uid, mobile })
    })
    return checkOwnerSignIn(scene, mobile)
  },

  'an account with a verified phone number cannot claim another one': async (scene) => {
    const mobile = scene.createPhoneNumber()
    const eve = await scene.signInByPhone(scene.createPhoneNumber())
    await scene.post('user_signup', createRegistration(mobile), createBearerHeader(eve))
    await scene.call(eve, 'ensure_profile')
    await scene.call(eve, 'save_user', { id: eve.uid, mobile })
    await scene.rest(eve, 'PUT', `users/${eve.uid}/mobile`, mobile)
    return checkOwnerSignIn(scene, mobile)
  },

  "users cannot write another person's email address into their own profile, used or not": async (
    scene,
  ) => {
    const [me, other] = [await scene.createUser(), await scene.createUser()]
    const ownedEmail = (await scene.database.get(`users/${other.uid}/email`)) as string
    const free = `owner-${me.uid}@example.com`
    for (const email of [ownedEmail, free])
      await scene.rest(me, 'PUT', `users/${me.uid}/email`, email)
    const mine = await scene.database.get(`users/${me.uid}/email`)
    const owner = await scene.signInByMethod(
      'signInWithIdp',
      createGoogleAccount(`owner-${me.uid}`, { email: free, email_verified: true }),
    )
    const ensured = await withSocialSignIn(scene, () => scene.call(owner, 'ensure_profile'))
    return firstProblem(
      (mine === ownedEmail || mine === free) &&
        `a plain write stored the email address ${String(mine)}`,
      ensured.status !== 200 && `the owner of the email address is refused with ${ensured.key}`,
    )
  },

  'users cannot take over the notifications of another phone': async (scene) => {
    const [me, other] = [
      await scene.createUser(),
      await scene.createUser({ pushToken: 'token-of-another' }),
    ]
    const path = `internal/named_devices/${me.uid}/token`
    const { status } = await scene.rest(me, 'PUT', path, 'token-of-another')
    const theirs = await scene.database.get(`internal/named_devices/${other.uid}/token`)
    return firstProblem(
      status === 200 && 'the token of another person’s phone was written into the own profile',
      theirs !== 'token-of-another' && 'the other person lost the token',
    )
  },

  'an approved driver cannot change approved data without a function': async (scene) => {
    const driver = await scene.createUser({ usertype: 'driver' })
    const fields = { vehicleNumber: 'EVIL 1', vehicleModel: 'Other', licenseImage: 'https://a.b/c' }
    const written: string[] = []
    for (const [field, value] of Object.entries(fields)) {
      const { status } = await scene.rest(driver, 'PUT', `users/${driver.uid}/${field}`, value)
      if (status === 200) written.push(field)
    }
    return written.length > 0 ? `written after approval: ${written.join(', ')}` : undefined
  },

  'an anonymous account gets no profile': async (scene) => {
    const anonymous = await scene.signInByMethod('signUp', {})
    const answers = [
      await scene.call(anonymous, 'ensure_profile'),
      await scene.post(
        'user_signup',
        createRegistration(scene.createPhoneNumber()),
        createBearerHeader(anonymous),
      ),
    ]
    const profile = await scene.database.get(`users/${anonymous.uid}/usertype`)
    return answers.some(isProfileResponse) || profile !== null
      ? 'an anonymous account has a profile'
      : undefined
  },

  'an account with an unverified email address gets no profile': async (scene) => {
    const eve = await scene.signInByMethod('signUp', {
      email: `victim-${scene.createPushKey()}@example.com`,
      password: 'a long password',
    })
    const ensured = await scene.call(eve, 'ensure_profile')
    const signedUp = await scene.post(
      'user_signup',
      createRegistration(scene.createPhoneNumber()),
      createBearerHeader(eve),
    )
    const profile = await scene.database.get(`users/${eve.uid}/usertype`)
    return isProfileResponse(ensured) || signedUp.status === 200 || profile !== null
      ? 'an account with an email address and a password has a profile'
      : undefined
  },
})
