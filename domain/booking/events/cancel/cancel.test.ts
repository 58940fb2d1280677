import { describe, expect, test } from 'vitest'
import {
  aBooking,
  aVehicleType,
  aDriver,
  admin,
  aPromo,
  aRider,
  aSettings,
  anEventContext,
  driver,
  MINUTE,
  NOON,
  rider,
  system,
} from '../../../testing/builders'
import { commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { applyBookingEvent } from '../../applyBookingEvent'
import { calculateCancellationFee } from '../../payment/cancellation'
import { NO_DRIVER_EXPIRY_MINUTES, UNPAID_EXPIRY_MINUTES } from '../../deadlines'
import type { Actor } from '../../eventTypes'
import type { EventInput } from '../../eventInput'
import type { EventContext } from '../../eventContext'
import type { Booking } from '../../types'

const ID = aBooking().id
const cancel = { event: 'cancel', reason: 'changed my mind' } as const
const ACCEPTED_AT = NOON + MINUTE

const after = (
  over: Partial<Booking>,
  {
    actor = rider,
    input = cancel,
    minutes = 0,
    context = {},
  }: { actor?: Actor; input?: EventInput; minutes?: number; context?: Partial<EventContext> } = {},
) => {
  const booking = aBooking(over)
  const now = ACCEPTED_AT + minutes * MINUTE
  const customer = aRider({ walletBalance: 2 })
  const result = applyBookingEvent(booking, input, {
    actor,
    context: anEventContext({ customer, ...context }),
    now,
  })
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(booking)) },
    users: { rider: { walletBalance: 2 }, driver: { queue: true } },
    promos: { spring: { user_avail: 1 } },
    promo_uses: { spring: { rider: ID } },
    driver_tasks: { requested: { [ID]: true } },
  }
  if (result.ok) commitChange(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: readValue(tree, `bookings/${ID}`) as unknown as Booking,
    value: (path: string) => readValue(tree, path),
    pushes: result.ok ? result.value.pushes.map(({ to, title }) => `${to} ${title}`) : [],
  }
}

describe('the cancellation fee', () => {
  const slabs = aVehicleType().cancelSlab
  test.each([
    [0, 0],
    [1.99, 0],
    [2, 5],
    [4.99, 5],
    [5, 10],
    [9.99, 10],
    [10, 15],
    [500, 15],
  ])(
    '%d minutes after the driver accepted is %d, the highest tier reached in any order of the tiers',
    (minutes, fee) => {
      expect(
        calculateCancellationFee({ accepted_at: NOON }, slabs, NOON + minutes * MINUTE, {
          code: 'UYU',
          decimal: 2,
        }),
      ).toBe(fee)
    },
  )

  test('is zero before a driver accepts, and without tiers', () => {
    expect(calculateCancellationFee({}, slabs, NOON, { code: 'UYU', decimal: 2 })).toBe(0)
    expect(
      calculateCancellationFee({ accepted_at: NOON }, undefined, NOON + 99 * MINUTE, {
        code: 'UYU',
        decimal: 2,
      }),
    ).toBe(0)
  })

  test.each(['ACCEPTED', 'ARRIVED'] as const)(
    'is charged in %s, even when it makes the wallet negative',
    (status) => {
      const { booking, value } = after({ status }, { minutes: 6 })
      expect(booking.cancellationFee).toBe(10)
      expect(value('users/rider/walletBalance')).toBe(-8)
      expect(value(`users/rider/walletHistory/${ID}-cancel-fee`)).toMatchObject({
        type: 'Debit',
        amount: 10,
      })
      expect(value('stats/total/minor/UYU2/cancellationFee')).toBe(1000)
    },
  )

  test('is zero for the rider when an admin cancels', () => {
    const { booking, value } = after({ status: 'ARRIVED' }, { actor: admin, minutes: 60 })
    expect(booking.cancellationFee).toBe(0)
    expect(value('users/rider')).toEqual({ walletBalance: 2 })
  })
})

describe('prepaid money', () => {
  const paymentPacket = {
    appcat: 'delivery' as const,
    payment_mode: 'card' as const,
    customer_paid: 43.13,
    discount_amount: 0,
    usedWalletMoney: 10,
    cardPaymentAmount: 33.13,
    cashPaymentAmount: 0,
    payableAmount: 33.13,
    promo_applied: false,
    promo_details: null,
  }
  test('is refunded to the wallet minus the fee, as two entries', () => {
    const { value } = after({ status: 'ACCEPTED', paymentPacket, prepaid: true }, { minutes: 6 })
    expect(value(`users/rider/walletHistory/${ID}-refund`)).toMatchObject({
      type: 'Credit',
      amount: 43.13,
    })
    expect(value('users/rider/walletBalance')).toBe(35.13)
  })

  test('does not refund cash that was only promised', () => {
    const cash = {
      ...paymentPacket,
      usedWalletMoney: 0,
      cardPaymentAmount: 0,
      cashPaymentAmount: 43.13,
    }
    expect(after({ status: 'NEW', paymentPacket: cash }).value('users/rider')).toEqual({
      walletBalance: 2,
    })
  })

  test('does not recreate a deleted account', () => {
    const { value } = after(
      { status: 'NEW', paymentPacket, customer: 'gone' },
      { actor: admin, context: { customer: null } },
    )
    expect(value('users/gone')).toBeNull()
  })
})

