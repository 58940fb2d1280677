import { firebaseApp } from './firebaseDatabase'
import type { PushPort } from './push'

/** Firebase Cloud Messaging. The texts are translation keys: the receiver's app knows his language. */
export const firebasePush: PushPort = {
  async send(token, { title, msg, params, screen, booking_id }) {
    const { getMessaging } = await import('firebase-admin/messaging')
    const extras = Object.entries(params ?? {}).map(([name, value]) => [name, String(value)])
    await getMessaging(firebaseApp())
      .send({
        token,
        data: { ...Object.fromEntries(extras), title, msg, screen, booking_id: booking_id ?? '' },
        android: {
          priority: 'high',
          notification: { titleLocKey: title, bodyLocKey: msg, sound: 'default' },
        },
        apns: {
          payload: { aps: { alert: { titleLocKey: title, locKey: msg }, sound: 'default' } },
        },
      })
      // A token dies with its app; the inbox has the message.
      .catch(() => undefined)
  },
}
