import type { SignIn } from '~/domain/access/ownSignIn'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { aBookingRequest, DROP, PICKUP } from '~/domain/testing/builders'
import type { OpenEndpointDefinition, UserEndpointDefinition } from './endpointTypes'
import { create_booking } from '../endpoints/bookings/createBooking'
import { findExceededLimit } from '../services/rateLimits'
import { handleRequest, getRateLimitKey, parseInput } from './requestHandler'
import { createTestDatabase } from '../testing/testDatabase'
import { DomainException } from '../domainException'
import { getErrorKey, createTestPorts } from '../testing/testPorts'

const echoInput = v.object({ word: v.string(), inner: v.optional(v.object({ n: v.number() })) })
const echo: UserEndpointDefinition<typeof echoInput, { word: string; by: string }> = {
  name: 'echo',
  summary: '',
  input: echoInput,
  output: v.object({ word: v.string(), by: v.string() }),
  allow: ['admin'],
  limit: 3,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  fieldErrors: { word: 'select_proper' },
  handle: ({ word }, { actor }) => Promise.resolve({ word, by: actor.uid }),
}
const forRiders: typeof echo = { ...echo, allow: ['rider'] }
const open: OpenEndpointDefinition<typeof echoInput, string> = {
  ...echo,
  name: 'open',
  output: v.string(),
  allow: ['maps-key', 'signed-in'],
  handle: () => Promise.resolve('in'),
}

const BOSS_MOBILE = '+15555550100'
const people = {
  users: {
    boss: { usertype: 'admin', approved: true, mobile: BOSS_MOBILE },
    rider: { usertype: 'rider', approved: true },
    waiting: { usertype: 'admin', approved: false },
    odd: { usertype: 'pilot', approved: true },
    unset: { usertype: 'admin' },
  },
}
const ports = () => createTestPorts({ db: createTestDatabase(people) })
const call = (uid: string | null, input: unknown = { word: 'hi' }) => ({
  input,
  caller: uid === null ? null : { uid, ...(uid === 'boss' && { phone: BOSS_MOBILE }) },
  hasMapsBasicAuth: false,
  ip: '10.0.0.1',
  now: 1_700_000_000_000,
})

describe('admission', () => {
  it('serves an admin', async () => {
    expect(await handleRequest(echo, call('boss'), ports())).toEqual({ word: 'hi', by: 'boss' })
  })
  it.each([
    ['a signed-out caller', null, 'must_login'],
    ['a caller without a profile', 'ghost', 'user_issue_contact_admin'],
    ['another user type', 'rider', 'not_allowed'],
    ['an admin whose approval was withdrawn', 'waiting', 'require_approval'],
    ['an admin whose record has no approval', 'unset', 'require_approval'],
    ['an unknown user type', 'odd', 'not_valid_user_type'],
  ])('refuses %s', async (_, uid, key) => {
    expect(await getErrorKey(handleRequest(echo, call(uid), ports()))).toBe(key)
  })
  it.each([
    ['refuses an old sign-in to the office', 'boss', 2, 'session_expired'],
    ['refuses one without a time', 'boss', null, 'session_expired'],
    ['serves a new sign-in to the office', 'boss', 0.5, undefined],
    ['serves an old sign-in of a rider', 'rider', 2, undefined],
  ])('%s', async (_, uid, hours, key) => {
    const { now, ...rest } = call(uid)
    const age = hours === null ? {} : { signedInAt: now - hours * 3_600_000 }
    const limited = createTestPorts({
      db: createTestDatabase({ ...people, settings: { officeSessionHours: 1 } }),
    })
    const asked = handleRequest(
      { ...echo, allow: ['admin', 'rider'] },
      { ...rest, now, caller: { ...rest.caller, uid, ...age } },
      limited,
    )
    expect(key ? await getErrorKey(asked) : (await asked) && undefined).toBe(key)
  })
  it('accepts the maps key only for endpoints that require it', async () => {
    expect(await handleRequest(open, { ...call(null), hasMapsBasicAuth: true }, ports())).toBe('in')
    expect(await getErrorKey(handleRequest(open, call(null), ports()))).toBe('must_login')
    expect(
      await getErrorKey(handleRequest(echo, { ...call(null), hasMapsBasicAuth: true }, ports())),
    ).toBe('must_login')
  })
})

