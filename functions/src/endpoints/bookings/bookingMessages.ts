import { internalPaths } from '~/domain/data/internalPaths'
import { fromMicros } from '~/domain/messages/messageSettings'
import type { OutboxMessage, SentMessage } from '~/domain/messages/outbox'
import { areContactsHidden } from '~/domain/access/permissions'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readSettings } from '../../services/office/settings'

/** Messages of one response. */
const PAGE_SIZE = 50

const toSentMessage = (
  id: string,
  { event, audience, channel, state, at, why, to, charge }: OutboxMessage,
  isDemo: boolean,
): SentMessage => ({
  id,
  event,
  audience,
  channel: charge?.channel ?? channel,
  state,
  at,
  ...(why !== undefined && { why }),
  ...(to !== undefined && !isDemo && { to }),
  ...(charge && { price: fromMicros(charge.micros) }),
})

/** Returns the messages about a booking that left the platform, without addresses. */
export const booking_messages = defineUserEndpoint({
  name: 'booking_messages',
  summary:
    "Returns the SMS, WhatsApp messages and e-mails about a booking of the last 30 days, in the order of their keys, 50 in each response: the audience, the state, the reason and the end of the address. `cursor` is the last response's `next`.",
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle({ booking_id, cursor }, { actor, db }) {
    const isDemo = areContactsHidden(actor.role, await readSettings(db))
    const rows = await db.list<OutboxMessage>(internalPaths.outbox, {
      by: '$key',
      ...(cursor === undefined ? { startAt: `${booking_id}-` } : { afterKey: cursor }),
      endAt: `${booking_id}-\uf8ff`,
      first: PAGE_SIZE,
    })
    return {
      // Another booking's id may begin with this one.
      rows: rows
        .filter(([, message]) => message.booking_id === booking_id)
        .map(([id, message]) => toSentMessage(id, message, isDemo)),
      next: rows.length < PAGE_SIZE ? null : (rows.at(-1)?.[0] ?? null),
    }
  },
})
