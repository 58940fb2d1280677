import { expect, test } from 'vitest'
import { recountTotals } from '../../../money/stats'
import {
  aBooking,
  aCardPacket,
  aDriver,
  aRider,
  anEventContext,
  admin,
  driver,
  NOON,
  rider,
  system,
} from '../../../testing/builders'
import { commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { applyBookingEvent } from '../../applyBookingEvent'
import type { Actor } from '../../eventTypes'
import { getAmountDue } from '../../payment/paymentPacket'
import { toJson } from '../../../data/databaseValue'
import type { Booking, Status } from '../../types'

const ID = aBooking().id
const context = anEventContext({ customer: aRider(), driver: aDriver() })
const paidByCard = (status: Status, over: Partial<Booking> = {}) =>
  aBooking({
    status,
    prepaid: true,
    paymentPacket: aCardPacket(),
    cardPaymentAmount: 43.13,
    ...over,
  })

const refunded = (booking: Booking, amount: number, actor: Actor = system) => {
  const result = applyBookingEvent(
    booking,
    { event: 'refund', payment: 'pay1', amount },
    { actor, context, now: NOON },
  )
  const tree = { bookings: { [ID]: toJson(booking) } } as Tree
  if (result.ok) commitChange(tree, result.value)
  return {
    key: result.ok ? 'done' : result.error.key,
    booking: readValue(tree, `bookings/${ID}`) as unknown as Booking,
    tree,
    pushes: result.ok ? result.value.pushes : [],
  }
}

test.each(['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING'] as const)(
  'adds a card refund to the amount due while the booking is %s',
  (status) => {
    const { booking } = refunded(paidByCard(status), 40)
    expect(booking.status).toBe(status)
    expect(booking.prepaid).toBe(false)
    expect(getAmountDue(booking, 2).due).toBe(40)
    expect(booking.paymentPacket).toMatchObject({
      payment_mode: 'card',
      cardPaymentAmount: 3.13,
      cashPaymentAmount: 40,
      customer_paid: 43.13,
    })
    expect(booking).toMatchObject({ cardPaymentAmount: 3.13, cashPaymentAmount: 40 })
  },
)

test('makes a booking payable in cash after a full card refund', () => {
  const { booking } = refunded(paidByCard('NEW'), 43.13)
  expect(booking.paymentPacket).toMatchObject({ payment_mode: 'cash', cashPaymentAmount: 43.13 })
})

test.each(['PAID', 'COMPLETE'] as const)(
  'counts a refund of a %s booking as the platform’s loss in every total',
  (status) => {
    const before = paidByCard(status, { fleetadmin: 'fleet' })
    const { booking, tree } = refunded(before, 10)
    expect(booking.refunded).toBe(10)
    expect(booking.paymentPacket).toEqual(aCardPacket())
    const [was, is] = [
      recountTotals([before], context.settings),
      recountTotals([booking], context.settings),
    ]
    const moved = Object.keys(is).filter((path) => is[path] !== was[path])
    expect(moved.every((path) => path.endsWith('/customerPaid'))).toBe(true)
    for (const path of moved) expect((is[path] ?? 0) - (was[path] ?? 0)).toBe(readValue(tree, path))
    expect(moved.length).toBeGreaterThan(3)
  },
)

test('records the refund in the fare history and the customer’s inbox', () => {
  const { booking, pushes } = refunded(paidByCard('PAID'), 10)
  expect(Object.values(booking.fare_history)).toContainEqual(
    expect.objectContaining({
      kind: 'refund',
      lines: [{ label: 'fare_refund', amount: -10 }],
      total: -10,
    }),
  )
  expect(Object.values(booking.event_log)).toContainEqual(
    expect.objectContaining({ event: 'refund', ref: 'pay1', status: 'PAID' }),
  )
  expect(pushes).toMatchObject([{ to: 'rider', params: { amount: 10 } }])
})

test('adds up two partial refunds and refunds no more than the card paid', () => {
  const first = refunded(paidByCard('PAID'), 40).booking
  const second = refunded(first, 3.13)
  expect(second.booking.refunded).toBe(43.13)
  expect(refunded(second.booking, 0.01).key).toBe('payment_mismatch')
  expect(refunded(paidByCard('NEW'), 43.14).key).toBe('payment_mismatch')
  expect(refunded(aBooking({ status: 'NEW' }), 1).key).toBe('payment_mismatch')
})

test.each([
  ['the customer', rider],
  ['the driver', driver],
  ['an admin', admin],
])('refuses a card refund by %s', (_, actor) => {
  expect(refunded(paidByCard('NEW'), 1, actor).key).toBe('not_allowed')
})

test('takes nothing from a canceled booking, whose money is in the wallet', () => {
  expect(refunded(paidByCard('CANCELLED'), 1).key).toBe('event_not_possible')
})
