import * as v from 'valibot'
import type { ChatMessage, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

/** What rider and driver wrote to each other about one booking, oldest first. */
export const messages = liveSlice('chatdata', 'messages', {
  at: (booking: string) => ({ path: at.chat(booking), orderBy: 'key', limitToLast: 200 }),
  row: rowOf<ChatMessage & { id: string }>({ message: v.string(), from: v.string() }),
  order: (a, b) => a.at - b.at,
})

export const sendMessage = operation<{
  booking_id: string
  from: User
  message: string
  /** IANA name: dates are the platform's, not the sender's device's. */
  timezone: string
  quiet?: boolean
}>('chatdata/sendMessage', async ({ booking_id, from, message, timezone }, { database }) => {
  const now = new Date()
  const clock = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options }).format(now)
  const key = await database.newKey()
  await database.update({
    [`${at.chat(booking_id)}/${key}`]: {
      message,
      from: from.id,
      type: 'msg',
      msgDate: clock({ dateStyle: 'medium' }),
      msgTime: clock({ timeStyle: 'short' }),
      source: from.usertype === 'driver' ? 'driver' : 'rider',
      at: { '.sv': 'timestamp' },
    },
  })
})
