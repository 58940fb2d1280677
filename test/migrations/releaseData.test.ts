import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/databaseValue'
import {
  getCompensation,
  getCompensationLimits,
} from '~/domain/booking/adjustments/compensationLimits'
import { getTips } from '~/domain/booking/adjustments/tips'
import { getTripEnd, INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { getFeedback } from '~/domain/booking/feedback'
import { parseReference } from '~/domain/booking/reference'
import { COMPLAINT_REASONS, type Booking, type Settings, type User } from '~/domain/entities'
import { isHelpOpen } from '~/domain/help/helpCase'
import { NAMED_PLACES } from '~/domain/namedPlaces'
import { getPaymentRows } from '~/domain/payments/paymentStatement'
import { toDirectory } from '~/domain/directory'
import { SCHEMA_VERSION } from '~/domain/schemaVersion'
import { startDatabase } from '~/emulator/src/server'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { openLocalDatabase } from '~/scripts/database/localDatabase'
import { migrate } from '~/scripts/database/migrationRunner'
import type { RestDatabase } from '~/scripts/database/restDatabase'
import { createDyingDatabase, runUntilKilled } from '~/scripts/database/testing/dyingDatabase'
import { createDatabaseSource, verifyData } from '~/scripts/database/dataVerification'

/**
 * The data that past releases wrote, created by `npm run release-data`. Add the previous release
 * before each change of the schema.
 */
const DATA_FOLDER = join(import.meta.dirname, 'data')
const TEXTS = 40
const texts = Object.fromEntries(
  Object.entries(readInterfaceTexts()).map(([locale, pairs]) => [
    locale,
    Object.fromEntries(Object.entries(pairs).slice(0, TEXTS)),
  ]),
)
const EDITED = 'A text of the office’s own'

let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase
beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  db = openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-releases')
})
afterAll(() => server.close())

const releases = readdirSync(DATA_FOLDER)
test('data exists for every release with a different schema', () => {
  expect(releases.length).toBeGreaterThanOrEqual(6)
})

test('the data of a release with complaints has one of each new record', () => {
  const file = join(DATA_FOLDER, 'schema-4-november-28-complaints.json.gz')
  const text = gunzipSync(readFileSync(file)).toString()
  for (const part of ['compensate', 'tip', 'help_cases', 'booking_notes', 'setupChecklist', 'home'])
    expect(text).toContain(`"${part}"`)
  for (const words of ['The detour was ours', 'Carried my bag', 'The road is closed'])
    expect(text).toContain(words)
})

