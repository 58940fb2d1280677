import { get, limitToFirst, onValue, orderByKey, query, ref } from 'firebase/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badTokens } from '~/scripts/attack/attackers'
import { bookingId, openScene, post, refusalOf, type Scene } from '../functions/scene'

let scene: Scene
beforeAll(() => {
  scene = openScene()
})
afterAll(() => scene.close())

describe('a token that was good', () => {
  it('of an admin who is made a rider gives him a rider’s doors at once, open listens included', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'admin' })
    const admin = await scene.as(uid)
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

    await scene.write({ [`users/${uid}/usertype`]: 'rider' })
    const doors: [string, object][] = [
      ['export_bookings', { limit: 1 }],
      ['add_to_wallet', { credit_id: bookingId(), uid, amount: 5 }],
      ['complete_withdraw', { withdraw_id: bookingId() }],
      ['run_sweep', {}],
    ]
    for (const [name, input] of doors)
      expect([name, (await refusalOf(admin.call(name, input))).details.key]).toEqual([
        name,
        'not_allowed',
      ])
    await expect(get(users)).rejects.toThrow(/denied/i)
    expect(await shut).toMatch(/denied/i)
    expect(await scene.read(`users/${uid}/walletBalance`)).toBe(0)
  })

  it('of somebody whose account was deleted opens nothing and brings nothing back', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'rider' })
    const rider = await scene.as(uid)
    const token = await rider.idToken()
    await rider.call('delete_user')
    for (const name of ['share_booking', 'export_bookings', 'save_user'])
      expect((await refusalOf(rider.call(name))).details.key).toBe('user_issue_contact_admin')
    expect((await refusalOf(rider.call('ensure_profile'))).details.key).toBe('must_login')
    const again = { Authorization: `Bearer ${token}` }
    const person = { firstName: 'Eva', lastName: 'Sosa', email: `${uid}@again.example` }
    const body = { usertype: 'rider', mobile: '+15555557788', ...person }
    expect((await post('user_signup', body, again)).body.key).toBe('must_login')
    expect(await scene.read(`users/${uid}`)).toBeNull()
  })

  it('of elsewhere, of yesterday, about nobody or torn is no token', async () => {
    const way = { start: '-34.9055,-56.1913', dest: '-34.8721,-56.1480' }
    for (const token of badTokens('seed-admin')) {
      const refused = await post('googleapis-getdirections', way, {
        Authorization: `Bearer ${token}`,
      })
      expect([token, refused.status]).toEqual([token, 401])
    }
  })
})