describe('a session of the office', () => {
  const send = (signIn: SignIn, record: object = {}, settings: object = {}) => {
    const users = { ...people.users, boss: { ...people.users.boss, ...record } }
    const db = createTestDatabase({ users, settings: { FacebookLoginEnabled: true, ...settings } })
    const asked = { ...call('boss'), caller: { uid: 'boss', ...signIn } }
    return handleRequest(echo, asked, createTestPorts({ db }))
  }
  it('is refused for a number that was added to the account and is not in its record', async () => {
    expect(await getErrorKey(send({ phone: '+15555550199' }))).toBe('session_ended')
    expect(await getErrorKey(send({}))).toBe('session_ended')
    expect(await send({ phone: BOSS_MOBILE })).toMatchObject({ by: 'boss' })
  })
  it('is refused for a social account that was added beside the number', async () => {
    const added = { phone: BOSS_MOBILE, provider: 'google' } as const
    expect(await getErrorKey(send(added))).toBe('sign_in_not_offered')
    expect(await getErrorKey(send(added, { loginType: 'google' }))).toBe('sign_in_not_offered')
  })
  it('is served for the social account of a record without a number', async () => {
    const record = { mobile: null, loginType: 'google' }
    expect(await send({ provider: 'google' }, record)).toMatchObject({ by: 'boss' })
    expect(await getErrorKey(send({ provider: 'apple' }, record))).toBe('sign_in_not_offered')
    expect(await getErrorKey(send({ phone: BOSS_MOBILE }, record))).toBe('session_ended')
  })
})

describe('a caller with a social account', () => {
  const social = (definition: Parameters<typeof handleRequest>[0], settings: object | null) =>
    handleRequest(
      definition,
      { ...call('rider'), caller: { uid: 'rider', provider: 'google' } },
      createTestPorts({ db: createTestDatabase({ ...people, ...(settings && { settings }) }) }),
    )
  it('is admitted while the settings offer social sign-in', async () => {
    const offered = { FacebookLoginEnabled: true }
    expect(await social(forRiders, offered)).toMatchObject({ by: 'rider' })
    expect(await social(open, offered)).toBe('in')
  })
  it.each([
    ['the settings offer no social sign-in', { FacebookLoginEnabled: false }],
    ['no settings exist', null],
  ])('is refused everywhere when %s', async (_, settings) => {
    expect(await getErrorKey(social(forRiders, settings))).toBe('sign_in_not_offered')
    expect(await getErrorKey(social(open, settings))).toBe('sign_in_not_offered')
  })
})

describe('invalid input', () => {
  it.each([
    [{}, 'select_proper', 'word'],
    [{ word: 5 }, 'select_proper', 'word'],
    [{ word: 'a', inner: { n: 'b' } }, 'bad_input', 'inner.n'],
    ['text', 'bad_input', 'body'],
    [null, 'select_proper', 'word'],
  ])(
    'with the value %j is refused with the name of the invalid field',
    async (input, key, field) => {
      await expect(handleRequest(echo, call('boss', input), ports())).rejects.toMatchObject({
        error: { key, field },
      })
    },
  )
})

