import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { initializeTestEnvironment } from '@firebase/rules-unit-testing'
import type { RulesTestEnvironment } from '@firebase/rules-unit-testing'
import {
  equalTo,
  limitToLast,
  orderByChild,
  query,
  ref,
  set,
  type Database as ClientDatabase,
} from 'firebase/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '~/domain/entities'
import { listingOf } from '~/domain/listing'
import { aDriver, aRider } from '~/domain/testing/builders'
import { rulesFile } from '~/rules/build'
import { users } from '~/src/features/users/users'
import { listenToEither, listenToParts } from '~/src/services/firebase/listening'
import type { Database } from '../../emulator/src/server'
import { openServer } from './server'

const DRIVERS = 100
const PAGE = 25
/** A page of the office reads less than 200 kB, 45 of them the texts of its language. */
const MOST_BYTES = 60_000
/** What the office's table asks of a record. */
const FIELDS = users.query({ ids: ['any'], drivers: true }, null)?.records?.fields ?? []

const wallet = Object.fromEntries(
  Array.from({ length: 120 }, (_, at) => [
    `entry-${at}`,
    { type: 'Credit' as const, amount: at, date: at, txRef: `booking-${at}` },
  ]),
)
const drivers = Array.from({ length: DRIVERS }, (_, at) =>
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
const byId = <Row>(make: (user: User) => Row) =>
  Object.fromEntries([...office, ...drivers].map((user) => [user.id, make(user)]))

let server: Database
let counting: Server
let environment: RulesTestEnvironment
/** What the server has sent so far. */
let sent = ''

beforeAll(async () => {
  server = await openServer()
  counting = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
    upstream.on('data', (bytes) => (sent += bytes.toString('latin1')))
    upstream.pipe(client).pipe(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve))
  environment = await initializeTestEnvironment({
    projectId: 'demo-people',
    database: {
      host: '127.0.0.1',
      port: (counting.address() as AddressInfo).port,
      rules: readFileSync(rulesFile, 'utf8'),
    },
  })
  await environment.withSecurityRulesDisabled(async (context) => {
    const root = ref(clientOf(context))
    await set(root, { users: byId((user) => user), people: byId(listingOf) })
  })
})
afterAll(async () => {
  await environment.cleanup()
  await new Promise((resolve) => counting.close(resolve))
  await server.close()
})

const clientOf = (context: { database(): unknown }) => context.database() as ClientDatabase
const as = (uid: string) => clientOf(environment.authenticatedContext(uid))
/** The first answer that is as wanted. */
const answer = (
  listen: (onChange: (value: unknown) => void, fail: (error: unknown) => void) => unknown,
  wanted: (value: unknown) => boolean = () => true,
) =>
  new Promise<unknown>((resolve, reject) => {
    listen((value) => {
      if (wanted(value)) resolve(value)
    }, reject)
  })
const page = (uid: string, by: string, value: string) => {
  const asked = (path: string) =>
    query(ref(as(uid), path), orderByChild(by), equalTo(value), limitToLast(PAGE))
  return answer((onChange, fail) =>
    listenToEither(asked('people'), asked('users'), onChange, fail),
  ) as Promise<Record<string, object>>
}

test('a page of drivers is read without their wallets, in few bytes', async () => {
  const before = sent.length
  const found = await page('admin', 'usertype', 'driver')
  const keys = Object.keys(found)
  const records = await answer((onChange) =>
    listenToParts(as('admin'), 'users', { keys, fields: FIELDS }, onChange),
  )
  expect(keys).toHaveLength(PAGE)
  expect(records).toMatchObject({
    'driver-099': { firstName: 'Driver99', walletBalance: 99, ratings: { userrating: 4.5 } },
  })
  const told = sent.slice(before)
  expect(told).not.toContain('txRef')
  expect(told.length).toBeLessThan(MOST_BYTES)
})

test('a part that changes is told, and the others stay', async () => {
  const parts = { keys: ['driver-001'], fields: FIELDS }
  let heard: (value: unknown) => void = () => undefined
  const told = answer(
    (onChange) => {
      heard = onChange
    },
    (value) => JSON.stringify(value).includes('61.5'),
  )
  await answer((onChange) =>
    listenToParts(as('admin'), 'users', parts, (value) => {
      onChange(value)
      heard(value)
    }),
  )
  await environment.withSecurityRulesDisabled((context) =>
    set(ref(clientOf(context), 'users/driver-001/walletBalance'), 61.5),
  )
  expect(await told).toMatchObject({
    'driver-001': { firstName: 'Driver1', walletBalance: 61.5 },
  })
})

test('a fleet admin is listed his own drivers, and reads no part of another', async () => {
  const own = Object.keys(await page('fleet', 'fleetadmin', 'fleet'))
  expect(own).toHaveLength(PAGE)
  expect(own).not.toContain('driver-099')
  const keys = ['driver-098', 'driver-099']
  const records = await answer((onChange) =>
    listenToParts(as('fleet'), 'users', { keys, fields: FIELDS }, onChange),
  )
  expect(Object.keys(records as object)).toEqual(['driver-098'])
})

test('where a list has nobody, the records are asked', async () => {
  await environment.withSecurityRulesDisabled((context) =>
    set(ref(clientOf(context), 'people'), null),
  )
  expect(Object.keys(await page('admin', 'usertype', 'driver'))).toHaveLength(PAGE)
  await expect(page('driver-001', 'usertype', 'driver')).rejects.toThrow(/permission_denied/i)
})
