import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getBonusDelayMs } from '~/domain/bonuses/pendingBonus'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import {
  getCompensation,
  getCompensationLimits,
} from '~/domain/booking/events/compensate/compensationLimits'
import { getTips } from '~/domain/booking/events/tip/tipLimits'
import { planAmendedPush } from '~/domain/booking/limits/amendmentNotice'
import { getTripEnd, INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { getFeedback } from '~/domain/booking/feedback'
import { parseReference } from '~/domain/booking/search/reference'
import { toMessageSettingsForm } from '~/domain/forms/messageForms'
import { isHelpOpen } from '~/domain/help/helpCase'
import { isEmailDomainAllowed } from '~/domain/messages/emailDomains'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { sumAmounts, toMinorUnits } from '~/domain/money/money'
import { NAMED_PLACES } from '~/domain/accounts/namedPlaces'
import { sumFailedRefunds } from '~/domain/payments/attemptAccount'
import type { PaymentAttempt, SettledRefund } from '~/domain/payments/paymentAttempt'
import { getPaymentRows } from '~/domain/payments/paymentStatement'
import { getRiderCompensation } from '~/domain/money/platformEarnings'
import { toDirectory } from '~/domain/accounts/directory'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { getOfficeSessionEnd, hasSessionEnded } from '~/domain/access/sessions'
import { aPaymentAttempt } from '~/domain/testing/builders'
import { startDatabase } from '~/emulator/src/server'
import { pruneRateLimits } from '~/functions/src/services/jobs/maintenance'
import { findExceededLimit } from '~/functions/src/services/rateLimits'
import { createOutboxSender } from '~/functions/src/services/messages/outboxSender'
import { noMessages, type OutgoingMessage } from '~/functions/src/ports/messages'
import { createTestDatabase } from '~/functions/src/testing/testDatabase'
import { createTestPorts } from '~/functions/src/testing/testPorts'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import { migrate } from '~/scripts/database/migrationRunner'
import type { RestDatabase } from '~/scripts/database/restDatabase'
import { createDyingDatabase, runUntilKilled } from '~/scripts/database/testing/dyingDatabase'
import { createDatabaseSource, verifyData } from '~/scripts/database/dataVerification'
import { COMPLAINT_REASONS, type MoneyTotals } from '~/domain/money/types'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/**
 * The data that past releases wrote, created by `npm run --prefix lab release-data`. Add the
 * previous release before each change of the schema.
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
  expect(releases.length).toBeGreaterThanOrEqual(7)
})

test('the data of a release with complaints has one of each new record', () => {
  const file = join(DATA_FOLDER, 'schema-4-november-28-complaints.json.gz')
  const text = gunzipSync(readFileSync(file)).toString()
  for (const part of ['compensate', 'tip', 'help_cases', 'booking_notes', 'setupChecklist', 'home'])
    expect(text).toContain(`"${part}"`)
  for (const words of ['The detour was ours', 'Carried my bag', 'The road is closed'])
    expect(text).toContain(words)
})

/** Optional fields that only later releases write. */
const LATER_THAN_4 = [
  'sessionsEnd',
  'has_failed',
  'officeIdleMinutes',
  'officeSessionHours',
  'driverCompensation',
  'allowedEmailDomains',
  'refusedEmailDomains',
  'lowered',
  'bonusDelayDays',
  'pending_bonuses',
]
const LATER_THAN_6 = ['knownShare']
const readMessageSettings = (tree: Record<string, Record<string, DatabaseValue>>) => {
  const stored = tree['internal']?.['message_settings'] as { current?: MessageSettings } | undefined
  return stored?.current ?? { revision: 1 }
}

test('a refund and an amendment’s notice of an earlier release read as before', () => {
  const refund = {
    ...{ amount: 5, by: 'admin', at: 1, from_wallet: false },
    ...{ settled_at: 2, settled_by: 'admin' },
  }
  const withRefund = (state: SettledRefund['state']) =>
    aPaymentAttempt({ refunds: { r1: { ...refund, state } } })
  expect(sumFailedRefunds(withRefund('returned'))).toBe(500)
  expect(sumFailedRefunds(withRefund('refused'))).toBe(0)
  const notice = { at: 1, due: 2, revision: 3 }
  const lower = { changes: 'drop', isLowered: true }
  expect(planAmendedPush('b1', notice, lower, 2)).toMatchObject({
    changes: null,
    tellsOffice: true,
    updates: { 'internal/amendment_notices/b1': { lowered: true, revision: 4 } },
  })
})

test('counters of an earlier release, all of minutes, count and go beside those of a day', async () => {
  const now = Date.UTC(2026, 10, 20, 15)
  const [minute, day] = [Math.floor(now / MINUTE_MS), Math.floor(now / DAY_MS)]
  const counts = { [minute - 9]: 8, [minute - 1]: 1, [minute]: 9 }
  const counters = createTestDatabase({ rate_limits: { track: { rider: counts } } })
  const limits = { name: 'track', limit: 11, dailyLimit: 1 }
  const call = { caller: 'rider', now }
  expect(await findExceededLimit(counters, limits, call)).toBeUndefined()
  expect(await findExceededLimit(counters, limits, call)).toBe('minute')
  expect(await findExceededLimit(counters, { ...limits, limit: 13 }, call)).toBe('day')
  await pruneRateLimits({ db: counters }, ['track'], now)
  const left = { [day]: 2, [minute - 1]: 1, [minute]: 12 }
  expect(counters.at('rate_limits/track/rider')).toEqual(left)
  await pruneRateLimits({ db: counters }, ['track'], now + DAY_MS)
  expect(counters.at('rate_limits/track')).toBeNull()
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
    const reservedIds = (sound['internal']?.['referral_ids'] ?? {}) as Record<string, string>
    expect(reservedIds).toMatchObject(Object.fromEntries(ids))
    expect(new Set(ids.map(([id]) => id)).size).toBe(ids.length)
    // An id from before a person gave a name leads to them too.
    const others = Object.entries(reservedIds).filter(([id, uid]) => users[uid]?.referralId !== id)
    expect(others.every(([, uid]) => users[uid])).toBe(true)
    expect(others.length > 0).toBe(from > 5)
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
    const namedBefore = Object.keys(old['internal']?.['named_devices'] ?? {})
    expect(Object.keys(devices)).toEqual(from < 6 ? named : namedBefore)
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

  test('has none of the fields that came later, which reads as their defaults', () => {
    const text = JSON.stringify(sound)
    const laterFields = from < 6 ? [...LATER_THAN_4, ...LATER_THAN_6] : LATER_THAN_6
    for (const field of laterFields) expect(text).not.toContain(`"${field}":`)
    const users = Object.values(sound['users'] ?? {}) as unknown as User[]
    const settings = sound['settings'] as unknown as Settings
    const rules = readMessageSettings(sound)
    for (const { sessionsEnd, email } of users) {
      expect(hasSessionEnded(sessionsEnd, undefined)).toBe(false)
      expect(isEmailDomainAllowed(email, rules)).toBe(true)
    }
    expect(toMessageSettingsForm(rules)).toMatchObject({
      allowedEmailDomains: '',
      refusedEmailDomains: '',
    })
    if (from < 6) {
      expect(settings.officeIdleMinutes).toBeUndefined()
      expect(getOfficeSessionEnd(settings, 0)).toBeUndefined()
      expect(getBonusDelayMs(settings)).toBe(0)
    }
    for (const attempt of Object.values(sound['payments'] ?? {}) as unknown as PaymentAttempt[])
      expect(sumFailedRefunds(attempt)).toBe(0)
  })

  test('has all compensation in the total of the riders, which agrees with the bookings', () => {
    const total = sound['stats']?.['total'] as { minor: Record<string, MoneyTotals> }
    const { code, decimal } = sound['settings'] as unknown as Settings
    const bookings = Object.values(sound['bookings'] ?? {}) as unknown as Booking[]
    const credits = bookings.map((booking) => getCompensation(booking, { decimal }, 'rider'))
    const minor = total.minor[`${code}${decimal}`] ?? {}
    expect(minor.driverCompensation).toBeUndefined()
    expect(getRiderCompensation(minor, 0)).toBe(toMinorUnits(sumAmounts(credits, decimal), decimal))
  })

  test('has messages that go to the address in the profile', async () => {
    const outbox = Object.entries((sound['internal']?.['outbox'] ?? {}) as object) as [
      string,
      OutboxMessage,
    ][]
    const receipts = outbox.filter(
      ([, { audience, channel, state }]) =>
        audience === 'rider' && channel === 'email' && state === 'waiting',
    )
    expect(receipts.length > 0).toBe(outbox.length > 0)
    for (const [id, message] of receipts.slice(0, 3)) {
      const { uid = '', booking_id = '' } = message
      const user = sound['users']?.[uid] as unknown as User
      const taken: OutgoingMessage[] = []
      const ports = createTestPorts({
        db: createTestDatabase({
          settings: sound['settings'],
          users: { [uid]: user },
          bookings: { [booking_id]: sound['bookings']?.[booking_id] },
          internal: {
            outbox: { [id]: message },
            message_settings: { current: readMessageSettings(sound) },
          },
        }),
        messages: {
          ...noMessages,
          has: () => true,
          send: (sent) => {
            taken.push(sent)
            return Promise.resolve({ state: 'sent', ref: 'r1' })
          },
        },
        clock: { now: () => message.due, wait: () => Promise.resolve() },
      })
      expect(await createOutboxSender(ports).deliver(id)).toBe('sent')
      expect(taken.map(({ to }) => to)).toEqual([user.email])
    }
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
