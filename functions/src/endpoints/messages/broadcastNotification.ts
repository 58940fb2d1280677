import type { BroadcastNotificationInput } from '~/domain/api/inputs/messages'
import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { runBroadcast } from '../../services/jobs/broadcast'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import { fail, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import { createTimeBudget } from '../../services/jobs/timeBudget'
import type { UserRequestContext } from '../../ports/requestContext'

/** Milliseconds after which the scheduled job does the rest: less than a call may take. */
const CALL_BUDGET_MS = 35_000

/** Sends one message to all users it targets. */
export const broadcast_notification = defineUserEndpoint({
  name: 'broadcast_notification',
  summary:
    'Sends a message to every user with a push token who has the given user type and device. `notification_id` is the client’s own push key: repeating it resumes an interrupted broadcast and sends no recipient a second message. The scheduled job completes a broadcast that is longer than a call.',
  allow: ['admin'],
  limit: 10,
  spends: [],
  needsFreshSignIn: false,
  errors: ['no_user_match', 'demo_mode'],
  async handle(message, context) {
    const { actor, db } = context
    throwIfError(checkAction('notification_send', actor.role, await readSettings(db)))
    const { matched, sent, isDone } = await runBroadcast(
      context,
      message,
      createTimeBudget(CALL_BUDGET_MS),
      () => recordNotification(message, context),
    )
    if (matched === 0 && isDone) fail('no_user_match')
    return { notification_id: message.notification_id, matched, sent, done: isDone }
  },
})

const recordNotification = async (
  { notification_id: id, ...fields }: BroadcastNotificationInput,
  { actor, db, now }: UserRequestContext,
) => {
  const path = dbPaths.notification(id)
  if ((await db.read(path)) !== null) return
  const entry = { by: actor.uid, at: now, action: 'notification_send', path, to: fields }
  try {
    await db.update({ [path]: { ...fields, id, createdAt: now }, ...buildAuditEntry(entry, id) })
  } catch (error) {
    // A repeat of this request wrote the record first.
    if (!(error instanceof WriteConflictError)) throw error
  }
}
