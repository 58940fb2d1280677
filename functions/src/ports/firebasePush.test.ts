import { expect, it } from 'vitest'
import { messageOf } from './firebasePush'

it('a push goes to one phone as keys of texts, with what they are filled with', () => {
  const params = { amount: 12.5 }
  expect(
    messageOf('token', {
      title: 'push_paid_title',
      msg: 'push_paid_msg',
      params,
      screen: 'Wallet',
    }),
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
      priority: 'high',
      notification: {
        titleLocKey: 'push_paid_title',
        bodyLocKey: 'push_paid_msg',
        sound: 'default',
      },
    },
    apns: {
      payload: {
        aps: {
          alert: { titleLocKey: 'push_paid_title', locKey: 'push_paid_msg' },
          sound: 'default',
        },
      },
    },
  })
})

it('what a caller names as Firebase names its own is left out, or nothing would arrive', () => {
  const params = { from: 'a', message_type: 'b', google: 'c', 'gcm.x': 'd', sender: 'Ana' }
  const { data } = messageOf('token', { title: 'Hi', msg: '', params, screen: 'onlineChat' })
  expect(Object.keys(data ?? {})).toEqual(['sender', 'title', 'msg', 'screen', 'booking_id'])
})
