import { checkAction } from '~/domain/access/permissions'
import type { SendOfficeMessageInput } from '~/domain/api/inputs/messages'
import { getPushKeyTime } from '~/domain/data/pushKeys'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { buildNotification } from '~/domain/messages/messageTable'
import { buildNewsUpdates } from '~/domain/messages/officeAlert'
import { fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { iteratePages, readUser, WriteConflictError } from '../../ports/database'
import { generatePushKey } from '../../ports/random'
import type { UserRequestContext } from '../../ports/requestContext'
import { createTimeBudget } from '../../services/jobs/timeBudget'
import { notifyOnce } from '../../services/messages/notifications'
import { readSettings } from '../../services/office/settings'
import type { User } from '~/domain/accounts/types'

/** Milliseconds for which one call sends, less than it may take. */
const CALL_BUDGET_MS = 35_000
/** Number of drivers who get a message at once. */
const SENT_AT_ONCE = 20
/** Milliseconds in which a repeat of a driver's message to the office is recognized. */
const REPEAT_MS = 5 * MINUTE_MS

/** Sends a short message between the office and drivers, apart from bookings. */
export const send_office_message = defineUserEndpoint({
  name: 'send_office_message',
  summary:
    'Sends a short message: by an admin or a fleet admin to `driver`, or, without it, to all drivers that the board lists as on duty; by a driver, without `driver`, to the office. Fleet admins reach their own drivers. Drivers get a push and an inbox entry, the office an alert on its pages. Repeating a `message_id` sends nothing twice.',
  allow: ['admin', 'fleetadmin', 'driver'],
  limit: 30,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed', 'demo_mode'],
  async handle({ message_id, ...message }, context) {
    const id = message_id ?? generatePushKey(context.now, context.random)
    const { reachedCount, isDone } =
      context.actor.role === 'driver'
        ? await sendToOffice(id, message, context)
        : await sendToDrivers(id, message, context)
    return { message_id: id, sent: reachedCount, done: isDone }
  },
})

type Message = Omit<SendOfficeMessageInput, 'message_id'>

/** Shows a driver's message on the pages of the office. */
const sendToOffice = async (
  id: string,
  { driver, text }: Message,
  { actor, db, now }: UserRequestContext,
) => {
  if (driver !== undefined) fail('not_allowed', 'driver')
  const { firstName, lastName } = (await readUser<User>(db, actor.uid)) ?? fail('not_found')
  const createdAt = getPushKeyTime(id)
  const updates = buildNewsUpdates(`${actor.uid}-${id}`, {
    event: 'driver_message',
    params: { sender: `${firstName} ${lastName}`.trim(), text },
    at: Math.abs(now - createdAt) <= REPEAT_MS ? createdAt : now,
  })
  try {
    await db.update(updates)
  } catch (error) {
    // A repeat: the rules refuse to write the same news again.
    if (!(error instanceof WriteConflictError)) throw error
  }
  return { reachedCount: 1, isDone: true }
}

const sendToDrivers = async (
  id: string,
  { driver, text }: Message,
  context: UserRequestContext,
) => {
  const { actor, db, now } = context
  throwIfError(checkAction('driver_message', actor.role, await readSettings(db)))
  const notice = { ...buildNotification('office_message', 'driver'), params: { text }, key: id }
  const send = (to: string) => notifyOnce(context, { to, ...notice }, now)
  if (driver === undefined) return sendToAll(send, context)
  const user = await readUser<User>(db, driver)
  const isOwn = actor.role === 'admin' || user?.fleetadmin === actor.uid
  if (user?.usertype !== 'driver' || !isOwn) fail('not_found', 'driver')
  await send(driver)
  return { reachedCount: 1, isDone: true }
}

/** Sends to the drivers on duty, free and busy: those of the fleet, or all. */
const sendToAll = async (
  send: (uid: string) => Promise<boolean>,
  { actor, db }: UserRequestContext,
) => {
  const hasTime = createTimeBudget(CALL_BUDGET_MS)
  const query =
    actor.role === 'fleetadmin' ? { by: 'fleetadmin', equalTo: actor.uid } : { by: '$key' }
  let reachedCount = 0
  for (const list of ['available_drivers', 'busy_drivers'])
    for await (const page of iteratePages(db, list, query, SENT_AT_ONCE)) {
      if (!hasTime()) return { reachedCount, isDone: false }
      const results = await Promise.all(page.map(([uid]) => send(uid)))
      reachedCount += results.filter(Boolean).length
    }
  return { reachedCount, isDone: true }
}
