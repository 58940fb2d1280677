import type { TokenMessage } from 'firebase-admin/messaging'
import { firebaseApp } from './firebaseDatabase'
import type { PushPort } from './push'

/** Names a message may not use in its data; Firebase would refuse all of it. */
const RESERVED = /^(from|message_type|google.*|gcm.*)$/

/** A push as Firebase takes it. The texts are translation keys: the receiver's app knows his language. */
export const messageOf = (
  ...[token, { title, msg, params = {}, screen, booking_id }]: Parameters<PushPort['send']>
): TokenMessage => {
  const extras = Object.entries(params)
    .filter(([name]) => !RESERVED.test(name))
    .map(([name, value]) => [name, String(value)])
  return {
    token,
    data: { ...Object.fromEntries(extras), title, msg, screen, booking_id: booking_id ?? '' },
    android: {
      priority: 'high',
      notification: { titleLocKey: title, bodyLocKey: msg, sound: 'default' },
    },
    apns: {
      payload: { aps: { alert: { titleLocKey: title, locKey: msg }, sound: 'default' } },
    },
  }
}

/** Firebase Cloud Messaging. */
export const firebasePush: PushPort = {
  async send(token, push) {
    const { getMessaging } = await import('firebase-admin/messaging')
    await getMessaging(firebaseApp())
      .send(messageOf(token, push))
      // A token dies with its app; the inbox has the message.
      .catch(() => undefined)
  },
}
