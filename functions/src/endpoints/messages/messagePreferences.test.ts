import { describe, expect, it } from 'vitest'
import { buildNotification } from '~/domain/messages/messageTable'
import { internalPaths } from '~/domain/data/internalPaths'
import { markAccountCleared } from '~/domain/accounts/accountDeletion'
import { pushToUser } from '../../services/messages/pushDevices'
import { createProjectPorts, createUserContext, getErrorKey } from '../../testing/testPorts'
import { message_preferences } from './messagePreferences'

const aPerson = (uid: 'rider' | 'driver' = 'rider') => {
  const ports = createProjectPorts({
    push_tokens: { h: { uid: 'driver', token: 'device', at: 1, platform: 'WEB' } },
  })
  const context = createUserContext(uid, uid, ports)
  return {
    ...ports,
    choose: (key?: string, on = true) =>
      message_preferences.handle({ ...(key !== undefined && { key }), on }, context),
    stored: () => ports.db.at(internalPaths.messagePreferences(uid)),
  }
}

describe('the preferences of a person', () => {
  it('are all on at first, and a message can be turned off and on again', async () => {
    const { choose, stored } = aPerson()
    expect(await choose()).toEqual({ off: [] })
    expect(await choose('receipt-email', false)).toEqual({ off: ['receipt-email'] })
    expect(await choose('receipt-email', false)).toEqual({ off: ['receipt-email'] })
    expect(stored()).toEqual({ off: { 'receipt-email': true }, revision: 1 })
    expect(await choose('receipt-email', true)).toEqual({ off: [] })
  })

  it('keep each change when fifty arrive at once', async () => {
    const { choose, stored } = aPerson()
    const keys = ['receipt-email', 'started-push', 'reached-push', 'paid-push', 'booked-sms']
    await Promise.all(Array.from({ length: 50 }, (_, i) => choose(keys[i % keys.length], false)))
    expect(stored()).toEqual({
      off: Object.fromEntries(keys.map((key) => [key, true])),
      revision: keys.length,
    })
  })

  it.each([
    ['an essential message', 'accepted-sms'],
    ['a message of another user type', 'earned-push'],
    ['an unknown message', 'constructor'],
  ])('refuse to turn off %s', async (_, key) => {
    const { choose, stored } = aPerson()
    expect(await getErrorKey(choose(key, false))).toBe('bad_input')
    expect(stored()).toBeNull()
  })

  it('keep an optional push from the devices, and no other push', async () => {
    const { choose, pushed, ...ports } = aPerson('driver')
    await choose('earned-push', false)
    await pushToUser(ports, 'driver', buildNotification('earned', 'driver'))
    expect(pushed).toEqual([])
    await pushToUser(ports, 'driver', buildNotification('task', 'driver'))
    expect(pushed).toMatchObject([{ token: 'device' }])
  })

  it('go with the account', async () => {
    const { choose, stored, db } = aPerson()
    await choose('receipt-email', false)
    await db.update(markAccountCleared('rider'))
    expect(stored()).toBeNull()
    db.put({ 'users/rider': null })
    expect(await getErrorKey(choose('paid-push', false))).toBe('not_found')
    expect(stored()).toBeNull()
  })
})
