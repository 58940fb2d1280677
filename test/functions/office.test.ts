import { get, onChildAdded, query, ref, limitToLast, update } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry, CancelReason, InboxEntry, Settings } from '~/domain/entities'
import type { Client } from '../support/clients'
import { bookingId, openScene, refusalOf, type Scene } from './scene'

let scene: Scene
let admin: Client
let rider: Client
/** What the audit has gained since the tests began, as the office sees it. */
const entries: AuditEntry[] = []
let heard: () => void = () => undefined
let stop: () => void = () => undefined

beforeAll(async () => {
  scene = openScene()
  ;[admin, rider] = await Promise.all([scene.as('seed-admin'), scene.as('seed-rider')])
  const known = new Set(Object.keys((await scene.read<object>('audit')) ?? {}))
  stop = onChildAdded(query(ref(admin.database, 'audit'), limitToLast(500)), (entry) => {
    if (entry.key !== null && known.has(entry.key)) return
    entries.push(entry.val() as AuditEntry)
    heard()
  })
})
afterAll(async () => {
  stop()
  await scene.close()
})

const about = (path: string) => entries.filter((entry) => entry.path === path)
/** The entries about a path, once there are so many. */
const audited = (path: string, count: number): Promise<AuditEntry[]> =>
  new Promise((resolve) => {
    const look = () => {
      if (about(path).length >= count) resolve(about(path))
    }
    heard = look
    look()
  })
const change = (changes: Record<string, unknown>, client = admin) =>
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

describe('every change of the office is in the audit once, with who, from what and to what', () => {
  const records: [string, string, object, Record<string, unknown>][] = [
    ['cartypes', 'audit-van', carType, { min_fare: 9 }],
    ['promos', 'audit-promo', promo, { min_order: 9 }],
    ['languages', 'audit-language', language, { langName: 'Tested' }],
  ]
  it.each(records)('%s: added, changed, removed', async (collection, id, record, edit) => {
    const path = `${collection}/${id}`
    const [[field, value] = ['', '']] = Object.entries(edit)
    await change({ [path]: record })
    await audited(path, 1)
    await change({ [`${path}/${field}`]: value })
    await audited(path, 2)
    await change({ [path]: null })
    const told = await audited(path, 3)
    expect(told).toMatchObject([
      { by: 'seed-admin', action: `${collection}_add`, to: record },
      {
        action: `${collection}_update`,
        from: { [field]: (record as Record<string, unknown>)[field] },
        to: { [field]: value },
      },
      { action: `${collection}_delete` },
    ])
    expect(told).toHaveLength(3)
  })

  it('settings: two fields saved together are one entry', async () => {
    const before = await scene.read<Settings>('settings')
    const { appName = '', bonus = 0 } = before ?? {}
    await change({ 'settings/appName': 'Audited', 'settings/bonus': bonus + 1 })
    const [told] = await audited('settings', 1)
    expect(told).toMatchObject({
      by: 'seed-admin',
      action: 'settings_update',
      from: { appName, bonus },
      to: { appName: 'Audited', bonus: bonus + 1 },
    })
    await change({ 'settings/appName': appName, 'settings/bonus': bonus })
    expect(await audited('settings', 2)).toHaveLength(2)
  })

  it('cancel reasons, renumbered as one list', async () => {
    const before = (await scene.read<CancelReason[]>('cancel_reason')) ?? []
    await change({ cancel_reason: [...before, { label: 'Audited', value: before.length }] })
    await audited('cancel_reason', 1)
    await change({ cancel_reason: before })
    expect(await audited('cancel_reason', 2)).toHaveLength(2)
  })

  it('who may drive', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver' })
    await change({ [`users/${uid}/approved`]: false })
    expect(await audited(`users/${uid}/approved`, 1)).toMatchObject([
      { by: 'seed-admin', action: 'users_update', from: true, to: false },
    ])
    // By a function it is told there, and not again.
    await admin.call('save_user', { id: uid, approved: true })
    expect(await audited(`users/${uid}`, 1)).toMatchObject([{ action: 'user_edit' }])
    expect(about(`users/${uid}/approved`)).toHaveLength(1)
  })
})

