import { expect, it } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { MIN_CHAT_PUSH_INTERVAL_MS } from '~/domain/access/rateLimitedWrites'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import type { PushMessage } from '~/domain/booking/eventTypes'
import { createProjectPorts, nameDevices, TEST_NOW } from '../../testing/testPorts'
import { OTHER_LIMITS } from '../limitTable'
import { notifyChatMessage } from './notifications'
import type { InboxEntry } from '~/domain/messages/types'

const booking = aBooking({
  status: 'ACCEPTED',
  customer_name: 'Ana Paz',
  driver: 'driver',
  driver_name: 'Diego Sosa',
})
const riding = (over = {}, rate_limits = {}) => {
  const pushed: [string, Omit<PushMessage, 'to'>][] = []
  const push = {
    send: (...sent: [string, Omit<PushMessage, 'to'>]) => {
      pushed.push(sent)
      return Promise.resolve('sent' as const)
    },
  }
  const bookings = { [booking.id]: { ...booking, ...over } }
  const devices = nameDevices({ driver: { token: 'drivers-phone' } })
  const given = createProjectPorts({ bookings, rate_limits, ...devices }, { push })
  const write = (from: string, eventId = 'event-1', at = TEST_NOW) =>
    notifyChatMessage(given, { eventId, at, booking_id: booking.id, message: { from } })
  const inbox = (uid: string) =>
    Object.values((given.db.at(`inbox/${uid}`) ?? {}) as Record<string, InboxEntry>)
  return { write, inbox, pushed, given }
}

it('notifies the driver of the rider’s message and links to the chat, without the message’s text', async () => {
  const { write, inbox, pushed } = riding()
  await write(booking.customer)
  const expected = {
    title: 'push_message_title',
    msg: 'push_message_msg',
    params: { sender: 'Ana' },
    screen: 'onlineChat',
    booking_id: booking.id,
  }
  expect(inbox('driver')).toEqual([{ ...expected, at: TEST_NOW }])
  expect(pushed).toEqual([['drivers-phone', expected]])
  expect(inbox(booking.customer)).toEqual([])
})

it('notifies the rider of the driver’s message', async () => {
  const { write, inbox, pushed } = riding()
  await write('driver')
  expect(inbox(booking.customer)).toMatchObject([{ params: { sender: 'Diego' } }])
  expect(inbox('driver')).toEqual([])
  expect(pushed).toEqual([])
})

it('notifies once when the database reports a message fifty times', async () => {
  const { write, inbox, pushed } = riding()
  await Promise.all(Array.from({ length: 50 }, () => write(booking.customer)))
  expect(inbox('driver')).toHaveLength(1)
  expect(pushed).toHaveLength(1)
})

it('keeps one inbox entry and sends one push per minute, however many messages arrive', async () => {
  const { write, inbox, pushed } = riding()
  for (let second = 0; second < 150; second++)
    await write(booking.customer, `event-${second}`, TEST_NOW + second * 1000)
  expect(inbox('driver')).toEqual([
    expect.objectContaining({ title: 'push_message_title', at: TEST_NOW + 149_000 }),
  ])
  expect(pushed).toHaveLength(3)
})

it('sends one push for fifty messages reported at once, in any order, and shows the newest', async () => {
  const { write, inbox, pushed } = riding()
  const seconds = Array.from({ length: 50 }, (_, i) => (i * 7) % 50)
  await Promise.all(
    seconds.map((second) => write(booking.customer, `event-${second}`, TEST_NOW + second * 1000)),
  )
  expect(inbox('driver').map(({ at }) => at)).toEqual([TEST_NOW + 49_000])
  expect(pushed).toHaveLength(1)
})

it('marks the entry unread again when another message arrives within the minute', async () => {
  const { write, inbox, given } = riding()
  await write(booking.customer)
  const [key = ''] = Object.keys(given.db.at('inbox/driver') as object)
  given.db.put({ [`inbox/driver/${key}/read`]: true })
  await write(booking.customer, 'event-2', TEST_NOW + 5000)
  expect(inbox('driver').map(({ read }) => read)).toEqual([undefined])
})

it('sends no notice for a message without a recipient', async () => {
  const { write, inbox, pushed } = riding({ driver: null })
  await write(booking.customer)
  expect(inbox('driver')).toEqual([])
  expect(pushed).toEqual([])
})

it.each([
  ['minute', 10, 0],
  ['minute', 9, 1],
  ['day', 500, 0],
  ['day', 499, 1],
])('after pushes of a %s: %i, pushes %i of two messages', async (window, count, pushCount) => {
  const key = Math.floor(TEST_NOW / (window === 'day' ? DAY_MS : MINUTE_MS))
  // The limit of another sender does not matter.
  const counters = { [booking.customer]: { [key]: count }, driver: { [key]: 10_000 } }
  const { write, inbox, pushed } = riding({}, { [OTHER_LIMITS.chatPushes.name]: counters })
  const next = TEST_NOW + MIN_CHAT_PUSH_INTERVAL_MS
  await write(booking.customer, 'event-1', TEST_NOW)
  await write(booking.customer, 'event-2', next)
  expect(pushed).toHaveLength(pushCount)
  expect(inbox('driver')).toMatchObject([{ at: next }])
})
