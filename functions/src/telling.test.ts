import { expect, it } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import type { InboxEntry } from '~/domain/entities'
import type { Push } from '~/domain/booking/change'
import { projectPorts, TEST_NOW } from './testing'
import { tellOfMessage } from './telling'

const booking = aBooking({
  status: 'ACCEPTED',
  customer_name: 'Ana Paz',
  driver: 'driver',
  driver_name: 'Diego Sosa',
})
const riding = (over = {}) => {
  const pushed: [string, Omit<Push, 'to'>][] = []
  const push = {
    send: (...sent: [string, Omit<Push, 'to'>]) => Promise.resolve(void pushed.push(sent)),
  }
  const bookings = { [booking.id]: { ...booking, ...over } }
  const users = { driver: { pushToken: 'drivers-phone' } }
  const given = projectPorts({ bookings, users }, { push })
  const write = (from: string, eventId = 'event-1') =>
    tellOfMessage(given, { eventId, at: TEST_NOW, booking_id: booking.id, message: { from } })
  const inbox = (uid: string) =>
    Object.values((given.db.at(`inbox/${uid}`) ?? {}) as Record<string, InboxEntry>)
  return { write, inbox, pushed }
}

it('the rider’s message is told to the driver, who is led to the chat; what it says is not in it', async () => {
  const { write, inbox, pushed } = riding()
  await write(booking.customer)
  const told = {
    title: 'push_message_title',
    msg: 'push_message_msg',
    params: { sender: 'Ana Paz' },
    screen: 'onlineChat',
    booking_id: booking.id,
  }
  expect(inbox('driver')).toEqual([{ ...told, at: TEST_NOW }])
  expect(pushed).toEqual([['drivers-phone', told]])
  expect(inbox(booking.customer)).toEqual([])
})

it('the driver’s message is told to the rider', async () => {
  const { write, inbox, pushed } = riding()
  await write('driver')
  expect(inbox(booking.customer)).toMatchObject([{ params: { sender: 'Diego Sosa' } }])
  expect(inbox('driver')).toEqual([])
  expect(pushed).toEqual([])
})

it('a message of which the database tells fifty times is told once, and another one too', async () => {
  const { write, inbox, pushed } = riding()
  await Promise.all(Array.from({ length: 50 }, () => write(booking.customer)))
  expect(inbox('driver')).toHaveLength(1)
  expect(pushed).toHaveLength(1)
  await write(booking.customer, 'event-2')
  expect(inbox('driver')).toHaveLength(2)
})

it('nobody is told of a message to nobody', async () => {
  const { write, inbox, pushed } = riding({ driver: null })
  await write(booking.customer)
  expect(inbox('driver')).toEqual([])
  expect(pushed).toEqual([])
})
