import * as v from 'valibot'
import { describe, expect, it, test } from 'vitest'
import { MAPS_SECRETS, PAYMENT_SECRETS } from '../deployment'
import { outbox } from '../ports/outbox'
import { createTestDatabase } from '../testing/testDatabase'
import { createTestPorts, getErrorKey } from '../testing/testPorts'
import { callables, httpGet, httpPost, mapsProxies } from '../endpoints/registry'
import type {
  EndpointDefinition,
  OpenEndpointDefinition,
  UserEndpointDefinition,
} from './endpointTypes'
import { defineOpenEndpoint, defineUserEndpoint } from './endpointTypes'
import { handleRequest } from './requestHandler'
import { refuseMessages } from './spending'
import type { Cost } from '../ports/costs'

type Declared = Pick<
  EndpointDefinition,
  'name' | 'allow' | 'spends' | 'limit' | 'dailyLimit' | 'secrets'
>
const ENDPOINTS: readonly Declared[] = [callables, httpPost, httpGet, mapsProxies].flatMap(
  (group: Record<string, Declared>) => Object.values(group),
)
const findNames = (isFound: (endpoint: Declared) => boolean): string[] =>
  ENDPOINTS.filter(isFound).map(({ name }) => name)
const isOpen = ({ allow }: Declared): boolean =>
  (allow as readonly string[]).some((who) => who !== 'admin')

describe('every endpoint', () => {
  test('that spends and that others than admins may call has a limit of a day', () => {
    expect(
      findNames((one) => one.spends.length > 0 && isOpen(one) && one.dailyLimit === undefined),
    ).toEqual([])
  })
  test('has a limit of a day if it spends, except for a call for help in danger', () => {
    expect(findNames((one) => one.dailyLimit === 'none')).toEqual(['raise_panic'])
  })
  test('with a limit of a day stops a caller who uses up each minute within an hour', () => {
    expect(findNames(({ limit, dailyLimit }) => Number(dailyLimit ?? 0) > limit * 60)).toEqual([])
  })
  test('has a limit of a day only where it spends', () => {
    expect(findNames((one) => one.dailyLimit !== undefined && one.spends.length === 0)).toEqual([])
  })
  test('with the key of the maps declares maps, and with those of providers payments', () => {
    const holds = ({ secrets = [] }: Declared, keys: readonly string[]) =>
      keys.some((key) => secrets.includes(key))
    expect(findNames((one) => holds(one, MAPS_SECRETS) && !one.spends.includes('maps'))).toEqual([])
    // This one names the providers and sends them nothing.
    expect(
      findNames((one) => holds(one, PAYMENT_SECRETS) && !one.spends.includes('payments')),
    ).toEqual(['get_providers'])
  })
})

/** The handler's types are the check; a port without its declared cost would not compile. */
test('a handler has the ports whose costs it declares, and no others', () => {
  const shared = {
    summary: '',
    allow: ['admin'],
    limit: 1,
    needsFreshSignIn: false,
    errors: [],
  } as const
  const answer = { status: 'ok', time: 0 } as never
  const free = defineUserEndpoint({
    ...shared,
    name: 'read_help',
    spends: [],
    handle: (_, context) => {
      // @ts-expect-error Maps are not declared.
      void context.maps
      // @ts-expect-error Messages are not declared.
      void context.outbox
      // @ts-expect-error A booking event costs maps and messages.
      void context.bookings
      // @ts-expect-error Without payments, only the list of providers is there.
      void context.payments.applyEvent
      return answer
    },
  })
  const withMaps = defineUserEndpoint({
    ...shared,
    name: 'read_help',
    spends: ['maps'],
    handle: (_, { maps, ...others }) => {
      void maps
      // @ts-expect-error A booking event also costs messages.
      void others.bookings
      return answer
    },
  })
  const withBookings = defineUserEndpoint({
    ...shared,
    name: 'read_help',
    spends: ['maps', 'messages'],
    handle: (_, { bookings, outbox }) => {
      void [bookings, outbox]
      return answer
    },
  })
  expect([free, withMaps, withBookings].map(({ spends }) => spends)).toEqual([
    [],
    ['maps'],
    ['maps', 'messages'],
  ])
})

/** The missing limit is the check; each of these would spend without a bound. */
test('an endpoint that spends and that riders may call does not compile without a limit of a day', () => {
  const shared = {
    name: 'read_help',
    summary: '',
    limit: 1,
    needsFreshSignIn: false,
    errors: [],
  } as const
  const handle = () => ({ status: 'ok', time: 0 }) as never
  const spends = ['maps'] as const
  // @ts-expect-error Riders may call, and a day has no limit.
  defineUserEndpoint({ ...shared, allow: ['admin', 'rider'], spends, handle })
  // @ts-expect-error All visitors may call, and a day has no limit.
  defineOpenEndpoint({ ...shared, allow: ['anyone'], spends, handle })
  // @ts-expect-error Nothing is spent, so a limit of a day would limit nothing.
  defineUserEndpoint({ ...shared, allow: ['rider'], spends: [], dailyLimit: 5, handle })
  const limited = defineUserEndpoint({ ...shared, allow: ['rider'], spends, dailyLimit: 5, handle })
  const forAdmins = defineUserEndpoint({ ...shared, allow: ['admin'], spends, handle })
  expect([limited.allow, forAdmins.allow]).toEqual([['rider'], ['admin']])
})

