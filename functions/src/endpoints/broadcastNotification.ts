import { broadcastNotification, type BroadcastNotification } from '~/domain/api'
import type { Value } from '~/domain/booking/change'
import { USER_TYPES, type User } from '~/domain/entities'
import { isTarget } from '~/domain/notifications'
import { at } from '~/domain/paths'
import { actionRefused } from '~/domain/permissions'
import { audited } from '../audits'
import { forUsers } from '../definition'
import type { ActorContext } from '../definition'
import { Conflict, pagesOf } from '../ports/database'
import type { DatabasePort } from '../ports/database'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

const PAGE = 100

/** Sends one message to everybody it is for. */
export const broadcast_notification = forUsers({
  name: 'broadcast_notification',
  summary:
    'Sends a message to every user with a push token who is of the user type and on the device asked for. `notification_id` is the client’s own push key: the same one again goes on where an interrupted one stopped, and reaches nobody twice.',
  input: broadcastNotification,
  allow: ['admin'],
  limit: 10,
  answers: '{notification_id, matched, sent}: users it is for; of them reached by this call',
  refuses: ['no_user_match', 'demo_mode'],
  async handle(message, context) {
    const { actor, db } = context
    refuseIf(actionRefused('notification_send', actor.role, await readSettings(db)))
    let matched = 0
    let sent = 0
    for await (const page of targetPages(db, message)) {
      if (page.length === 0) continue
      if (matched === 0) await writeDown(message, context)
      matched += page.length
      sent += await deliver(page, message, context)
    }
    if (matched === 0) refuse('no_user_match')
    return { notification_id: message.notification_id, matched, sent }
  },
})

/** Pages, because there may be a million users; a type at a time, because that is what the index is of. */
const targetPages = async function* (
  db: DatabasePort,
  { usertype, devicetype }: BroadcastNotification,
): AsyncGenerator<User[]> {
  for (const type of USER_TYPES) {
    if (usertype !== 'All' && usertype !== type) continue
    const query = { by: 'usertype', equalTo: type }
    for await (const page of pagesOf<User>(db, 'users', query, PAGE))
      yield page
        .map(([id, user]) => ({ ...user, id }))
        .filter((user) => user.approved && isTarget(user, { usertype, devicetype }))
  }
}

const writeDown = async (
  { notification_id: id, ...fields }: BroadcastNotification,
  { actor, db, now }: ActorContext,
) => {
  const path = at.notification(id)
  if ((await db.read(path)) !== null) return
  const entry = { by: actor.uid, at: now, action: 'notification_send', path, to: fields }
  try {
    await db.update({ [path]: { ...fields, id, createdAt: now }, ...audited(entry, id) })
  } catch (error) {
    // Its own repeat was faster.
    if (!(error instanceof Conflict)) throw error
  }
}

/** The inbox key is the notification's, so whoever has it is not sent it again. */
const deliver = async (
  users: readonly User[],
  { notification_id: id, title, body }: BroadcastNotification,
  { db, push, now }: ActorContext,
): Promise<number> => {
  const message = { title, msg: body, screen: 'BookedCab' as const }
  const entry: Value = { ...message, at: now }
  const reached = await Promise.all(
    users.map(async ({ id: uid, pushToken }) => {
      const path = at.inbox(uid, id)
      if ((await db.read(path)) !== null) return false
      try {
        await db.update({ [path]: entry })
      } catch (error) {
        if (error instanceof Conflict) return false
        throw error
      }
      if (pushToken) await push.send(pushToken, message)
      return true
    }),
  )
  return reached.filter(Boolean).length
}
