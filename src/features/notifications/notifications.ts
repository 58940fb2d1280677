import * as v from 'valibot'
import type { SendNotification } from '~/domain/api'
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

export const editNotifications = operation<{
  notification: Omit<PushNotification, 'id'> & { id?: string }
  method: 'Add' | 'Delete'
}>('notificationdata/editNotifications', async ({ notification, method }, { database }) => {
  const { id = await database.newKey(), ...stored } = notification
  await database.update({ [`notifications/${id}`]: method === 'Delete' ? null : stored })
})
