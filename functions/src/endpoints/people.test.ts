import { describe, expect, it } from 'vitest'
import type { Booking, User } from '~/domain/entities'
import { aBooking, aDriver, aRider } from '~/domain/testing/builders'
import type { Caller } from '../ports/accounts'
import { parse } from '../guard'
import { Conflict } from '../ports/database'
import { aProject, as, memoryAccounts, projectPorts, refusedKey, TEST_NOW } from '../testing'
import { check_user_exists } from './checkUserExists'
import { delete_user } from './deleteUser'
import { ensure_profile } from './ensureProfile'
import { save_user } from './saveUser'
import { user_signup } from './userSignup'
import { validate_referrer } from './validateReferrer'

const users = aProject().users
const fleet = { ...aRider({ id: 'fleet', mobile: '+15555550177' }), usertype: 'fleetadmin' }
const ports = (more: object = {}, given = {}) =>
  projectPorts({ users: { ...users, fleet, ...more } }, given)
const open = (given: ReturnType<typeof ports>, caller: Caller | null = null) => ({
  ...given,
  now: TEST_NOW,
  caller,
})
const someone = {
  firstName: 'Eva',
  lastName: 'Sosa',
  email: 'Eva@Example.com',
  mobile: '+1 555 555 0188',
}
const signUp = (body: object) => parse(user_signup.input, body, user_signup.fieldKeys)