describe('the rate limit per minute', () => {
  const now = 1_700_000_040_000
  const isOver = async (...args: Parameters<typeof findExceededLimit>) =>
    (await findExceededLimit(...args)) === 'minute'
  const ipCounter = (ip: string) => getRateLimitKey({ caller: null, ip }, 'salt')
  it('refuses the call after the last allowed one', async () => {
    const { db } = ports()
    const over = []
    for (let i = 0; i < 5; i++) over.push(await isOver(db, echo, { caller: 'boss', now }))
    expect(over).toEqual([false, false, false, true, true])
  })
  it('slides: after half a minute, half of the previous minute still counts', async () => {
    const { db } = ports()
    for (let i = 0; i < 3; i++) await isOver(db, echo, { caller: 'boss', now })
    const next = now + 60_000
    expect(await isOver(db, echo, { caller: 'boss', now: next + 30_000 })).toBe(false)
    expect(await isOver(db, echo, { caller: 'boss', now: next + 30_000 })).toBe(true)
    expect(await isOver(db, echo, { caller: 'boss', now: next + 60_000 * 2 })).toBe(false)
  })
  it('counts a whole IPv6 /64 as one caller', async () => {
    const { db } = ports()
    const over = []
    for (let host = 1; host <= 70; host++) {
      const ip = `2001:db8:1:2::${host.toString(16)}`
      over.push(await isOver(db, { name: 'open', limit: 60 }, { caller: ipCounter(ip), now }))
    }
    expect(over.filter((one) => one)).toHaveLength(10)
    expect(ipCounter('2001:db8:1:3::1')).not.toBe(ipCounter('2001:db8:1:2::1'))
    expect(ipCounter('::ffff:203.0.113.7')).toBe(ipCounter('203.0.113.7'))
  })
  it('counts a call by its amount', async () => {
    const { db } = ports()
    expect(await isOver(db, echo, { caller: 'boss', now, amount: 3 })).toBe(false)
    expect(await isOver(db, echo, { caller: 'boss', now, amount: 1 })).toBe(true)
  })
  it('counts callers and endpoints separately', async () => {
    const { db } = ports()
    for (let i = 0; i < 4; i++) await isOver(db, echo, { caller: 'boss', now })
    expect(await isOver(db, echo, { caller: 'rider', now })).toBe(false)
    expect(await isOver(db, open, { caller: 'boss', now })).toBe(false)
  })
  it('stores only the hash of an address', () => {
    const counter = getRateLimitKey({ caller: null, ip: '203.0.113.7' }, 'salt')
    expect(counter).toMatch(/^ip-[A-Za-z0-9_-]{22}$/)
    expect(counter).not.toBe(getRateLimitKey({ caller: null, ip: '203.0.113.8' }, 'salt'))
  })
})

describe('the role of a caller', () => {
  /** Records the paths that are read, except rate limit counters. */
  const watched = (start: object) => {
    const db = createTestDatabase(start)
    const asked: string[] = []
    const read: typeof db.read = (path) => {
      if (!path.startsWith('rate_limits/')) asked.push(path)
      return db.read(path)
    }
    return { asked, ports: createTestPorts({ db: { ...db, read } }) }
  }
  it('needs one database read, beside those about the session', async () => {
    const { asked, ports } = watched(people)
    await handleRequest(echo, call('boss'), ports)
    expect(asked).toEqual([
      ...['users/boss/sessionsEnd', 'roles/boss'],
      ...['settings/officeSessionHours', 'users/boss/mobile'],
    ])
  })
  it('is looked up in the record only when it is missing, to name the reason', async () => {
    const { asked, ports } = watched(people)
    expect(await getErrorKey(handleRequest(echo, call('waiting'), ports))).toBe('require_approval')
    expect(asked).toEqual([
      ...['users/waiting/sessionsEnd', 'roles/waiting'],
      ...['users/waiting/usertype', 'users/waiting/approved'],
    ])
  })
  it('comes from the record of an account that has not been migrated yet', async () => {
    const { ports } = watched({ ...people, roles: {} })
    expect(await handleRequest(echo, call('boss'), ports)).toEqual({ word: 'hi', by: 'boss' })
    expect(await getErrorKey(handleRequest(echo, call('rider'), ports))).toBe('not_allowed')
    expect(await getErrorKey(handleRequest(echo, call('odd'), ports))).toBe('not_valid_user_type')
  })
})

describe('a request with details that no booking can have', () => {
  const refusedAs = (over: object) => {
    try {
      parseInput(
        create_booking.input,
        { ...aBookingRequest(), ...over },
        create_booking.fieldErrors,
      )
    } catch (error) {
      if (error instanceof DomainException) return error.error
      throw error
    }
    return null
  }
  const long = { ...PICKUP, add: 'a'.repeat(501) }

  it.each([
    ['pickup.add', { pickup: long }],
    ['drop.add', { drop: long }],
    ['waypoints.1.add', { waypoints: [DROP, long] }],
  ])('is refused when the address in the field %s is too long', (field, over) => {
    expect(refusedAs(over)).toEqual({ key: 'address_too_long', field, params: { most: 500 } })
  })
  it('accepts the maximum number of stops and refuses one more', () => {
    expect(refusedAs({ waypoints: Array(25).fill(DROP) })).toBeNull()
    expect(refusedAs({ waypoints: Array(26).fill(DROP) })).toEqual({
      key: 'too_many_stops',
      field: 'waypoints',
      params: { most: 25 },
    })
  })
  it('still requires an address for a place', () => {
    expect(refusedAs({ pickup: { ...PICKUP, add: ' ' } })).toMatchObject({
      key: 'select_proper',
      field: 'pickup.add',
    })
  })
})