const input = v.strictObject({})
const costly: OpenEndpointDefinition<typeof input, string> = {
  name: 'costly',
  summary: '',
  input,
  output: v.string(),
  allow: ['maps-key', 'signed-in'],
  limit: 100,
  spends: ['maps'],
  dailyLimit: 2,
  errors: [],
  handle: () => Promise.resolve('done'),
}
const forUsers = {
  ...costly,
  name: 'for_users',
  allow: ['admin', 'rider'],
  needsFreshSignIn: false,
} as const
const NOON = Date.UTC(2026, 10, 20, 12)

describe('the limit of a day', () => {
  const ports = createTestPorts({
    db: createTestDatabase({ roles: { boss: 'admin', rider: 'rider', other: 'rider' } }),
  })
  const ask = (
    definition: EndpointDefinition<typeof input, string>,
    { uid, ip = '10.0.0.1', now = NOON }: { uid?: string; ip?: string; now?: number },
  ) =>
    handleRequest(
      definition,
      { input: {}, caller: uid === undefined ? null : { uid }, hasMapsBasicAuth: true, ip, now },
      ports,
    )

  it('refuses a further call until the next day', async () => {
    for (const hour of [0, 1])
      expect(await ask(forUsers, { uid: 'rider', now: NOON + hour * 3_600_000 })).toBe('done')
    const later = ask(forUsers, { uid: 'rider', now: NOON + 11 * 3_600_000 })
    expect(await getErrorKey(later)).toBe('too_many_today')
    expect(await ask(forUsers, { uid: 'rider', now: NOON + 12 * 3_600_000 })).toBe('done')
  })
  it('counts each account for itself', async () => {
    expect(await ask(forUsers, { uid: 'other' })).toBe('done')
  })
  it('counts visitors by their network', async () => {
    for (let i = 0; i < 2; i++) expect(await ask(costly, { ip: '10.0.0.9' })).toBe('done')
    expect(await getErrorKey(ask(costly, { ip: '10.0.0.9' }))).toBe('too_many_today')
    expect(await ask(costly, { ip: '10.0.0.8' })).toBe('done')
  })
  it.each([
    ['an endpoint for users', forUsers],
    ['an open endpoint', costly],
  ])('does not hold for an admin at %s', async (_, definition) => {
    for (let i = 0; i < 5; i++) expect(await ask(definition, { uid: 'boss' })).toBe('done')
  })
  it('holds for a signed-in rider at an open endpoint', async () => {
    for (let i = 0; i < 2; i++) expect(await ask(costly, { uid: 'other' })).toBe('done')
    expect(await getErrorKey(ask(costly, { uid: 'other' }))).toBe('too_many_today')
  })
  it.each([
    ['the limit of a minute', 'rider', 'too_many_requests'],
    ['their role', 'other', 'not_allowed'],
  ])('does not count calls that are refused by %s', async (_, uid, key) => {
    const fresh = createTestPorts({
      db: createTestDatabase({ roles: { rider: 'rider', other: 'driver' } }),
    })
    const narrow = { ...forUsers, limit: 1 }
    const send = (now: number, allow: readonly ('rider' | 'driver')[]) =>
      handleRequest(
        { ...narrow, allow },
        { input: {}, caller: { uid }, hasMapsBasicAuth: false, ip: '10.0.0.1', now },
        fresh,
      )
    const allow = uid === 'rider' ? (['rider', 'driver'] as const) : (['rider'] as const)
    const keys = []
    for (let i = 0; i < 50; i++) keys.push(await getErrorKey(send(NOON, allow)).catch(() => 'done'))
    expect(keys).toContain(key)
    const later = NOON + 180_000
    expect(await send(later, ['rider', 'driver'])).toBe('done')
  })
})

describe('a message that an endpoint does not declare', () => {
  const COUNTER = 'rate_limits/other/rider/1'
  const about = { event: 'payment_review', audience: 'office', at: NOON, now: NOON } as const
  const updates = { ...outbox.buildUpdates({ scope: 'p1', ...about }), [COUNTER]: 2 }
  const createSender = (spends: readonly Cost[]): UserEndpointDefinition<typeof input, string> => ({
    ...forUsers,
    spends,
    handle: async (_, { db }) => {
      await db.update(updates)
      return 'done'
    },
  })

  it('is refused with everything that is written with it', async () => {
    const db = createTestDatabase({})
    await expect(refuseMessages(db).update(updates)).rejects.toThrow(/Declare 'messages' in spends/)
    expect(db.at(COUNTER)).toBeNull()
  })
  it('is refused in the call, and written once it is declared', async () => {
    const db = createTestDatabase({ roles: { rider: 'rider' } })
    const call = { input: {}, caller: { uid: 'rider' }, hasMapsBasicAuth: false, ip: '', now: NOON }
    const ports = createTestPorts({ db })
    await expect(handleRequest(createSender([]), call, ports)).rejects.toThrow(/is a message/)
    expect(await handleRequest(createSender(['messages']), call, ports)).toBe('done')
    expect(db.at(COUNTER)).toBe(2)
  })
})
