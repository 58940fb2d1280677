import { isAllowedFrom } from '~/domain/booking/eventPermissions'
import { dbPaths } from '~/domain/data/databasePaths'
import { buildNotification } from '~/domain/messages/messageTable'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { checkAction } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { readSettings } from '../../services/office/settings'
import type { Booking } from '~/domain/booking/types'

/** Sends the receipt of a booking to its rider again. */
export const send_receipt = defineUserEndpoint({
  name: 'send_receipt',
  summary:
    "Sends the receipt of a paid booking to its rider again: in the app and, within the limits of messages, by e-mail. `request_id` is the client's own push key: repeating it sends nothing more.",
  allow: ['admin'],
  limit: 30,
  spends: ['messages'],
  needsFreshSignIn: false,
  errors: ['not_found', 'event_not_possible', 'changed_meanwhile'],
  async handle({ booking_id, request_id }, context) {
    const { actor, db, now, outbox } = context
    throwIfError(checkAction('receipt_send', actor.role, await readSettings(db)))
    return commitOrFail(context, { subject: booking_id, event: 'receipt' }, async () => {
      const booking = await db.read<Booking>(dbPaths.booking(booking_id))
      if (!booking) return fail('not_found', 'booking_id')
      const { status, customer, reference, booking_type_admin } = booking
      if (status === 'CANCELLED' || !isAllowedFrom('compensate', status))
        fail('event_not_possible', 'booking_id', { status })
      const audience = booking_type_admin ? 'guest' : 'rider'
      const event = 'receipt_sent'
      const params = { reference }
      const updates = outbox.buildUpdates({
        scope: `${booking_id}-${request_id}`,
        ...{ event, audience, uid: customer, booking_id, params, at: now, now },
      })
      const [path] = Object.keys(updates)
      if (path === undefined) throw new Error('MESSAGE_TABLE sends no receipt_sent.')
      const [usertype, sentMessage] = await Promise.all([
        db.read<string>(`${dbPaths.user(customer)}/usertype`),
        db.read<OutboxMessage>(path),
      ])
      if (usertype === null) fail('not_found', 'customer')
      const stateRead = [booking, sentMessage]
      if (sentMessage) return { stateRead, now, result: { at: sentMessage.at } }
      const entry = {
        by: actor.uid,
        at: now,
        action: 'receipt_sent',
        path: dbPaths.booking(booking_id),
      }
      const push = { to: customer, ...buildNotification(event, audience), params, booking_id }
      return {
        stateRead,
        now,
        effect: { updates: { ...updates, ...buildAuditEntry(entry, request_id) }, pushes: [push] },
        result: { at: now },
      }
    })
  },
})
