import { describe, expect, it } from 'vitest'
import { createFcmPush, toFcmMessage } from './firebasePush'
import { APP_SCREENS } from '~/domain/messages/types'

const NOW = 1_800_000_000_500

it('sends a push to a phone as text keys with their parameters', () => {
  const params = { amount: 12.5 }
  expect(
    toFcmMessage(
      'token',
      { title: 'push_paid_title', msg: 'push_paid_msg', params, screen: 'Wallet' },
      NOW,
    ),
  ).toEqual({
    token: 'token',
    data: {
      amount: '12.5',
      title: 'push_paid_title',
      msg: 'push_paid_msg',
      screen: 'Wallet',
      booking_id: '',
    },
    android: {
      priority: 'HIGH',
      ttl: '604800s',
      collapse_key: 'account',
      notification: {
        title_loc_key: 'push_paid_title',
        title_loc_args: ['12.5'],
        body_loc_key: 'push_paid_msg',
        body_loc_args: ['12.5'],
        channel_id: 'account',
        tag: 'Wallet-Wallet',
        click_action: 'Wallet',
        sound: 'default',
      },
    },
    apns: {
      headers: {
        'apns-priority': '10',
        'apns-push-type': 'alert',
        'apns-expiration': '1800604800',
        'apns-collapse-id': 'Wallet-Wallet',
      },
      payload: {
        aps: {
          alert: {
            'title-loc-key': 'push_paid_title',
            'title-loc-args': ['12.5'],
            'loc-key': 'push_paid_msg',
            'loc-args': ['12.5'],
          },
          sound: 'default',
          category: 'Wallet',
          'thread-id': 'Wallet',
        },
      },
    },
    webpush: { headers: { TTL: '604800', Urgency: 'high' } },
  })
})

it('lets a request to a driver expire within a minute', () => {
  const push = { title: 'a', msg: 'b', screen: 'DriverTrips', booking_id: '-Obooking' } as const
  const { android, apns, webpush } = toFcmMessage('token', push, NOW)
  expect(android).toMatchObject({ ttl: '60s', notification: { channel_id: 'requests' } })
  expect(webpush?.headers?.TTL).toBe('60')
  expect(apns?.headers?.['apns-expiration']).toBe('1800000060')
  expect(apns?.payload?.aps).toMatchObject({ 'thread-id': '-Obooking' })
})

it.each(APP_SCREENS)(
  'sends a push for %s in a form that the HTTP v1 API and Apple accept',
  (screen) => {
    const push = { title: 'a', msg: 'b', screen, booking_id: '-O'.padEnd(120, 'x') } as const
    const { android, apns, data } = toFcmMessage('token', push, NOW)
    expect(apns?.headers?.['apns-collapse-id']?.length).toBeLessThanOrEqual(64)
    for (const value of [...Object.values(apns?.headers ?? {}), ...Object.values(data ?? {})])
      expect(typeof value).toBe('string')
    // Four weeks is the longest that Firebase keeps a message.
    expect(Number.parseInt(android?.ttl ?? '')).toBeLessThanOrEqual(28 * 86_400)
    expect(android?.notification).not.toHaveProperty('title_loc_args')
  },
)

it('leaves out params with Firebase’s reserved names, because Firebase would refuse the whole message', () => {
  const params = { from: 'a', message_type: 'b', google: 'c', 'gcm.x': 'd', sender: 'Ana' }
  const { data } = toFcmMessage(
    'token',
    { title: 'Hi', msg: '', params, screen: 'onlineChat' },
    NOW,
  )
  expect(Object.keys(data ?? {})).toEqual(['sender', 'title', 'msg', 'screen', 'booking_id'])
})

describe('a send to Firebase', () => {
  const push = { title: 'a', msg: 'b', screen: 'BookedCab' } as const
  const fcmError = (errorCode: string, more: object[] = []) => [
    { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode },
    ...more,
  ]
  const refuse =
    (code: number, status: string, message = '', details: object[] = []) =>
    () =>
      Promise.resolve(
        Response.json({ error: { code, status, message, details } }, { status: code }),
      )
  const violation = (field: string) => ({
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field, description: 'Invalid' }],
  })
  const accept = () => Promise.resolve(Response.json({ name: 'projects/p/messages/1' }))
  const send = async (...answers: (() => Promise<Response>)[]) => {
    const waits: number[] = []
    let posts = 0
    const clock = {
      now: () => NOW,
      wait: (ms: number) => Promise.resolve(void waits.push(ms)),
    }
    const post = () => (answers[posts++] ?? accept)()
    const outcome = await createFcmPush(post, clock).send('token', push)
    return { outcome, posts, waits: waits.length }
  }
  const noToken = 'The registration token is not a valid FCM registration token'

  it.each([
    ['UNREGISTERED', refuse(404, 'NOT_FOUND', '', fcmError('UNREGISTERED'))],
    [
      'an invalid token field',
      refuse(
        400,
        'INVALID_ARGUMENT',
        '',
        fcmError('INVALID_ARGUMENT', [violation('message.token')]),
      ),
    ],
    [
      'an invalid token in words',
      refuse(400, 'INVALID_ARGUMENT', noToken, fcmError('INVALID_ARGUMENT')),
    ],
  ])('reports a device as gone after %s', async (_, answer) => {
    expect(await send(answer)).toEqual({ outcome: 'gone', posts: 1, waits: 0 })
  })
  it.each([
    ['an unknown project', refuse(404, 'NOT_FOUND', 'Requested entity was not found.')],
    ['another sender', refuse(403, 'PERMISSION_DENIED', '', fcmError('SENDER_ID_MISMATCH'))],
    [
      'an invalid field of the message',
      refuse(
        400,
        'INVALID_ARGUMENT',
        '',
        fcmError('INVALID_ARGUMENT', [violation('message.data')]),
      ),
    ],
    ['a missing credential', refuse(401, 'UNAUTHENTICATED')],
  ])('keeps the device after %s, which is our failure', async (_, answer) => {
    expect(await send(answer)).toEqual({ outcome: 'failed', posts: 1, waits: 0 })
  })
  it.each([
    ['an unavailable service', refuse(503, 'UNAVAILABLE', '', fcmError('UNAVAILABLE'))],
    ['an exceeded quota', refuse(429, 'RESOURCE_EXHAUSTED', '', fcmError('QUOTA_EXCEEDED'))],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('tries at most three times after %s', async (_, answer) => {
    expect(await send(answer)).toEqual({ outcome: 'sent', posts: 2, waits: 1 })
    expect(await send(answer, answer, answer)).toEqual({ outcome: 'failed', posts: 3, waits: 2 })
  })
})
