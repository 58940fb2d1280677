import { describe, expect, test } from 'vitest'
import { toJson } from '../../../data/databaseValue'
import { checkRaceGuards, commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { getPaymentRows } from '../../../payments/paymentStatement'
import { recountTotals } from '../../../money/stats'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  anEventContext,
  aRider,
  aSettings,
  driver,
  MINUTE,
  NOON,
  rider,
} from '../../../testing/builders'
import { getCompensationLimits } from '../compensate/compensationLimits'
import { MAX_TIP_MULTIPLE, suggestTips, TIP_DAYS } from './tipLimits'
import { applyBookingEvent } from '../../applyBookingEvent'
import type { Actor } from '../../eventTypes'
import { DAY_MS } from '../../../language/timeUnits'
import type { EventContext } from '../../eventContext'
import type { Booking } from '../../types'

const NOW = NOON + 60 * MINUTE
const PAID_AT = NOON + 22 * MINUTE
const REQUEST = '-OAtip00000000000001'
const settings = aSettings()
const customer = aRider({
  walletBalance: 100,
  walletHistory: { start: { type: 'Credit', amount: 100, date: 1, txRef: 'AdminCredit' } },
})

const aPaidBooking = (over: Partial<Booking> = {}): Booking =>
  aBooking({ status: 'COMPLETE', paymentPacket: aCardPacket(), ...over })

const tip = (
  booking: Booking,
  amount: number,
  {
    actor = rider,
    now = NOW,
    request_id = REQUEST,
    ...context
  }: Partial<EventContext> & { actor?: Actor; now?: number; request_id?: string } = {},
) =>
  applyBookingEvent(
    booking,
    { event: 'tip', request_id, amount },
    { actor, context: anEventContext({ customer, ...context }), now },
  )
const getRefusal = (result: ReturnType<typeof tip>) => (result.ok ? null : result.error.key)

/** Applies a tip in a whole database and returns it. */
const applyTip = (booking: Booking, amount: number) => {
  const tree: Tree = {
    settings: toJson(settings),
    users: toJson({ rider: customer, driver: aDriver() }),
    bookings: toJson({ [booking.id]: booking }),
  }
  const result = tip(booking, amount)
  if (!result.ok) throw new Error(result.error.key)
  expect(checkRaceGuards(tree, result.value)).toBeUndefined()
  commitChange(tree, result.value)
  const after = readValue(tree, `bookings/${booking.id}`) as unknown as Booking
  return { tree, after, pushes: result.value.pushes }
}

