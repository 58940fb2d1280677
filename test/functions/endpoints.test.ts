import type { EndpointName, EndpointOutput } from '~/domain/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, onValue, ref, set, update } from 'firebase/database'
import { buildApprovalUpdates } from '~/domain/access/roles'
import type { TestClient } from '../support/testClients'
import {
  createBookingId,
  mapsAuthHeader,
  openTestPlatform,
  postEndpoint,
  expectRefusal,
  type TestPlatform,
} from './testPlatform'
import { PROJECT } from '~/scripts/local/localDatabase'
import { sendRequest } from '~/lab/attack/httpRequest'
import { killFunctions } from '~/lab/simulate/faultInjection'
import { getSuite } from '../support/testSuite'
import type { AuditEntry } from '~/domain/office/types'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
let rider: TestClient
let admin: TestClient

beforeAll(async () => {
  platform = openTestPlatform()
  ;[rider, admin] = await Promise.all([
    platform.signInAs('seed-rider'),
    platform.signInAs('seed-admin'),
  ])
})
afterAll(() => platform.close())

const createBearerHeader = async (client: TestClient) => ({
  Authorization: `Bearer ${await client.idToken()}`,
})
const fetchFrom = (path: string, init: RequestInit = {}) =>
  fetch(`${getSuite().urls.functions}/${path}`, init)

