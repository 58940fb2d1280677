import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { initializeTestEnvironment } from '@firebase/rules-unit-testing'
import type { RulesTestEnvironment } from '@firebase/rules-unit-testing'
import {
  endAt,
  equalTo,
  limitToLast,
  onValue,
  orderByChild,
  query,
  ref,
  set,
  startAt,
  type Database as ClientDatabase,
  type QueryConstraint,
} from 'firebase/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toDirectoryEntry, toSortKeyPrefix } from '~/domain/accounts/directory'
import { getRole } from '~/domain/access/roles'
import { aDriver, aRider } from '~/domain/testing/builders'
import { RULES_FILE } from '~/rules/build'
import { liveUsers } from '~/src/features/users/users'
import { toListen } from '~/src/services/firebase/database'
import { subscribeToFields } from '~/src/services/firebase/fieldSubscriptions'
import type { RunningDatabase } from '~/emulator/src/server'
import { openTestServer } from '~/emulator/test/testServer'
import type { User } from '~/domain/accounts/types'

const DRIVER_COUNT = 100
const PAGE_SIZE = 25
/**
 * The limit in bytes for one page of the user list. A whole office page reads less than 200 kB, 45
 * kB of which are the texts of its language.
 */
const MAX_BYTES = 60_000
/** The fields that the office's table reads from a user record. */
const TABLE_FIELDS = liveUsers.toQuery({ ids: ['any'], drivers: true }, null)?.records?.fields ?? []

const wallet = Object.fromEntries(
  Array.from({ length: 120 }, (_, at) => [
    `entry-${at}`,
    { type: 'Credit' as const, amount: at, date: at, txRef: `booking-${at}` },
  ]),
)
const drivers = Array.from({ length: DRIVER_COUNT }, (_, at) =>
  aDriver({
    id: `driver-${String(at).padStart(3, '0')}`,
    firstName: `Driver${at}`,
    walletBalance: at,
    walletHistory: wallet,
    ratings: { userrating: 4.5, details: { one: { user: 'rider', rate: 5 } } },
    ...(at % 2 === 0 && { fleetadmin: 'fleet' }),
  }),
)
const office = ['admin', 'fleetadmin'].map((usertype) =>
  aRider({ id: usertype === 'admin' ? 'admin' : 'fleet', usertype: usertype as User['usertype'] }),
)
const createById = <Row>(make: (user: User) => Row) =>
  Object.fromEntries([...office, ...drivers].map((user) => [user.id, make(user)]))

let server: RunningDatabase
let countingServer: Server
let environment: RulesTestEnvironment
/** Everything that the server has sent so far. */
let sentBytes = ''

beforeAll(async () => {
  server = await openTestServer()
  countingServer = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
    upstream.on('data', (bytes) => (sentBytes += bytes.toString('latin1')))
    upstream.pipe(client).pipe(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => countingServer.listen(0, '127.0.0.1', resolve))
  environment = await initializeTestEnvironment({
    projectId: 'demo-people',
    database: {
      host: '127.0.0.1',
      port: (countingServer.address() as AddressInfo).port,
      rules: readFileSync(RULES_FILE, 'utf8'),
    },
  })
  await environment.withSecurityRulesDisabled(async (context) => {
    const root = ref(getClient(context))
    await set(root, {
      users: createById((user) => user),
      people: createById(toDirectoryEntry),
      roles: createById(getRole),
    })
  })
})
afterAll(async () => {
  await environment.cleanup()
  await new Promise((resolve) => countingServer.close(resolve))
  await server.close()
})

const getClient = (context: { database(): unknown }) => context.database() as ClientDatabase
const signInAs = (uid: string) => getClient(environment.authenticatedContext(uid))
/** Resolves with the first value that matches. */
const waitForAnswer = (
  listen: (onChange: (value: unknown) => void, fail: (error: unknown) => void) => unknown,
  wanted: (value: unknown) => boolean = () => true,
) =>
  new Promise<unknown>((resolve, reject) => {
    listen((value) => {
      if (wanted(value)) resolve(value)
    }, reject)
  })
const fetchPage = (uid: string, ...page: QueryConstraint[]) => {
  const asked = query(ref(signInAs(uid), 'people'), ...page)
  return waitForAnswer((onChange, fail) =>
    onValue(asked, (found) => onChange(found.val()), fail),
  ) as Promise<Record<string, object> | null>
}

const DRIVERS_BY_NAME = [
  orderByChild('sortKey'),
  startAt(toSortKeyPrefix('driver')),
  endAt(`${toSortKeyPrefix('driver')}\uf8ff`),
  limitToLast(PAGE_SIZE),
]

test('a page of drivers loads without their wallets, in few bytes', async () => {
  const before = sentBytes.length
  const found = await fetchPage('admin', ...DRIVERS_BY_NAME)
  const keys = Object.keys(found ?? {})
  const records = await waitForAnswer((onChange) =>
    subscribeToFields(
      toListen(signInAs('admin')),
      'users',
      { keys, fields: TABLE_FIELDS },
      onChange,
    ),
  )
  expect(keys).toHaveLength(PAGE_SIZE)
  expect(records).toMatchObject({
    'driver-099': { firstName: 'Driver99', walletBalance: 99, ratings: { userrating: 4.5 } },
  })
  const received = sentBytes.slice(before)
  expect(received).not.toContain('txRef')
  expect(received.length).toBeLessThan(MAX_BYTES)
})

test('a changed field is reported, and the others stay', async () => {
  const parts = { keys: ['driver-001'], fields: TABLE_FIELDS }
  let resolveFirst: (value: unknown) => void = () => undefined
  const received = waitForAnswer(
    (onChange) => {
      resolveFirst = onChange
    },
    (value) => JSON.stringify(value).includes('61.5'),
  )
  await waitForAnswer((onChange) =>
    subscribeToFields(toListen(signInAs('admin')), 'users', parts, (value) => {
      onChange(value)
      resolveFirst(value)
    }),
  )
  await environment.withSecurityRulesDisabled((context) =>
    set(ref(getClient(context), 'users/driver-001/walletBalance'), 61.5),
  )
  expect(await received).toMatchObject({
    'driver-001': { firstName: 'Driver1', walletBalance: 61.5 },
  })
})

const OWN_DRIVERS = [orderByChild('fleetadmin'), equalTo('fleet'), limitToLast(PAGE_SIZE)]

test('a fleet admin gets a list of their own drivers and reads no field of another', async () => {
  const own = Object.keys((await fetchPage('fleet', ...OWN_DRIVERS)) ?? {})
  expect(own).toHaveLength(PAGE_SIZE)
  expect(own).not.toContain('driver-099')
  const keys = ['driver-098', 'driver-099']
  const records = await waitForAnswer((onChange) =>
    subscribeToFields(
      toListen(signInAs('fleet')),
      'users',
      { keys, fields: TABLE_FIELDS },
      onChange,
    ),
  )
  expect(Object.keys(records as object)).toEqual(['driver-098'])
})

test('reads only the directory and hides a person who is not in it', async () => {
  const before = sentBytes.length
  await environment.withSecurityRulesDisabled((context) =>
    set(ref(getClient(context), 'people'), { 'driver-007': toDirectoryEntry(drivers[7] ?? null) }),
  )
  expect(Object.keys((await fetchPage('admin', ...DRIVERS_BY_NAME)) ?? {})).toEqual(['driver-007'])
  expect(sentBytes.slice(before)).not.toContain('walletBalance')
  await expect(fetchPage('driver-001', ...DRIVERS_BY_NAME)).rejects.toThrow(/permission_denied/i)
})