describe('signing up', () => {
  it('a rider is approved at once, with an empty wallet and a referral id', async () => {
    const given = ports()
    const input = signUp({ usertype: 'rider', ...someone, vehicleNumber: 'X 1' })
    const { uid } = await user_signup.handle(input, open(given))
    const made = given.db.at(`users/${uid}`) as User
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
  it('a driver waits for approval, in a body wrapped as regData too', async () => {
    const given = ports()
    const input = signUp({ regData: { usertype: 'driver', ...someone, carType: 'van' } })
    expect(await user_signup.handle(input, open(given))).toMatchObject({ approved: false })
  })
  it.each(['admin', 'fleetadmin', undefined])('makes no %s', async (usertype) => {
    expect(() => signUp({ usertype, ...someone })).toThrow('bad_input')
  })
  it.each([
    [{ email: 'no' }, 'proper_email'],
    [{ mobile: '12' }, 'bad_input'],
    [{ firstName: ' ' }, 'bad_input'],
  ])('refuses %j', (wrong, key) => {
    expect(() => signUp({ usertype: 'rider', ...someone, ...wrong })).toThrow(key)
  })
  it('refuses a phone or e-mail somebody has', async () => {
    const taken = signUp({ usertype: 'rider', ...someone, mobile: users.rider.mobile })
    expect(await refusedKey(user_signup.handle(taken, open(ports())))).toBe('user_exists')
    const mail = signUp({ usertype: 'rider', ...someone, email: users.rider.email })
    expect(await refusedKey(user_signup.handle(mail, open(ports())))).toBe('user_exists')
  })
  it('takes up the account an interrupted sign-up left', async () => {
    const given = ports({}, { accounts: memoryAccounts({ '+15555550188': 'half' }) })
    const input = signUp({ usertype: 'rider', ...someone })
    expect(await user_signup.handle(input, open(given))).toMatchObject({ uid: 'half' })
  })
  it('remembers who referred, and refuses a referral id nobody has', async () => {
    const given = ports({ rider: { ...users.rider, referralId: 'ana1234' } })
    const input = signUp({ usertype: 'rider', ...someone, referralId: 'ana1234' })
    const { uid } = await user_signup.handle(input, open(given))
    expect(given.db.at(`users/${uid}/signupViaReferral`)).toBe('rider')
    const wrong = signUp({ usertype: 'rider', ...someone, referralId: 'nobody' })
    expect(await refusedKey(user_signup.handle(wrong, open(ports())))).toBe('bad_input')
  })
})

describe('what strangers learn', () => {
  it('that a user exists, and nothing about him', async () => {
    const asked = { mobile: users.driver.mobile }
    expect(await check_user_exists.handle(asked, open(ports()))).toMatchObject({ error: null })
    const { users: found } = await check_user_exists.handle({ mobile: fleet.mobile }, open(ports()))
    expect(found).toEqual([{}])
    expect(await check_user_exists.handle({ email: 'nobody@example.com' }, open(ports()))).toEqual({
      users: [],
      error: null,
    })
  })
  it('asking for nothing is refused', async () => {
    expect(await refusedKey(check_user_exists.handle({}, open(ports())))).toBe('bad_input')
  })
  it('that a referral id is good, not whose', async () => {
    const given = ports({ rider: { ...users.rider, referralId: 'ana1234' } })
    expect(await validate_referrer.handle({ referralId: 'ana1234' }, open(given))).toEqual({
      valid: true,
    })
    expect(await validate_referrer.handle({ referralId: 'x' }, open(given))).toEqual({
      valid: false,
    })
  })
})

describe('the profile of the first sign-in', () => {
  it('is an approved rider, made once', async () => {
    const given = ports()
    const caller = { uid: 'new', phone: '+15555550190', name: 'Eva María Sosa' }
    const first = await ensure_profile.handle({}, open(given, caller))
    expect(first).toMatchObject({
      usertype: 'rider',
      approved: true,
      walletBalance: 0,
      firstName: 'Eva',
      lastName: 'María Sosa',
    })
    expect(await ensure_profile.handle({}, open(given, caller))).toEqual(first)
    expect(given.db.commits()).toBe(1)
  })
  it('does not come back with the token of a deleted account, nor is one signed up with it', async () => {
    const accounts = memoryAccounts({}, ['gone'])
    const given = { ...ports(), accounts }
    const gone = { uid: 'gone', phone: '+15555550190' }
    expect(await refusedKey(ensure_profile.handle({}, open(given, gone)))).toBe('must_login')
    const person = { firstName: 'Eva', lastName: 'Sosa', email: 'eva@kerbside.example' }
    const signUp = { usertype: 'rider', mobile: gone.phone, ...person } as const
    expect(await refusedKey(user_signup.handle(signUp, open(given, gone)))).toBe('must_login')
    expect(given.db.commits()).toBe(0)
  })
  it.each([
    ['who waits for approval', { approved: false }, 'require_approval'],
    ['of an unknown type', { usertype: 'pilot' }, 'not_valid_user_type'],
  ])('a user %s is refused', async (_, odd, key) => {
    const given = ports({ odd: { ...users.rider, id: 'odd', ...odd } })
    expect(await refusedKey(ensure_profile.handle({}, open(given, { uid: 'odd' })))).toBe(key)
  })
  it('somebody else’s phone number makes no second profile', async () => {
    const caller = { uid: 'other', phone: fleet.mobile }
    expect(await refusedKey(ensure_profile.handle({}, open(ports(), caller)))).toBe(
      'user_issue_contact_admin',
    )
  })
})

describe('the office makes and edits users', () => {
  const save = (input: object, uid: string, role: User['usertype'], given = ports()) =>
    save_user.handle(parse(save_user.input, input), as(uid, role, given))
  it('an admin makes every kind, approved', async () => {
    for (const usertype of ['rider', 'driver', 'fleetadmin', 'admin']) {
      const given = ports()
      const { id } = await save({ usertype, ...someone }, 'admin', 'admin', given)
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
  it('a fleet admin makes his own drivers and nobody else', async () => {
    const given = ports()
    const { id, approved } = await save(
      { usertype: 'driver', ...someone },
      'fleet',
      'fleetadmin',
      given,
    )
    expect(approved).toBe(false)
    expect(given.db.at(`users/${id}/fleetadmin`)).toBe('fleet')
    const rider = save({ usertype: 'rider', ...someone }, 'fleet', 'fleetadmin')
    expect(await refusedKey(rider)).toBe('not_allowed')
    expect(await refusedKey(save({ usertype: 'rider', ...someone }, 'rider', 'rider'))).toBe(
      'not_allowed',
    )
  })
  it('a phone or e-mail somebody has is refused', async () => {
    const twin = { usertype: 'rider', ...someone, mobile: fleet.mobile }
    expect(await refusedKey(save(twin, 'admin', 'admin'))).toBe('user_exists')
  })
  it('mobile and e-mail are not edited by the office, nor the type by anybody', async () => {
    const edit = (more: object) => refusedKey(save({ id: 'driver', ...more }, 'admin', 'admin'))
    expect(await edit({ mobile: '+15555550123' })).toBe('not_allowed')
    expect(await edit({ email: 'new@example.com' })).toBe('not_allowed')
    expect(await edit({ usertype: 'admin' })).toBe('not_allowed')
  })
  it('taking a driver’s approval away takes him off the list of free drivers', async () => {
    const given = ports()
    await save({ id: 'driver', approved: false }, 'admin', 'admin', given)
    expect(given.db.at('users/driver/approved')).toBe(false)
    expect(given.db.at('available_drivers/driver')).toBeNull()
  })
  it('an edit the rules refuse, because he was removed meanwhile, is refused', async () => {
    const given = ports()
    const db = { ...given.db, update: () => Promise.reject(new Conflict()) }
    const edit = save({ id: 'driver', firstName: 'Z' }, 'admin', 'admin', { ...given, db })
    expect(await refusedKey(edit)).toBe('changed_meanwhile')
  })
  it('nobody approves himself or somebody of another fleet', async () => {
    const self = save({ id: 'driver', carType: 'van', approved: false }, 'driver', 'driver')
    expect(await refusedKey(self)).toBe('not_allowed')
    const other = save({ id: 'driver', firstName: 'Z' }, 'fleet', 'fleetadmin')
    expect(await refusedKey(other)).toBe('not_allowed')
  })
})

describe('deleting a user', () => {
  const remove = (input: { id?: string }, uid: string, role: User['usertype'], given = ports()) =>
    delete_user.handle(input, as(uid, role, given))
  const done = aBooking({ status: 'COMPLETE' })

  it('removes the person and keeps his bookings without his name', async () => {
    const given = projectPorts({ bookings: { [done.id]: done } })
    expect(await remove({ id: 'rider' }, 'admin', 'admin', given)).toEqual({
      id: 'rider',
      bookings: 1,
    })
    expect(given.db.at('users/rider')).toBeNull()
    const kept = given.db.at(`bookings/${done.id}`) as Booking
    expect(kept).toMatchObject({ customer: 'rider', customer_name: '', customer_contact: '' })
    expect(kept.deliveryPersonPhone).toBeUndefined()
    expect(kept.revision).toBe(done.revision + 1)
  })
  it('a driver’s bookings lose the driver’s name', async () => {
    const given = projectPorts({ bookings: { [done.id]: done } })
    await remove({ id: 'driver' }, 'admin', 'admin', given)
    expect(given.db.at(`bookings/${done.id}`)).toMatchObject({
      driver_name: '',
      driver_contact: '',
    })
    expect(given.db.at('available_drivers/driver')).toBeNull()
  })
  it('addresses, pictures, chat and trail go with the customer, earnings lose the driver’s name', async () => {
    const removed: string[] = []
    const files = { removeFolder: (path: string) => Promise.resolve(void removed.push(path)) }
    const row = { driverName: 'Beto Silva', driverVehicleNo: 'SBA 1234', total_rides: 1 }
    const given = projectPorts(
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
  it('a driver who is asked leaves the list of the asked', async () => {
    const asking = aBooking({ requestedDrivers: { driver: true, other: true } })
    const given = projectPorts({
      bookings: { [asking.id]: asking },
      driver_tasks: { driver: { [asking.id]: true }, other: { [asking.id]: true } },
    })
    await remove({ id: 'driver' }, 'admin', 'admin', given)
    expect(given.db.at(`bookings/${asking.id}/requestedDrivers`)).toEqual({ other: true })
    expect(given.db.at('driver_tasks')).toEqual({ other: { [asking.id]: true } })
  })
  it('waits until a withdraw is paid out, and leaves the account as it was', async () => {
    const withdraws = { w: { uid: 'driver', name: 'Beto', amount: 1, processed: false } }
    const given = projectPorts({ withdraws })
    expect(await refusedKey(remove({ id: 'driver' }, 'admin', 'admin', given))).toBe(
      'event_not_possible',
    )
    expect(given.db.at('users/driver/approved')).toBe(true)
  })
  it('waits for a booking that is under way', async () => {
    const given = projectPorts({ bookings: { [done.id]: aBooking({ status: 'STARTED' }) } })
    expect(await refusedKey(remove({ id: 'rider' }, 'admin', 'admin', given))).toBe(
      'event_not_possible',
    )
    expect(given.db.at('users/rider')).not.toBeNull()
  })
  it('everybody may go himself; nobody sends others away; the last admin stays', async () => {
    expect(await remove({}, 'rider', 'rider')).toMatchObject({ id: 'rider' })
    expect(await refusedKey(remove({ id: 'driver' }, 'rider', 'rider'))).toBe('not_allowed')
    expect(await refusedKey(remove({ id: 'driver' }, 'fleet', 'fleetadmin'))).toBe('not_allowed')
    expect(await refusedKey(remove({}, 'admin', 'admin'))).toBe('not_allowed')
  })
  it('a fleet admin removes his own driver', async () => {
    const own = aDriver({ id: 'own', fleetadmin: 'fleet' })
    expect(await remove({ id: 'own' }, 'fleet', 'fleetadmin', ports({ own }))).toMatchObject({
      id: 'own',
    })
  })
  it('demo mode refuses', async () => {
    const given = projectPorts({
      settings: { ...aProject().settings, AllowCriticalEditsAdmin: false },
    })
    expect(await refusedKey(remove({ id: 'rider' }, 'admin', 'admin', given))).toBe('demo_mode')
  })
})
