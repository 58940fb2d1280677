import type { EndpointName } from '~/domain/api/api'
import { get, onChildAdded, query, ref, limitToLast, update } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestClient } from '../support/testClients'
import { createBookingId, openTestPlatform, expectRefusal, type TestPlatform } from './testPlatform'
import type { AuditEntry } from '~/domain/office/types'
import type { CancellationReason, Settings } from '~/domain/catalog/types'
import type { InboxEntry } from '~/domain/messages/types'

let platform: TestPlatform
let admin: TestClient
let rider: TestClient
/**
 * The audit entries of this file's changes, as the office sees them. The trigger of a change by an
 * earlier file, which had another author, may still be running.
 */
const auditEntries: AuditEntry[] = []
let onEntry: () => void = () => undefined
let unsubscribe: () => void = () => undefined

beforeAll(async () => {
  platform = openTestPlatform()
  ;[admin, rider] = await Promise.all([
    platform.signInAs('seed-admin'),
    platform.signInAs('seed-rider'),
  ])
  const known = new Set(Object.keys((await platform.read<object>('audit')) ?? {}))
  unsubscribe = onChildAdded(query(ref(admin.database, 'audit'), limitToLast(500)), (entry) => {
    if (entry.key !== null && known.has(entry.key)) return
    const added = entry.val() as AuditEntry
    if (added.by !== 'seed-admin') return
    auditEntries.push(added)
    onEntry()
  })
})
afterAll(async () => {
  unsubscribe()
  await platform.close()
})

const filterEntriesByPath = (path: string) => auditEntries.filter((entry) => entry.path === path)
/** Resolves with the entries about a path when there are at least `count`. */
const waitForEntries = (path: string, count: number): Promise<AuditEntry[]> =>
  new Promise((resolve) => {
    const check = () => {
      if (filterEntriesByPath(path).length >= count) resolve(filterEntriesByPath(path))
    }
    onEntry = check
    check()
  })
const writeChanges = (changes: Record<string, unknown>, client = admin) =>
  update(ref(client.database), changes)
const language = {
  langName: 'Test',
  langLocale: 'xx',
  dateLocale: 'en-gb',
  default: false,
  keyValuePairs: { book_now: 'Go' },
}
const carType = {
  name: 'Test van',
  base_fare: 1,
  rate_per_unit_distance: 1,
  rate_per_hour: 1,
  min_fare: 1,
  convenience_fees: 1,
  convenience_fee_type: 'flat',
}
const promo = {
  promo_name: 'Audit',
  promo_description: '',
  promo_discount_type: 'flat',
  promo_discount_value: 1,
  max_promo_discount_value: 0,
  min_order: 0,
  promo_validity: 4_000_000_000_000,
  promo_usage_limit: 1,
}

