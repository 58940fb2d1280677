import { toJson } from '~/domain/data/databaseValue'
import { internalPaths } from '~/domain/data/internalPaths'
import { toMessageSettings } from '~/domain/forms/messageForms'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import { checkAction } from '~/domain/access/permissions'
import { diffFields } from '../../services/office/audit'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import { readSettings } from '../../services/office/settings'

/** Returns the settings with one text for each list, for the audit. */
const toAudited = ({ off, price, revision: _, ...rest }: MessageSettings) => ({
  ...rest,
  ...(price?.sms !== undefined && { priceSms: price.sms }),
  ...(price?.email !== undefined && { priceEmail: price.email }),
  ...(price?.whatsapp !== undefined && { priceWhatsapp: price.whatsapp }),
  ...(off && { messagesOff: Object.keys(off).sort().join(', ') }),
})

/** Saves the office's settings of messages. */
export const save_message_settings = defineUserEndpoint({
  name: 'save_message_settings',
  summary:
    "Saves the office's settings of messages: the operator's details on receipts, the messages that go out (`on`), quiet hours in the platform's time zone, the prices and the monthly budget. `revision` is that of the settings that the caller saw; after a change by someone else the call is refused with changed_meanwhile.",
  allow: ['admin'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'demo_mode', 'changed_meanwhile'],
  async handle({ settings, revision }, { actor, db, now }) {
    throwIfError(checkAction('settings_save', actor.role, await readSettings(db)))
    const storedSettings = await db.read<MessageSettings>(internalPaths.messageSettings)
    const before = storedSettings?.revision ?? 0
    const next = toMessageSettings(settings, before + 1)
    const { from, to } = diffFields(toAudited(storedSettings ?? { revision: 0 }), toAudited(next))
    const isSame = [from, to].every((fields) => JSON.stringify(fields) === '{}')
    // A repeat of a request whose response was lost.
    if (isSame && (before === revision || before === revision + 1)) return { revision: before }
    if (before !== revision) fail('changed_meanwhile', undefined, { revision: before })
    const entry = { by: actor.uid, at: now, action: 'settings_update', path: 'message_settings' }
    try {
      await db.update({
        [internalPaths.messageSettings]: toJson(next),
        ...buildAuditEntry({ ...entry, from, to }, `message_settings/${next.revision}`),
      })
    } catch (error) {
      if (error instanceof WriteConflictError) return fail('changed_meanwhile')
      throw error
    }
    return { revision: next.revision }
  },
})
