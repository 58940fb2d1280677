import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { startDatabase } from '~/emulator/src/server'
import { openLocalDatabase } from '../local/localDatabase'
import { readLeaves, readRecords, readRows, readInParts } from './databasePages'
import type { RestDatabase } from './restDatabase'
import { startLimitedServer } from './testing/limitedServer'

const SMALL = { pageBytes: 400, maxBytes: 1000 }
let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  db = openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-paging')
})
afterAll(() => server.close())

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
/** Returns the size of the largest response read while `act` ran. */
const measureLargestAnswer = async (
  act: (watched: RestDatabase) => Promise<unknown>,
): Promise<number> => {
  let largest = 0
  await act({
    ...db,
    getUpTo: async (...asked) => {
      const answer = await db.getUpTo(...asked)
      largest = Math.max(largest, 'bytes' in answer ? answer.bytes : 0)
      return answer
    },
  })
  return largest
}

test('reads a collection of any size in key order, in responses of bounded size', async () => {
  const bookings = Object.fromEntries(
    Array.from({ length: 500 }, (_, at): [string, DatabaseValue] => [
      `-N${String(at).padStart(4, '0')}`,
      { at, text: 'x'.repeat(at % 90) },
    ]),
  )
  await db.put('bookings', bookings)
  let read: [string, DatabaseValue][] = []
  const largest = await measureLargestAnswer(async (watched) => {
    read = await collect(readRecords(watched, 'bookings', undefined, SMALL))
  })
  expect(read).toEqual(Object.entries(bookings))
  expect(largest).toBeLessThanOrEqual(SMALL.maxBytes)
  expect((await collect(readRecords(db, 'bookings', '-N0497', SMALL))).map(([key]) => key)).toEqual(
    ['-N0498', '-N0499'],
  )
})

test('reads a record in parts when it exceeds the maximum response size', async () => {
  const history = Object.fromEntries(
    Array.from({ length: 200 }, (_, at): [string, DatabaseValue] => [`e${at}`, { amount: at }]),
  )
  const users = {
    a: { name: 'Ana' },
    b: { name: 'Beto', walletHistory: history, note: 'y'.repeat(3000) },
    c: { name: 'Carla' },
  }
  await db.put('users', users)
  let read: [string, DatabaseValue][] = []
  const largest = await measureLargestAnswer(async (watched) => {
    read = await collect(readRecords(watched, 'users', undefined, SMALL))
  })
  expect(Object.fromEntries(read)).toEqual(users)
  expect(read.map(([key]) => key)).toEqual(['a', 'b', 'c'])
  expect(largest).toBeLessThanOrEqual(SMALL.maxBytes)
  expect(await readInParts(db, 'users/b', SMALL)).toEqual(users.b)
})

test('lists the keys of a path that the server does not query, and reads each child', async () => {
  const tracks = Object.fromEntries(
    Array.from({ length: 30 }, (_, at): [string, DatabaseValue] => [
      `-N${at + 10}`,
      { points: Object.fromEntries([...Array(at + 1).keys()].map((n) => [`p${n}`, { at: n }])) },
    ]),
  )
  await db.put('tracking', tracks)
  const google = await startLimitedServer(`http://127.0.0.1:${server.port}`, {
    responseBytes: 2000,
    writtenBytes: 2000,
    unqueryable: ['tracking'],
  })
  const limited = openLocalDatabase(google.url, 'demo-paging')
  const small = { pageBytes: 150, maxBytes: 300 }
  expect(await collect(readRecords(limited, 'tracking', undefined, small))).toEqual(
    Object.entries(tracks),
  )
  expect(await collect(readRecords(limited, 'tracking', '-N37', small))).toEqual(
    Object.entries(tracks).slice(28),
  )
  expect(google.refused['GET']).toBeGreaterThan(1)
  await google.close()
})

test('finds the key of a record that is too large without a list of all keys', async () => {
  await db.put('wide', { 'a "1"': 1, b: 'x'.repeat(5000), c: { d: 'y'.repeat(5000), e: 2 }, f: 3 })
  const shallow: string[] = []
  const observed: RestDatabase = {
    ...db,
    get: (path, query) => {
      if (query?.['shallow'] !== undefined) shallow.push(path)
      return db.get(path, query)
    },
  }
  const found = Object.fromEntries(
    await collect(readRecords(observed, 'wide', undefined, { pageBytes: 100, maxBytes: 1000 })),
  )
  expect(found).toEqual(await db.get('wide'))
  expect(shallow).toEqual([])
})

test('reads keys that look like numbers or have unusual characters', async () => {
  const odd: Record<string, DatabaseValue> = {
    '2': 'b',
    '10': 'c',
    'a b': 1,
    'a!': 2,
    a: 3,
    'ñ%?&': 4,
    '-': 5,
  }
  await db.put('odd', odd)
  const one = { pageBytes: 1, maxBytes: 1000 }
  expect(Object.fromEntries(await collect(readRecords(db, 'odd', undefined, one)))).toEqual(odd)
  await db.put('list', ['x', 'y', null, 'z'])
  expect(await collect(readRecords(db, 'list', undefined, one))).toEqual([
    ['0', 'x'],
    ['1', 'y'],
    ['3', 'z'],
  ])
})

test('joins the rows of several collections, including keys that one of them lacks', async () => {
  await db.put('left', { a: 1, b: 2, d: 4 })
  await db.put('right', { b: 'B', c: 'C' })
  expect(
    await collect(
      readRows(db, ['left', 'right', 'none'], undefined, { pageBytes: 1, maxBytes: 50 }),
    ),
  ).toEqual([
    ['a', { left: 1, right: null, none: null }],
    ['b', { left: 2, right: 'B', none: null }],
    ['c', { left: null, right: 'C', none: null }],
    ['d', { left: 4, right: null, none: null }],
  ])
  expect(await collect(readRows(db, ['left', 'right'], 'c'))).toEqual([
    ['d', { left: 4, right: null }],
  ])
})

test('finds every value below a path', async () => {
  await db.put('stats', { days: { x: { created: 1, paid: 2 } }, total: { created: 1 } })
  expect(await collect(readLeaves(db, 'stats', { pageBytes: 5, maxBytes: 20 }))).toEqual([
    ['stats/days/x/created', 1],
    ['stats/days/x/paid', 2],
    ['stats/total/created', 1],
  ])
  expect(await collect(readLeaves(db, 'nowhere'))).toEqual([])
})
