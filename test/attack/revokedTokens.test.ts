import type { EndpointName } from '~/domain/api/api'
import { get, limitToFirst, onValue, orderByKey, query, ref } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { withDirectory } from '~/domain/accounts/directory'
import { createBadTokens } from '~/lab/attack/attackers'
import {
  createBookingId,
  openTestPlatform,
  postEndpoint,
  expectRefusal,
  type TestPlatform,
} from '../functions/testPlatform'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
beforeAll(() => {
  platform = openTestPlatform()
})
afterAll(() => platform.close())

describe('a previously valid token', () => {
  it('of an admin demoted to rider has only a rider’s access at once, open listeners included', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'admin' })
    const admin = await platform.signInAs(uid)
    const users = query(ref(admin.database, 'users'), orderByKey(), limitToFirst(1))
    expect((await get(users)).exists()).toBe(true)
    const shut = new Promise<string>((resolve) => {
      onValue(
        ref(admin.database, 'users/seed-rider'),
        () => undefined,
        ({ message }) => resolve(message),
      )
    })
    await admin.call('export_bookings', { limit: 1 })

    const demoted = { ...(await platform.read<User>(`users/${uid}`)), usertype: 'rider' as const }
    await platform.write(withDirectory({ [`users/${uid}`]: toJson(demoted) }))
    const calls: [EndpointName, object][] = [
      ['broadcast_notification', { notification_id: createBookingId() }],
      ['add_to_wallet', { credit_id: createBookingId(), uid, amount: 5 }],
      ['complete_withdraw', { withdraw_id: createBookingId() }],
      ['run_sweep', {}],
    ]
    for (const [name, input] of calls)
      expect([name, (await expectRefusal(admin.call(name, input))).details.key]).toEqual([
        name,
        'not_allowed',
      ])
    // A rider exports their own bookings, and this one has none.
    expect(await admin.call('export_bookings', { limit: 1 })).toEqual({ rows: [], next: null })
    await expect(get(users)).rejects.toThrow(/denied/i)
    expect(await shut).toMatch(/denied/i)
    expect(await platform.read(`users/${uid}/walletBalance`)).toBe(0)
    // A trigger records the demotion later; another test would take it for an unknown change.
    const changes = platform.admin.database.ref('audit').orderByChild('path')
    const recorded = changes.equalTo(`users/${uid}/usertype`)
    await expect.poll(async () => (await recorded.get()).exists()).toBe(true)
  })

  it('of a deleted account gives no access and restores nothing', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'rider' })
    const rider = await platform.signInAs(uid)
    const token = await rider.idToken()
    await rider.call('delete_user', { id: uid })
    for (const name of ['share_booking', 'export_bookings', 'save_user'] as const)
      expect((await expectRefusal(rider.call(name))).details.key).toBe('user_issue_contact_admin')
    expect((await expectRefusal(rider.call('ensure_profile'))).details.key).toBe('must_login')
    const again = { Authorization: `Bearer ${token}` }
    const person = { firstName: 'Eva', lastName: 'Sosa', email: `${uid}@again.example` }
    const body = { usertype: 'rider', mobile: rider.phone, ...person }
    expect((await postEndpoint('user_signup', body, again)).body.key).toBe('must_login')
    expect(await platform.read(`users/${uid}`)).toBeNull()
  })

  it('is refused when it is foreign, expired, without a user or damaged', async () => {
    const route = { start: '-34.9055,-56.1913', dest: '-34.8721,-56.1480' }
    for (const token of createBadTokens('seed-admin')) {
      const refused = await postEndpoint('googleapis-getdirections', route, {
        Authorization: `Bearer ${token}`,
      })
      expect([token, refused.status]).toEqual([token, 401])
    }
  })
})
