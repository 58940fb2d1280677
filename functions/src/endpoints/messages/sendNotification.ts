import type { SendNotificationInput } from '~/domain/api/inputs/messages'
import { isContactOpen } from '~/domain/booking/contactAccess'
import { findPartyPush, toPushText } from '~/domain/booking/pushMessages'
import { toSenderName } from '~/domain/messages/outbox'
import { createPushKey } from '~/domain/data/pushKeys'
import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { generatePushKey } from '../../ports/random'
import { fail, throwIfError } from '../../domainException'
import { findTokenOwner, pushToUser } from '../../services/messages/pushDevices'
import { readSettings } from '../../services/office/settings'
import { hashToNumber, notifyOnce } from '../../services/messages/notifications'
import type { UserRequestContext } from '../../ports/requestContext'
import type { Booking } from '~/domain/booking/types'

/** Sends one push message to the devices of one person and adds it to their inbox. */
export const send_notification = defineUserEndpoint({
  name: 'send_notification',
  summary:
    "Sends a push: an admin any text to the owner of `token`; a party of `booking_id` one of the fixed texts (`push_message`, `push_coming`, `push_here`, each `_title` with its `_msg`) to the other party, from ACCEPTED until an hour after the end. The server fills in a party's `params` and sends the same text once a minute.",
  allow: ALL_USER_TYPES,
  limit: 30,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed', 'event_not_possible', 'no_user_match', 'demo_mode'],
  async handle(input, context) {
    await (context.actor.role === 'admin'
      ? sendAsAdmin(input, context)
      : sendAsParty(input, context))
    return { success: true }
  },
})

/** Sends an admin's text to all devices of the person who has the token. */
const sendAsAdmin = async (
  { token, title, msg, params, screen = 'BookedCab', booking_id }: SendNotificationInput,
  context: UserRequestContext,
) => {
  const { actor, db, now, random } = context
  throwIfError(checkAction('notification_send', actor.role, await readSettings(db)))
  if (token === undefined) return fail('bad_input', 'token')
  const to = (await findTokenOwner(db, token)) ?? fail('no_user_match', 'token')
  const message = {
    title,
    msg,
    screen,
    ...(params && { params }),
    ...(booking_id && { booking_id }),
  }
  await db.update({ [dbPaths.inbox(to, generatePushKey(now, random))]: { ...message, at: now } })
  await pushToUser(context, to, message)
}

/** Sends a fixed text from one party to the other, while they may contact each other. */
const sendAsParty = async (
  { token, title, msg, screen = 'BookedCab', booking_id }: SendNotificationInput,
  { actor, db, push, now }: UserRequestContext,
) => {
  if (booking_id === undefined) return fail('not_allowed', 'booking_id')
  const booking = await db.read<Booking>(dbPaths.booking(booking_id))
  if (!booking) return fail('not_found', 'booking_id')
  const { customer, customer_name, driver, driver_name = '', status } = booking
  const isCustomer = actor.uid === customer
  const to = isCustomer ? driver : customer
  if (!isCustomer && actor.uid !== driver) fail('not_allowed', 'booking_id')
  if (to === undefined || !isContactOpen(booking, now))
    return fail('event_not_possible', 'booking_id', { status })
  const name = findPartyPush(title, msg) ?? fail('not_allowed', 'title')
  // Refuses another user's token, because clients never see tokens.
  if (token !== undefined && (await findTokenOwner(db, token)) !== to) fail('not_allowed', 'token')
  // The minute is part of the inbox key, so each text arrives at most once a minute.
  const minute = now - (now % MINUTE_MS)
  await notifyOnce(
    { db, push },
    {
      to,
      key: createPushKey(minute, hashToNumber(`${booking_id} ${actor.uid} ${name}`)),
      ...toPushText(name),
      params: { sender: toSenderName(isCustomer ? customer_name : driver_name) },
      screen,
      booking_id,
    },
    now,
  )
}
