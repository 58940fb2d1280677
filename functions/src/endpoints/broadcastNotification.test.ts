import { describe, expect, it } from 'vitest'
import { aDriver, aRider, aSettings } from '~/domain/testing/builders'
import { aProject, as, projectPorts, refusedKey } from '../testing'
import { broadcast_notification } from './broadcastNotification'

const withToken = (id: string, userPlatform: 'ANDROID' | 'IOS', more = {}) => ({
  ...aRider({ id }),
  pushToken: `token-${id}`,
  userPlatform,
  ...more,
})
const project = (settings = {}) =>
  projectPorts({
    settings: aSettings(settings),
    users: {
      ...aProject().users,
      ana: withToken('ana', 'ANDROID'),
      bea: withToken('bea', 'IOS'),
      eva: withToken('eva', 'IOS', { approved: false }),
      edu: { ...aDriver({ id: 'edu' }), pushToken: 'token-edu', userPlatform: 'ANDROID' },
      ...Object.fromEntries(
        Array.from({ length: 250 }, (_, i) => [`z${i}`, withToken(`z${i}`, 'ANDROID')]),
      ),
    },
  })
const message = {
  notification_id: 'n1',
  title: 'Rain',
  body: 'Drive with care',
  usertype: 'All',
  devicetype: 'All',
} as const
const send = (given: ReturnType<typeof project>, more = {}) =>
  broadcast_notification.handle({ ...message, ...more }, as('admin', 'admin', given))

describe('a message to many', () => {
  it('reaches everybody who has a token, page by page, and is written down once', async () => {
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
  ])('%j reaches only them', async (target, uids) => {
    const given = project()
    expect(await send(given, target)).toMatchObject({ sent: uids.length })
    expect(Object.keys(given.db.at('inbox') as object)).toEqual(uids)
  })
  it('the same one again reaches nobody twice, and finishes what was interrupted', async () => {
    const given = project()
    await send(given, { devicetype: 'IOS' })
    expect(await send(given, { devicetype: 'IOS' })).toMatchObject({ matched: 1, sent: 0 })
    await given.db.update({ 'inbox/bea/n1': null })
    expect(await send(given, { devicetype: 'IOS' })).toMatchObject({ matched: 1, sent: 1 })
    expect(Object.keys(given.db.at('audit') as object)).toHaveLength(1)
  })
  it('for nobody is refused and not written down', async () => {
    const given = project()
    const target = { usertype: 'driver', devicetype: 'IOS' }
    expect(await refusedKey(send(given, target))).toBe('no_user_match')
    expect(given.db.at('notifications')).toBeNull()
  })
  it('is refused in demo mode', async () => {
    const closed = project({ AllowCriticalEditsAdmin: false })
    expect(await refusedKey(send(closed))).toBe('demo_mode')
  })
})
