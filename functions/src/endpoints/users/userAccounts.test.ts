import { describe, expect, it } from 'vitest'
import type { DeleteUserInput } from '~/domain/api/inputs/people'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { toDirectory } from '~/domain/accounts/directory'
import { FIELDS_NEEDING_APPROVAL } from '~/domain/accounts/driverApproval'
import {
  aBooking,
  aDriver,
  aPromo,
  aRider,
  aSettings,
  someBookingContacts,
} from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { getMessageCounters } from '~/domain/messages/sendingLimits'
import type { OutboxMessage } from '~/domain/messages/outbox'
import type { Caller } from '../../ports/accounts'
import { parseInput } from '../../http/requestHandler'
import { buildPendingBonus } from '~/domain/bonuses/pendingBonus'
import { eraseClosedAccounts } from '../../services/users/accountErasure'
import { findFormerBenefits, BENEFITS_RETENTION_MS } from '../../services/users/formerUsers'
import { WriteConflictError } from '../../ports/database'
import { DomainException } from '../../domainException'
import { removeExpiredRegistrations } from '../../services/users/pendingRegistrations'
import { removeExpiredFormerUsers } from '../../services/jobs/maintenance'
import {
  aProject,
  createUserContext,
  createRequestContext,
  createDownloadLink,
  createMemoryAccounts,
  createMemoryFiles,
  createProjectPorts,
  getErrorKey,
  createTestPorts,
  nameDevices,
  TEST_NOW,
} from '../../testing/testPorts'
import { hashAddress } from '../../services/messages/optOuts'
import { findPushTokens, registerDevice } from '../../services/messages/pushDevices'
import { check_user_exists } from './checkUserExists'
import { delete_user } from './deleteUser'
import { discard_registration } from './discardRegistration'
import { ensure_profile } from './ensureProfile'
import { quotePayment } from '../payments/quotePayment'
import { register_push_token } from './registerPushToken'
import { save_user } from './saveUser'
import { user_signup } from './userSignup'
import { validate_referrer } from './validateReferrer'
import type { Booking } from '~/domain/booking/types'
import type { NamedDevice, PendingRegistration, PushDevice, User } from '~/domain/accounts/types'

const users = aProject().users
const fleet = { ...aRider({ id: 'fleet', mobile: '+15555550177' }), usertype: 'fleetadmin' }
const mate = aRider({ id: 'mate', mobile: '+15555550166' })
const createPorts = (more: object = {}, given = {}) =>
  createProjectPorts({ users: { ...users, fleet, ...more } }, given)
const createOpenContext = (given: ReturnType<typeof createPorts>, caller: Caller | null = null) =>
  createRequestContext(caller, given)
const registrationBody = {
  firstName: 'Eva',
  lastName: 'Sosa',
  email: 'Eva@Example.com',
  mobile: '+1 555 555 0188',
}
const parseSignUp = (body: object) => parseInput(user_signup.input, body, user_signup.fieldErrors)
const evaCaller = { uid: 'eva', phone: '+15555550188' }

describe('signing up with a token that proves the phone number', () => {
  it('approves a rider immediately, with an empty wallet and a referral id', async () => {
    const given = createPorts()
    const input = parseSignUp({ usertype: 'rider', ...registrationBody, vehicleNumber: 'X 1' })
    expect(await user_signup.handle(input, createOpenContext(given, evaCaller))).toEqual({
      success: true,
      uid: 'eva',
      approved: true,
    })
    const made = given.db.at('users/eva') as User
    expect(made).toMatchObject({
      usertype: 'rider',
      approved: true,
      walletBalance: 0,
      mobile: '+15555550188',
      email: 'eva@example.com',
    })
    expect(made.referralId).toMatch(/^eva\d{4}$/)
    expect(made.vehicleNumber).toBeUndefined()
  })
  it('leaves a driver waiting for approval, and accepts a body wrapped in regData', async () => {
    const given = createPorts()
    const input = parseSignUp({
      regData: { usertype: 'driver', ...registrationBody, carType: 'van' },
    })
    expect(await user_signup.handle(input, createOpenContext(given, evaCaller))).toMatchObject({
      approved: false,
    })
    const key = `eva-${TEST_NOW}-driver_signed_up-office-email`
    const message = given.db.at(`internal/outbox/${key}`) as OutboxMessage
    expect(message).toMatchObject({ audience: 'office' })
    // Another sign-up with the same number counts with it, whatever its account.
    const limits = { row: {}, addressHash: 'office', now: TEST_NOW, timezone: 'UTC' }
    expect(getMessageCounters(message, null, limits)).toEqual([
      expect.objectContaining({
        path: expect.stringContaining(hashAddress('+15555550188', given.config)) as string,
      }),
    ])
    expect(Object.values(given.db.at('internal/admin') as object)).toMatchObject([
      { event: 'driver_signed_up', at: TEST_NOW },
    ])
  })
  it.each(['admin', 'fleetadmin', undefined])('refuses the user type %s', async (usertype) => {
    expect(() => parseSignUp({ usertype, ...registrationBody })).toThrow('bad_input')
  })
  it.each([
    [{ email: 'no' }, 'proper_email'],
    [{ mobile: '12' }, 'bad_input'],
    [{ firstName: ' ' }, 'bad_input'],
  ])('refuses %j', (wrong, key) => {
    expect(() => parseSignUp({ usertype: 'rider', ...registrationBody, ...wrong })).toThrow(key)
  })
  it('refuses another profile’s e-mail, and a second profile', async () => {
    const given = createPorts()
    const mail = parseSignUp({ usertype: 'rider', ...registrationBody, email: users.rider.email })
    expect(await getErrorKey(user_signup.handle(mail, createOpenContext(given, evaCaller)))).toBe(
      'user_exists',
    )
    const input = parseSignUp({ usertype: 'rider', ...registrationBody })
    await user_signup.handle(input, createOpenContext(given, evaCaller))
    expect(await getErrorKey(user_signup.handle(input, createOpenContext(given, evaCaller)))).toBe(
      'user_exists',
    )
  })
  it.each([
    ['a social account without a phone number', { uid: 'eva', provider: 'google' as const }],
    ['a caller with another phone number', { uid: 'eva', phone: '+15555550111' }],
  ])('refuses %s', async (_, caller) => {
    const given = createPorts()
    const input = parseSignUp({ usertype: 'rider', ...registrationBody })
    expect(await getErrorKey(user_signup.handle(input, createOpenContext(given, caller)))).toBe(
      'phone_no_update',
    )
    expect(given.db.getCommitCount()).toBe(0)
  })
  it('takes the sign-in method from the token, not from the request', async () => {
    const given = createPorts()
    const input = parseSignUp({ usertype: 'rider', ...registrationBody, loginType: 'apple' })
    await user_signup.handle(input, createOpenContext(given, evaCaller))
    expect(given.db.at('users/eva/loginType')).toBeNull()
  })
  it('stores the referrer, and refuses an unknown referral id', async () => {
    const given = createPorts({ rider: { ...users.rider, referralId: 'ana1234' } })
    const input = parseSignUp({ usertype: 'rider', ...registrationBody, referralId: 'ana1234' })
    await user_signup.handle(input, createOpenContext(given, evaCaller))
    expect(given.db.at('users/eva/signupViaReferral')).toBe('rider')
    const wrong = parseSignUp({ usertype: 'rider', ...registrationBody, referralId: 'nobody' })
    expect(
      await getErrorKey(user_signup.handle(wrong, createOpenContext(createPorts(), evaCaller))),
    ).toBe('bad_input')
  })
})

