import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type {
  RowChange,
  Migration,
  Naming,
  MigrationRow,
  StoredRecord,
} from '~/domain/migrations/migration'
import { aBooking, aSettings, NOON } from '~/domain/testing/builders'
import { startDatabase } from '~/emulator/src/server'
import { readSchema } from './lease'
import { openLocalDatabase } from '../local/localDatabase'
import { migrate } from './migrationRunner'
import type { RestDatabase } from './restDatabase'
import { createDyingDatabase, KilledError, runUntilKilled } from './testing/dyingDatabase'

const TEXTS = { en: { hello: 'Hello', bye: 'Bye' }, es: { hello: 'Hola', bye: 'Adiós' } }
const LIMITS = { pageBytes: 3000, maxBytes: 6000 }
let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  db = openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-migrating')
})
afterAll(() => server.close())

/** Moves the contact of a booking to a separate collection. */
const moveContacts: RowChange = {
  collections: ['bookings', 'booking_contacts'],
  apply: ({ bookings, booking_contacts }): MigrationRow => {
    const { customer_contact, ...rest } = (bookings ?? {}) as StoredRecord
    if (customer_contact === undefined) return {}
    return {
      bookings: rest,
      booking_contacts: { ...(booking_contacts as object), customer_contact },
    }
  },
}
/** Sets a balance to the sum of its history. */
const addUpWallets: RowChange = {
  collections: ['users'],
  apply: ({ users }): MigrationRow => {
    const user = (users ?? {}) as StoredRecord
    const entries = Object.values((user.walletHistory ?? {}) as Record<string, { amount: number }>)
    if (!users) return {}
    return {
      users: { ...user, walletBalance: entries.reduce((sum, { amount }) => sum + amount, 0) },
    }
  },
  describeRow: (_, { users }, key) => `${key}: ${Number((users as StoredRecord).walletBalance)}`,
}
const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'a', description: 'Lists', changes: [], rebuilds: ['people', 'totals'] },
  { version: 2, name: 'b', description: 'Contacts', changes: [moveContacts], rebuilds: [] },
  { version: 3, name: 'c', description: 'Wallets', changes: [addUpWallets], rebuilds: ['totals'] },
]
const options = { texts: TEXTS, migrations: MIGRATIONS, limits: LIMITS }