describe('the audit records every change by the back office once, with author, old value, and new value', () => {
  const records: [string, string, object, Record<string, unknown>][] = [
    ['cartypes', 'audit-van', carType, { min_fare: 9 }],
    ['promos', 'audit-promo', promo, { min_order: 9 }],
    ['languages', 'audit-language', language, { langName: 'Tested' }],
  ]
  it.each(records)(
    'a record in %s that is added, changed, and removed',
    async (collection, id, record, edit) => {
      const path = `${collection}/${id}`
      const [[field, value] = ['', '']] = Object.entries(edit)
      await writeChanges({ [path]: record })
      await waitForEntries(path, 1)
      await writeChanges({ [`${path}/${field}`]: value })
      await waitForEntries(path, 2)
      await writeChanges({ [path]: null })
      const entries = await waitForEntries(path, 3)
      expect(entries).toMatchObject([
        { by: 'seed-admin', action: `${collection}_add`, to: record },
        {
          action: `${collection}_update`,
          from: { [field]: (record as Record<string, unknown>)[field] },
          to: { [field]: value },
        },
        { action: `${collection}_delete` },
      ])
      expect(entries).toHaveLength(3)
    },
  )

  it('settings: two fields saved together make one entry', async () => {
    const before = await platform.read<Settings>('settings')
    const { appName = '', bonus = 0 } = before ?? {}
    await writeChanges({ 'settings/appName': 'Audited', 'settings/bonus': bonus + 1 })
    const [entries] = await waitForEntries('settings', 1)
    expect(entries).toMatchObject({
      by: 'seed-admin',
      action: 'settings_update',
      from: { appName, bonus },
      to: { appName: 'Audited', bonus: bonus + 1 },
    })
    await writeChanges({ 'settings/appName': appName, 'settings/bonus': bonus })
    expect(await waitForEntries('settings', 2)).toHaveLength(2)
  })

  it('cancellation reasons, renumbered as one list', async () => {
    const before = (await platform.read<CancellationReason[]>('cancel_reason')) ?? []
    await writeChanges({ cancel_reason: [...before, { label: 'Audited', value: before.length }] })
    await waitForEntries('cancel_reason', 1)
    await writeChanges({ cancel_reason: before })
    expect(await waitForEntries('cancel_reason', 2)).toHaveLength(2)
  })

  it('a driver’s approval', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    // A change by a function has its own audit entry, so the trigger adds none.
    await admin.call('save_user', { id: uid, approved: false })
    expect(await waitForEntries(`users/${uid}`, 1)).toMatchObject([{ action: 'user_edit' }])
    expect(filterEntriesByPath(`users/${uid}/approved`)).toHaveLength(0)
  })
})

describe('the rules refuse', () => {
  const wrong: [string, Record<string, unknown>][] = [
    ['a negative fare', { 'cartypes/audit-van': { ...carType, base_fare: -1 } }],
    ['a vehicle type without a price', { 'cartypes/audit-van': { ...carType, min_fare: null } }],
    ['a promo with a use before it exists', { 'promos/audit-promo': { ...promo, user_avail: 1 } }],
    ['a cancel reason at the wrong index', { 'cancel_reason/90': { label: 'Late', value: 7 } }],
    ['a bonus in words', { 'settings/bonus': 'ten' }],
    ['another currency', { 'settings/code': 'USD' }],
    ['other decimals', { 'settings/decimal': 0 }],
    ['an approval past the function', { 'users/seed-driver-pending/approved': true }],
    ['a text that is not a string', { 'languages/en/keyValuePairs/book_now': 7 }],
    ['the removal of the default language', { 'languages/en': null }],
    [
      'a direct write of an audit entry',
      { 'audit/mine': { by: 'seed-admin', at: 1, action: 'x', path: 'y' } },
    ],
  ]
  it.each(wrong)('%s', async (_, changes) => {
    await expect(writeChanges(changes)).rejects.toThrow(/denied/i)
  })
  it('every write by a rider', async () => {
    await expect(writeChanges({ 'settings/appName': 'Mine' }, rider)).rejects.toThrow(/denied/i)
    await expect(writeChanges({ 'cartypes/mine': carType }, rider)).rejects.toThrow(/denied/i)
    await expect(get(query(ref(rider.database, 'audit'), limitToLast(1)))).rejects.toThrow(
      /denied/i,
    )
  })
  it('critical edits, messages, exports, cancellations, and deletions in demo mode, also on the server', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const { booking_id } = await platform.createBooking(rider)
    await platform.write({ 'settings/AllowCriticalEditsAdmin': false })
    try {
      await expect(writeChanges({ 'settings/appName': 'Demo' })).rejects.toThrow(/denied/i)
      await expect(writeChanges({ 'cartypes/audit-van': carType })).rejects.toThrow(/denied/i)
      await expect(writeChanges({ 'languages/es': null })).rejects.toThrow(/denied/i)
      await expect(writeChanges({ 'settings/AllowCriticalEditsAdmin': true })).rejects.toThrow(
        /denied/i,
      )
      // Demo mode allows adding a promo, but not changing one.
      await writeChanges({ 'promos/demo-promo': promo })
      await expect(writeChanges({ 'promos/demo-promo/min_order': 3 })).rejects.toThrow(/denied/i)
      const calls: [EndpointName, object][] = [
        ['delete_user', { id: uid }],
        ['broadcast_notification', createMessage()],
        ['change_currency', { code: 'JPY', dry_run: true }],
        ['export_bookings', {}],
        ['advance_booking', { booking_id, event: 'cancel', reason: 'Demonstration' }],
      ]
      for (const [name, input] of calls)
        expect([name, (await expectRefusal(admin.call(name, input))).details.key]).toEqual([
          name,
          'demo_mode',
        ])
    } finally {
      await platform.write({ 'settings/AllowCriticalEditsAdmin': true, 'promos/demo-promo': null })
    }
  })
})