describe('a sign-up without a token', () => {
  const asDriver = {
    usertype: 'driver',
    ...registrationBody,
    carType: 'van',
    vehicleNumber: 'X 1',
    bankAccount: 'IBAN 1',
  }
  const waits = (given: ReturnType<typeof createPorts>, more: object = {}) =>
    user_signup.handle(parseSignUp({ ...asDriver, ...more }), createOpenContext(given))
  const signIn = (given: ReturnType<typeof createPorts>, caller: Caller = evaCaller) =>
    ensure_profile.handle({}, createOpenContext(given, caller))
  const confirm = (
    given: ReturnType<typeof createPorts>,
    more: object = {},
    caller: Caller = evaCaller,
  ) => user_signup.handle(parseSignUp({ ...asDriver, ...more }), createOpenContext(given, caller))

  it('stays pending, creates no profile or account, and does not store the phone number', async () => {
    const accounts = createMemoryAccounts()
    const given = createPorts({}, { accounts })
    expect(await waits(given)).toEqual({ success: true, uid: null, approved: false, pending: true })
    expect(Object.keys(given.db.at('users') as object).sort()).toEqual(
      Object.keys({ ...users, fleet }).sort(),
    )
    expect(await accounts.findByPhone(evaCaller.phone)).toBeNull()
    const stored = given.db.at('pending_registrations') as Record<string, PendingRegistration>
    expect(Object.values(stored)).toMatchObject([{ expires: TEST_NOW + 48 * HOUR_MS }])
    expect(JSON.stringify(stored)).not.toMatch(/5550188/)
  })
  it('appears to the owner of the number, who remains a rider until they confirm it', async () => {
    const given = createPorts()
    await waits(given)
    const { pendingRegistration, ...profile } = await signIn(given)
    expect(profile).toMatchObject({ usertype: 'rider', approved: true, email: '', firstName: '' })
    expect(profile.bankAccount).toBeUndefined()
    expect(pendingRegistration).toMatchObject({
      usertype: 'driver',
      firstName: 'Eva',
      email: 'eva@example.com',
      vehicleNumber: 'X 1',
      bankAccount: 'IBAN 1',
    })
  })
  it('replaces the profile when its owner confirms it, only once', async () => {
    const files = createMemoryFiles({ 'users/eva/licenseImage': TEST_NOW })
    const given = createPorts({}, { files })
    await waits(given)
    await signIn(given)
    const before = given.db.at('users/eva') as User
    const draft = createDownloadLink('users/eva/licenseImage')
    expect(await confirm(given, { licenseImage: draft })).toEqual({
      success: true,
      uid: 'eva',
      approved: false,
    })
    expect(given.db.at('users/eva')).toMatchObject({
      usertype: 'driver',
      approved: false,
      firstName: 'Eva',
      email: 'eva@example.com',
      bankAccount: 'IBAN 1',
      queue: false,
      createdAt: before.createdAt,
      walletBalance: 0,
    })
    // The file of the sign-up can still be replaced, so the profile shows a copy.
    const [, copy = ''] = files.names()
    expect(given.db.at('users/eva/licenseImage')).toBe(createDownloadLink(copy))
    expect(given.db.at('pending_registrations')).toBeNull()
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { by: 'eva', action: 'registration_confirmed', to: { usertype: 'driver', approved: false } },
    ])
    given.db.put({ 'users/eva/approved': true })
    expect(await getErrorKey(confirm(given))).toBe('user_exists')
    expect(given.db.at('users/eva/approved')).toBe(true)
  })
  it('uses the values the owner confirms, not those first submitted', async () => {
    const given = createPorts()
    await waits(given, { bankAccount: 'ATTACKER', email: 'attacker@example.com' })
    await signIn(given)
    await confirm(given, { usertype: 'rider', bankAccount: undefined })
    expect(given.db.at('users/eva')).toMatchObject({ usertype: 'rider', email: 'eva@example.com' })
    expect(JSON.stringify(given.db.at('users/eva'))).not.toMatch(/ATTACKER|attacker/)
  })
  it('accepts one of fifty simultaneous confirmations', async () => {
    const given = createPorts()
    await waits(given)
    await signIn(given)
    const keys = await Promise.all(
      Array.from({ length: 50 }, () => getErrorKey(confirm(given)).catch(() => 'done')),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(1)
    expect(new Set(keys)).toEqual(new Set(['done', 'user_exists']))
  })
  it('can be confirmed immediately by an owner without a profile', async () => {
    const given = createPorts()
    await waits(given)
    expect(await confirm(given)).toMatchObject({ uid: 'eva', approved: false })
    expect(given.db.at('pending_registrations')).toBeNull()
  })
  it('is removed when its owner discards it', async () => {
    const given = createPorts()
    await waits(given)
    await signIn(given)
    await discard_registration.handle({}, createOpenContext(given, evaCaller))
    expect((await signIn(given)).pendingRegistration).toBeUndefined()
    expect(await getErrorKey(confirm(given))).toBe('user_exists')
    await discard_registration.handle({}, createOpenContext(given, evaCaller))
    expect(await getErrorKey(discard_registration.handle({}, createOpenContext(given)))).toBe(
      'must_login',
    )
  })
  it('is replaced by a later sign-up for the same number', async () => {
    const given = createPorts()
    await waits(given, { usertype: 'rider' })
    await waits(given)
    expect(Object.keys(given.db.at('pending_registrations') as object)).toHaveLength(1)
    expect((await signIn(given)).pendingRegistration).toMatchObject({ usertype: 'driver' })
  })
  it.each([
    ['has booked', { bookings: { b: { customer: 'eva' } } }],
    ['has money', { users: { walletBalance: 5 } }],
    ['has a history', { users: { walletHistory: { a: { type: 'Credit', amount: 0 } } } }],
    ['was created by the back office', { users: { createdByAdmin: true } }],
    ['is a driver', { users: { usertype: 'driver' } }],
  ])('is hidden from an account that %s, which cannot confirm it', async (_, had) => {
    const own = { ...aRider({ id: 'eva', mobile: evaCaller.phone }), email: '' }
    const given = createProjectPorts({
      users: { ...users, eva: { ...own, ...('users' in had && had.users) } },
      ...('bookings' in had && { bookings: had.bookings }),
    })
    const other = createProjectPorts()
    await waits(other)
    given.db.put({
      pending_registrations: other.db.at('pending_registrations') as DatabaseValue,
    })
    expect((await signIn(given)).pendingRegistration).toBeUndefined()
    expect(await getErrorKey(confirm(given))).toBe('user_exists')
  })
  it('expires after two days and is removed by the scheduled job', async () => {
    const given = createPorts()
    await waits(given)
    const later = TEST_NOW + 48 * HOUR_MS
    const signedIn = { ...createOpenContext(given, evaCaller), now: later }
    expect((await ensure_profile.handle({}, signedIn)).pendingRegistration).toBeUndefined()
    expect(await removeExpiredRegistrations(given, later - 1)).toBe(0)
    expect(await removeExpiredRegistrations(given, later)).toBe(1)
    expect(given.db.at('pending_registrations')).toBeNull()
  })
  it('is removed in batches after it expires', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2500 }, (_, i) => [`hash${i}`, { expires: i, registration: '' }]),
    )
    const given = createProjectPorts({ pending_registrations: many })
    expect(await removeExpiredRegistrations(given, 5000)).toBe(2000)
    expect(await removeExpiredRegistrations(given, 5000)).toBe(500)
  })
  it('is refused with the number or e-mail of an existing user', async () => {
    expect(await getErrorKey(waits(createPorts(), { mobile: users.rider.mobile }))).toBe(
      'user_exists',
    )
    expect(await getErrorKey(waits(createPorts(), { email: users.rider.email }))).toBe(
      'user_exists',
    )
  })
  it('is limited to twenty a day for each IP address', async () => {
    const given = createPorts()
    const numbers = Array.from({ length: 70 }, (_, i) => `+1555556${1000 + i}`)
    const keys = await Promise.all(
      numbers.map((mobile, i) =>
        getErrorKey(waits(given, { mobile, email: `e${i}@example.com` })).catch(() => 'done'),
      ),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(20)
    expect(keys.filter((key) => key === 'too_many_requests')).toHaveLength(50)
    expect(Object.keys(given.db.at('pending_registrations') as object)).toHaveLength(20)
    const elsewhere = { ...createOpenContext(given), rateLimitKey: 'ip-of-another' }
    expect(await user_signup.handle(parseSignUp(asDriver), elsewhere)).toMatchObject({
      pending: true,
    })
    const tomorrow = { ...createOpenContext(given), now: TEST_NOW + 24 * HOUR_MS }
    expect(await user_signup.handle(parseSignUp(asDriver), tomorrow)).toMatchObject({
      pending: true,
    })
  })
  it('does not reveal whether an account has the number', async () => {
    const known = createPorts({}, { accounts: createMemoryAccounts({ [evaCaller.phone]: 'half' }) })
    expect(await waits(known)).toEqual(await waits(createPorts()))
  })
  it('lets its owner sign in when its e-mail is taken', async () => {
    const given = createPorts()
    await waits(given)
    await user_signup.handle(
      parseSignUp({ usertype: 'rider', ...registrationBody, mobile: '+15555550189' }),
      createOpenContext(given, { uid: 'other', phone: '+15555550189' }),
    )
    expect(await signIn(given)).toMatchObject({ id: 'eva', usertype: 'rider' })
    await expect(confirm(given)).rejects.toMatchObject({
      error: { key: 'user_exists', field: 'email' },
    })
    expect(await confirm(given, { email: 'eva2@example.com' })).toMatchObject({ uid: 'eva' })
  })
})

