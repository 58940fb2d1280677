import { sendNotification } from '~/domain/api'
import type { Booking, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { actionRefused } from '~/domain/permissions'
import type { ActorContext } from '../definition'
import { ANY_USER, forUsers } from '../definition'
import { pushKey } from '../ports/random'
import { refuse, refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Sends one push message to one phone, and into its owner's inbox. */
export const send_notification = forUsers({
  name: 'send_notification',
  summary:
    'Sends a push to the owner of a token: an admin to anybody, a party of `booking_id` to the other party.',
  input: sendNotification,
  allow: ANY_USER,
  limit: 120,
  answers: '{success: true}',
  refuses: ['not_found', 'not_allowed', 'no_user_match', 'demo_mode'],
  async handle({ token, title, msg, params, screen = 'BookedCab', booking_id }, context) {
    const { actor, db, push, now, random } = context
    const settings = await readSettings(db)
    if (actor.role === 'admin') refuseIf(actionRefused('notification_send', actor.role, settings))
    const to = await receiverOf(token, booking_id, context)
    const message = {
      title,
      msg,
      screen,
      ...(params && { params }),
      ...(booking_id && { booking_id }),
    }
    await db.update({ [at.inbox(to, pushKey(now, random))]: { ...message, at: now } })
    await push.send(token, message)
    return { success: true }
  },
})

const receiverOf = async (
  token: string,
  bookingId: string | undefined,
  { actor, db }: ActorContext,
): Promise<string> => {
  const booking = bookingId ? await db.read<Booking>(at.booking(bookingId)) : null
  if (booking) {
    const { customer, customer_token, driver, driver_token } = booking
    const isParty = actor.uid === customer || actor.uid === driver
    if (actor.role !== 'admin' && !isParty) refuse('not_allowed', 'booking_id')
    if (token === driver_token && driver) return driver
    if (token === customer_token) return customer
    // A phone that signed in again has a new token; only the office may look for its owner.
    if (actor.role !== 'admin') refuse('not_allowed', 'token')
  } else if (actor.role !== 'admin') {
    return refuse(bookingId ? 'not_found' : 'not_allowed', 'booking_id')
  }
  const [owner] = await db.list<User>('users', { by: 'pushToken', equalTo: token, first: 1 })
  return owner?.[0] ?? refuse('no_user_match', 'token')
}