describe.each(releases)('%s', (file) => {
  const old = JSON.parse(gunzipSync(readFileSync(join(DATA_FOLDER, file))).toString()) as Record<
    string,
    Record<string, DatabaseValue>
  >
  const [editedKey = ''] = Object.keys(texts['es'] ?? {})
  const from = Number(old['schema']?.['version'] ?? 0)
  // The texts name the site by the settings since version 2.
  const storeTitle = `Súbase con ${from < 2 ? 'Kerbside' : '{{appName}}'}`
  const putOld = async () => {
    await db.put('', old)
    await db.put(`languages/es/keyValuePairs/${editedKey}`, EDITED)
    await db.put('languages/es/keyValuePairs/store_title', storeTitle)
  }
  let sound: Record<string, Record<string, DatabaseValue>>
  beforeAll(async () => {
    await putOld()
    const report = await migrate(db, { texts })
    expect(report).toMatchObject({ from, to: SCHEMA_VERSION })
    sound = (await db.get('')) as typeof sound
  })

  test('is consistent after its migration and keeps every person and booking', async () => {
    const { sentences } = await verifyData(createDatabaseSource(db))
    expect(sentences).toEqual([])
    for (const collection of ['users', 'bookings', 'payments', 'withdraws', 'promos'])
      expect(Object.keys(sound[collection] ?? {})).toEqual(Object.keys(old[collection] ?? {}))
  })

  test('lists every person in the directory as in their record', () => {
    expect(sound['people']).toEqual(toDirectory(sound['users'] as unknown as Record<string, User>))
  })

  test('every booking has a reference that leads back to it', () => {
    const bookings = sound['bookings'] as unknown as Record<string, Booking>
    const references = Object.entries(bookings).map(([id, { reference }]) => [reference, id])
    expect(sound['booking_refs']).toEqual(Object.fromEntries(references))
    expect(references.length).toBeGreaterThan(100)
    for (const [reference = ''] of references) expect(parseReference(reference)).toBe(reference)
  })

  test('every account has a referral id that is reserved for it alone', () => {
    const users = sound['users'] as unknown as Record<string, User>
    const ids = Object.entries(users).map(([uid, { referralId }]) => [referralId, uid])
    expect(sound['internal']?.['referral_ids']).toEqual(Object.fromEntries(ids))
    expect(Object.keys(sound['internal']?.['referral_ids'] ?? {})).toHaveLength(ids.length)
    if (from < 4) expect(old['internal']?.['referral_ids']).toBeUndefined()
  })

  test('every booking has a due time unless nothing is left to do with it', () => {
    const bookings = sound['bookings'] as unknown as Record<string, Booking>
    for (const [id, { status, due_at }] of Object.entries(bookings)) {
      const isListed = status !== 'NEW' && sound['stuck_bookings']?.[id] !== undefined
      if (isListed || /^(PAI|C)/.test(status)) expect(due_at, id).toBeUndefined()
      else expect(due_at, id).toBeGreaterThan(0)
    }
  })

  test('has the words of people nowhere but in their bookings', () => {
    const before = Object.entries(old['bookings'] ?? {}) as unknown as [string, Booking][]
    const after = sound['bookings'] as unknown as Record<string, Booking>
    const others = { ...sound, bookings: {} }
    for (const [id, { customer_name, driver, driver_name, event_log }] of before)
      for (const [key, { reason }] of Object.entries(event_log ?? {})) {
        if (reason === undefined || COMPLAINT_REASONS.includes(reason)) continue
        const isCleared = customer_name === '' || (driver !== undefined && driver_name === '')
        expect(after[id]?.words?.[key]).toBe(isCleared ? undefined : reason)
        expect(JSON.stringify(after[id]?.event_log)).not.toContain(reason)
        expect(JSON.stringify(others)).not.toContain(reason)
      }
  })

  test('keeps instructions with the contacts and push tokens with the functions', () => {
    const contacts = sound['booking_contacts'] as Record<string, DatabaseValue>
    for (const [id, row] of Object.entries(old['bookings'] ?? {})) {
      const before = row as Record<string, DatabaseValue>
      for (const field of INSTRUCTION_FIELDS) {
        expect(sound['bookings']?.[id]).not.toHaveProperty(field)
        if (before[field]) expect(contacts[id]).toHaveProperty(field, before[field])
      }
    }
    const devices = (sound['internal']?.['named_devices'] ?? {}) as Record<string, DatabaseValue>
    const named: string[] = []
    for (const [uid, row] of Object.entries(old['users'] ?? {})) {
      const { pushToken } = row as Record<string, DatabaseValue>
      expect(sound['users']?.[uid]).not.toHaveProperty('pushToken')
      expect(sound['users']?.[uid]).not.toHaveProperty('userPlatform')
      if (!pushToken) continue
      named.push(uid)
      expect(devices[uid]).toMatchObject({ token: pushToken, revision: 1 })
    }
    expect(Object.keys(devices)).toEqual(named)
  })

  test('reads and shows what only some releases have', () => {
    const settings = sound['settings'] as unknown as Settings
    for (const [id, row] of Object.entries(sound['bookings'] ?? {})) {
      const booking = { ...(row as unknown as Booking), id }
      const { rating, adjustments = {}, words = {} } = booking
      expect(getFeedback(booking)?.rating ?? 0).toBe(rating ?? 0)
      expect(getFeedback(booking)?.comment).toBe(words['rate'])
      expect(getPaymentRows(booking, settings, (key) => key).length).toBeGreaterThan(0)
      expect(getCompensationLimits(booking, settings, 'late').rider).toBeGreaterThanOrEqual(0)
      const moved = Object.values(adjustments).some(({ reason }) => reason !== 'tip')
      if (!moved) expect(getCompensation(booking, settings, 'driver')).toBe(0)
      if (!Object.values(adjustments).some(({ reason }) => reason === 'tip'))
        expect(getTips(booking, settings)).toBe(0)
      expect(isHelpOpen(booking, 0)).toBe(getTripEnd(booking) !== undefined)
    }
    for (const user of Object.values(sound['users'] ?? {}) as unknown as User[])
      for (const name of NAMED_PLACES)
        expect(['string', 'undefined']).toContain(typeof user.savedAddresses?.[name]?.description)
    // Only a new company has the checklist of the setup.
    expect(settings.setupChecklist).toBe(old['settings']?.['setupChecklist'])
  })

  test('has no text that ships with the product and keeps the office’s edits', async () => {
    for (const [locale, pairs] of Object.entries(texts)) {
      const own = ((await db.get(`languages/${locale}/keyValuePairs`)) ?? {}) as typeof pairs
      expect(Object.entries(own).filter(([key, text]) => pairs[key] === text)).toEqual([])
    }
    expect(await db.get(`languages/es/keyValuePairs/${editedKey}`)).toBe(EDITED)
  })

  test('the site is named by the settings, and vehicle types stay side by side', async () => {
    expect(await db.get('languages/es/keyValuePairs/store_title')).toBe('Súbase con {{appName}}')
    expect(sound['settings']?.['horizontal_view']).toBe(true)
  })

  test('changes nothing in a second run', async () => {
    expect(await migrate(db, { texts })).toBeUndefined()
    expect(await db.get('')).toEqual(sound)
  })

  test('writes nothing in a dry run', async () => {
    await putOld()
    const before = await db.get('')
    const report = await migrate(db, { texts, isDryRun: true })
    expect(report?.passes.length).toBeGreaterThan(0)
    expect(await db.get('')).toEqual(before)
  })

  test('resumes after a kill at any write, with the same result', async () => {
    const dead = { texts, isHolderGone: () => true, mostPaths: 60 }
    let killCount = 0
    await putOld()
    while (
      !(await runUntilKilled(() =>
        migrate(createDyingDatabase(db, 2 + (killCount % 2), killCount % 3 > 0), dead),
      ))
    )
      killCount += 1
    expect(killCount).toBeGreaterThan(from < 4 ? 5 : 1)
    expect(await db.get('')).toEqual(sound)
  })
})