describe('public lookups', () => {
  it('reveal that a user exists, but nothing else about them', async () => {
    const asked = { mobile: users.driver.mobile }
    expect(await check_user_exists.handle(asked, createOpenContext(createPorts()))).toMatchObject({
      error: null,
    })
    const { users: found } = await check_user_exists.handle(
      { mobile: fleet.mobile },
      createOpenContext(createPorts()),
    )
    expect(found).toEqual([{}])
    expect(
      await check_user_exists.handle(
        { email: 'nobody@example.com' },
        createOpenContext(createPorts()),
      ),
    ).toEqual({
      users: [],
      error: null,
    })
  })
  it('are refused without a phone number or e-mail', async () => {
    expect(await getErrorKey(check_user_exists.handle({}, createOpenContext(createPorts())))).toBe(
      'bad_input',
    )
  })
  it('reveal that a referral id is valid, but not its owner', async () => {
    const given = createPorts({ rider: { ...users.rider, referralId: 'ana1234' } })
    expect(
      await validate_referrer.handle({ referralId: 'ana1234' }, createOpenContext(given)),
    ).toEqual({
      valid: true,
    })
    expect(await validate_referrer.handle({ referralId: 'x' }, createOpenContext(given))).toEqual({
      valid: false,
    })
  })
})

describe('the profile of the first sign-in', () => {
  it('is an approved rider and is created once', async () => {
    const given = createPorts()
    const caller = { uid: 'new', phone: '+15555550190', name: 'Eva María Sosa' }
    const first = await ensure_profile.handle({}, createOpenContext(given, caller))
    expect(first).toMatchObject({
      usertype: 'rider',
      approved: true,
      walletBalance: 0,
      firstName: 'Eva',
      lastName: 'María Sosa',
    })
    const commits = given.db.getCommitCount()
    expect(await ensure_profile.handle({}, createOpenContext(given, caller))).toEqual(first)
    expect(given.db.getCommitCount()).toBe(commits)
  })
  it('is not restored by the token of a deleted account, which cannot sign up either', async () => {
    const accounts = createMemoryAccounts({}, ['gone'])
    const given = { ...createPorts(), accounts }
    const gone = { uid: 'gone', phone: '+15555550190' }
    expect(await getErrorKey(ensure_profile.handle({}, createOpenContext(given, gone)))).toBe(
      'must_login',
    )
    const person = { firstName: 'Eva', lastName: 'Sosa', email: 'eva@kerbside.example' }
    const signUp = { usertype: 'rider', mobile: gone.phone, ...person } as const
    expect(await getErrorKey(user_signup.handle(signUp, createOpenContext(given, gone)))).toBe(
      'must_login',
    )
    expect(given.db.getCommitCount()).toBe(0)
  })
  it.each([
    ['who waits for approval', { approved: false }, 'require_approval'],
    ['of an unknown type', { usertype: 'pilot' }, 'not_valid_user_type'],
  ])('is refused for a user %s', async (_, odd, key) => {
    const given = createPorts({ odd: { ...users.rider, id: 'odd', ...odd } })
    expect(
      await getErrorKey(ensure_profile.handle({}, createOpenContext(given, { uid: 'odd' }))),
    ).toBe(key)
  })
  it('is not created for a token whose number now belongs to another account', async () => {
    const caller = { uid: 'other', phone: mate.mobile }
    expect(
      await getErrorKey(
        ensure_profile.handle({}, createOpenContext(createPorts({ mate }), caller)),
      ),
    ).toBe('user_issue_contact_admin')
  })
  it('takes the number from a profile whose account signs in with a different number', async () => {
    const accounts = createMemoryAccounts({ [mate.mobile]: 'owner' })
    const given = createPorts({ mate }, { accounts })
    const caller = { uid: 'owner', phone: mate.mobile }
    expect(await ensure_profile.handle({}, createOpenContext(given, caller))).toMatchObject({
      mobile: mate.mobile,
    })
    expect(given.db.at('users/mate/mobile')).toBe('')
    expect(Object.values(given.db.at('inbox/mate') as object)).toMatchObject([
      { title: 'push_mobile_claimed_title', screen: 'Profile' },
    ])
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { by: 'owner', action: 'mobile_claimed', path: 'users/mate' },
    ])
  })
  it.each([
    ['owes money', { walletBalance: -11 }, null],
    ['has an open booking', {}, { open: 1, unpaid: 0, revision: 1 }],
    ['has an unpaid booking', {}, { open: 1, unpaid: 1, revision: 2 }],
  ])('leaves the number with a profile that %s', async (_, fields, open) => {
    const mobile = '+15555550167'
    const accounts = createMemoryAccounts({ [mobile]: 'again' })
    const before = createPorts({ debtor: { ...users.rider, id: 'debtor', mobile, ...fields } })
    if (open) await before.db.update({ 'open_bookings/debtor': open })
    const commits = before.db.getCommitCount()
    const given = { ...before, accounts }
    const caller = { uid: 'again', phone: mobile }
    expect(await getErrorKey(ensure_profile.handle({}, createOpenContext(given, caller)))).toBe(
      'user_issue_contact_admin',
    )
    expect(given.db.getCommitCount()).toBe(commits)
  })
  it('leaves the number with a profile that has no account, for the back office to decide', async () => {
    const accounts = createMemoryAccounts({ [mate.mobile]: 'owner' }, ['mate'])
    const given = createPorts({ mate }, { accounts })
    const caller = { uid: 'owner', phone: mate.mobile }
    expect(await getErrorKey(ensure_profile.handle({}, createOpenContext(given, caller)))).toBe(
      'user_issue_contact_admin',
    )
    expect(given.db.getCommitCount()).toBe(0)
  })
  it('has no number for a social account until the owner proves one', async () => {
    const given = createPorts()
    const social = { uid: 'new', provider: 'google' as const, name: 'Eva Sosa' }
    expect(await ensure_profile.handle({}, createOpenContext(given, social))).toMatchObject({
      mobile: '',
      email: '',
      loginType: 'google',
    })
    const save = (caller: Caller) =>
      save_user.handle(
        { id: 'new', mobile: '+15555550190' },
        { ...createUserContext('new', 'rider', given), caller },
      )
    expect(await getErrorKey(save(social))).toBe('phone_no_update')
    await save({ ...social, phone: '+15555550190' })
    expect(given.db.at('users/new/mobile')).toBe('+15555550190')
  })
})

