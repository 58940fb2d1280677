import { describe, expect, test } from 'vitest'
import { quoteFare } from '../../../money/fare'
import { findViolations } from '../../../data/invariants'
import type { DatabaseTree } from '../../../data/databaseTree'
import {
  aBooking,
  aVehicleType,
  aDriver,
  admin,
  aRider,
  aSettings,
  anEventContext,
  MINUTE,
  NOON,
  rider,
} from '../../../testing/builders'
import { commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { applyBookingEvent } from '../../applyBookingEvent'
import { getAvailableEvents } from '../../availableEvents'
import type { EventContext } from '../../eventContext'
import { REVIEW_DECISIONS, type Booking, type ReviewDecision } from '../../types'
import type { User } from '../../../accounts/types'

const settings = aSettings({ appcat: 'taxi' })
const NOW = NOON + 60 * MINUTE
const price = (distanceKm: number, seconds: number) =>
  quoteFare({ carType: aVehicleType(), settings, distanceKm, seconds })
/** Planned 5.2 km in 900 s, driven 9 km in 840 s, charged 4 km in 700 s. */
const charged = price(4, 700)
const flagged = (over: Partial<Booking> = {}): Booking =>
  aBooking({
    status: 'REACHED',
    distance: 4,
    driven_distance: 9,
    trip_cost: charged.estimateFare,
    convenience_fees: charged.convenience_fees,
    driver_share: charged.driver_share,
    distance_review: {
      verdict: 'flagged',
      reasons: ['far_longer'],
      dropped_points: 3,
      charged_time: 700,
    },
    ...over,
  })

const reviewed = (
  booking: Booking,
  decision: ReviewDecision,
  context: Partial<EventContext> = {},
  actor = admin,
) => {
  const result = applyBookingEvent(
    booking,
    { event: 'review', decision },
    { actor, context: anEventContext({ settings, ...context }), now: NOW },
  )
  const tree: Tree = JSON.parse(
    JSON.stringify({
      bookings: { [booking.id]: booking },
      fare_reviews: { [booking.id]: { at: NOON, driver: 'driver' } },
      users: { driver: aDriver(), rider: aRider() },
    }),
  ) as Tree
  if (result.ok) commitChange(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    field: result.ok ? undefined : result.error.field,
    booking: readValue(tree, `bookings/${booking.id}`) as unknown as Booking,
    driver: readValue(tree, 'users/driver') as unknown as User,
    waits: readValue(tree, `fare_reviews/${booking.id}`) !== null,
    audits: Object.values(readValue(tree, 'audit') ?? {}),
    pushes: result.ok ? result.value.pushes.map(({ to, title }) => [to, title]) : [],
    updates: result.ok ? result.value.updates : {},
    tree,
  }
}

describe('the review of a flagged trip before payment', () => {
  test.each([
    ['keep', charged, 4],
    ['planned', price(5.2, 900), 5.2],
    ['driven', price(9, 840), 9],
  ] as const)(
    'sets the price and the distance for the decision %s',
    (decision, priced, distance) => {
      const { booking, waits, driver, audits } = reviewed(flagged(), decision)
      expect(booking).toMatchObject({
        status: 'REACHED',
        distance,
        trip_cost: priced.estimateFare,
        convenience_fees: priced.convenience_fees,
        driver_share: priced.driver_share,
        distance_review: { verdict: 'flagged', decision, decided_by: 'admin', decided_at: NOW },
      })
      expect(booking.distance_review?.credited).toBeUndefined()
      expect(waits).toBe(false)
      expect(driver.walletBalance).toBe(0)
      expect(audits).toMatchObject([{ action: 'fare_review', by: 'admin', to: { decision } }])
    },
  )

  test('explains a new price in the fare history', () => {
    const { booking } = reviewed(flagged(), 'driven')
    expect(Object.values(booking.fare_history).map(({ cause }) => cause)).toEqual([
      'booked',
      'distance_driven_confirmed',
    ])
  })
})

describe('the review of a flagged trip after payment', () => {
  const paid = () => flagged({ status: 'PAID', customer_paid: charged.estimateFare })

  test('keeps the rider’s price and credits the driver the difference', () => {
    const { booking, driver, pushes, tree } = reviewed(paid(), 'driven')
    const credited = price(9, 840).driver_share - charged.driver_share
    expect(booking).toMatchObject({
      status: 'PAID',
      distance: 4,
      trip_cost: charged.estimateFare,
      driver_share: charged.driver_share,
    })
    expect(booking.distance_review?.credited).toBeCloseTo(credited, 9)
    expect(driver.walletBalance).toBeCloseTo(credited, 9)
    expect(driver.walletHistory?.[`${booking.id}-review`]).toMatchObject({
      type: 'Credit',
      txRef: booking.id,
    })
    expect(pushes).toEqual([['driver', 'push_wallet_credited_title']])
    const wrong = findViolations({ ...(tree as DatabaseTree), settings })
    expect(wrong.filter((line) => /review/.test(line))).toEqual([])
  })

  test('moves no money when the price is kept', () => {
    const { driver, pushes, booking } = reviewed(paid(), 'keep')
    expect([driver.walletBalance, pushes]).toEqual([0, []])
    expect(booking.trip_cost).toBe(charged.estimateFare)
  })

  test('cannot credit a driver whose account is deleted', () => {
    expect(reviewed(paid(), 'driven', { driver: null }).key).toBe('not_found')
    expect(reviewed(paid(), 'keep', { driver: null }).key).toBeUndefined()
  })

  test('keeps an agreed price while the payment is in progress', () => {
    const paymentPacket = { payment_mode: 'card' } as NonNullable<Booking['paymentPacket']>
    const { booking } = reviewed(flagged({ status: 'PENDING', paymentPacket }), 'driven')
    expect(booking.trip_cost).toBe(charged.estimateFare)
    expect(booking.distance_review?.credited).toBeGreaterThan(0)
  })
})

describe('a refused review', () => {
  test.each([
    ['a decision that would make the trip cheaper', { trip_cost: 500 }, 'planned', 'bad_input'],
    ['a trip that was not flagged', { distance_review: undefined }, 'keep', 'event_not_possible'],
    [
      'a trip that was only cut off',
      { distance_review: { verdict: 'capped', dropped_points: 0, charged_time: 1 } },
      'keep',
      'event_not_possible',
    ],
  ] as const)('%s', (_, over, decision, key) => {
    const booking = { ...flagged(), ...over } as Booking
    const { key: refused, updates } = reviewed(booking, decision)
    expect([refused, updates]).toEqual([key, {}])
  })

  test('refuses a second decision that differs from the first', () => {
    const once = reviewed(flagged(), 'keep').booking
    expect(reviewed(once, 'driven').key).toBe('already_processed')
    expect(reviewed(once, 'keep')).toMatchObject({ key: undefined, updates: {} })
  })

  test.each([
    ['keep', undefined],
    ['planned', 'payment_mismatch'],
    ['driven', 'payment_mismatch'],
  ] as const)('answers the decision %s on a trip of an earlier currency', (decision, key) => {
    const paid = flagged({ currency: 'USD', status: 'PAID', customer_paid: 1.5 })
    const { key: refused, driver } = reviewed(paid, decision)
    expect([refused, driver.walletBalance]).toEqual([key, 0])
  })

  test.each(REVIEW_DECISIONS)('refuses the decision %s in demo mode', (decision) => {
    const demo = aSettings({ appcat: 'taxi', AllowCriticalEditsAdmin: false })
    expect(reviewed(flagged(), decision, { settings: demo }).key).toBe('demo_mode')
  })

  test('refuses a rider', () => {
    expect(reviewed(flagged(), 'keep', {}, rider).key).toBe('not_allowed')
  })
})

test('offers the back office a review only while one is open', () => {
  const offered = (booking: Booking) => getAvailableEvents(booking, admin).includes('review')
  expect(offered(flagged())).toBe(true)
  expect(offered(reviewed(flagged(), 'keep').booking)).toBe(false)
  expect(offered(aBooking({ status: 'PAID' }))).toBe(false)
})