test('returns a promo use to the promo, and does not recreate a deleted promo', () => {
  const promo_details = { id: 'spring', promo_name: 'SPRING' }
  const kept = after({ status: 'NEW', promo_details }, { context: { promo: aPromo() } })
  expect(kept.value('promos/spring/user_avail')).toBe(0)
  expect(kept.value('promo_uses')).toBeNull()
  expect(after({ status: 'NEW', promo_details }).value('promos/spring/user_avail')).toBe(1)
})

test('removes open offers when the booking ends', () => {
  const { booking, value } = after({ status: 'NEW', requestedDrivers: { requested: true } })
  expect(booking).toMatchObject({
    status: 'CANCELLED',
    cancelledBy: 'rider',
    reason: 'changed my mind',
  })
  expect(booking.requestedDrivers).toBeUndefined()
  expect(value('driver_tasks')).toBeNull()
})

test('frees the driver and notifies both parties', () => {
  const { value, pushes } = after({ status: 'ACCEPTED' })
  expect(value('users/driver/queue')).toBe(false)
  expect(pushes).toEqual(['rider push_cancelled_title', 'driver push_cancelled_title'])
})

test('requires a reason', () => {
  expect(after({ status: 'NEW' }, { input: { event: 'cancel', reason: ' ' } }).key).toBe(
    'reason_required',
  )
})

test.each([
  ['their rider', rider],
  ['an admin', admin],
])('an unpaid booking is stored with the fixed reason when %s cancels it', (_, actor) => {
  const { booking } = after({ status: 'PAYMENT_PENDING' }, { actor })
  expect(booking).toMatchObject({
    status: 'CANCELLED',
    reason: 'incomplete_booking',
    cancelledBy: actor.role,
  })
})

test.each(['NEW', 'ACCEPTED'] as const)(
  'the fixed reason of unpaid bookings does not cancel a booking that has become %s',
  (status) => {
    const input = { event: 'cancel', reason: 'incomplete_booking' } as const
    const { key, booking } = after({ status }, { input })
    expect(key).toBe('event_not_possible')
    expect(booking.status).toBe(status)
  },
)

test.each([
  ['a rider', rider, 'demo_mode'],
  ['an admin', admin, 'demo_mode'],
  ['the driver', driver, 'not_allowed'],
])('in demo mode, a cancellation by %s gets the error %s', (_, actor, key) => {
  const settings = aSettings({ AllowCriticalEditsAdmin: false })
  expect(after({ status: 'ACCEPTED' }, { actor, context: { settings } }).key).toBe(key)
})

test('writes an audit entry when an admin cancels, but not when the rider does', () => {
  expect(after({ status: 'NEW' }, { actor: admin }).value('audit')).not.toBeNull()
  expect(after({ status: 'NEW' }).value('audit')).toBeNull()
})

describe('expiry', () => {
  const expire = (over: Partial<Booking>, minutes: number) =>
    after(over, {
      actor: system,
      input: { event: 'expire' },
      minutes: minutes - 1,
      context: { customer: aRider(), driver: aDriver() },
    })

  test('cancels an unpaid booking after half an hour, not earlier', () => {
    const waiting = { status: 'PAYMENT_PENDING', bookingDate: NOON } as const
    expect(expire(waiting, UNPAID_EXPIRY_MINUTES - 0.01).key).toBe('event_not_possible')
    expect(expire(waiting, UNPAID_EXPIRY_MINUTES).booking).toMatchObject({
      status: 'CANCELLED',
      reason: 'incomplete_booking',
      cancelledBy: 'system',
    })
  })

  test('cancels a later booking without a driver half an hour after its time', () => {
    const later = { status: 'NEW', bookLater: true, tripdate: NOON } as const
    expect(expire(later, NO_DRIVER_EXPIRY_MINUTES - 0.01).key).toBe('event_not_possible')
    const { booking, pushes } = expire(later, NO_DRIVER_EXPIRY_MINUTES)
    expect(booking).toMatchObject({ status: 'CANCELLED', reason: 'no_driver' })
    expect(pushes).toEqual(['rider push_no_driver_title'])
  })

  test('never cancels a booking for now, which the back office sees as stuck', () => {
    expect(expire({ status: 'NEW', tripdate: NOON }, 600).key).toBe('event_not_possible')
  })
})

test('returns the same response to a repeated cancellation and refuses a second person’s', () => {
  const first = after({ status: 'NEW' }).booking
  expect(after(first)).toMatchObject({ key: undefined, pushes: [] })
  expect(after(first, { actor: admin }).key).toBe('event_not_possible')
})