describe('creating and editing users', () => {
  const save = (input: object, uid: string, role: User['usertype'], given = createPorts()) =>
    save_user.handle(parseInput(save_user.input, input), createUserContext(uid, role, given))
  it('lets an admin create approved users of every type', async () => {
    for (const usertype of ['rider', 'driver', 'fleetadmin', 'admin']) {
      const given = createPorts()
      const { id } = await save({ usertype, ...registrationBody }, 'admin', 'admin', given)
      expect(given.db.at(`users/${id}`)).toMatchObject({
        usertype,
        approved: true,
        createdByAdmin: true,
      })
      expect(Object.values(given.db.at('audit') as object)).toMatchObject([
        { by: 'admin', action: 'user_add' },
      ])
    }
  })
  it('lets a fleet admin create only their own drivers', async () => {
    const given = createPorts()
    const { id, approved } = await save(
      { usertype: 'driver', ...registrationBody },
      'fleet',
      'fleetadmin',
      given,
    )
    expect(approved).toBe(false)
    expect(given.db.at(`users/${id}/fleetadmin`)).toBe('fleet')
    const rider = save({ usertype: 'rider', ...registrationBody }, 'fleet', 'fleetadmin')
    expect(await getErrorKey(rider)).toBe('not_allowed')
    expect(
      await getErrorKey(save({ usertype: 'rider', ...registrationBody }, 'rider', 'rider')),
    ).toBe('not_allowed')
  })
  it('refuses a phone number or e-mail that another user has', async () => {
    const twin = { usertype: 'rider', ...registrationBody, mobile: fleet.mobile }
    expect(await getErrorKey(save(twin, 'admin', 'admin'))).toBe('user_exists')
  })
  it('refuses changes of mobile and e-mail by the back office, and any change of the user type', async () => {
    const edit = (more: object) => getErrorKey(save({ id: 'driver', ...more }, 'admin', 'admin'))
    expect(await edit({ mobile: '+15555550123' })).toBe('not_allowed')
    expect(await edit({ email: 'new@example.com' })).toBe('not_allowed')
    expect(await edit({ usertype: 'admin' })).toBe('not_allowed')
  })
  it('removes a driver who loses approval from both lists of available drivers', async () => {
    const given = createProjectPorts({
      users: { ...users, driver: { ...users.driver, shift: 'shown' } },
      nearby_cars: { shown: aProject().available_drivers.driver },
    })
    await save({ id: 'driver', approved: false }, 'admin', 'admin', given)
    expect(given.db.at('users/driver/approved')).toBe(false)
    for (const place of ['available_drivers', 'nearby_cars', 'users/driver/shift'])
      expect(given.db.at(place)).toBeNull()
  })
  it('ends the sessions and the pushes of a person whom the office blocks', async () => {
    const accounts = createMemoryAccounts()
    const given = createPorts({}, { accounts })
    await registerDevice(given.db, { uid: 'driver', token: 'phone', at: TEST_NOW })
    const block = () => save({ id: 'driver', approved: false }, 'admin', 'admin', given)
    await block()
    expect(given.db.at('users/driver/sessionsEnd')).toBe(TEST_NOW)
    expect(await findPushTokens(given.db, 'driver')).toEqual([])
    expect(accounts.ended).toEqual(['driver'])
    // The process may have ended before the second part of the first request.
    await block()
    expect(accounts.ended).toEqual(['driver', 'driver'])
  })
  it('leaves the sessions of a person whom the office approves or edits', async () => {
    const accounts = createMemoryAccounts()
    const given = createPorts({ driver: aDriver({ approved: false }) }, { accounts })
    const change = { vehicleNumber: 'SAB 9', approved: true }
    await save({ id: 'driver', ...change }, 'admin', 'admin', given)
    expect(given.db.at('users/driver/sessionsEnd')).toBeNull()
    expect(accounts.ended).toEqual([])
  })
  it.each([
    ['removes the role at a suspension', true, 'driver', null],
    ['writes the role at an approval', false, null, 'driver'],
  ])('%s in the same update', async (_title, approved, before, after) => {
    const given = createPorts({ driver: aDriver({ approved }) })
    expect(given.db.at('roles/driver')).toBe(before)
    await save({ id: 'driver', approved: !approved }, 'admin', 'admin', given)
    expect(given.db.at('users/driver/approved')).toBe(!approved)
    expect(given.db.at('roles/driver')).toBe(after)
    expect(given.db.getCommitCount()).toBe(1)
  })
  it('gives a new account its role on approval, and no role before', async () => {
    const given = createPorts()
    const approved = await save(
      { usertype: 'driver', ...registrationBody },
      'admin',
      'admin',
      given,
    )
    expect(given.db.at(`roles/${approved.id}`)).toBe('driver')
    const other = { ...registrationBody, email: 'ines@example.com', mobile: '+15555550189' }
    const waiting = await save({ usertype: 'driver', ...other }, 'fleet', 'fleetadmin', given)
    expect(waiting.approved).toBe(false)
    expect(given.db.at(`roles/${waiting.id}`)).toBeNull()
  })
  describe.each(['', null])('an admin who sends %j', (none) => {
    const given = () =>
      createPorts({ driver: { ...users.driver, fleetadmin: 'fleet', shift: 'key' } }, {})
    it('removes a driver from the fleet, the directory and the fleet’s map, with an audit entry', async () => {
      const ports = given()
      await save({ id: 'driver', fleetadmin: none }, 'admin', 'admin', ports)
      expect(ports.db.at('users/driver/fleetadmin')).toBeNull()
      expect(ports.db.at('people/driver/fleetadmin')).toBeNull()
      expect(ports.db.at('available_drivers/driver')).toBeNull()
      expect(Object.values(ports.db.at('audit') as object)).toMatchObject([
        { by: 'admin', action: 'user_edit', to: { fields: ['fleetadmin'] } },
      ])
    })
    it('removes the vehicle type, and the driver from the list of available drivers', async () => {
      const ports = given()
      await save({ id: 'driver', carType: none }, 'admin', 'admin', ports)
      expect(ports.db.at('users/driver/carType')).toBeNull()
      expect(ports.db.at('available_drivers/driver')).toBeNull()
    })
    it('changes nothing for a driver without a fleet', async () => {
      const ports = createPorts()
      await save({ id: 'driver', fleetadmin: none }, 'admin', 'admin', ports)
      expect(ports.db.getCommitCount()).toBe(0)
    })
  })
  it('refuses to let anyone but an admin remove a fleet or a vehicle type', async () => {
    const owned = createPorts({ driver: { ...users.driver, fleetadmin: 'fleet' } })
    for (const field of ['fleetadmin', 'carType']) {
      const own = save({ id: 'driver', [field]: '' }, 'driver', 'driver', owned)
      expect(await getErrorKey(own)).toBe('not_allowed')
      const fleets = save({ id: 'driver', [field]: null }, 'fleet', 'fleetadmin', owned)
      expect(await getErrorKey(fleets)).toBe('not_allowed')
    }
  })
  it('refuses an edit of a user who was removed in the meantime', async () => {
    const given = createPorts()
    const db = { ...given.db, update: () => Promise.reject(new WriteConflictError()) }
    const edit = save({ id: 'driver', firstName: 'Z' }, 'admin', 'admin', { ...given, db })
    expect(await getErrorKey(edit)).toBe('changed_meanwhile')
  })
  it('moves a person with a new name in the lists of the office', async () => {
    const given = createPorts()
    await save({ id: 'driver', lastName: 'Ázaro' }, 'admin', 'admin', given)
    const { firstName } = users.driver
    expect(given.db.at('people/driver')).toMatchObject({
      lastName: 'Ázaro',
      sortKey: `driver~${firstName.toLowerCase()} azaro`,
    })
  })
  it('refuses approval by the users themselves or by another fleet’s admin', async () => {
    const self = save({ id: 'driver', carType: 'van', approved: false }, 'driver', 'driver')
    expect(await getErrorKey(self)).toBe('not_allowed')
    const other = save({ id: 'driver', firstName: 'Z' }, 'fleet', 'fleetadmin')
    expect(await getErrorKey(other)).toBe('not_allowed')
  })
})

