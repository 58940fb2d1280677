import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { toStoredForm } from '~/domain/migrations/valueDiff'
import { chooseLength } from '~/domain/testing/endurance'
import { SCHEMA_VERSION, schemaPaths, hashTexts } from '~/domain/data/schemaVersion'
import { startDatabase } from '~/emulator/src/server'
import { openBackup, readSavedRecords } from './backupFolder'
import type { Manifest } from './backupFormat'
import { readSchema } from './lease'
import { openLocalDatabase } from '../local/localDatabase'
import type { RestDatabase } from './restDatabase'
import { restore } from './backupRestore'
import { createBackupSource } from './restorePlan'
import { saveBackup } from './backupSave'
import {
  createCity,
  createDyingDatabase,
  KilledError,
  runUntilKilled,
  type CityTree,
} from './testing/dyingDatabase'
import { startLimitedServer } from './testing/limitedServer'
import { verifyData } from './dataVerification'
import type { OpenBookings } from '~/domain/booking/types'

/** Limits low enough that a record is saved in parts and a collection in many files. */
const SMALL = { pageBytes: 3000, maxBytes: 6000 }
const dead = { isHolderGone: () => true }
const texts = {}

let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase
let parent: string
let folder: string
let city: CityTree

beforeAll(async () => {
  city = await createCity('small')
  // A restore counts open bookings again, and their counters restart at the first revision.
  city.open_bookings = Object.fromEntries(
    Object.entries(city.open_bookings as unknown as Record<string, OpenBookings>)
      .filter(([, { open }]) => open > 0)
      .map(([uid, { open, unpaid = 0 }]) => [uid, { open, unpaid, revision: 1 }]),
  )
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  db = openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-backup')
})
beforeEach(async () => {
  await db.put('', null)
  parent = mkdtempSync(join(tmpdir(), 'kerbside-backup-'))
  folder = join(parent, 'backup')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))
afterAll(() => server.close())

const readEverything = async () => toStoredForm((await db.get('')) as DatabaseValue) as CityTree
const omitCollections = (tree: CityTree, ...collections: string[]): CityTree =>
  Object.fromEntries(
    Object.entries(structuredClone(tree)).filter(([name]) => !collections.includes(name)),
  )
const countRecords = (tree: CityTree, collection: string) =>
  Object.keys(tree[collection] ?? {}).length

