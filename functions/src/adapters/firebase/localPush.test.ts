import { describe, expect, it } from 'vitest'
import { PUSH_PARAMS, toPushText, type PushName } from '~/domain/booking/pushMessages'
import type { FcmMessage } from './fcmSchema'
import { toFcmMessage } from './firebasePush'
import { createFcmDouble, createLocalPush } from './localPush'
import type { LocalMessage } from '../../ports/localMessages'
import { APP_SCREENS } from '~/domain/messages/types'

const NOW = 1_800_000_000_000
const createStore = () => {
  const messages: LocalMessage[] = []
  return {
    messages,
    add: (message: LocalMessage) => Promise.resolve(void messages.push(message)),
    list: () => Promise.resolve(messages),
  }
}
const createDouble = () => {
  const store = createStore()
  return { ...store, post: createFcmDouble(store, () => NOW) }
}
/**
 * Posts a message with these changes. They are `unknown` because the double must validate anything
 * a caller sends.
 */
const post = async (changes: object) => {
  const { messages, post: send } = createDouble()
  const message = { token: 'phone', data: { title: 'a' }, ...changes } as FcmMessage
  const response = await send({ message })
  const body = (await response.json()) as {
    error?: { status: string; details: { fieldViolations?: { field: string }[] }[] }
  }
  const field = body.error?.details.flatMap(({ fieldViolations = [] }) => fieldViolations)[0]?.field
  return { status: response.status, field, stored: messages.length }
}

describe('the double of Firebase Cloud Messaging', () => {
  const names = Object.keys(PUSH_PARAMS) as PushName[]
  it.each(names)('accepts the push %s on every screen', async (name) => {
    const { post: send } = createDouble()
    const params = Object.fromEntries(PUSH_PARAMS[name].map((param) => [param, 12.5]))
    for (const screen of APP_SCREENS) {
      const push = { ...toPushText(name), params, screen, booking_id: '-O'.padEnd(120, 'x') }
      expect((await send({ message: toFcmMessage('phone', push, NOW) })).status).toBe(200)
    }
  })
  it.each<[string, object, string]>([
    ['an unknown field', { silent: true }, 'message.silent'],
    ['a number in the data', { data: { amount: 12.5 } }, 'message.data.amount'],
    ['a reserved key in the data', { data: { from: 'a' } }, 'message.data'],
    ['two receivers', { topic: 'all' }, 'message'],
    ['no receiver', { token: undefined }, 'message'],
    ['a lifetime without its unit', { android: { ttl: '60' } }, 'message.android.ttl'],
    ['a lifetime over four weeks', { android: { ttl: '2419201s' } }, 'message.android.ttl'],
    ['an unknown priority', { android: { priority: 'soon' } }, 'message.android.priority'],
    [
      'the Admin SDK’s spelling',
      { android: { notification: { titleLocKey: 'a' } } },
      'message.android.notification.titleLocKey',
    ],
    [
      'a link without a secure address',
      { webpush: { fcm_options: { link: 'http://a.example' } } },
      'message.webpush.fcm_options.link',
    ],
    ['a text that is no token', { token: 'no token' }, 'message.token'],
    ['a message over four kilobytes', { data: { title: 'x'.repeat(4100) } }, 'message'],
  ])('refuses %s and names the field', async (_, changes, field) => {
    expect(await post(changes)).toEqual({ status: 400, field, stored: 0 })
  })
  it('reports the token of a removed app as unregistered', async () => {
    expect(await post({ token: 'unregistered-1' })).toMatchObject({ status: 404, stored: 0 })
  })
  it('stores what a browser gets in its push event', async () => {
    const { messages, post: send } = createDouble()
    const push = { title: 'a', msg: 'b', screen: 'DriverTrips', booking_id: 'one' } as const
    await send({ message: toFcmMessage('phone', push, NOW) })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ at: NOW, token: 'phone' })
    expect(JSON.parse(messages[0]?.payload ?? '')).toMatchObject({
      data: { title: 'a', msg: 'b', screen: 'DriverTrips', booking_id: 'one' },
      from: '0',
    })
  })
})

describe('local mode', () => {
  const push = { title: 'a', msg: 'b', screen: 'BookedCab' } as const
  it.each<[string, 'sent' | 'gone']>([
    ['phone', 'sent'],
    ['unregistered-1', 'gone'],
    ['not a token', 'gone'],
  ])('reports a push to “%s” as %s', async (token, outcome) => {
    expect(await createLocalPush(createStore(), () => NOW).send(token, push)).toBe(outcome)
  })
})
