import * as v from 'valibot'
import type { BroadcastNotification, SendNotification } from '~/domain/api'
import type { PushNotification } from '~/domain/entities'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

export const notifications = liveSlice('notificationdata', 'notifications', {
  at: (size: number) => ({ path: 'notifications', orderBy: 'key', limitToLast: size }),
  row: rowOf<PushNotification>({ title: v.string(), body: v.string() }),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** Sends one push to one token. */
export const sendNotification = operation<SendNotification>(
  'notificationdata/sendNotification',
  async (push, { functions }) => {
    await functions.post('send_notification', push)
  },
)

type Push = Omit<PushNotification, 'id'> & { id?: string }

export const editNotifications = operation<{
  notification: Push
  method: 'Add' | 'Delete'
  quiet?: boolean
}>('notificationdata/editNotifications', async ({ notification, method }, { database }) => {
  const { id = await database.newKey(), ...stored } = notification
  await database.update({ [`notifications/${id}`]: method === 'Delete' ? null : stored })
})

/**
 * Sends a message to everybody it is for, and writes it down; answers to how many. The same `notification_id` again
 * goes on where an interrupted one stopped. Refuses: no_user_match, demo_mode.
 */
export const broadcastNotification = operation<BroadcastNotification & { quiet?: boolean }, number>(
  'notificationdata/broadcastNotification',
  async ({ quiet: _, ...message }, { functions }) => {
    const { matched } = await functions.call<{ matched: number; sent: number }>(
      'broadcast_notification',
      message,
    )
    return matched
  },
)
