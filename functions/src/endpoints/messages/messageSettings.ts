import { internalPaths } from '~/domain/data/internalPaths'
import {
  type MessageSettings,
  type MessageTotal,
  toTotalKey,
} from '~/domain/messages/messageSettings'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readSettings } from '../../services/office/settings'

/** Returns the office's settings of messages and the costs of this month. */
export const message_settings = defineUserEndpoint({
  name: 'message_settings',
  summary:
    "Returns the office's settings of messages with their revision, and this month's number of messages by channel with their price in millionths of the currency's unit (`micros`). The month is that of the platform's time zone and currency.",
  allow: ['admin'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found'],
  async handle(_, { db, now }) {
    const key = toTotalKey(now, await readSettings(db))
    const [settings, total] = await Promise.all([
      db.read<MessageSettings>(internalPaths.messageSettings),
      db.read<MessageTotal>(internalPaths.messageTotal(key)),
    ])
    return {
      settings: settings ?? { revision: 0 },
      month: key.slice(0, 7),
      total: total ?? { revision: 0 },
    }
  },
})