describe('one-time benefits', () => {
  const mobile = '+15555550188'
  const leaving = {
    ...users.rider,
    mobile,
    referralRewarded: true,
    formerPhones: { 'hash of another': true },
  }
  const used = aBooking({
    status: 'COMPLETE',
    promo_details: { id: 'spring', promo_name: 'SPRING' },
  })
  /**
   * The rider with this phone number has used a promo, has been referred, and has deleted their
   * account.
   */
  const left = async () => {
    const given = createProjectPorts({
      users: { ...users, rider: leaving },
      bookings: { [used.id]: used },
      promos: { spring: aPromo() },
    })
    await delete_user.handle({ id: 'rider' }, createUserContext('rider', 'rider', given))
    return given
  }
  const person = { firstName: 'Eva', lastName: 'Sosa', email: 'eva@example.com', mobile }

  it('are remembered under a keyed hash that does not reveal the phone number', async () => {
    const given = await left()
    const former = given.db.at('former_users') as Record<string, object>
    const record = { at: TEST_NOW, promos: { spring: true }, referred: true }
    expect(Object.values(former)).toEqual([record, record])
    expect(Object.keys(former)).toContain('hash of another')
    expect(JSON.stringify(given.db.at(''))).not.toContain(mobile)
    const other = createTestPorts({ db: given.db })
    const key = { ...other.config, salt: 'another' }
    expect(await findFormerBenefits({ config: key, db: given.db }, { mobile })).toEqual({})
  })
  it.each([
    [
      'signs up',
      (given: ReturnType<typeof createPorts>) =>
        user_signup.handle(
          parseSignUp({ usertype: 'rider', ...person }),
          createOpenContext(given, { uid: 'again', phone: mobile }),
        ),
    ],
    [
      'signs in',
      (given: ReturnType<typeof createPorts>) =>
        ensure_profile.handle({}, createOpenContext(given, { uid: 'again', phone: mobile })),
    ],
    [
      'is added by the back office',
      (given: ReturnType<typeof createPorts>) =>
        save_user.handle(
          parseInput(save_user.input, { usertype: 'rider', ...person }),
          createUserContext('admin', 'admin', given),
        ),
    ],
  ])('count as used when the same phone number %s again', async (_, comes) => {
    const given = await left()
    await comes(given)
    const [again] = Object.values(given.db.at('users') as Record<string, User>).filter(
      (user) => user.mobile === mobile,
    )
    expect(again).toMatchObject({ formerPromos: { spring: true }, referralRewarded: true })
    const pending = aBooking({ id: 'b2', status: 'PAYMENT_PENDING', customer: again!.id })
    given.db.put({ 'bookings/b2': toJson({ ...pending, revision: 1 }) })
    const pay = { event: 'pay', payment_mode: 'cash', promo: 'spring' } as const
    const actor = { uid: again!.id, role: 'rider' } as const
    expect(await getErrorKey(given.bookings.applyEvent('b2', pay, actor))).toBe(
      'promo_already_used',
    )
    const quoted = quotePayment(
      given.db,
      { booking_id: 'b2', promo: 'spring' },
      again!.id,
      TEST_NOW,
    )
    expect(await getErrorKey(quoted)).toBe('promo_already_used')
  })
  it.each([
    [
      'signs in',
      (given: ReturnType<typeof createPorts>) =>
        ensure_profile.handle({}, createOpenContext(given, { uid: 'again', phone: mobile })),
    ],
    [
      'signs up',
      (given: ReturnType<typeof createPorts>) =>
        user_signup.handle(
          parseSignUp({ usertype: 'rider', ...person }),
          createOpenContext(given, { uid: 'again', phone: mobile }),
        ),
    ],
    [
      'changes to the number',
      async (given: ReturnType<typeof createPorts>) => {
        await given.db.update({
          'users/again': toJson(aRider({ id: 'again', mobile: '+15555550111' })),
        })
        await save_user.handle(parseInput(save_user.input, { id: 'again', mobile }), {
          ...createUserContext('again', 'rider', given),
          caller: { uid: 'again', phone: mobile },
        })
      },
    ],
  ])('count as used when a new account %s that another one has unlinked', async (_, comes) => {
    const accounts = createMemoryAccounts({ [mobile]: 'again' })
    const given = {
      ...createProjectPorts({
        users: { ...users, rider: { ...leaving, formerPromos: { winter: true } } },
        bookings: { [used.id]: used },
        promos: { spring: aPromo() },
      }),
      accounts,
    }
    await comes(given)
    expect(given.db.at('users/again')).toMatchObject({
      mobile,
      formerPromos: { spring: true, winter: true },
      referralRewarded: true,
    })
    expect(given.db.at('users/rider/mobile')).toBe('')
  })
  it('count as used when a Google account returns after it changed its address in the profile', async () => {
    const google: Caller = { uid: 'rider', provider: 'google', email: 'eva@example.com' }
    const given = createProjectPorts({
      users: {
        ...users,
        rider: {
          ...leaving,
          mobile: '',
          formerPhones: {},
          loginType: 'google',
          email: google.email ?? '',
          emailVerified: true,
        },
      },
      bookings: { [used.id]: used },
    })
    const context = { ...createUserContext('rider', 'rider', given), caller: google }
    await save_user.handle({ id: 'rider', email: 'typed@example.com' }, context)
    await delete_user.handle({ id: 'rider' }, createUserContext('rider', 'rider', given))
    const again = createOpenContext(given, { ...google, uid: 'again' })
    expect(await ensure_profile.handle({}, again)).toMatchObject({
      formerPromos: { spring: true },
      referralRewarded: true,
    })
    // An address that was only typed belongs to another person.
    const other = { ...google, uid: 'other', email: 'typed@example.com' }
    const profile = await ensure_profile.handle({}, createOpenContext(given, other))
    expect(profile.formerPromos).toBeUndefined()
  })
  it.each([
    ['was created by it', { uid: 'rider' }, undefined],
    ['was created before the account was stored', { uid: 'rider' }, { ...leaving, mobile: '' }],
  ])(
    'count as used when a Facebook account without phone and email returns, and its profile %s',
    async (_, who, known) => {
      const facebook: Caller = { ...who, provider: 'facebook', providerId: '10158' }
      const given = createProjectPorts({
        users: { ...users, rider: known ?? null },
        bookings: { [used.id]: used },
      })
      await ensure_profile.handle({}, createOpenContext(given, facebook))
      await delete_user.handle({ id: 'rider' }, createUserContext('rider', 'rider', given))
      const again = createOpenContext(given, { ...facebook, uid: 'again' })
      expect(await ensure_profile.handle({}, again)).toMatchObject({
        formerPromos: { spring: true },
      })
      expect(JSON.stringify(given.db.at(''))).not.toContain('10158')
      const other = { ...facebook, uid: 'other', providerId: '10159' }
      const profile = await ensure_profile.handle({}, createOpenContext(given, other))
      expect(profile.formerPromos).toBeUndefined()
    },
  )
  it('count as used after a change to a number that already used them, and the previous number is not stored', async () => {
    const given = await left()
    await given.db.update({
      'users/late': toJson(aRider({ id: 'late', mobile: '+15555550111' })),
    })
    const context = {
      ...createUserContext('late', 'rider', given),
      caller: { uid: 'late', phone: mobile },
    }
    await save_user.handle(parseInput(save_user.input, { id: 'late', mobile }), context)
    expect(given.db.at('users/late')).toMatchObject({
      mobile,
      formerPromos: { spring: true },
      referralRewarded: true,
    })
    expect(Object.keys(given.db.at('users/late/formerPhones') as object)).toHaveLength(1)
    expect(JSON.stringify(given.db.at('users/late'))).not.toContain('+15555550111')
  })
  it('are forgotten after two years, one page at a time', async () => {
    const given = await left()
    expect(await removeExpiredFormerUsers(given, TEST_NOW + BENEFITS_RETENTION_MS - 1)).toBe(0)
    expect(await removeExpiredFormerUsers(given, TEST_NOW + BENEFITS_RETENTION_MS)).toBe(2)
    expect(given.db.at('former_users')).toBeNull()
  })
})