describe('a tip', () => {
  test('goes whole from the rider’s wallet to the driver’s, and the driver gets a message', () => {
    const booking = aPaidBooking()
    const { tree, after, pushes } = applyTip(booking, 5)
    expect(readValue(tree, 'users/rider/walletBalance')).toBe(95)
    expect(readValue(tree, 'users/driver/walletBalance')).toBe(5)
    const key = `${booking.id}-${REQUEST}-tip`
    expect(readValue(tree, `users/driver/walletHistory/${key}`)).toMatchObject({
      type: 'Credit',
      amount: 5,
      txRef: booking.id,
      reason: 'tip',
    })
    expect(pushes).toMatchObject([
      { to: 'driver', title: 'push_tipped_title', params: { amount: 5 } },
    ])
    expect([after.status, after.trip_cost, after.driver_share]).toEqual(['COMPLETE', 43.13, 37.5])
  })

  test('is a line of the receipt and a total of its own, and no compensation', () => {
    const { after } = applyTip(aPaidBooking(), 5)
    expect(getPaymentRows(after, settings, (key) => key)).toContainEqual(
      expect.objectContaining({ label: 'tip_for_driver', amount: 5 }),
    )
    const totals = recountTotals([after], settings)
    expect(totals['stats/driver_earnings/driver/2026-11/minor/UYU2/tips']).toBe(500)
    expect(totals['stats/earnings/2026-11/minor/UYU2/tips']).toBe(500)
    expect(Object.keys(totals).filter((path) => path.endsWith('/compensation'))).toEqual([])
    expect(getCompensationLimits(after, settings, 'late')).toEqual(
      getCompensationLimits(aPaidBooking(), settings, 'late'),
    )
  })

  test('is given once when the request is repeated, and again with another one', () => {
    const { after } = applyTip(aPaidBooking(), 5)
    const again = tip(after, 5)
    expect(again.ok && again.value.updates).toEqual({})
    const second = tip(after, 5, { request_id: '-OAtip00000000000002' })
    expect(second.ok && Object.keys(second.value.updates).length).toBeGreaterThan(0)
  })

  test('is possible before the rating, and for some days after the payment', () => {
    expect(tip(aPaidBooking({ status: 'PAID' }), 5).ok).toBe(true)
    const last = PAID_AT + TIP_DAYS * DAY_MS
    expect(tip(aPaidBooking(), 5, { now: last }).ok).toBe(true)
    expect(getRefusal(tip(aPaidBooking(), 5, { now: last + 1 }))).toBe('tip_too_late')
  })

  test('is possible five times', () => {
    const adjustments = Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [
        `-OAtip0000000000001${n}`,
        { at: NOW, reason: 'tip', rider: -1, driver: 1 } as const,
      ]),
    )
    const refused = tip(aPaidBooking({ adjustments }), 1)
    expect(refused).toMatchObject({ error: { key: 'tip_too_much', params: { most: 0 } } })
  })

  test('has a bound for all tips of a booking together', () => {
    const most = MAX_TIP_MULTIPLE * 43.13
    const rich = { customer: { ...customer, walletBalance: 1000 } }
    expect(tip(aPaidBooking(), most, rich).ok).toBe(true)
    expect(getRefusal(tip(aPaidBooking(), most + 0.01, rich))).toBe('tip_too_much')
    const { after } = applyTip(aPaidBooking(), 80)
    const other = { ...rich, request_id: '-OAtip00000000000002' }
    expect(tip(after, 6.26, other).ok).toBe(true)
    expect(getRefusal(tip(after, 6.27, other))).toBe('tip_too_much')
  })

  test.each<[string, Actor]>([
    ['an admin', admin],
    ['the driver', driver],
    ['another rider', { uid: 'bea', role: 'rider' }],
  ])('is refused for %s', (_, actor) => {
    expect(getRefusal(tip(aPaidBooking(), 5, { actor }))).toBe('not_allowed')
  })

  test.each<[string, ReturnType<typeof tip>, string]>([
    ['more than the wallet has', tip(aPaidBooking(), 80, { customer: aRider() }), 'wallet_too_low'],
    ['an amount that rounds to nothing', tip(aPaidBooking(), 0.001), 'bad_input'],
    ['a driver without an account', tip(aPaidBooking(), 5, { driver: null }), 'not_found'],
    ['an earlier currency', tip(aPaidBooking({ currency: 'USD' }), 5), 'payment_mismatch'],
    ['an unpaid booking', tip(aPaidBooking({ status: 'PENDING' }), 5), 'event_not_possible'],
  ])('is refused for %s', (_, result, key) => {
    expect(getRefusal(result)).toBe(key)
  })
})

describe('the suggested tips', () => {
  test.each([
    [43.13, [4, 6, 8]],
    [126.4, [12, 18, 25]],
    [421.25, [40, 60, 80]],
    [38_750, [4000, 6000, 8000]],
    [7.2, [0.7, 1, 1.4]],
    [2.5, [0.25, 0.4, 0.5]],
  ])('are round amounts near shares of a price of %d', (trip_cost, amounts) => {
    const suggestions = suggestTips(aPaidBooking({ trip_cost }), settings)
    expect(suggestions.map(({ amount }) => amount)).toEqual(amounts)
    for (const { percent, amount } of suggestions)
      expect(Math.abs(amount / ((trip_cost * percent) / 100) - 1)).toBeLessThanOrEqual(0.13)
  })
  test('are on the step of fares', () => {
    const onStep = aSettings({ fareStep: 5 })
    expect(suggestTips(aPaidBooking({ trip_cost: 43.13 }), onStep)).toEqual([
      { percent: 10, amount: 5 },
      { percent: 20, amount: 10 },
    ])
  })
  test('are at least one step, each once, and within the bound', () => {
    const cheap = aPaidBooking({ trip_cost: 3 })
    expect(suggestTips(cheap, aSettings({ fareStep: 1 }))).toEqual([{ percent: 10, amount: 1 }])
    expect(suggestTips(aPaidBooking({ trip_cost: 0.4 }), aSettings({ fareStep: 1 }))).toEqual([])
  })
})
