import * as v from 'valibot'
import type {
  BroadcastNotificationInput,
  SendNotificationInput,
} from '~/domain/api/inputs/messages'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { PushNotification } from '~/domain/messages/types'

export const liveNotifications = createLiveSlice('notificationdata', 'notifications', {
  toQuery: (size: number) => ({ path: 'notifications', orderBy: 'key', limitToLast: size }),
  schema: createRowSchema<PushNotification>({ title: v.string(), body: v.string() }),
  order: (a, b) => b.createdAt - a.createdAt,
})

/** Sends one push to one token. No page uses it yet. */
export const sendNotification = createServiceThunk<SendNotificationInput>(
  'notificationdata/sendNotification',
  async (push, { functions }) => {
    await functions.post('send_notification', push)
  },
)

type NewPushNotification = Omit<PushNotification, 'id'> & { id?: string }

export const editNotifications = createServiceThunk<{
  notification: NewPushNotification
  method: 'Add' | 'Delete'
}>('notificationdata/editNotifications', async ({ notification, method }, { database }) => {
  const { id = await database.newKey(), ...stored } = notification
  await database.update({ [`notifications/${id}`]: method === 'Delete' ? null : stored })
})

/**
 * Sends a message to all matching users and records it. Returns the number of recipients, or null
 * while the server is still sending. The same `notification_id` again resumes an interrupted
 * broadcast. Refuses with no_user_match or demo_mode.
 */
export const broadcastNotification = createServiceThunk<BroadcastNotificationInput, number | null>(
  'notificationdata/broadcastNotification',
  async (message, { functions }) => {
    const { matched, done } = await functions.call('broadcast_notification', message)
    return done ? matched : null
  },
)
