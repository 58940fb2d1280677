import { describe, expect, test } from 'vitest'
import type { Booking } from '../entities'
import {
  aBooking,
  aCarType,
  aDriver,
  admin,
  aPromo,
  aRider,
  aSettings,
  aWorld,
  driver,
  MINUTE,
  NOON,
  rider,
  system,
} from '../testing/builders'
import { commit, valueAt, type Tree } from '../testing/tree'
import { apply } from './apply'
import { cancelFee, EXPIRE_MINUTES, NO_DRIVER_MINUTES } from './cancelling'
import type { Actor, EventInput, World } from './change'

const ID = aBooking().id
const cancel = { event: 'cancel', reason: 'changed my mind' } as const
const ACCEPTED_AT = NOON + MINUTE

const after = (
  over: Partial<Booking>,
  {
    actor = rider,
    input = cancel,
    minutes = 0,
    world = {},
  }: { actor?: Actor; input?: EventInput; minutes?: number; world?: Partial<World> } = {},
) => {
  const booking = aBooking(over)
  const now = ACCEPTED_AT + minutes * MINUTE
  const result = apply(booking, input, actor, aWorld(world), now)
  const tree: Tree = {
    bookings: { [ID]: JSON.parse(JSON.stringify(booking)) },
    users: { rider: { walletBalance: 2 }, driver: { queue: true } },
    promos: { spring: { user_avail: 1 } },
    promo_uses: { spring: { rider: ID } },
    driver_tasks: { requested: { [ID]: true } },
  }
  if (result.ok) commit(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: valueAt(tree, `bookings/${ID}`) as unknown as Booking,
    value: (path: string) => valueAt(tree, path),
    pushes: result.ok ? result.value.pushes.map(({ to, title }) => `${to} ${title}`) : [],
  }
}

describe('the cancel fee', () => {
  const slabs = aCarType().cancelSlab
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
    '%d minutes after the driver accepted is %d: the largest slab passed, in whatever order they stand',
    (minutes, fee) => {
      expect(cancelFee({ accepted_at: NOON }, slabs, NOON + minutes * MINUTE, { decimal: 2 })).toBe(
        fee,
      )
    },
  )

  test('nothing before a driver accepted, and nothing without slabs', () => {
    expect(cancelFee({}, slabs, NOON, { decimal: 2 })).toBe(0)
    expect(cancelFee({ accepted_at: NOON }, undefined, NOON + 99 * MINUTE, { decimal: 2 })).toBe(0)
  })

  test.each(['ACCEPTED', 'ARRIVED'] as const)(
    'is charged in %s, and the wallet may go below nothing for it',
    (status) => {
      const { booking, value } = after({ status }, { minutes: 6 })
      expect(booking.cancellationFee).toBe(10)
      expect(value('users/rider/walletBalance')).toBe(-8)
      expect(value(`users/rider/walletHistory/${ID}-cancel-fee`)).toMatchObject({
        type: 'Debit',
        amount: 10,
      })
      expect(value('stats/total/cancellationFee')).toBe(10)
    },
  )

  test.each([
    ['his driver', driver],
    ['the office', admin],
  ])('costs the rider nothing when %s cancels', (_, actor) => {
    const { booking, value } = after({ status: 'ARRIVED' }, { actor, minutes: 60 })
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
  test('goes back to the wallet less the fee, as two entries', () => {
    const { value } = after({ status: 'ACCEPTED', paymentPacket, prepaid: true }, { minutes: 6 })
    expect(value(`users/rider/walletHistory/${ID}-refund`)).toMatchObject({
      type: 'Credit',
      amount: 43.13,
    })
    expect(value('users/rider/walletBalance')).toBeCloseTo(2 + 43.13 - 10, 9)
  })

  test('cash that was only promised is not given back', () => {
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

  test('does not bring a deleted account back', () => {
    const { value } = after(
      { status: 'NEW', paymentPacket, customer: 'gone' },
      { actor: admin, world: { customer: null } },
    )
    expect(value('users/gone')).toBeNull()
  })
})

test('a promo use is given back, and a deleted promo stays deleted', () => {
  const promo_details = { id: 'spring', promo_name: 'SPRING' }
  const kept = after({ status: 'NEW', promo_details }, { world: { promo: aPromo() } })
  expect(kept.value('promos/spring/user_avail')).toBe(0)
  expect(kept.value('promo_uses')).toBeNull()
  expect(after({ status: 'NEW', promo_details }).value('promos/spring/user_avail')).toBe(1)
})

test('requests end with the booking', () => {
  const { booking, value } = after({ status: 'NEW', requestedDrivers: { requested: true } })
  expect(booking).toMatchObject({
    status: 'CANCELLED',
    cancelledBy: 'rider',
    reason: 'changed my mind',
  })
  expect(booking.requestedDrivers).toBeUndefined()
  expect(value('driver_tasks')).toBeNull()
})

test('the driver on his way is free again, and both are told', () => {
  const { value, pushes } = after({ status: 'ACCEPTED' })
  expect(value('users/driver/queue')).toBe(false)
  expect(pushes).toEqual(['rider push_cancelled_title', 'driver push_cancelled_title'])
})

test('a reason must be given', () => {
  expect(after({ status: 'NEW' }, { input: { event: 'cancel', reason: ' ' } }).key).toBe(
    'reason_required',
  )
})

test.each([
  ['a rider', rider, 'demo_mode'],
  ['an admin', admin, 'demo_mode'],
  ['a driver', driver, undefined],
])('in demo mode %s gets %s', (_, actor, key) => {
  const settings = aSettings({ AllowCriticalEditsAdmin: false })
  expect(after({ status: 'ACCEPTED' }, { actor, world: { settings } }).key).toBe(key)
})

test('a cancel by an admin is in the audit, one by the rider is not', () => {
  expect(after({ status: 'NEW' }, { actor: admin }).value('audit')).not.toBeNull()
  expect(after({ status: 'NEW' }).value('audit')).toBeNull()
})

describe('time ends', () => {
  const expire = (over: Partial<Booking>, minutes: number) =>
    after(over, {
      actor: system,
      input: { event: 'expire' },
      minutes: minutes - 1,
      world: { customer: aRider(), driver: aDriver() },
    })

  test('an unpaid booking after half an hour, and not before', () => {
    const waiting = { status: 'PAYMENT_PENDING', bookingDate: NOON } as const
    expect(expire(waiting, EXPIRE_MINUTES - 0.01).key).toBe('event_not_possible')
    expect(expire(waiting, EXPIRE_MINUTES).booking).toMatchObject({
      status: 'CANCELLED',
      reason: 'incomplete_booking',
      cancelledBy: 'system',
    })
  })

  test('a later booking that found no driver, half an hour past its time', () => {
    const later = { status: 'NEW', bookLater: true, tripdate: NOON } as const
    expect(expire(later, NO_DRIVER_MINUTES - 0.01).key).toBe('event_not_possible')
    const { booking, pushes } = expire(later, NO_DRIVER_MINUTES)
    expect(booking).toMatchObject({ status: 'CANCELLED', reason: 'no_driver' })
    expect(pushes).toEqual(['rider push_no_driver_title'])
  })

  test('no booking for now: the office sees it as stuck', () => {
    expect(expire({ status: 'NEW', tripdate: NOON }, 600).key).toBe('event_not_possible')
  })
})

test('who already cancelled gets the same answer, who comes second is refused', () => {
  const first = after({ status: 'NEW' }).booking
  expect(after(first)).toMatchObject({ key: undefined, pushes: [] })
  expect(after(first, { actor: admin }).key).toBe('event_not_possible')
})