describe('a saved city', () => {
  it('is restored completely after all data was lost', async () => {
    await db.put('', city)
    const before = await readEverything()
    const { files, schema, consistent } = await saveBackup(db, folder)
    expect({ schema, consistent }).toEqual({ schema: SCHEMA_VERSION, consistent: true })
    expect(files.filter(({ collection }) => collection === 'bookings')).toHaveLength(1)
    await db.put('', null)
    const { counts } = await restore(db, folder, { texts })
    expect(counts['bookings']).toBe(countRecords(city, 'bookings'))
    expect(await readEverything()).toEqual(before)
    rmSync(folder, { recursive: true })
  })

  it('is restored from records in parts, with texts of every kind', async () => {
    const odd = {
      'a b': 'x\u2028y\nz',
      'ñ?&%': { deep: ['1', null, '3'] },
      '10': 'ten',
      '9': 'nine',
    }
    await db.put('', { ...city, odd, single: 'one value', list: ['a', 'b'] })
    const before = await readEverything()
    const limits = { pageBytes: 1000, maxBytes: 2000 }
    await saveBackup(db, folder, { limits })
    const backup = await openBackup(folder)
    const entries: string[] = []
    for (const file of backup.manifest.files)
      for await (const [path] of backup.readEntries(file)) entries.push(path)
    expect(entries.some((path) => /^users\/[^/]+\/walletHistory\//.test(path))).toBe(true)
    expect((await verifyData(createBackupSource(backup))).sentences).toEqual([])
    await db.put('', null)
    await restore(db, folder, { texts, limits })
    expect(await readEverything()).toEqual(before)
  })

  it('is readable by its owner only', async () => {
    await db.put('', city)
    await saveBackup(db, folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
  })

  it('is not overwritten by mistake', async () => {
    await db.put('', city)
    await saveBackup(db, folder)
    await expect(restore(db, folder, { texts })).rejects.toThrow('The database is not empty')
    await db.put('more', { of: 'it' })
    await restore(db, folder, { texts, shouldReplace: true })
    expect(await db.get('more')).toBeNull()
    await expect(saveBackup(db, folder)).rejects.toThrow('holds a finished backup')
    await expect(saveBackup(db, 'city.json.gz')).rejects.toThrow('A backup is a folder')
  })
})

describe('refuses a backup and writes nothing', () => {
  const nothing = async () => expect(await db.get('')).toBeNull()

  it('when its money does not add up', async () => {
    const users = city['users'] as Record<string, object>
    const wrong = { ...users['seed-rider'], walletBalance: 1_000_000 }
    await db.put('', {
      ...city,
      users: { ...users, 'seed-rider': wrong } as Record<string, DatabaseValue>,
    })
    await saveBackup(db, folder)
    await db.put('', null)
    await expect(restore(db, folder, { texts })).rejects.toThrow(
      'users/seed-rider: the balance is 1000000',
    )
    await nothing()
    const { verdict } = await restore(db, folder, { texts, canBeUnsound: true })
    expect(verdict?.sentences.join()).toContain('users/seed-rider')
  })

  it('when a file is damaged or missing, or the backup is incomplete', async () => {
    await db.put('', city)
    await saveBackup(db, folder)
    await db.put('', null)
    const file = join(folder, 'bookings-00001.ndjson.gz')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(1))
    await expect(restore(db, folder, { texts })).rejects.toThrow('is damaged')
    rmSync(file)
    await expect(restore(db, folder, { texts })).rejects.toThrow('is missing')
    writeFileSync(file, bytes)
    cpSync(join(folder, 'manifest.json'), join(folder, 'unfinished.json'))
    rmSync(join(folder, 'manifest.json'))
    await expect(restore(db, folder, { texts })).rejects.toThrow('Run the same save again')
    writeFileSync(join(folder, 'manifest.json'), '{"format":')
    await expect(restore(db, folder, { texts })).rejects.toThrow('manifest.json is damaged')
    await nothing()
  })

  it('when it is not a backup, or comes from a later release', async () => {
    const file = `${folder}.json`
    writeFileSync(file, '[1]')
    await expect(restore(db, file, { texts })).rejects.toThrow('is no backup of Kerbside')
    writeFileSync(file, '{"settings":')
    await expect(restore(db, file, { texts })).rejects.toThrow('is damaged: it is not valid JSON')
    writeFileSync(`${file}.gz`, 'not packed')
    await expect(restore(db, `${file}.gz`, { texts })).rejects.toThrow('it cannot be unpacked')
    await expect(restore(db, folder, { texts })).rejects.toThrow('There is no')
    await db.put('', city)
    await db.put(schemaPaths.version, SCHEMA_VERSION + 1)
    await saveBackup(db, folder)
    await db.put('', null)
    await expect(restore(db, folder, { texts })).rejects.toThrow('Restore it with the release')
    await nothing()
  })
})

describe('a backup of an earlier release', () => {
  const old = (): CityTree => {
    const left = omitCollections(city, 'people', 'schema')
    return { ...left, stats: { total: { created: 3 } } }
  }

  it.each(['old.json', 'old.json.gz'])(
    'is restored from one file (%s) and migrated',
    async (name) => {
      const file = `${folder}-${name}`
      const text = JSON.stringify(old())
      writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text)
      await db.put('', { settings: { appName: 'Broken' } })
      const { from, to, verdict } = await restore(db, file, { texts, shouldReplace: true })
      expect({ from, to, verdict }).toEqual({ from: 0, to: SCHEMA_VERSION, verdict: undefined })
      expect(await readEverything()).toEqual(
        toStoredForm({ ...city, schema: { version: SCHEMA_VERSION, texts: hashTexts(texts) } }),
      )
    },
  )

  it('is restored with a line for each wallet whose balance the migration changes', async () => {
    const file = `${folder}.json`
    const inexact = old()
    const rider = inexact['users']?.['seed-rider'] as { walletBalance: number }
    const exact = rider.walletBalance
    rider.walletBalance += 0.004
    writeFileSync(file, JSON.stringify(inexact))
    const lines: string[] = []
    await restore(db, file, { texts, print: (line) => lines.push(line) })
    expect(lines).toEqual([`The wallet of seed-rider: ${exact + 0.004} → ${exact}.`])
  })

  it('stays closed when it is inconsistent after migration, until a restore that accepts it opens it', async () => {
    const file = `${folder}.json`
    const broken = old()
    const rider = broken['users']?.['seed-rider'] as { walletBalance: number }
    rider.walletBalance += 1
    writeFileSync(file, JSON.stringify(broken))
    await expect(restore(db, file, { texts })).rejects.toThrow('stays closed')
    expect((await readSchema(db)).schema.closed?.all).toBe(true)
    const { verdict } = await restore(db, file, { texts, canBeUnsound: true, ...dead })
    // The balance contradicts both its history and the record of its last write.
    expect(verdict?.violationCount).toBe(2)
    expect((await readSchema(db)).schema).toEqual(await db.get('schema'))
    expect((await readSchema(db)).schema.closed).toBeUndefined()
  })
})

describe('an export of the whole database by Google', () => {
  /** The form of an export: children with the keys 0, 1, 2 … as a list, keys in any order. */
  const odd = {
    list: ['a', null, { deep: [null, 1] }],
    'ñ 😀': 'x\u2028y\nz "\\" \ud83d\ude00',
    '10': { b: true },
    '9': -1.5e-7,
    '-1': 'first',
    large: 'x'.repeat(70_000),
  }

  it('is restored to the letter, also after it was killed', async () => {
    await db.put('', { ...city, odd, single: 'one value' })
    const before = await readEverything()
    const file = `${folder}.json.gz`
    const empty = { nothing: {}, none: [] }
    const exported = { ...city, zero: empty, odd, single: 'one value', rate_limits: { old: 1 } }
    writeFileSync(file, gzipSync(JSON.stringify(exported)))
    await db.put('', { settings: { appName: 'Broken' }, rate_limits: { now: 2 } })
    const options = { texts, shouldReplace: true, limits: SMALL, ...dead }
    for (const writes of [5, 40])
      await expect(restore(createDyingDatabase(db, writes, true), file, options)).rejects.toThrow(
        KilledError,
      )
    const { counts, verdict } = await restore(db, file, options)
    expect(verdict).toBeUndefined()
    expect(counts['bookings']).toBe(countRecords(city, 'bookings'))
    // The counters of calls are no data of a backup.
    expect(await readEverything()).toEqual({ ...before, rate_limits: { now: 2 } })
  })

  it('is restored in part', async () => {
    await db.put('', city)
    const before = await readEverything()
    const file = `${folder}.json`
    writeFileSync(file, JSON.stringify(city))
    await db.put('promos', null)
    await restore(db, file, { texts, only: 'promos' })
    await db.put('bookings', null)
    await restore(db, file, { texts, only: 'bookings-00001', shouldReplace: true })
    expect(await readEverything()).toEqual(before)
  })

  it('is refused before the first write when it was cut off', async () => {
    const file = `${folder}.json.gz`
    const packed = gzipSync(JSON.stringify(city))
    writeFileSync(file, packed.subarray(0, packed.length - 20))
    await db.put('settings/appName', 'Present')
    await expect(restore(db, file, { texts, shouldReplace: true })).rejects.toThrow(
      'it ends before its data does',
    )
    expect(await db.get('')).toEqual({ settings: { appName: 'Present' } })
  })
})

describe('restoring a part of a backup', () => {
  beforeEach(async () => {
    await db.put('', city)
    await saveBackup(db, folder, { limits: SMALL })
  })

  it('restores a single collection', async () => {
    const before = await readEverything()
    await db.put('promos', null)
    await restore(db, folder, { texts, only: 'promos' })
    expect(await readEverything()).toEqual(before)
    await db.put('promos/other', { promo_name: 'Other' })
    await expect(restore(db, folder, { texts, only: 'promos' })).rejects.toThrow('--replace')
    await restore(db, folder, { texts, only: 'promos', shouldReplace: true })
    expect(await readEverything()).toEqual(before)
  })

  it('restores a single file and leaves the others of its collection', async () => {
    const before = await readEverything()
    const [id = ''] = Object.keys(before['bookings'] ?? {})
    await db.put(`bookings/${id}/customer_name`, 'Lost')
    await db.put('stats/total', null)
    await restore(db, folder, { texts, only: 'bookings-00001.ndjson.gz', shouldReplace: true })
    expect(await readEverything()).toEqual(before)
    await db.put(`bookings/${id}/customer_name`, 'Lost')
    await restore(db, folder, { texts, only: 'bookings-00001', shouldReplace: true })
    expect(await readEverything()).toEqual(before)
  })

  it('refuses a damaged file before it writes anything, and restores the intact ones', async () => {
    const { cartypes } = await readEverything()
    await db.put('promos', null)
    await db.put('cartypes', null)
    const before = await readEverything()
    const file = join(folder, 'promos-00001.ndjson.gz')
    const bytes = readFileSync(file)
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1
    writeFileSync(file, bytes)
    for (const only of ['promos', 'promos-00001'])
      await expect(restore(db, folder, { texts, only })).rejects.toThrow(
        'promos-00001.ndjson.gz is damaged: it differs from what was saved. Use another backup.',
      )
    expect(await readEverything()).toEqual(before)
    await restore(db, folder, { texts, only: 'cartypes-00001' })
    expect((await readEverything())['cartypes']).toEqual(cartypes)
  })

  it('refuses a part that does not exist or has another schema', async () => {
    await expect(restore(db, folder, { texts, only: 'boats' })).rejects.toThrow('has no boats')
    await db.put('schema', null)
    await expect(
      restore(db, folder, { texts, only: 'promos', shouldReplace: true }),
    ).rejects.toThrow('A part is restored only where')
  })
})

it('saves, replaces and restores data within the limits of Google’s servers', async () => {
  await db.put('', city)
  const before = await readEverything()
  const google = await startLimitedServer(`http://127.0.0.1:${server.port}`, {
    responseBytes: 100_000,
    writtenBytes: 60_000,
    unqueryable: ['tracking', 'inbox'],
  })
  const limited = openLocalDatabase(google.url, 'demo-backup')
  const limits = { pageBytes: 30_000, maxBytes: 50_000 }
  await saveBackup(limited, folder, { limits })
  const backup = await openBackup(folder)
  expect((await verifyData(createBackupSource(backup))).sentences).toEqual([])
  const refusedReads = google.refused['GET'] ?? 0
  expect(refusedReads).toBeGreaterThan(1)
  // A record that is too large to be removed at once.
  await db.put('users/heavy/walletHistory', 'x'.repeat(59_000))
  for (const part of ['a', 'b', 'c']) await db.put(`users/wide/${part}`, 'x'.repeat(59_000))
  await restore(limited, folder, { texts, limits, shouldReplace: true })
  expect(google.refused['PATCH']).toBeGreaterThan(0)
  expect(await readEverything()).toEqual(before)
  await google.close()
})

describe('a job killed at any point', () => {
  it('resumes a restore and ends with the same data', async () => {
    await db.put('', city)
    const before = await readEverything()
    await saveBackup(db, folder, { limits: SMALL })
    await db.put('', { settings: { appName: 'Broken' }, bookings: city['bookings'] ?? null })
    let killCount = 0
    /** Writes until each kill. */
    const writes = chooseLength(15, 3)
    const options = { texts, limits: SMALL, shouldReplace: true, ...dead }
    const isKilled = async () =>
      !(await runUntilKilled(() =>
        restore(createDyingDatabase(db, writes, killCount % 2 > 0), folder, options),
      )) &&
      // A restore killed after its last write has still finished.
      (await readSchema(db)).schema.running !== undefined
    while (await isKilled()) killCount += 1
    expect(killCount).toBeGreaterThan(8)
    expect(await readEverything()).toEqual(before)
  })

  it('refuses another job until the interrupted restore has finished', async () => {
    await db.put('', city)
    await saveBackup(db, folder)
    const options = { texts, shouldReplace: true, ...dead }
    await expect(restore(createDyingDatabase(db, 3, true), folder, options)).rejects.toThrow(
      KilledError,
    )
    await expect(saveBackup(db, `${folder}-2`)).rejects.toThrow('A restore is under way')
    await restore(db, folder, options)
    await saveBackup(db, `${folder}-2`)
  })

  const files = () => readdirSync(folder).filter((name) => name.endsWith('.gz'))
  /** Returns a database that throws after this number of pages has been read. */
  const reading = (pages: number): RestDatabase => {
    let read = 0
    return {
      ...db,
      getUpTo: (...asked) => {
        if (++read > pages) throw new KilledError()
        return db.getUpTo(...asked)
      },
    }
  }
  const lines = async () => {
    const backup = await openBackup(folder)
    const found: CityTree = {}
    for (const collection of backup.manifest.collections)
      for await (const [key, record] of readSavedRecords(backup, collection))
        (found[collection] ??= {})[key] = record
    return toStoredForm(found)
  }
  const saved = () => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest

  it('resumes a backup while the database is still closed', async () => {
    await db.put('', city)
    const wanted = omitCollections(await readEverything(), 'schema')
    const options = { limits: SMALL, ...dead }
    await expect(saveBackup(reading(60), folder, options)).rejects.toThrow(KilledError)
    const before = files().map((name) => [name, statSync(join(folder, name)).mtimeMs])
    expect(before.length).toBeGreaterThan(3)
    expect((await readSchema(db)).schema.closed?.all).toBeUndefined()
    await saveBackup(db, folder, options)
    expect(files().map((name) => [name, statSync(join(folder, name)).mtimeMs])).toEqual(
      expect.arrayContaining(before),
    )
    expect(await lines()).toEqual(wanted)
    expect(
      saved()
        .files.map(({ name }) => name)
        .sort(),
    ).toEqual(files().sort())
    expect((await readSchema(db)).schema.running).toBeUndefined()
  })

  it('restarts a backup when one of its finished files was damaged', async () => {
    await db.put('', city)
    const options = { limits: SMALL, ...dead }
    await expect(saveBackup(reading(60), folder, options)).rejects.toThrow(KilledError)
    writeFileSync(join(folder, files()[0] ?? ''), 'cut')
    const messages: string[] = []
    await saveBackup(db, folder, { ...options, progress: (text) => messages.push(text) })
    expect(messages[0]).toContain('beginning again')
    expect(await lines()).toEqual(omitCollections(await readEverything(), 'schema'))
  })

  it('restarts a backup when the database was open since the interruption', async () => {
    await db.put('', city)
    const options = { limits: SMALL, ...dead }
    await expect(saveBackup(reading(60), folder, options)).rejects.toThrow(KilledError)
    await db.put(`${schemaPaths.closed}/until`, 1)
    await db.put('users/seed-rider/firstName', 'Changed')
    const printed: string[] = []
    await saveBackup(db, folder, { ...options, progress: (text) => printed.push(text) })
    expect(printed[0]).toContain('beginning again')
    const wanted = omitCollections(await readEverything(), 'schema')
    expect(await lines()).toEqual(wanted)
  })

  it('resumes a live backup on the next run', async () => {
    await db.put('', city)
    const options = { limits: SMALL, isLive: true }
    await expect(saveBackup(reading(60), folder, options)).rejects.toThrow(KilledError)
    expect((await readSchema(db)).schema.closed).toBeUndefined()
    const { consistent } = await saveBackup(db, folder, options)
    expect(consistent).toBe(false)
    const wanted = omitCollections(await readEverything(), 'schema')
    expect(await lines()).toEqual(wanted)
  })
})

it('recounts the totals of a live backup and names the records that do not agree', async () => {
  await db.put('', city)
  const promos = city['promos'] as Record<string, { user_avail?: number }>
  const [promo = ''] = Object.keys(promos)
  // A rider uses a promo between two pages, and the total counts a booking that was not saved.
  await db.put(`promos/${promo}/user_avail`, (promos[promo]?.user_avail ?? 0) + 1)
  await db.put('stats/total/created', 9999)
  await saveBackup(db, folder, { isLive: true })
  await db.put('', null)
  const { verdict } = await restore(db, folder, { texts })
  expect(verdict?.sentences).toEqual([expect.stringContaining(`promos/${promo}: counted`)])
  expect(await db.get('stats/total/created')).toBe(countRecords(city, 'bookings'))
  expect((await readSchema(db)).schema.closed).toBeUndefined()
})