describe('a currency change', () => {
  const currency = async () => {
    const settings = await platform.read<Settings>('settings')
    return [settings?.code, settings?.decimal, await platform.read('currency')]
  }
  it('can be previewed, and is refused while wallets hold money', async () => {
    const { plan } = await admin.call('change_currency', {
      code: 'JPY',
      dry_run: true,
    })
    expect(plan).toMatchObject({ from: { code: 'UYU' }, to: { code: 'JPY', decimal: 0 } })
    expect(plan?.wallets.count).toBeGreaterThan(0)
    expect(plan?.wallets.held).toBeGreaterThan(0)
    const refused = await expectRefusal(admin.call('change_currency', { code: 'JPY', symbol: '¥' }))
    expect(refused.details.key).toBe('currency_in_use')
    expect(await currency()).toEqual(['UYU', 2, null])
  })
  it('is refused for an unknown currency and for anyone but an admin', async () => {
    const unknown = await expectRefusal(admin.call('change_currency', { code: 'XYZ' }))
    expect(unknown.details).toMatchObject({ key: 'bad_input', field: 'code' })
    const stranger = await expectRefusal(
      rider.call('change_currency', { code: 'JPY', dry_run: true }),
    )
    expect(stranger.details.key).toBe('not_allowed')
    expect(await currency()).toEqual(['UYU', 2, null])
  })
})

const createMessage = (more = {}) => ({
  notification_id: createBookingId(),
  title: 'Rain',
  body: 'Drive with care',
  usertype: 'driver',
  devicetype: 'IOS',
  ...more,
})

describe('a broadcast message', () => {
  it('reaches each recipient once, however often an admin sends it', async () => {
    const device = { token: `token-${Date.now()}`, platform: 'IOS' as const }
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver', device })
    const [other = ''] = await platform.createUsers(1, {
      device: { ...device, token: `${device.token}-r` },
    })
    const sent = createMessage()
    const answers = await Promise.all([1, 2].map(() => admin.call('broadcast_notification', sent)))
    // One of two simultaneous runs may stop before it has found a recipient.
    const matched = Math.max(...answers.map((answer) => answer.matched))
    expect(answers.reduce((total, answer) => total + answer.sent, 0)).toBe(matched)
    const inbox = await platform.read<Record<string, InboxEntry>>(`inbox/${uid}`)
    expect(Object.values(inbox ?? {})).toMatchObject([{ title: 'Rain', msg: 'Drive with care' }])
    expect(await platform.read(`inbox/${other}`)).toBeNull()
    const path = `notifications/${sent.notification_id}`
    expect(await platform.read(path)).toMatchObject({ title: 'Rain', usertype: 'driver' })
    expect(await waitForEntries(path, 1)).toMatchObject([{ action: 'notification_send' }])
    await admin.call('delete_user', { id: uid })
    const refusal = await expectRefusal(admin.call('broadcast_notification', createMessage()))
    expect(refusal.details.key).toBe('no_user_match')
    const stranger = await expectRefusal(rider.call('broadcast_notification', createMessage()))
    expect(stranger.details.key).toBe('not_allowed')
  })
})
