import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { get, onValue, ref, set, update } from 'firebase/database'
import type { AuditEntry, Booking, User } from '~/domain/entities'
import type { Client } from '../support/clients'
import { bookingId, mapsKey, openScene, post, refusalOf, type Scene } from './scene'

let scene: Scene
let rider: Client
let admin: Client

beforeAll(async () => {
  scene = openScene()
  ;[rider, admin] = await Promise.all([scene.as('seed-rider'), scene.as('seed-admin')])
})
afterAll(() => scene.close())

const bearer = async (client: Client) => ({ Authorization: `Bearer ${await client.idToken()}` })
const fetchFrom = (path: string, init: RequestInit = {}) =>
  fetch(`${inject('urls').functions}/${path}`, init)

describe('the doors', () => {
  const way = { start: '-34.9055,-56.1913', dest: '-34.8721,-56.1480' }

  it('the maps proxies open to the fixed header or an ID token, and to nothing else', async () => {
    const byKey = await post('googleapis-getdirections', way, mapsKey)
    expect(byKey.body.distance_in_km).toBeGreaterThan(3)
    const byToken = await post('googleapis-getdirections', way, await bearer(rider))
    expect(byToken.body).toEqual(byKey.body)
    for (const wrong of [
      {},
      { Authorization: 'Basic eDp5' },
      { Authorization: 'Bearer nonsense' },
    ]) {
      const refused = await post('googleapis-getdirections', way, wrong as Record<string, string>)
      expect([refused.status, refused.body.key]).toEqual([401, 'must_login'])
    }
  })

  it('the pages of this machine may call, other origins’ may not', async () => {
    const preflight = (Origin: string) =>
      fetchFrom('check_user_exists', { method: 'OPTIONS', headers: { Origin } })
    const ours = await preflight(inject('urls').web)
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([
      204,
      inject('urls').web,
    ])
    const theirs = await preflight('https://evil.example')
    expect(theirs.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('another method, a body that is no object, too large or broken is the caller’s fault', async () => {
    expect((await fetchFrom('check_user_exists')).status).toBe(405)
    expect((await post('check_user_exists', '[1]')).status).toBe(400)
    expect((await post('check_user_exists', '{"mobile"')).status).toBe(400)
    const large = await post('check_user_exists', { email: 'x'.repeat(70_000) })
    expect([large.status, large.body.field]).toEqual([400, 'body'])
    const field = await post('user_signup', { usertype: 'admin' })
    expect([field.status, field.body.field]).toEqual([400, 'usertype'])
    expect(String(field.body.error)).toContain('usertype')
  })

  it('somebody who asks too often is asked to wait', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 130 && !statuses.includes(429); i++) {
      statuses.push((await post('validate_referrer', { referralId: `guess${i}` })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  it('an approval taken away closes every door at once', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver' })
    const driver = await scene.as(uid)
    expect(await driver.call('ensure_profile')).toMatchObject({ id: uid })
    await scene.write({ [`users/${uid}/approved`]: false })
    const doors: [string, object?][] = [
      ['ensure_profile'],
      ['request_withdraw', { withdraw_id: bookingId(), amount: 1 }],
      ['advance_booking', { booking_id: bookingId(), event: 'accept' }],
    ]
    for (const [name, input] of doors) {
      expect(await refusalOf(driver.call(name, input))).toMatchObject({
        code: 'functions/permission-denied',
        details: { key: 'require_approval' },
      })
    }
  })
})

describe('people', () => {
  it('a driver signs up, waits, is approved by the office and comes in', async () => {
    const mobile = `+1777${String(Date.now()).slice(-7)}`
    const email = `eva${Date.now()}@example.com`
    const regData = { usertype: 'driver', firstName: 'Eva', lastName: 'Sosa', email, mobile }
    expect((await post('check_user_exists', { mobile })).body).toEqual({ users: [], error: null })
    const made = await post('user_signup', { regData })
    expect(made).toMatchObject({ status: 200, body: { success: true, approved: false } })
    expect((await post('check_user_exists', { mobile })).body).toEqual({ users: [{}], error: null })
    expect((await post('user_signup', regData)).body.key).toBe('user_exists')

    const uid = String(made.body.uid)
    const driver = await scene.as(uid)
    expect((await refusalOf(driver.call('ensure_profile'))).details.key).toBe('require_approval')
    await admin.call('save_user', { id: uid, approved: true })
    expect(await driver.call<User>('ensure_profile')).toMatchObject({ usertype: 'driver', email })
    await admin.call('delete_user', { id: uid })
    expect(await scene.read(`users/${uid}`)).toBeNull()
  })

  it('the first sign-in makes a rider who can read himself and nobody else', async () => {
    const uid = `fresh-${Date.now()}`
    const client = await scene.as(uid)
    expect(await client.call<User>('ensure_profile')).toMatchObject({
      id: uid,
      usertype: 'rider',
      walletBalance: 0,
    })
    expect((await get(ref(client.database, `users/${uid}/usertype`))).val()).toBe('rider')
    await expect(get(ref(client.database, 'users/seed-rider'))).rejects.toThrow(/denied/i)
    await expect(set(ref(client.database, `users/${uid}/usertype`), 'admin')).rejects.toThrow(
      /denied/i,
    )
  })

  it('a set-up project is not set up again', async () => {
    const again = { mobile: '+15555550999', country: 'Uruguay', restrictCountry: 'UY' }
    expect((await refusalOf(rider.call('setup', again))).details.key).toBe('already_set_up')
  })
})

describe('money', () => {
  it('a wallet is credited, withdrawn from and paid out, and its history explains it', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver' })
    const driver = await scene.as(uid)
    const credit = { credit_id: bookingId(), uid, amount: 80 }
    const [one, two] = await Promise.all([
      admin.call('add_to_wallet', credit),
      admin.call('add_to_wallet', credit),
    ])
    expect([one, two]).toEqual(Array(2).fill({ uid, amount: 80, walletBalance: 80 }))

    // Ten withdraws of 30 at once out of 80: two fit.
    const asked = Array.from({ length: 10 }, () => ({ withdraw_id: bookingId(), amount: 30 }))
    const settled = await Promise.allSettled(
      asked.map((input) => driver.call('request_withdraw', input)),
    )
    const done = asked.filter((_, i) => settled[i]?.status === 'fulfilled')
    expect(done).toHaveLength(2)
    expect(await scene.read(`users/${uid}/walletBalance`)).toBe(20)
    const { withdraw_id } = done[0] ?? { withdraw_id: '' }
    expect(await admin.call('complete_withdraw', { withdraw_id })).toMatchObject({
      processed: true,
    })
    const user = await scene.read<User>(`users/${uid}`)
    const sum = Object.values(user?.walletHistory ?? {}).reduce(
      (total, { type, amount }) => total + (type === 'Credit' ? amount : -amount),
      0,
    )
    expect(sum).toBe(user?.walletBalance)
  })

  it('riders and drivers credit nobody', async () => {
    const call = rider.call('add_to_wallet', {
      credit_id: bookingId(),
      uid: 'seed-rider',
      amount: 1,
    })
    expect(await refusalOf(call)).toMatchObject({ code: 'functions/permission-denied' })
  })
})

describe('the office', () => {
  it('what an admin changes is in the audit, with who and from what to what', async () => {
    const [id = ''] = Object.keys((await scene.read<object>('cartypes')) ?? {})
    const before = await scene.read<number>(`cartypes/${id}/min_fare`)
    const after = (before ?? 0) + 1
    const found = new Promise<AuditEntry>((resolve, reject) => {
      // By its path: an entry of a trigger has the event's id for a key, which says nothing of when it was.
      const audit = scene.admin.database.ref('audit').orderByChild('path').equalTo(`cartypes/${id}`)
      audit.on(
        'child_added',
        (entry) => {
          const value = entry.val() as AuditEntry & { to?: { min_fare?: number } }
          if (value.path === `cartypes/${id}` && value.to?.min_fare === after) resolve(value)
        },
        reject,
      )
    })
    await update(ref(admin.database, `cartypes/${id}`), { min_fare: after })
    expect(await found).toMatchObject({
      by: 'seed-admin',
      action: 'cartypes_update',
      from: { min_fare: before },
      to: { min_fare: after },
    })
    await update(ref(admin.database, `cartypes/${id}`), { min_fare: before })
  })

  it('a notification reaches the inbox while its receiver looks on', async () => {
    const token = `token-${Date.now()}`
    const [uid = ''] = await scene.people(1, { pushToken: token })
    const receiver = await scene.as(uid)
    const arrived = new Promise<string>((resolve, reject) => {
      onValue(
        ref(receiver.database, `inbox/${uid}`),
        (inbox) => {
          const [first] = Object.values((inbox.val() ?? {}) as Record<string, { title: string }>)
          if (first) resolve(first.title)
        },
        reject,
      )
    })
    const message = { token, title: 'Rain', msg: 'Drive with care', screen: 'Wallet' }
    const sent = await post('send_notification', message, await bearer(admin))
    expect(sent).toMatchObject({ status: 200, body: { success: true } })
    expect(await arrived).toBe('Rain')
    const stranger = await post('send_notification', message, await bearer(rider))
    expect([stranger.status, stranger.body.key]).toEqual([403, 'not_allowed'])
  })

  it('bookings are exported page by page', async () => {
    const first = await admin.call<{ rows: Booking[]; next: string }>('export_bookings', {
      limit: 5,
    })
    expect(first.rows).toHaveLength(5)
    const second = await admin.call<{ rows: { id: string }[] }>('export_bookings', {
      limit: 5,
      cursor: first.next,
    })
    expect(second.rows.map(({ id }) => id > first.next)).toEqual(Array(5).fill(true))
    const found: number[] = []
    let cursor: string | null = null
    do {
      const page: { rows: Booking[]; next: string | null } = await admin.call('export_bookings', {
        limit: 2,
        to: first.rows[4]?.bookingDate ?? 0,
        ...(cursor !== null && { cursor }),
      })
      found.push(...page.rows.map(({ bookingDate }) => bookingDate))
      cursor = page.next
    } while (cursor !== null)
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(found.length).toBeGreaterThan(0)
    expect((await refusalOf(rider.call('export_bookings'))).details.key).toBe('not_allowed')
  })

  it('a shared link is followed without signing in', async () => {
    const { booking_id } = await scene.book(rider)
    const { token } = await rider.call<{ token: string }>('share_booking', { booking_id })
    const shown = await fetchFrom(`track?token=${token}`)
    expect(await shown.json()).toMatchObject({ status: 'PAYMENT_PENDING' })
    expect((await fetchFrom('track?token=guess')).status).toBe(404)
  })

  it('the providers are listed: in local mode the test bank’s', async () => {
    const response = await fetchFrom('get_providers')
    expect(await response.json()).toMatchObject([{ name: 'test' }])
  })

  it('the sweep runs by hand', async () => {
    const { booking_id } = await scene.book(rider)
    const bookingDate = `bookings/${booking_id}/bookingDate`
    const made = await scene.read<number>(bookingDate)
    await scene.write({ [bookingDate]: Date.now() - 31 * 60_000 })
    const swept = await admin.call<{ expired: string[] }>('run_sweep')
    expect(swept.expired).toContain(booking_id)
    expect(await scene.read(`bookings/${booking_id}/status`)).toBe('CANCELLED')
    // The day it was counted on may have been another half an hour earlier.
    await scene.write({ [bookingDate]: made })
  })
})