const createOldData = (): Record<string, DatabaseValue> => {
  const many = <T>(count: number, make: (at: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at + 100}`, make(at)]))
  const plain = (value: object) => JSON.parse(JSON.stringify(value)) as StoredRecord
  return {
    settings: plain(aSettings()),
    users: many(20, (at) => ({
      usertype: at % 3 ? 'rider' : 'driver',
      firstName: `Name ${at}`,
      walletBalance: 0.1,
      walletHistory: many(at % 7, (n) => ({ amount: n + 1, type: 'Credit' })),
    })),
    people: { gone: { usertype: 'rider', firstName: 'Nobody' } },
    bookings: many(30, (at) =>
      plain({
        ...aBooking({
          status: at % 2 ? 'PAID' : 'NEW',
          ...(at % 2 && { driver: `k${100 + (at % 5)}`, driver_name: 'Beto', paid_at: NOON }),
        }),
        customer_contact: `+598${at}`,
      }),
    ),
    languages: {
      en: { id: 'en', langLocale: 'en', keyValuePairs: TEXTS.en },
      es: { id: 'es', langLocale: 'es', keyValuePairs: { hello: 'Buenas' } },
    },
    stats: { total: { created: 7 }, days: { '2020-01-01': { created: 1 } } },
  }
}

let isSound: unknown
beforeAll(async () => {
  await db.put('', createOldData())
  const report = await migrate(db, options)
  expect(report).toMatchObject({ from: 0, to: 3 })
  expect(Object.entries(report?.changes ?? {})).toEqual([
    ['Lists', 0],
    ['Contacts', 30],
    ['Wallets', 20],
    ['Lists every person in the directory', 21],
    ['Removes the texts of languages that ship with the release', 1],
    ['Counts all totals from bookings and closed accounts', expect.any(Number)],
  ])
  isSound = await db.get('')
})

test('changes old data row by row, then builds its lists, texts and totals', () => {
  const { bookings, booking_contacts, users, people, languages, stats, schema } = isSound as Record<
    string,
    Record<string, StoredRecord>
  >
  expect(bookings!['k101']).not.toHaveProperty('customer_contact')
  expect(booking_contacts!['k101']).toEqual({ customer_contact: '+5981' })
  expect(users!['k106']!.walletBalance).toBe(21)
  expect(Object.keys(people!)).toEqual(Object.keys(users!))
  expect(languages!['es']!.keyValuePairs).toEqual({ hello: 'Buenas' })
  expect(languages!['en']).not.toHaveProperty('keyValuePairs')
  expect(stats!['status']).toEqual({ NEW: 15, PAID: 15 })
  expect(stats!['days']).not.toHaveProperty('2020-01-01')
  expect(schema).toEqual({ version: 3, texts: expect.any(String) as string })
})

test('finds nothing to do in a second run', async () => {
  await db.put('', isSound as DatabaseValue)
  expect(await migrate(db, options)).toBeUndefined()
  expect(await db.get('')).toEqual(isSound)
})

test('prints a line about each changed wallet, once in a dry run and once in the run', async () => {
  await db.put('', createOldData())
  for (const isDryRun of [true, false]) {
    const lines: string[] = []
    await migrate(db, { ...options, isDryRun, print: (line) => lines.push(line) })
    expect(lines).toHaveLength(20)
    expect(lines).toContain('k106: 21')
  }
})

test('counts the same changes in a dry run, shows some and writes nothing', async () => {
  await db.put('', createOldData())
  const before = await db.get('')
  const dry = await migrate(db, { ...options, isDryRun: true })
  expect(await db.get('')).toEqual(before)
  const done = await migrate(db, options)
  expect(dry).toEqual(done)
  expect(dry?.passes.map(({ name, seen, changed }) => [name, seen, changed])).toEqual([
    ['bookings, booking_contacts', 30, 30],
    ['users, people', 21, 21],
    ['languages', 2, 1],
    ['stats from bookings, closed_accounts', 30, expect.any(Number)],
  ])
  expect(dry?.passes[0]?.sample[0]).toEqual(['bookings/k100/customer_contact', '+5980', null])
})

test('ends with the same data when it counts more totals than fit into memory', async () => {
  await db.put('', createOldData())
  const once = await migrate(db, { ...options, isDryRun: true })
  const dry = await migrate(db, { ...options, isDryRun: true, mostTotals: 20 })
  expect({ ...dry, passes: dry?.passes.map(({ sample: _, ...pass }) => pass) }).toEqual({
    ...once,
    passes: once?.passes.map(({ sample: _, ...pass }) => pass),
  })
  await migrate(db, { ...options, mostTotals: 20 })
  expect(await db.get('')).toEqual(isSound)
})

describe('a migration killed at any write', () => {
  const small = { ...options, isHolderGone: () => true, mostPaths: 10, mostTotals: 20 }

  test.each([false, true])(
    'resumes and ends with the same data (the write arrived: %s)',
    async (arrives) => {
      for (let at = 1; ; at++) {
        await db.put('', createOldData())
        if (await runUntilKilled(() => migrate(createDyingDatabase(db, at, arrives), small))) {
          expect(at).toBeGreaterThan(12)
          return
        }
        await migrate(db, { ...options, isHolderGone: () => true })
        expect(await db.get('')).toEqual(isSound)
      }
    },
  )

  test('finishes after it has been killed again and again', async () => {
    await db.put('', createOldData())
    let killCount = 0
    while (!(await runUntilKilled(() => migrate(createDyingDatabase(db, 3, true), small))))
      killCount += 1
    expect(killCount).toBeGreaterThan(6)
    expect(await db.get('')).toEqual(isSound)
  })
})

test('lets only the newer release finish a migration that it began', async () => {
  await db.put('', createOldData())
  const dead = { ...options, isHolderGone: () => true }
  await expect(
    migrate(createDyingDatabase(db, 3, true), { ...dead, mostPaths: 10 }),
  ).rejects.toThrow(KilledError)
  const older = { ...dead, migrations: MIGRATIONS.slice(0, 2) }
  await expect(migrate(db, older)).rejects.toThrow('Finish it with that release')
  const newer: Migration = { ...MIGRATIONS[2]!, version: 4, name: 'd', changes: [], rebuilds: [] }
  await migrate(db, { ...dead, migrations: [...MIGRATIONS, newer] })
  expect(await db.get('')).toEqual({
    ...(isSound as object),
    schema: { ...(isSound as { schema: object }).schema, version: 4 },
  })
})

test('refuses writes of clients and functions until the migration is done', async () => {
  await db.put('', createOldData())
  const dead = { ...options, isHolderGone: () => true, mostPaths: 10 }
  await expect(migrate(createDyingDatabase(db, 4, true), dead)).rejects.toThrow(KilledError)
  const { schema } = await readSchema(db)
  expect(schema.closed).toEqual({ all: true, until: 9_999_999_999_999 })
  expect(schema.version).toBeUndefined()
})

test('refuses data that is newer than the release', async () => {
  await db.put('', { ...createOldData(), schema: { version: 4 } })
  await expect(migrate(db, options)).rejects.toThrow('The data has schema 4, this release knows 3')
})

test('does nothing in an empty database', async () => {
  await db.put('', null)
  expect(await migrate(db, options)).toBeUndefined()
  expect(await db.get('')).toBeNull()
})

test('removes the texts of a new release even when the schema is the same', async () => {
  await db.put('', isSound as DatabaseValue)
  await db.put('languages/es/keyValuePairs/soon', 'Pronto')
  const texts = { ...TEXTS, es: { ...TEXTS.es, soon: 'Pronto' } }
  expect(await migrate(db, { ...options, texts })).toMatchObject({ from: 3, to: 3 })
  expect(await db.get('languages/es/keyValuePairs')).toEqual({ hello: 'Buenas' })
})

test('rebuilds derived data on request', async () => {
  await db.put('', isSound as DatabaseValue)
  await db.put('stats/total/created', 5)
  expect(await migrate(db, options)).toBeUndefined()
  await migrate(db, { ...options, rebuild: ['totals'] })
  expect(await db.get('')).toEqual(isSound)
})

describe('names of records', () => {
  /** Proposes the same name for two keys in a row, so that every second record needs another. */
  const naming: Naming = {
    over: 'bookings',
    field: 'reference',
    into: 'booking_refs',
    async choose(key, findOwner) {
      const wanted = Math.floor(Number(key.slice(1)) / 2)
      for (let n = 0; ; n++) {
        const owner = await findOwner(`N${wanted}x${n}`)
        if (owner === null || owner === key) return `N${wanted}x${n}`
      }
    },
  }
  const namings: readonly Migration[] = [
    { version: 1, name: 'n', description: 'Names', changes: [], namings: [naming], rebuilds: [] },
  ]
  const named = { ...options, migrations: namings }
  const many = (count: number): Record<string, DatabaseValue> => ({
    settings: JSON.parse(JSON.stringify(aSettings())) as DatabaseValue,
    bookings: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`k${at + 100}`, { status: 'NEW' }]),
    ),
  })
  const agree = async (count: number) => {
    const { bookings, booking_refs } = (await db.get('')) as Record<string, StoredRecord>
    const names = Object.entries(bookings ?? {}).map(([key, one]) => [
      (one as StoredRecord).reference,
      key,
    ])
    expect(names).toHaveLength(count)
    expect(booking_refs).toEqual(Object.fromEntries(names))
    expect(Object.keys(booking_refs ?? {})).toHaveLength(count)
  }

  test('are given to every record, and two records never share one', async () => {
    await db.put('', many(180))
    expect(await migrate(db, { ...named, isDryRun: true })).toMatchObject({
      passes: [
        { name: 'languages' },
        { name: 'booking_refs for bookings', seen: 180, changed: 180, paths: 360 },
      ],
    })
    expect(await db.get('booking_refs')).toBeNull()
    await migrate(db, named)
    await agree(180)
    expect(await db.get('bookings/k101/reference')).toBe('N50x1')
    expect(await migrate(db, named)).toBeUndefined()
  })

  test('that exist already stay unless another record has them, and are listed', async () => {
    await db.put('', many(4))
    await db.put('bookings/k101/reference', 'Nx')
    await db.put('bookings/k103/reference', 'N51x0')
    await migrate(db, named)
    await agree(4)
    expect(await db.get('bookings/k101/reference')).toBe('Nx')
    // Another record had the name already.
    expect(await db.get('bookings/k103/reference')).toBe('N51x1')
  })

  test('are the same after the migration was killed at any write', async () => {
    await db.put('', many(120))
    await migrate(db, named)
    const whole = await db.get('')
    const small = { ...named, isHolderGone: () => true, mostPaths: 30 }
    for (const arrives of [false, true]) {
      await db.put('', many(120))
      let killCount = 0
      while (!(await runUntilKilled(() => migrate(createDyingDatabase(db, 3, arrives), small))))
        killCount += 1
      expect(killCount).toBeGreaterThan(arrives ? 2 : 1)
      expect(await db.get('')).toEqual(whole)
    }
  })
})
