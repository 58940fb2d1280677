import { readFileSync } from 'node:fs'
import { initializeTestEnvironment } from '@firebase/rules-unit-testing'
import type { RulesTestEnvironment } from '@firebase/rules-unit-testing'
import { type Database, get, ref, set } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getRole } from '~/domain/access/roles'
import { aBooking, aRider, NOON } from '~/domain/testing/builders'
import { RULES_FILE } from '~/rules/build'
import {
  type BookingListQuery,
  byDate,
  getCursor,
  isByDate,
  toPageQuery,
} from '~/src/features/bookings/bookings'
import { toFirebaseQuery } from '~/src/services/firebase/database'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import type { Query } from '~/src/services/services'
import type { RunningDatabase } from '~/emulator/src/server'
import { openTestServer } from '~/emulator/test/testServer'
import type { Booking } from '~/domain/booking/types'

const admin = aRider({ id: 'admin', usertype: 'admin' })
/** Ten bookings for each of four moments, so that pages end between equal values. */
const bookings = Array.from({ length: 40 }, (_, at) =>
  aBooking({
    id: `-O${String((at * 7) % 40).padStart(18, '0')}`,
    bookingDate: NOON + Math.floor(at / 10),
    status: at % 3 ? 'COMPLETE' : 'CANCELLED',
  }),
)
const tree = {
  bookings: Object.fromEntries(bookings.map((booking) => [booking.id, booking])),
  users: { admin },
  roles: { admin: getRole(admin) },
}

let server: RunningDatabase
let environment: RulesTestEnvironment
let client: Database

beforeAll(async () => {
  server = await openTestServer()
  environment = await initializeTestEnvironment({
    projectId: 'demo-pages',
    database: { host: '127.0.0.1', port: server.port, rules: readFileSync(RULES_FILE, 'utf8') },
  })
  await environment.withSecurityRulesDisabled((context) =>
    set(ref(context.database() as unknown as Database), tree),
  )
  client = environment.authenticatedContext('admin').database() as unknown as Database
})
afterAll(async () => {
  await environment.cleanup()
  await server.close()
})

const readStandIn = async (query: Query): Promise<unknown> =>
  (await get(toFirebaseQuery(client, query))).val()
const { services } = makeMemoryBackend({ seed: tree as never, as: 'admin' })
const readMemory = (query: Query): Promise<unknown> => services.database.read(query)

/** The order of an index by value, newest key first. */
const byId = (a: Booking, b: Booking) => (a.id < b.id ? 1 : -1)

/** Follows each page's cursor to the end, as an admin does. */
const fetchPages = async (read: (query: Query) => Promise<unknown>, asked: BookingListQuery) => {
  const compare = isByDate(asked) ? byDate : byId
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const found = await read(toPageQuery({ ...asked, ...(cursor && { cursor }) }))
    const rows = Object.values((found ?? {}) as Record<string, Booking>).sort(compare)
    if (asked.ascending) rows.reverse()
    const last = rows.at(-1)
    cursor = last && getCursor(last, asked)
    if (rows.length > 0) pages.push(rows.map(({ id }) => id))
  } while (cursor)
  return pages
}

describe.each([
  ['all bookings', {}, bookings],
  ['a span of days', { from: NOON + 1, until: NOON + 2 }, bookings.slice(10, 30)],
  [
    'one status',
    { status: 'CANCELLED' as const },
    bookings.filter(({ status }) => status === 'CANCELLED'),
  ],
])('%s', (_, filter, expected) => {
  test.each([
    ['newest', false],
    ['oldest', true],
  ] as const)('shows each booking on one page, %s first', async (_, ascending) => {
    const asked = { ...filter, ascending, size: 7 }
    const pages = await fetchPages(readStandIn, asked)
    const ids = expected.toSorted(isByDate(filter) ? byDate : byId).map(({ id }) => id)
    expect(pages.flat()).toEqual(ascending ? ids.reverse() : ids)
    expect(pages).toHaveLength(Math.ceil(expected.length / 7))
    expect(await fetchPages(readMemory, asked)).toEqual(pages)
  })
})
