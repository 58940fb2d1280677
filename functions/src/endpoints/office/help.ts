import { raiseRevision } from '~/domain/booking/bookingRevision'
import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { answerHelp, askHelp, findHelpRepeat, type HelpCase } from '~/domain/help/helpCase'
import { buildNotification } from '~/domain/messages/messageTable'
import { checkAction } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { DomainException, fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { readSettings } from '../../services/office/settings'
import { assertPartiesExist } from '../../services/users/bookingParties'
import type { RequestContext } from '../../ports/requestContext'
import type { Booking } from '~/domain/booking/types'

/** Number of cases of a page: open ones for the office, the oldest first, or a customer's own. */
const PAGE_SIZE = 30

const readBoth = ({ db }: Pick<RequestContext, 'db'>, booking: string) =>
  Promise.all([
    db.read<Booking>(dbPaths.booking(booking)),
    db.read<HelpCase>(internalPaths.helpCase(booking)),
  ])

/** Sends a customer's question about an ended booking to the office. */
export const ask_help = defineUserEndpoint({
  name: 'ask_help',
  summary:
    'Asks the office for help with an ended booking of the caller: a lost item, a wrong fare, safety, or something else. The booking’s case keeps the messages and the answers. Repeating a request_id asks once. Possible until 90 days after the end, five times before an answer.',
  allow: ['rider'],
  limit: 20,
  spends: ['messages'],
  dailyLimit: 100,
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed', 'event_not_possible', 'help_waits', 'changed_meanwhile'],
  async handle({ booking_id, request_id, topic, text }, context) {
    const { actor, now, outbox } = context
    return commitOrFail(context, { subject: booking_id, event: 'help' }, async () => {
      const [booking, helpCase] = await readBoth(context, booking_id)
      if (!booking) return fail('not_found', 'booking_id')
      if (booking.customer !== actor.uid) fail('not_allowed')
      const repeat = findHelpRepeat(helpCase, request_id)
      if (repeat) return { stateRead: helpCase, now, result: { case: repeat } }
      await assertPartiesExist(context.db, { customer: booking.customer })
      const message = { id: request_id, topic, text, at: now }
      const askResult = askHelp({ ...booking, id: booking_id }, helpCase, message)
      if (!askResult.ok) throw new DomainException(askResult.error)
      const next = askResult.value
      const messages = outbox.buildUpdates({
        scope: `${booking_id}-${request_id}`,
        event: 'help_asked',
        audience: 'office',
        booking_id,
        by: actor.uid,
        params: { sender: booking.customer_name, reference: booking.reference },
        at: now,
        now,
      })
      return {
        stateRead: [booking.revision, helpCase],
        now,
        effect: {
          updates: {
            ...raiseRevision({ ...booking, id: booking_id }),
            [internalPaths.helpCase(booking_id)]: toJson(next),
            ...messages,
          },
          pushes: [],
        },
        result: { case: next },
      }
    })
  },
})

/** Answers the customer of a case. */
export const answer_help = defineUserEndpoint({
  name: 'answer_help',
  summary:
    'Answers the customer’s question about a booking, which tells them by push, in the inbox and by e-mail. `revision` is that of the case that the caller saw; after a message by someone else the call is refused with changed_meanwhile. Repeating a request_id answers once.',
  allow: ['admin'],
  limit: 60,
  spends: ['messages'],
  needsFreshSignIn: false,
  errors: ['not_found', 'changed_meanwhile'],
  async handle({ booking_id, request_id, text, revision }, context) {
    const { actor, db, now, outbox } = context
    throwIfError(checkAction('help_answer', actor.role, await readSettings(db)))
    return commitOrFail(context, { subject: booking_id, event: 'help' }, async () => {
      const [booking, helpCase] = await readBoth(context, booking_id)
      if (!booking || !helpCase) return fail('not_found', 'booking_id')
      const repeat = findHelpRepeat(helpCase, request_id)
      if (repeat) return { stateRead: helpCase, now, result: { case: repeat } }
      if (helpCase.revision !== revision) fail('changed_meanwhile', 'text')
      await assertPartiesExist(db, { customer: booking.customer })
      const next = answerHelp(helpCase, { id: request_id, by: actor.uid, text, at: now })
      const params = { reference: booking.reference }
      const audience = booking.booking_type_admin ? 'guest' : 'rider'
      const notification = buildNotification('help_answered', audience)
      const outgoing = { event: 'help_answered', audience, uid: booking.customer } as const
      const entry = {
        by: actor.uid,
        at: now,
        action: 'booking_help',
        path: dbPaths.booking(booking_id),
      }
      return {
        stateRead: [booking.revision, helpCase],
        now,
        effect: {
          updates: {
            ...raiseRevision({ ...booking, id: booking_id }),
            [internalPaths.helpCase(booking_id)]: toJson(next),
            ...outbox.buildUpdates({
              scope: `${booking_id}-${request_id}`,
              ...outgoing,
              booking_id,
              params,
              at: now,
              now,
            }),
            // Names no words, because the audit outlives the personal data.
            ...buildAuditEntry(entry, `${booking_id}/help/${request_id}`),
          },
          pushes: [{ to: booking.customer, ...notification, params, booking_id }],
        },
        result: { case: next },
      }
    })
  },
})

/** Returns the case of a booking to its customer and to admins. */
export const read_help = defineUserEndpoint({
  name: 'read_help',
  summary:
    'Returns what the customer of a booking asked the office, and the answers; null without a case. For the customer and for admins.',
  allow: ['rider', 'admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed'],
  async handle({ booking_id }, context) {
    const { actor } = context
    const [booking, helpCase] = await readBoth(context, booking_id)
    if (!booking) return fail('not_found', 'booking_id')
    if (actor.role !== 'admin' && booking.customer !== actor.uid) fail('not_allowed')
    return { case: helpCase }
  },
})

/** Returns the cases that wait for an answer to the office, and a customer's own cases to them. */
export const list_help = defineUserEndpoint({
  name: 'list_help',
  summary:
    'Returns to an admin the cases that wait for the office’s answer, the oldest question first, at most 30; to a rider their own cases with all messages, in pages of 30: `next` is the `after` of the next page.',
  allow: ['rider', 'admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle({ after }, { actor, db }) {
    const rows = await db.list<HelpCase>(internalPaths.helpCases, {
      ...(actor.role === 'admin'
        ? { by: 'due', startAt: 0 }
        : { by: 'customer', equalTo: actor.uid, ...(after !== undefined && { afterKey: after }) }),
      first: PAGE_SIZE,
    })
    const hasNext = actor.role !== 'admin' && rows.length === PAGE_SIZE
    return { cases: rows.map(([, one]) => one), next: hasNext ? (rows.at(-1)?.[0] ?? null) : null }
  },
})