describe('what is not allowed is not written', () => {
  const wrong: [string, Record<string, unknown>][] = [
    ['a negative fare', { 'cartypes/audit-van': { ...carType, base_fare: -1 } }],
    ['a car type without a price', { 'cartypes/audit-van': { ...carType, min_fare: null } }],
    ['a promo used before it was made', { 'promos/audit-promo': { ...promo, user_avail: 1 } }],
    ['a reason out of its place', { 'cancel_reason/90': { label: 'Late', value: 7 } }],
    ['a bonus in words', { 'settings/bonus': 'ten' }],
    ['a text that is none', { 'languages/en/keyValuePairs/book_now': 7 }],
    ['the default language’s end', { 'languages/en': null }],
    [
      'an entry in the audit',
      { 'audit/mine': { by: 'seed-admin', at: 1, action: 'x', path: 'y' } },
    ],
  ]
  it.each(wrong)('%s', async (_, changes) => {
    await expect(change(changes)).rejects.toThrow(/denied/i)
  })
  it('anything at all, by a rider', async () => {
    await expect(change({ 'settings/appName': 'Mine' }, rider)).rejects.toThrow(/denied/i)
    await expect(change({ 'cartypes/mine': carType }, rider)).rejects.toThrow(/denied/i)
    await expect(get(query(ref(rider.database, 'audit'), limitToLast(1)))).rejects.toThrow(
      /denied/i,
    )
  })
  it('in demo mode: critical edits, messages, exports, cancelling and deleting, on the server too', async () => {
    const [uid = ''] = await scene.people(1, {})
    const { booking_id } = await scene.book(rider)
    await scene.write({ 'settings/AllowCriticalEditsAdmin': false })
    try {
      await expect(change({ 'settings/appName': 'Demo' })).rejects.toThrow(/denied/i)
      await expect(change({ 'cartypes/audit-van': carType })).rejects.toThrow(/denied/i)
      await expect(change({ 'languages/es': null })).rejects.toThrow(/denied/i)
      await expect(change({ 'settings/AllowCriticalEditsAdmin': true })).rejects.toThrow(/denied/i)
      // Adding a promo is not blocked; changing one is.
      await change({ 'promos/demo-promo': promo })
      await expect(change({ 'promos/demo-promo/min_order': 3 })).rejects.toThrow(/denied/i)
      const calls: [string, object][] = [
        ['delete_user', { id: uid }],
        ['broadcast_notification', message()],
        ['export_bookings', {}],
        ['advance_booking', { booking_id, event: 'cancel', reason: 'Demonstration' }],
      ]
      for (const [name, input] of calls)
        expect([name, (await refusalOf(admin.call(name, input))).details.key]).toEqual([
          name,
          'demo_mode',
        ])
    } finally {
      await scene.write({ 'settings/AllowCriticalEditsAdmin': true, 'promos/demo-promo': null })
    }
  })
})

const message = (more = {}) => ({
  notification_id: bookingId(),
  title: 'Rain',
  body: 'Drive with care',
  usertype: 'driver',
  devicetype: 'IOS',
  ...more,
})

describe('a message to many', () => {
  it('reaches whom it is for, once, however often it is sent', async () => {
    const phone = { pushToken: `token-${Date.now()}`, userPlatform: 'IOS' as const }
    const [uid = ''] = await scene.people(1, { usertype: 'driver', ...phone })
    const [other = ''] = await scene.people(1, { ...phone, pushToken: `${phone.pushToken}-r` })
    const sent = message()
    type Sent = { matched: number; sent: number }
    const answers = await Promise.all(
      [1, 2].map(() => admin.call<Sent>('broadcast_notification', sent)),
    )
    expect(answers.reduce((total, answer) => total + answer.sent, 0)).toBe(answers[0]?.matched)
    const inbox = await scene.read<Record<string, InboxEntry>>(`inbox/${uid}`)
    expect(Object.values(inbox ?? {})).toMatchObject([{ title: 'Rain', msg: 'Drive with care' }])
    expect(await scene.read(`inbox/${other}`)).toBeNull()
    const path = `notifications/${sent.notification_id}`
    expect(await scene.read(path)).toMatchObject({ title: 'Rain', usertype: 'driver' })
    expect(await audited(path, 1)).toMatchObject([{ action: 'notification_send' }])
    await admin.call('delete_user', { id: uid })
    const nobody = await refusalOf(admin.call('broadcast_notification', message()))
    expect(nobody.details.key).toBe('no_user_match')
    const stranger = await refusalOf(rider.call('broadcast_notification', message()))
    expect(stranger.details.key).toBe('not_allowed')
  })
})
