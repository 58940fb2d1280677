import type { Push } from '~/domain/booking/change'
import { pushText } from '~/domain/booking/pushes'
import type { Booking, ChatMessage } from '~/domain/entities'
import { keyAt } from '~/domain/keys'
import { at } from '~/domain/paths'
import type { Ports } from './definition'
import { Conflict } from './ports/database'

type Teller = Pick<Ports, 'db' | 'push'>

/**
 * Tells somebody by an entry of his inbox and a push. The key is the entry's own: false, and nobody is told, when it is there
 * already, though another call wrote it at the same moment.
 */
export const tellOnce = async (
  { db, push }: Teller,
  { to, key, ...message }: Push & { key: string },
  now: number,
): Promise<boolean> => {
  const path = at.inbox(to, key)
  if ((await db.read(path)) !== null) return false
  try {
    await db.update({ [path]: { ...message, at: now } })
  } catch (error) {
    if (error instanceof Conflict) return false
    throw error
  }
  const token = await db.read<string>(`users/${to}/pushToken`)
  if (token) await push.send(token, message)
  return true
}

const NUMBERS = 2 ** 48
/** A number that is an event's own. */
const numberOf = (eventId: string): number => {
  let number = 7
  for (let i = 0; i < eventId.length; i++) number = (number * 31 + eventId.charCodeAt(i)) % NUMBERS
  return number
}

/** A message between rider and driver, as the database tells of it: perhaps more than once. */
export interface Sent {
  eventId: string
  /** ms; when it was written. */
  at: number
  booking_id: string
  message: Pick<ChatMessage, 'from'>
}

/** Tells the other of the two who ride together that there is a message for him. What it says stays in the chat. */
export const tellOfMessage = async (
  ports: Teller,
  { eventId, at: sentAt, booking_id, message: { from } }: Sent,
): Promise<void> => {
  const booking = await ports.db.read<Booking>(at.booking(booking_id))
  if (!booking) return
  const { customer, customer_name, driver, driver_name } = booking
  const [to, sender] = from === customer ? [driver, customer_name] : [customer, driver_name]
  if (!to) return
  const key = keyAt(sentAt, numberOf(eventId))
  const push: Push = {
    to,
    ...pushText('message'),
    params: { sender: sender ?? '' },
    screen: 'onlineChat',
    booking_id,
  }
  await tellOnce(ports, { ...push, key }, sentAt)
}