describe('a change to a driver’s data', () => {
  const change = (
    fields: object,
    given = createProjectPorts({ settings: aSettings({ driver_approval: true }) }),
    by: [string, User['usertype']] = ['driver', 'driver'],
  ) =>
    save_user.handle(
      parseInput(save_user.input, { id: 'driver', ...fields }),
      createUserContext(...by, given),
    )
  const approving = (more: object = {}) =>
    createProjectPorts(
      { settings: aSettings({ driver_approval: true }), ...more },
      {
        files: createMemoryFiles({
          'users/driver/licenseImage/new': TEST_NOW,
          'users/driver/profile_image/me': TEST_NOW,
        }),
      },
    )

  it.each(FIELDS_NEEDING_APPROVAL)(
    'to %s takes the driver off duty until approval, and is audited',
    async (field) => {
      const given = approving()
      const value =
        field === 'licenseImage' ? createDownloadLink('users/driver/licenseImage/new') : 'New'
      expect(await change({ [field]: value }, given)).toEqual({ id: 'driver', approved: false })
      expect(given.db.at('users/driver')).toMatchObject({
        [field]: value,
        approved: false,
        driverActiveStatus: false,
      })
      // The driver waits for the review and stays signed in.
      expect(given.db.at('users/driver/sessionsEnd')).toBeNull()
      expect(given.db.at('available_drivers')).toBeNull()
      expect(Object.values(given.db.at('audit') as object)).toMatchObject([
        { by: 'driver', action: 'driver_data_change', to: { fields: [field], approved: false } },
      ])
    },
  )
  it('to a picture, a language, a bank account or an equal name keeps the approval', async () => {
    const given = approving()
    const lang = { langLocale: 'es', dateLocale: 'es' }
    const picture = createDownloadLink('users/driver/profile_image/me')
    const { firstName } = users.driver
    // A form sends a missing value as an empty text.
    const unchanged = { firstName, vehicleModel: '', other_info: '' }
    const free = { lang, profile_image: picture, bankAccount: '1', ...unchanged }
    expect(await change(free, given)).toEqual({ id: 'driver', approved: true })
    expect(given.db.at('users/driver/driverActiveStatus')).toBe(true)
    expect(given.db.at('audit')).toBeNull()
  })
  it('keeps the approval on a platform that does not approve drivers', async () => {
    const given = createProjectPorts({ settings: aSettings({ driver_approval: false }) })
    expect(await change({ vehicleNumber: 'NEW 1' }, given)).toEqual({
      id: 'driver',
      approved: true,
    })
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { action: 'driver_data_change', to: { fields: ['vehicleNumber'], approved: true } },
    ])
  })
  const approvingFleet = (driver: Partial<User> = {}, driver_approval = true) =>
    approving({
      settings: aSettings({ driver_approval }),
      users: { ...users, fleet, driver: { ...users.driver, fleetadmin: 'fleet', ...driver } },
    })
  it('keeps the approval when an admin makes it', async () => {
    const given = approvingFleet()
    const fields = { vehicleNumber: 'NEW 1' }
    expect(await change(fields, given, ['admin', 'admin'])).toMatchObject({ approved: true })
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { by: 'admin', action: 'user_edit', to: { fields: ['vehicleNumber'] } },
    ])
  })
  it.each(FIELDS_NEEDING_APPROVAL.filter((field) => field !== 'licenseImage'))(
    'to %s by the fleet admin waits for the approval, like the driver’s own change',
    async (field) => {
      const given = approvingFleet()
      const by = ['fleet', 'fleetadmin'] as [string, User['usertype']]
      expect(await change({ [field]: 'New' }, given, by)).toMatchObject({ approved: false })
      expect(given.db.at('users/driver')).toMatchObject({
        [field]: 'New',
        approved: false,
        driverActiveStatus: false,
      })
      expect(Object.values(given.db.at('audit') as object)).toMatchObject([
        { by: 'fleet', action: 'driver_data_change', to: { fields: [field], approved: false } },
      ])
    },
  )
  it('by the fleet admin keeps the approval on a platform that does not approve drivers', async () => {
    const given = approvingFleet({}, false)
    const by = ['fleet', 'fleetadmin'] as [string, User['usertype']]
    const fields = { vehicleNumber: 'NEW 1' }
    expect(await change(fields, given, by)).toMatchObject({ approved: true })
  })
  it('by the fleet admin is refused during a booking', async () => {
    const given = approvingFleet({ queue: true })
    const by = ['fleet', 'fleetadmin'] as [string, User['usertype']]
    expect(await getErrorKey(change({ vehicleNumber: 'NEW 1' }, given, by))).toBe(
      'busy_with_booking',
    )
    expect(given.db.getCommitCount()).toBe(0)
  })
  it('is refused during a booking', async () => {
    const given = approving({ users: { ...users, driver: { ...users.driver, queue: true } } })
    expect(await getErrorKey(change({ vehicleNumber: 'NEW 1' }, given))).toBe('busy_with_booking')
    expect(given.db.getCommitCount()).toBe(0)
  })
  it('is reverted when the driver accepts a booking at the same moment', async () => {
    const given = approving()
    const { db } = given
    let accepted = false
    const update: typeof db.update = async (updates) => {
      if (!accepted) await db.update({ 'users/driver/queue': true })
      accepted = true
      return db.update(updates)
    }
    const both = { ...given, db: { ...db, update } }
    expect(await getErrorKey(change({ vehicleNumber: 'NEW 1' }, both))).toBe('busy_with_booking')
    expect(db.at('users/driver')).toMatchObject({
      ...users.driver,
      queue: true,
      approved: true,
      driverActiveStatus: true,
    })
  })
  it('prevents the driver from accepting a booking afterwards', async () => {
    const given = approving()
    await change({ vehicleNumber: 'NEW 1' }, given)
    await expect(given.db.update({ 'users/driver/queue': true })).rejects.toThrow(
      WriteConflictError,
    )
  })
})

describe('the referrer of a new user', () => {
  const friend = aRider({ id: 'friend', referralId: 'ana1234' })
  const newcomer = aRider({ id: 'new', createdAt: new Date(TEST_NOW).toISOString() })
  const given = (more: object = {}) =>
    createProjectPorts({ users: { ...users, friend, new: newcomer }, ...more })
  const names = (referralId: string, ports: ReturnType<typeof given>, by = 'new') =>
    save_user.handle(
      parseInput(save_user.input, { id: 'new', firstName: 'Eva', referralId }),
      createUserContext(by, by === 'new' ? 'rider' : 'admin', ports),
    )

  it('is set once, together with the first name', async () => {
    const ports = given()
    await names('ana1234', ports)
    expect(ports.db.at('users/new')).toMatchObject({
      firstName: 'Eva',
      signupViaReferral: 'friend',
    })
    expect(await getErrorKey(names('ana1234', ports))).toBe('not_allowed')
  })
  it('can be set without other fields', async () => {
    const ports = given()
    const alone = { id: 'new', referralId: 'ana1234' }
    await save_user.handle(
      parseInput(save_user.input, alone),
      createUserContext('new', 'rider', ports),
    )
    expect(ports.db.at('users/new/signupViaReferral')).toBe('friend')
  })
  it.each([
    ['an unknown code', 'nobody1', {}, 'bad_input'],
    ['a code after a booking', 'ana1234', { bookings: { b: { customer: 'new' } } }, 'not_allowed'],
    ['a code after a drive', 'ana1234', { bookings: { b: { driver: 'new' } } }, 'not_allowed'],
  ])('is refused with %s, and nothing is written', async (_, code, more, key) => {
    const ports = given(more)
    expect(await getErrorKey(names(code, ports))).toBe(key)
    expect(ports.db.getCommitCount()).toBe(0)
  })
  it('cannot be set by the back office', async () => {
    expect(await getErrorKey(names('ana1234', given(), 'admin'))).toBe('not_allowed')
  })
})

