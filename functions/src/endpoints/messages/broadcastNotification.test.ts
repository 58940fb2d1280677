import { describe, expect, it } from 'vitest'
import { aDriver, aRider, aSettings } from '~/domain/testing/builders'
import {
  aProject,
  createUserContext,
  createProjectPorts,
  getErrorKey,
  nameDevices,
} from '../../testing/testPorts'
import { broadcast_notification } from './broadcastNotification'

const MANY = Array.from({ length: 250 }, (_, i) => `z${i}`)
const toDevice = (id: string, platform: 'ANDROID' | 'IOS') => ({ token: `token-${id}`, platform })
const project = (settings = {}) =>
  createProjectPorts({
    settings: aSettings(settings),
    users: {
      ...aProject().users,
      ana: aRider({ id: 'ana' }),
      bea: aRider({ id: 'bea' }),
      eva: aRider({ id: 'eva', approved: false }),
      edu: aDriver({ id: 'edu' }),
      ...Object.fromEntries(MANY.map((id) => [id, aRider({ id })])),
    },
    ...nameDevices({
      ana: toDevice('ana', 'ANDROID'),
      bea: toDevice('bea', 'IOS'),
      eva: toDevice('eva', 'IOS'),
      edu: toDevice('edu', 'ANDROID'),
      ...Object.fromEntries(MANY.map((id) => [id, toDevice(id, 'ANDROID')])),
    }),
  })
const message = {
  notification_id: 'n1',
  title: 'Rain',
  body: 'Drive with care',
  usertype: 'All',
  devicetype: 'All',
} as const
const send = (given: ReturnType<typeof project>, more = {}) =>
  broadcast_notification.handle({ ...message, ...more }, createUserContext('admin', 'admin', given))

describe('a broadcast notification', () => {
  it('reaches all users who have a token, page by page, and is recorded once', async () => {
    const given = project()
    expect(await send(given)).toMatchObject({ matched: 253, sent: 253 })
    expect(given.pushed).toHaveLength(253)
    expect(given.db.at('inbox/z249/n1')).toMatchObject({ title: 'Rain', msg: 'Drive with care' })
    expect(given.db.at('notifications/n1')).toMatchObject({ title: 'Rain', usertype: 'All' })
    expect(Object.values(given.db.at('audit') as object)).toMatchObject([
      { by: 'admin', action: 'notification_send' },
    ])
  })
  it.each([
    [{ usertype: 'driver' }, ['edu']],
    [{ devicetype: 'IOS' }, ['bea']],
    [{ usertype: 'driver', devicetype: 'ANDROID' }, ['edu']],
  ])('limits the recipients to %j', async (target, uids) => {
    const given = project()
    expect(await send(given, target)).toMatchObject({ sent: uids.length })
    expect(Object.keys(given.db.at('inbox') as object)).toEqual(uids)
  })
  it('reaches each recipient once when it is sent again, and completes an interrupted broadcast', async () => {
    const given = project()
    await send(given, { devicetype: 'IOS' })
    expect(await send(given, { devicetype: 'IOS' })).toMatchObject({ matched: 1, sent: 0 })
    await given.db.update({ 'inbox/bea/n1': null })
    expect(await send(given, { devicetype: 'IOS' })).toMatchObject({ matched: 1, sent: 1 })
    expect(Object.keys(given.db.at('audit') as object)).toHaveLength(1)
  })
  it('is refused and not recorded when it matches no user', async () => {
    const given = project()
    const target = { usertype: 'driver', devicetype: 'IOS' }
    expect(await getErrorKey(send(given, target))).toBe('no_user_match')
    expect(given.db.at('notifications')).toBeNull()
  })
  it('is refused in demo mode', async () => {
    const closed = project({ AllowCriticalEditsAdmin: false })
    expect(await getErrorKey(send(closed))).toBe('demo_mode')
  })
})