describe('the endpoints', () => {
  const route = { start: '-34.9055,-56.1913', dest: '-34.8721,-56.1480' }

  it('accept only the fixed header or an ID token at the maps proxies', async () => {
    const byKey = await postEndpoint('googleapis-getdirections', route, mapsAuthHeader)
    expect(byKey.body.distance_in_km).toBeGreaterThan(3)
    const byToken = await postEndpoint(
      'googleapis-getdirections',
      route,
      await createBearerHeader(rider),
    )
    expect(byToken.body).toEqual(byKey.body)
    for (const wrong of [
      {},
      { Authorization: 'Basic eDp5' },
      { Authorization: 'Bearer nonsense' },
    ]) {
      const refused = await postEndpoint(
        'googleapis-getdirections',
        route,
        wrong as Record<string, string>,
      )
      expect([refused.status, refused.body.key]).toEqual([401, 'must_login'])
    }
  })

  it('allow requests from this machine’s pages, but not from other origins', async () => {
    const preflight = (Origin: string) =>
      fetchFrom('check_user_exists', { method: 'OPTIONS', headers: { Origin } })
    const ours = await preflight(getSuite().urls.web)
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([
      204,
      getSuite().urls.web,
    ])
    const theirs = await preflight('https://evil.example')
    expect(theirs.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answer a wrong method, or an invalid, oversized or broken body with a client error', async () => {
    expect((await fetchFrom('check_user_exists')).status).toBe(405)
    expect((await postEndpoint('check_user_exists', '[1]')).status).toBe(400)
    expect((await postEndpoint('check_user_exists', '{"mobile"')).status).toBe(400)
    const large = await postEndpoint('check_user_exists', { email: 'x'.repeat(70_000) })
    expect([large.status, large.body.field]).toEqual([400, 'body'])
    const field = await postEndpoint('user_signup', { usertype: 'admin' })
    expect([field.status, field.body.field]).toEqual([400, 'usertype'])
    expect(String(field.body.error)).toContain('usertype')
  })

  it('limit the rate of requests', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 130 && !statuses.includes(429); i++) {
      statuses.push((await postEndpoint('validate_referrer', { referralId: `guess${i}` })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  it('refuse a user on every endpoint as soon as their approval is revoked', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const driver = await platform.signInAs(uid)
    expect(await driver.call('ensure_profile')).toMatchObject({ id: uid })
    await platform.write(buildApprovalUpdates({ id: uid, usertype: 'driver' }, false))
    const calls: [EndpointName, object?][] = [
      ['ensure_profile'],
      ['request_withdraw', { withdraw_id: createBookingId(), amount: 1 }],
      ['advance_booking', { booking_id: createBookingId(), event: 'accept' }],
    ]
    for (const [name, input] of calls) {
      expect(await expectRefusal(driver.call(name, input))).toMatchObject({
        code: 'functions/permission-denied',
        details: { key: 'require_approval' },
      })
    }
  })
})

describe('users', () => {
  it('a driver signs up, waits, is approved by the office and signs in', async () => {
    const driver = await platform.signInAs(`signing-up-${Date.now()}`)
    const { uid, phone: mobile } = driver
    const proof = await createBearerHeader(driver)
    const email = `eva${Date.now()}@example.com`
    const regData = { usertype: 'driver', firstName: 'Eva', lastName: 'Sosa', email, mobile }
    expect((await postEndpoint('check_user_exists', { mobile })).body).toEqual({
      users: [],
      error: null,
    })
    const made = await postEndpoint('user_signup', { regData }, proof)
    expect(made).toMatchObject({ status: 200, body: { success: true, uid, approved: false } })
    expect((await postEndpoint('check_user_exists', { mobile })).body).toEqual({
      users: [{}],
      error: null,
    })
    expect((await postEndpoint('user_signup', regData)).body.key).toBe('user_exists')
    expect((await postEndpoint('user_signup', regData, proof)).body.key).toBe('user_exists')

    expect((await expectRefusal(driver.call('ensure_profile'))).details.key).toBe(
      'require_approval',
    )
    await admin.call('save_user', { id: uid, approved: true })
    expect(await driver.call('ensure_profile')).toMatchObject({ usertype: 'driver', email })
    await admin.call('delete_user', { id: uid })
    expect(await platform.read(`users/${uid}`)).toBeNull()
  })

  it('the first sign-in creates a rider who can read only their own profile', async () => {
    const uid = `fresh-${Date.now()}`
    const client = await platform.signInAs(uid)
    expect(await client.call('ensure_profile')).toMatchObject({
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

  it('a project is set up only once', async () => {
    const again = { mobile: '+15555550999', country: 'Uruguay', restrictCountry: 'UY' }
    expect((await expectRefusal(rider.call('setup', again))).details.key).toBe('already_set_up')
  })
})

describe('money', () => {
  it('a wallet is credited, withdrawn from and paid out, and its history explains the balance', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const driver = await platform.signInAs(uid)
    const credit = { credit_id: createBookingId(), uid, amount: 80 }
    const [one, two] = await Promise.all([
      admin.call('add_to_wallet', credit),
      admin.call('add_to_wallet', credit),
    ])
    expect([one, two]).toEqual(Array(2).fill({ uid, amount: 80, walletBalance: 80 }))

    // Of ten concurrent withdrawals of 30, a balance of 80 covers two.
    const asked = Array.from({ length: 10 }, () => ({ withdraw_id: createBookingId(), amount: 30 }))
    const settled = await Promise.allSettled(
      asked.map((input) => driver.call('request_withdraw', input)),
    )
    const done = asked.filter((_, i) => settled[i]?.status === 'fulfilled')
    expect(done).toHaveLength(2)
    expect(await platform.read(`users/${uid}/walletBalance`)).toBe(20)
    const { withdraw_id } = done[0] ?? { withdraw_id: '' }
    expect(await admin.call('complete_withdraw', { withdraw_id })).toMatchObject({
      processed: true,
    })
    const user = await platform.read<User>(`users/${uid}`)
    const sum = Object.values(user?.walletHistory ?? {}).reduce(
      (total, { type, amount }) => total + (type === 'Credit' ? amount : -amount),
      0,
    )
    expect(sum).toBe(user?.walletBalance)
  })

  it('riders and drivers cannot credit a wallet', async () => {
    const call = rider.call('add_to_wallet', {
      credit_id: createBookingId(),
      uid: 'seed-rider',
      amount: 1,
    })
    expect(await expectRefusal(call)).toMatchObject({ code: 'functions/permission-denied' })
  })
})

describe('the back office', () => {
  it('records an admin’s change in the audit, with the author and the old and new values', async () => {
    const [id = ''] = Object.keys((await platform.read<object>('cartypes')) ?? {})
    const before = await platform.read<number>(`cartypes/${id}/min_fare`)
    const after = (before ?? 0) + 1
    const found = new Promise<AuditEntry>((resolve, reject) => {
      // The query uses the path: a trigger's entry has the event's id as its key, which does not
      // sort by time.
      const audit = platform.admin.database
        .ref('audit')
        .orderByChild('path')
        .equalTo(`cartypes/${id}`)
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

  it('delivers a notification to the open inbox of its recipient', async () => {
    const token = `token-${Date.now()}`
    const [uid = ''] = await platform.createUsers(1, { device: { token } })
    const receiver = await platform.signInAs(uid)
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
    const sent = await postEndpoint('send_notification', message, await createBearerHeader(admin))
    expect(sent).toMatchObject({ status: 200, body: { success: true } })
    expect(await arrived).toBe('Rain')
    const stranger = await postEndpoint(
      'send_notification',
      message,
      await createBearerHeader(rider),
    )
    expect([stranger.status, stranger.body.key]).toEqual([403, 'not_allowed'])
  })

  it('exports bookings page by page', async () => {
    const first = await admin.call('export_bookings', {
      limit: 5,
    })
    expect(first.rows).toHaveLength(5)
    const second = await admin.call('export_bookings', {
      limit: 5,
      cursor: first.next,
    })
    expect(second.rows.map(({ id }) => id > (first.next ?? ''))).toEqual(Array(5).fill(true))
    const found: number[] = []
    let cursor: string | null = null
    do {
      const page: EndpointOutput<'export_bookings'> = await admin.call('export_bookings', {
        limit: 2,
        to: first.rows[4]?.bookingDate ?? 0,
        ...(cursor !== null && { cursor }),
      })
      found.push(...page.rows.map(({ bookingDate }) => bookingDate))
      cursor = page.next
    } while (cursor !== null)
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(found.length).toBeGreaterThan(0)
  })

  it('a rider exports and finds only their own bookings', async () => {
    const { booking_id } = await platform.createBooking(rider)
    const own = (rows: Booking[]) => rows.map(({ customer }) => customer)
    const exported = await rider.call('export_bookings')
    expect(exported.rows.map(({ id }) => id)).toContain(booking_id)
    const { rows, next } = await rider.call('find_bookings', { words: booking_id.toLowerCase() })
    expect([rows.map(({ id }) => id), next]).toEqual([[booking_id], null])
    expect(new Set(own([...exported.rows, ...rows])).size).toBe(1)
    const asked = { words: booking_id }
    expect((await expectRefusal(admin.call('find_bookings', asked))).details.key).toBe(
      'not_allowed',
    )
  })

  it('opens a shared link without sign-in', async () => {
    const { booking_id } = await platform.createBooking(rider)
    const { token } = await rider.call('share_booking', { booking_id })
    const shown = await fetchFrom(`track?token=${token}`)
    expect(await shown.json()).toMatchObject({ status: 'PAYMENT_PENDING' })
    expect((await fetchFrom('track?token=guess')).status).toBe(404)
  })

  it('lists the payment providers: in local mode, only the test bank', async () => {
    const response = await fetchFrom('get_providers')
    expect(await response.json()).toMatchObject([{ name: 'test' }])
  })

  it('runs maintenance on request', async () => {
    const { booking_id } = await platform.createBooking(rider)
    await platform.rewriteTimes(booking_id, { bookingDate: Date.now() - 31 * 60_000 })
    await platform.write({ [`bookings/${booking_id}/due_at`]: Date.now() })
    const swept = await admin.call('run_sweep')
    expect(swept.expired).toContain(booking_id)
    expect(await platform.read(`bookings/${booking_id}/status`)).toBe('CANCELLED')
  })
})

describe('the port of the triggers', () => {
  const post = async (trigger: string, headers: Record<string, string> = {}) => {
    const event = {
      specversion: '1.0',
      id: 'event',
      type: 'google.firebase.database.ref.v1.created',
      time: new Date().toISOString(),
      firebasedatabasehost: 'firebaseio.com',
      instance: 'none',
      location: 'us-central1',
      ref: 'internal/outbox/none',
      data: { data: null, delta: true },
    }
    const { status } = await sendRequest({
      port: getSuite().ports.triggers,
      method: 'POST',
      path: `/functions/projects/${PROJECT}/triggers/${trigger}`,
      headers: { 'Content-Type': 'application/cloudevents+json', ...headers },
      body: Buffer.from(JSON.stringify(event)),
    })
    return status
  }

  it('accepts an event of the database', async () => {
    expect(await post('send_message')).toBe(200)
  })

  it('refuses an event from a page of another site', async () => {
    expect(await post('send_message', { Origin: 'https://example.com' })).toBe(403)
  })

  it.each(['none', 'create_booking'])('runs no trigger for %s', async (name) => {
    expect(await post(name)).toBe(404)
  })
})

describe('the processes of the functions', () => {
  it('leave no call without an answer or an error when they are killed', async () => {
    /** Time in ms after which a call counts as unanswered. */
    const timeout = 20_000
    const call = async (): Promise<'answer' | 'error' | 'nothing'> => {
      try {
        const headers = { Connection: 'close' }
        await fetchFrom('health', { headers, signal: AbortSignal.timeout(timeout) })
        return 'answer'
      } catch (error) {
        return (error as Error).name === 'TimeoutError' ? 'nothing' : 'error'
      }
    }
    const results: string[] = []
    for (let kills = 0; kills < 5; kills++) {
      let isKilled = false
      const before = results.length
      const callers = Array.from({ length: 10 }, async () => {
        while (!isKilled) results.push(await call())
        results.push(await call())
      })
      await expect.poll(() => results.length).toBeGreaterThan(before)
      killFunctions(getSuite().ports)
      isKilled = true
      await Promise.all(callers)
      // The next file needs the processes too.
      await expect.poll(call, { timeout: 60_000 }).toBe('answer')
    }
    expect(new Set(results)).toEqual(new Set(['answer', 'error']))
  })
})