describe('a user’s devices', () => {
  const register = (uid: string, input: object, given: ReturnType<typeof createPorts>, at = 0) =>
    register_push_token.handle(parseInput(register_push_token.input, input), {
      ...createUserContext(uid, 'rider', given),
      now: TEST_NOW + at,
    })
  const holders = (given: ReturnType<typeof createPorts>, token: string) =>
    Object.entries((given.db.at('internal/named_devices') ?? {}) as Record<string, NamedDevice>)
      .filter(([, device]) => device.token === token)
      .map(([uid]) => uid)
  const registered = (given: ReturnType<typeof createPorts>) =>
    Object.values((given.db.at('push_tokens') ?? {}) as Record<string, PushDevice>)
      .sort((a, b) => a.at - b.at)
      .map(({ uid, token }) => `${uid}: ${token}`)

  const named = (given: ReturnType<typeof createPorts>) =>
    given.db.at('internal/named_devices/rider')

  it('are registered side by side, and the newest is named', async () => {
    const given = createPorts()
    const one = { token: 'one', platform: 'WEB' }
    expect(await register('rider', one, given)).toEqual({ registered: true })
    expect(named(given)).toEqual({ token: 'one', platform: 'WEB', revision: 1 })
    await register('rider', { token: 'two' }, given, 1)
    expect(registered(given)).toEqual(['rider: one', 'rider: two'])
    expect(named(given)).toEqual({ token: 'two', revision: 2 })
  })
  it('are removed one by one at sign-out, and the newest one left is named', async () => {
    const given = createPorts()
    await register('rider', { token: 'one', platform: 'IOS' }, given)
    await register('rider', { token: 'two', platform: 'WEB' }, given, 1)
    expect(await register('rider', { token: null, replaces: 'two' }, given)).toEqual({
      registered: false,
    })
    expect(registered(given)).toEqual(['rider: one'])
    expect(named(given)).toMatchObject({ token: 'one', platform: 'IOS' })
    // An app that does not name its token removes the device registered last.
    await register('rider', { token: null }, given)
    expect(given.db.at('push_tokens')).toBeNull()
    expect(named(given)).toBeNull()
    expect(await register('rider', { token: null }, given)).toEqual({ registered: false })
  })
  it('get a new token in place of the old one', async () => {
    const given = createPorts()
    await register('rider', { token: 'one' }, given)
    await register('rider', { token: 'two', replaces: 'one' }, given, 1)
    expect(registered(given)).toEqual(['rider: two'])
  })
  it('are limited to ten: another registration removes the oldest', async () => {
    const given = createPorts()
    for (let at = 0; at < 12; at++) await register('rider', { token: `t${at}` }, given, at)
    // A device that registers again is the newest.
    await register('rider', { token: 't2' }, given, 12)
    await register('rider', { token: 'last' }, given, 13)
    expect(registered(given)).toEqual(
      [4, 5, 6, 7, 8, 9, 10, 11, 2].map((at) => `rider: t${at}`).concat('rider: last'),
    )
  })
  it('belong to one account and move to the next one, even without a registration', async () => {
    const given = createProjectPorts({
      users: { ...users, fleet },
      ...nameDevices({ rider: { token: 'one', platform: 'IOS' } }),
    })
    await register('driver', { token: 'one', platform: 'ANDROID' }, given)
    expect(holders(given, 'one')).toEqual(['driver'])
    expect(named(given)).toBeNull()
    await register('fleet', { token: 'one' }, given)
    expect(holders(given, 'one')).toEqual(['fleet'])
    // The driver no longer has the token, so removing the driver's device must not release it.
    await register('driver', { token: null }, given)
    expect(registered(given)).toEqual(['fleet: one'])
  })
  it('taken over by another person leave the first person’s other devices unchanged', async () => {
    const given = createPorts()
    await register('rider', { token: 'phone' }, given)
    await register('rider', { token: 'shared' }, given, 1)
    await register('driver', { token: 'shared' }, given, 2)
    expect(registered(given)).toEqual(['rider: phone', 'driver: shared'])
    expect(holders(given, 'phone')).toEqual(['rider'])
    expect(holders(given, 'shared')).toEqual(['driver'])
  })
  it('are released by the next person who signs in there without notifications', async () => {
    const given = createPorts()
    await register('rider', { token: 'shared' }, given)
    await register('driver', { token: null, replaces: 'shared' }, given)
    expect(given.db.at('push_tokens')).toBeNull()
    expect(holders(given, 'shared')).toEqual([])
  })
  it('belong to one of fifty users who register the same one at the same time', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `many${i}`)
    const given = createPorts(Object.fromEntries(many.map((id) => [id, aRider({ id })])))
    const { db } = given
    // The index is empty for all of them, as if all had read it before the first write.
    let asked = 0
    const list: typeof db.list = (path, query) =>
      query.by === 'token' && ++asked <= 50 ? Promise.resolve([]) : db.list(path, query)
    const all = { ...given, db: { ...db, list } }
    await Promise.allSettled(many.map((id) => register(id, { token: 'one' }, all)))
    expect(holders(given, 'one')).toHaveLength(1)
    expect(registered(given)).toEqual(holders(given, 'one').map((uid) => `${uid}: one`))
  })
  it('are removed with the account', async () => {
    const given = createPorts()
    await register('rider', { token: 'one' }, given)
    await register('rider', { token: 'two' }, given, 1)
    await delete_user.handle({ id: 'rider' }, createUserContext('admin', 'admin', given))
    expect(given.db.at('push_tokens')).toBeNull()
  })
  it('are refused when the token is not valid text', () => {
    for (const input of [
      {},
      { token: '' },
      { token: 5 },
      { token: 'x'.repeat(5000) },
      { token: null, replaces: '' },
    ])
      expect(() => parseInput(register_push_token.input, input)).toThrow('bad_input')
  })
})

