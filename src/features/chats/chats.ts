import * as v from 'valibot'
import type { ChatMessage, User } from '~/domain/entities'
import { MIN_MESSAGE_INTERVAL_MS, buildMessageUpdates } from '~/domain/rateLimitedWrites'
import { dbPaths } from '~/domain/databasePaths'
import { toDomainError } from '~/src/services/services'
import { createLiveSlice } from '~/src/store/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/rowSchemas'

/** The messages of rider and driver about one booking, oldest first. */
export const messages = createLiveSlice('chatdata', 'messages', {
  toQuery: (booking: string) => ({ path: dbPaths.chat(booking), orderBy: 'key', limitToLast: 200 }),
  schema: createRowSchema<ChatMessage & { id: string }>({ message: v.string(), from: v.string() }),
  order: (a, b) => a.at - b.at,
})

const waitMessageSpacing = () =>
  new Promise<void>((resolve) => setTimeout(resolve, MIN_MESSAGE_INTERVAL_MS))

/** For each booking, resolves when this page may send its next message. */
const sendQueues = new Map<string, Promise<void>>()

/** Sends one message after another, because the rules refuse a second one within a second. */
const sendInOrder = <Answer>(booking: string, send: () => Promise<Answer>): Promise<Answer> => {
  const sent = (sendQueues.get(booking) ?? Promise.resolve()).then(send)
  // Waits from the response on: the server timestamped the message before it.
  sendQueues.set(booking, sent.then(waitMessageSpacing, waitMessageSpacing))
  return sent
}

const isRefused = (error: unknown) => toDomainError(error).key === 'not_allowed'

export const sendMessage = createServiceThunk<{
  booking_id: string
  /** Created by the sender's page, which shows the message while it is queued. */
  key: string
  from: User
  message: string
  /** IANA name: dates use the platform's time zone, not that of the sender's device. */
  timezone: string
}>('chatdata/sendMessage', async ({ booking_id, key, from, message, timezone }, { database }) => {
  const now = new Date()
  const clock = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options }).format(now)
  const written = buildMessageUpdates(booking_id, key, {
    message,
    from: from.id,
    type: 'msg',
    msgDate: clock({ dateStyle: 'medium' }),
    msgTime: clock({ timeStyle: 'short' }),
    source: from.usertype === 'driver' ? 'driver' : 'rider',
  })
  await sendInOrder(booking_id, () =>
    database.update(written).catch(async (error: unknown) => {
      // Another page of the same person may have just sent a message.
      if (!isRefused(error)) throw error
      await waitMessageSpacing()
      return database.update(written)
    }),
  )
})
