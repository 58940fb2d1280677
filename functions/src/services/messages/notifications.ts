import type { PushMessage } from '~/domain/booking/eventTypes'
import { buildNotification } from '~/domain/messages/messageTable'
import { toSenderName } from '~/domain/messages/outbox'
import { createPushKey } from '~/domain/data/pushKeys'
import { MIN_CHAT_PUSH_INTERVAL_MS } from '~/domain/access/rateLimitedWrites'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { OTHER_LIMITS } from '../limitTable'
import { findExceededLimit } from '../rateLimits'
import { pushToUser } from './pushDevices'
import { WriteConflictError } from '../../ports/database'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { ChatMessage, ChatNotice } from '~/domain/messages/types'

type NotificationPorts = Pick<Ports, 'db' | 'push'>

/**
 * Notifies a person with an inbox entry and a push. The entry's own key prevents a repeat: returns
 * false and sends nothing when the entry already exists, even if another call wrote it at the same
 * moment.
 */
export const notifyOnce = async (
  ports: NotificationPorts,
  { to, key, ...message }: PushMessage & { key: string },
  now: number,
): Promise<boolean> => {
  const { db } = ports
  const path = dbPaths.inbox(to, key)
  if ((await db.read(path)) !== null) return false
  try {
    await db.update({ [path]: { ...message, at: now } })
  } catch (error) {
    if (error instanceof WriteConflictError) return false
    throw error
  }
  await pushToUser(ports, to, message)
  return true
}

const HASH_RANGE = 2 ** 48
/** Returns a number that depends only on the event's id. */
export const hashToNumber = (eventId: string): number => {
  let number = 7
  for (let i = 0; i < eventId.length; i++)
    number = (number * 31 + eventId.charCodeAt(i)) % HASH_RANGE
  return number
}

/** A chat message between rider and driver, as the database reports it, possibly more than once. */
export interface ChatEvent {
  eventId: string
  /** Milliseconds since 1970 at which the message was written. */
  at: number
  booking_id: string
  message: Pick<ChatMessage, 'from'>
}

const MAX_TRIES = 60

/**
 * Notifies the other party of a booking of a chat message, without its text. The inbox holds one
 * entry per chat however many messages arrive, and pushes are at least `CHAT_PUSH_SPACING_MS`
 * apart. A sender's pushes are limited too; the entry is then written without one. Safe because the
 * rules accept a notice only with the next revision: of two concurrent events, the second is
 * refused and reads again.
 */
export const notifyChatMessage = async (
  ports: NotificationPorts,
  { eventId, at: sentAt, booking_id, message: { from } }: ChatEvent,
): Promise<void> => {
  const { db } = ports
  const booking = await db.read<Booking>(dbPaths.booking(booking_id))
  if (!booking) return
  const { customer, customer_name, driver, driver_name } = booking
  const [to, sender, audience] =
    from === customer
      ? ([driver, customer_name, 'driver'] as const)
      : ([customer, driver_name, 'rider'] as const)
  if (!to) return
  const entry = createPushKey(sentAt, hashToNumber(eventId))
  const message: Omit<PushMessage, 'to'> = {
    ...buildNotification('message', audience),
    params: { sender: toSenderName(sender ?? '') },
    booking_id,
  }
  for (let tries = 1; ; tries++) {
    const previousNotice = await db.read<ChatNotice>(internalPaths.chatNotice(booking_id, to))
    // This message or a later one was already reported.
    if (previousNotice && previousNotice.at >= sentAt) return
    const pushes =
      previousNotice === null || sentAt - previousNotice.pushed_at >= MIN_CHAT_PUSH_INTERVAL_MS
    const notice: ChatNotice = {
      entry,
      at: sentAt,
      pushed_at: pushes ? sentAt : previousNotice.pushed_at,
      revision: (previousNotice?.revision ?? 0) + 1,
    }
    try {
      await db.update({
        [dbPaths.inbox(to, entry)]: { ...message, at: sentAt },
        [internalPaths.chatNotice(booking_id, to)]: { ...notice },
        ...(previousNotice && { [dbPaths.inbox(to, previousNotice.entry)]: null }),
      })
    } catch (error) {
      if (!(error instanceof WriteConflictError) || tries >= MAX_TRIES) throw error
      continue
    }
    const call = { caller: from, now: sentAt }
    if (pushes && !(await findExceededLimit(db, OTHER_LIMITS.chatPushes, call)))
      await pushToUser(ports, to, message)
    return
  }
}