describe('deleting a user', () => {
  /** Deletes the caller's own account, unless the input names another one. */
  const remove = (
    input: Partial<DeleteUserInput>,
    uid: string,
    role: User['usertype'],
    given = createPorts(),
  ) => delete_user.handle({ id: uid, ...input }, createUserContext(uid, role, given))
  const done = aBooking({ status: 'COMPLETE' })

  it('removes the record and keeps the bookings without the name', async () => {
    const given = createProjectPorts({
      bookings: { [done.id]: done },
      booking_contacts: { [done.id]: someBookingContacts({ deliveryPersonPhone: '099 123 456' }) },
    })
    expect(await remove({ id: 'rider' }, 'admin', 'admin', given)).toEqual({
      id: 'rider',
      bookings: 1,
    })
    expect(given.db.at('users/rider')).toBeNull()
    expect(given.db.at('roles/rider')).toBeNull()
    const kept = given.db.at(`bookings/${done.id}`) as Booking
    expect(kept).toMatchObject({ customer: 'rider', customer_name: '' })
    expect(given.db.at('booking_contacts')).toBeNull()
    expect(kept.revision).toBe(done.revision + 1)
  })
  it('removes the driver’s name from their bookings', async () => {
    const given = createProjectPorts({
      bookings: { [done.id]: done },
      booking_contacts: { [done.id]: someBookingContacts() },
    })
    await remove({ id: 'driver' }, 'admin', 'admin', given)
    expect(given.db.at(`bookings/${done.id}/driver_name`)).toBe('')
    expect(given.db.at(`booking_contacts/${done.id}`)).toEqual({
      customer_contact: '+15555550199',
      customer_email: 'rider@kerbside.example',
    })
    expect(given.db.at('available_drivers/driver')).toBeNull()
  })
  it('removes the customer’s addresses, pictures, chat and track, and the driver’s name from earnings', async () => {
    const removed: string[] = []
    const removeFolder = (path: string) => Promise.resolve(void removed.push(path))
    const files = { ...createMemoryFiles(), removeFolder }
    const row = { driverName: 'Beto Silva', driverVehicleNo: 'SBA 1234', total_rides: 1 }
    const given = createProjectPorts(
      {
        bookings: {
          [done.id]: { ...done, pickup_image: 'https://a.example/1', fleetadmin: 'fleet' },
        },
        chats: { [done.id]: { m: { message: 'Third floor' } } },
        tracking: { [done.id]: { p: { lat: -34.90581, lng: -56.19131 } } },
        stats: {
          driver_earnings: { driver: { '2026-11': row } },
          fleet_driver_earnings: { fleet: { driver: { '2026-11': row } } },
        },
        withdraws: { w: { uid: 'driver', name: 'Beto Silva', amount: 1, processed: true } },
      },
      { files },
    )
    await remove({ id: 'driver' }, 'admin', 'admin', given)
    expect(JSON.stringify(given.db.at(''))).not.toMatch(/Beto|SBA 1234/)
    expect(given.db.at('stats/driver_earnings/driver/2026-11/total_rides')).toBe(1)
    await remove({ id: 'rider' }, 'admin', 'admin', given)
    const left = JSON.stringify([given.db.at('bookings'), given.db.at('tracking')])
    expect(left).not.toMatch(/Tres Cruces|Plaza|-34\.9058|https/)
    expect(given.db.at('chats')).toBeNull()
    expect(removed).toEqual(['users/driver/', `bookings/${done.id}/`, 'users/rider/'])
  })
  it('removes a driver from the offers of a booking', async () => {
    const asking = aBooking({ requestedDrivers: { driver: true, other: true } })
    const given = createProjectPorts({
      bookings: { [asking.id]: asking },
      driver_tasks: { driver: { [asking.id]: true }, other: { [asking.id]: true } },
    })
    await remove({ id: 'driver' }, 'admin', 'admin', given)
    expect(given.db.at(`bookings/${asking.id}/requestedDrivers`)).toEqual({ other: true })
    expect(given.db.at('driver_tasks')).toEqual({ other: { [asking.id]: true } })
  })
  it('is refused until a withdrawal is paid out, and changes nothing', async () => {
    const withdraws = { w: { uid: 'driver', name: 'Beto', amount: 1, processed: false } }
    const given = createProjectPorts({ withdraws })
    expect(await getErrorKey(remove({ id: 'driver' }, 'admin', 'admin', given))).toBe(
      'event_not_possible',
    )
    expect(given.db.at('users/driver/approved')).toBe(true)
  })
  it('restores the role when a booking starts while the account is being closed', async () => {
    const given = createProjectPorts()
    const closed: unknown[] = []
    const update: typeof given.db.update = async (updates) => {
      await given.db.update(updates)
      if (closed.push(given.db.at('roles/rider')) > 1) return
      const begun = aBooking({ status: 'STARTED', revision: 1 })
      given.db.put({ [`bookings/${begun.id}`]: toJson(begun) })
    }
    const refused = remove({ id: 'rider' }, 'admin', 'admin', {
      ...given,
      db: { ...given.db, update },
    })
    expect(await getErrorKey(refused)).toBe('event_not_possible')
    expect(closed).toEqual([null, 'rider'])
    expect(given.db.at('users/rider/approved')).toBe(true)
  })
  it('is refused while a booking is active', async () => {
    const given = createProjectPorts({ bookings: { [done.id]: aBooking({ status: 'STARTED' }) } })
    expect(await getErrorKey(remove({ id: 'rider' }, 'admin', 'admin', given))).toBe(
      'event_not_possible',
    )
    expect(given.db.at('users/rider')).not.toBeNull()
  })
  it('allows users to delete themselves, but not other users, and keeps the last admin', async () => {
    expect(await remove({}, 'rider', 'rider')).toMatchObject({ id: 'rider' })
    expect(await getErrorKey(remove({ id: 'driver' }, 'rider', 'rider'))).toBe('not_allowed')
    expect(await getErrorKey(remove({ id: 'driver' }, 'fleet', 'fleetadmin'))).toBe('not_allowed')
    expect(await getErrorKey(remove({}, 'admin', 'admin'))).toBe('not_allowed')
  })
  it.each([
    ['lets an admin go beside one who can sign in', true],
    ['keeps an admin beside one who is suspended', false],
  ])('%s', async (_case, approved) => {
    const second = { ...users.admin, id: 'second', mobile: '+15555550166', approved }
    const given = createPorts({ second: { ...second, email: 'second@example.com' } })
    const outcome = remove({}, 'admin', 'admin', given)
    if (approved) expect(await outcome).toMatchObject({ id: 'admin' })
    else expect(await getErrorKey(outcome)).toBe('not_allowed')
  })
  it('allows a fleet admin to delete their own driver', async () => {
    const own = aDriver({ id: 'own', fleetadmin: 'fleet' })
    expect(await remove({ id: 'own' }, 'fleet', 'fleetadmin', createPorts({ own }))).toMatchObject({
      id: 'own',
    })
  })
  const entry = (amount: number) => ({
    type: amount > 0 ? 'Credit' : 'Debit',
    amount: Math.abs(amount),
    date: 1,
    txRef: 'x',
  })
  const withBalance = (amount: number, more: object = {}) =>
    createPorts({
      rider: {
        ...users.rider,
        walletBalance: amount,
        walletHistory: { a: entry(amount) },
        ...more,
      },
    })
  const getRefusal = async (promise: Promise<unknown>) => {
    try {
      await promise
    } catch (error) {
      if (error instanceof DomainException) return error.error
      throw error
    }
    throw new Error('It was not refused.')
  }

  it.each([
    ['the rider', 'rider', {}],
    ['the rider who waives the balance', 'rider', { waive_balance: true }],
    ['an admin', 'admin', { id: 'rider' }],
  ] as const)(
    'is refused for an account with a debt when requested by %s',
    async (_, who, input) => {
      const given = withBalance(-11)
      const refused = await getRefusal(remove(input, who, who, given))
      expect(refused).toMatchObject({ key: 'balance_owed', params: { amount: 11 } })
      expect(given.db.getCommitCount()).toBe(0)
    },
  )
  it.each([
    ['the rider', 'rider', {}],
    ['an admin', 'admin', { id: 'rider' }],
    ['a rider who saw a lower balance', 'rider', { waive_balance: true, balance: 150 }],
  ] as const)(
    'is refused while the wallet has money that is not waived by %s',
    async (_, who, input) => {
      const given = withBalance(200)
      const refused = await getRefusal(remove(input, who, who, given))
      expect(refused).toMatchObject({ key: 'balance_left', params: { amount: 200 } })
      expect(given.db.getCommitCount()).toBe(0)
    },
  )
  it('counts and audits waived money, with totals that match a recount', async () => {
    const given = withBalance(200)
    const allUsers = given.db.at('users') as Record<string, User>
    given.db.put({ people: toDirectory(allUsers), available_drivers: null })
    await remove({ waive_balance: true, balance: 200 }, 'rider', 'rider', given)
    expect(given.db.at('users/rider')).toBeNull()
    expect(given.db.at('closed_accounts/rider')).toEqual({ at: TEST_NOW, waived: 200 })
    expect(given.db.at('stats/total/minor/UYU2/waived')).toBe(20_000)
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { action: 'user_delete', to: { waived: 200 } },
    ])
    expect(findViolations(given.db.at('') as DatabaseTree)).toEqual([])
  })
  it('keeps a credit that arrives while the account is being removed', async () => {
    const given = withBalance(0)
    let arrived = false
    const update: typeof given.db.update = async (updates) => {
      if (updates['users/rider'] !== null || arrived) return given.db.update(updates)
      // The rules compare the wallet with the waived amount and refuse.
      arrived = true
      given.db.put({
        'users/rider/walletBalance': 50,
        'users/rider/walletHistory/b': entry(50),
      })
      return given.db.update(updates)
    }
    const refused = await getRefusal(
      remove({}, 'rider', 'rider', { ...given, db: { ...given.db, update } }),
    )
    expect(refused).toMatchObject({ key: 'balance_left', params: { amount: 50 } })
    expect(given.db.at('users/rider')).toMatchObject({ approved: true, walletBalance: 50 })
  })
  it('is completed by the scheduled job after an interruption', async () => {
    const removed: string[] = []
    let works = false
    const files = {
      ...createMemoryFiles(),
      removeFolder: (path: string) => {
        if (!works) return Promise.reject(new Error('The store is away.'))
        return Promise.resolve(void removed.push(path))
      },
    }
    const accounts = createMemoryAccounts({ [users.rider.mobile]: 'rider' })
    const given = createProjectPorts({ bookings: { [done.id]: done } }, { files, accounts })
    await remove({}, 'rider', 'rider', given)
    expect(given.db.at('users/rider')).toBeNull()
    expect(await accounts.findByPhone(users.rider.mobile)).toBeNull()
    works = true
    await eraseClosedAccounts(given, TEST_NOW + 60_000)
    expect(given.db.at('closed_accounts/rider/open')).toBe(true)
    await eraseClosedAccounts(given, TEST_NOW + 3 * 60_000)
    expect(given.db.at('closed_accounts/rider')).toEqual({ at: TEST_NOW, waived: 0 })
    expect(given.db.at(`bookings/${done.id}/customer_name`)).toBe('')
    expect(removed).toEqual(['users/rider/'])
  })
  it('takes the referral bonuses that wait for the account, and leaves those of others', async () => {
    const given = createProjectPorts()
    const bonus = { booking: done.id, amount: 5, at: TEST_NOW }
    for (const [uid, referred] of [
      ['rider', 'rider'],
      ['rider', 'other'],
      ['friend', 'rider'],
    ] as const)
      await given.db.update(buildPendingBonus({ uid, referred, ...bonus }, aSettings()))
    await remove({}, 'rider', 'rider', given)
    expect(Object.keys(given.db.at('internal/pending_bonuses') as object)).toEqual(['friend_rider'])
  })
  it('is refused in demo mode', async () => {
    const given = createProjectPorts({
      settings: { ...aProject().settings, AllowCriticalEditsAdmin: false },
    })
    expect(await getErrorKey(remove({ id: 'rider' }, 'admin', 'admin', given))).toBe('demo_mode')
  })
})
