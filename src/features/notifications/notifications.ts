import * as v from 'valibot'
import type { SendNotification } from '~/domain/api'
import type { PushNotification, User } from '~/domain/entities'
import { targetsOf } from '~/domain/notifications'
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

/** So many at once; the endpoint counts the calls of a minute. */
const AT_ONCE = 4
/** The database answers no larger page. */
const MOST = 1000

/** Writes the notification down and sends it to everybody it is for; answers to how many. Refuses: no_user_match. */
export const sendToMatching = operation<{ notification: Push; quiet?: boolean }, number>(
  'notificationdata/sendToMatching',
  async ({ notification }, { database, functions }, { dispatch }) => {
    // Only who has a token is asked for: they come after the null of all others.
    const answer = await database.once({
      path: 'users',
      orderBy: { child: 'pushToken' },
      startAt: '!',
      limitToFirst: MOST,
    })
    const found = targetsOf(Object.values((answer ?? {}) as Record<string, User>), notification)
    if (!found.ok) throw found.error
    await dispatch(editNotifications({ notification, method: 'Add', quiet: true })).unwrap()
    const { title, body: msg } = notification
    const tokens = found.value.map(({ pushToken = '' }) => pushToken)
    for (let first = 0; first < tokens.length; first += AT_ONCE)
      await Promise.all(
        tokens
          .slice(first, first + AT_ONCE)
          .map((token) => functions.post('send_notification', { token, title, msg })),
      )
    return tokens.length
  },
)
