import { describe, expect, test } from 'vitest'
import { findViolations } from '../../../data/invariants'
import type { DatabaseTree } from '../../../data/databaseTree'
import { checkRaceGuards, commitChange, readValue, type Tree } from '../../../data/memoryTree'
import { recountTotals } from '../../../money/stats'
import { toJson } from '../../../data/databaseValue'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  anEventContext,
  aPaymentAttempt,
  aRider,
  aSettings,
  driver,
  MINUTE,
  NOON,
  rider,
} from '../../../testing/builders'
import { applyBookingEvent } from '../../applyBookingEvent'
import { getCompensationLimits, MAX_PRICE_MULTIPLE } from './compensationLimits'
import type { Actor } from '../../eventTypes'
import { getEventReason } from '../../eventWords'
import type { EventContext } from '../../eventContext'
import type { EventInputFor } from '../../eventInput'
import type { Booking, PaymentPacket } from '../../types'

const NOW = NOON + 60 * MINUTE
const REQUEST = '-OAcompensation00001'
const OTHER = '-OAcompensation00002'
const settings = aSettings()
type Input = Omit<EventInputFor<'compensate'>, 'event' | 'request_id' | 'reason'>

/** A booking of 43.13 that the rider has paid from the wallet. */
const aPaidBooking = (
  over: Partial<Booking> = {},
  packet: Partial<PaymentPacket> = {},
): Booking => {
  const wallet = { cardPaymentAmount: 0, usedWalletMoney: 43.13, payment_mode: 'wallet' } as const
  return aBooking({
    status: 'COMPLETE',
    fleetadmin: 'fleet',
    payment_mode: 'wallet',
    usedWalletMoney: 43.13,
    paymentPacket: aCardPacket({ ...wallet, ...packet }),
    ...over,
  })
}

const compensate = (
  booking: Booking,
  input: Input & Partial<Pick<EventInputFor<'compensate'>, 'reason' | 'request_id'>>,
  { actor = admin, ...context }: Partial<EventContext> & { actor?: Actor } = {},
) =>
  applyBookingEvent(
    booking,
    { event: 'compensate', request_id: REQUEST, reason: 'late', ...input },
    { actor, context: anEventContext(context), now: NOW },
  )

/** Applies an event in a whole database and returns it. */
const createTree = (booking: Booking): Tree => ({
  settings: toJson(settings),
  users: toJson({ rider: aRider(), driver: aDriver() }),
  bookings: toJson({ [booking.id]: booking }),
})

const getRefusal = (result: ReturnType<typeof compensate>) =>
  result.ok ? null : { key: result.error.key, field: result.error.field }

describe('a settled complaint', () => {
  test('credits the rider with the booking and the reason, and keeps the words apart', () => {
    const booking = aPaidBooking()
    const tree = createTree(booking)
    const result = compensate(booking, { rider: 10, text: 'The driver came late' })
    if (!result.ok) throw new Error(result.error.key)
    expect(checkRaceGuards(tree, result.value)).toBeUndefined()
    commitChange(tree, result.value)
    expect(readValue(tree, 'users/rider/walletBalance')).toBe(10)
    expect(readValue(tree, 'users/rider/walletHistory')).toEqual({
      [`${booking.id}-${REQUEST}-compensation`]: {
        type: 'Credit',
        amount: 10,
        date: NOW,
        txRef: booking.id,
        reason: 'late',
      },
    })
    const after = readValue(tree, `bookings/${booking.id}`) as unknown as Booking
    expect(after.status).toBe('COMPLETE')
    expect(after.adjustments).toEqual({ [REQUEST]: { at: NOW, reason: 'late', rider: 10 } })
    expect(after.event_log[`compensate_${after.revision}`]).toMatchObject({
      by: 'admin',
      ref: REQUEST,
      reason: 'late',
    })
    const key = `compensate_${after.revision}`
    expect(after.words).toEqual({ [key]: 'The driver came late' })
    expect(getEventReason(after, key)).toBe('The driver came late')
    expect(JSON.stringify({ ...tree, bookings: {} })).not.toContain('came late')
  })

  test.each(['customer', 'driver'])('keeps no words once the %s has no account', (party) => {
    const money = party === 'customer' ? { driver: 5 } : { rider: 5 }
    const input = { ...money, text: 'The driver came late' }
    const result = compensate(aPaidBooking(), input, { [party]: null })
    if (!result.ok) throw new Error(result.error.key)
    expect(JSON.stringify(result.value)).not.toContain('came late')
  })

  test.each([
    { input: { driver: 5 }, balance: 5, message: 'push_compensated_title' },
    { input: { take_back: 5 }, balance: -5, message: 'push_taken_back_title' },
  ])('moves the money of the driver and tells them: $input', ({ input, balance, message }) => {
    const booking = aPaidBooking()
    const tree = createTree(booking)
    const result = compensate(booking, input)
    if (!result.ok) throw new Error(result.error.key)
    commitChange(tree, result.value)
    expect(readValue(tree, 'users/driver/walletBalance')).toBe(balance)
    expect(result.value.pushes).toMatchObject([{ to: 'driver', title: message }])
  })

  test('tells rider and driver what each of them gets, and why', () => {
    const result = compensate(aPaidBooking(), { rider: 3, driver: 2, reason: 'goodwill' })
    if (!result.ok) throw new Error(result.error.key)
    const { reference } = aPaidBooking()
    expect(result.value.pushes.map(({ to, params }) => ({ to, params }))).toEqual([
      { to: 'rider', params: { amount: 3, reference, reason: 'goodwill' } },
      { to: 'driver', params: { amount: 2, reference, reason: 'goodwill' } },
    ])
  })

  test('counts in the totals of the day on which it was settled', () => {
    const booking = aPaidBooking()
    const result = compensate(booking, { rider: 10, take_back: 4 })
    if (!result.ok) throw new Error(result.error.key)
    const tree: Tree = createTree(booking)
    commitChange(tree, result.value)
    const after = readValue(tree, `bookings/${booking.id}`) as unknown as Booking
    const totals = recountTotals([after], settings)
    expect(totals['stats/earnings/2026-11/minor/UYU2/compensation']).toBe(600)
    expect(totals['stats/earnings/2026-11/minor/UYU2/driverCompensation']).toBe(-400)
    expect(totals['stats/driver_earnings/driver/2026-11/minor/UYU2/compensation']).toBe(-400)
    expect(
      readValue(tree, 'stats/fleet_driver_earnings/fleet/driver/2026-11/minor/UYU2/compensation'),
    ).toBe(-400)
    expect(readValue(tree, 'stats/driver_earnings/driver/2026-11/driverName')).toBe('Beto Silva')
    const wrong = findViolations(tree as DatabaseTree).filter((text) => /compensation/.test(text))
    expect(wrong).toEqual([])
  })

  test('is settled once when the request is repeated', () => {
    const booking = aPaidBooking()
    const tree = createTree(booking)
    const first = compensate(booking, { rider: 10 })
    if (!first.ok) throw new Error(first.error.key)
    commitChange(tree, first.value)
    const after = readValue(tree, `bookings/${booking.id}`) as unknown as Booking
    const again = compensate(after, { rider: 10 })
    expect(again.ok && again.value).toEqual({
      updates: {},
      pushes: [],
      response: { booking_id: booking.id, status: 'COMPLETE', revision: after.revision },
    })
    const other = compensate(after, { rider: 10, request_id: OTHER })
    expect(other.ok && Object.keys(other.value.updates).length).toBeGreaterThan(0)
    const stranger = compensate(after, { rider: 10 }, { actor: { uid: 'admin2', role: 'admin' } })
    expect(getRefusal(stranger)?.key).toBe('already_processed')
  })

  test.each<[string, Actor]>([
    ['the rider', rider],
    ['the driver', driver],
    ['the fleet admin', { uid: 'fleet', role: 'fleetadmin' }],
  ])('is refused for %s', (_, actor) => {
    expect(getRefusal(compensate(aPaidBooking(), { rider: 1 }, { actor }))?.key).toBe('not_allowed')
  })

  test('is possible for a booking of the previous release, which records no charges', () => {
    const booking = aPaidBooking()
    expect(Object.values(booking.fare_history).some(({ kind }) => kind === 'charge')).toBe(false)
    expect(getCompensationLimits(booking, settings, 'late')).toEqual({
      rider: 43.13,
      driver: 215.65,
      take_back: 37.5,
    })
    expect(recountTotals([booking], settings)['stats/total/minor/UYU2/compensation']).toBe(
      undefined,
    )
  })

  test('is refused while the trip is not paid', () => {
    const result = compensate(aPaidBooking({ status: 'PENDING' }), { rider: 1 })
    expect(getRefusal(result)?.key).toBe('event_not_possible')
  })
})

describe('the limits of a complaint', () => {
  const credited = (rider: number, reason: 'late' | 'goodwill' = 'late') => ({
    adjustments: { [OTHER]: { at: NOON, reason, rider } },
  })

  test('give the rider at most what was charged less what was returned', () => {
    expect(compensate(aPaidBooking(), { rider: 43.13 }).ok).toBe(true)
    expect(getRefusal(compensate(aPaidBooking(), { rider: 43.14 }))).toEqual({
      key: 'compensation_too_much',
      field: 'rider',
    })
  })

  test('count all earlier credits together, except goodwill', () => {
    const booking = aPaidBooking(credited(40))
    expect(compensate(booking, { rider: 3.13 }).ok).toBe(true)
    expect(getRefusal(compensate(booking, { rider: 3.14 }))?.key).toBe('compensation_too_much')
    expect(compensate(aPaidBooking(credited(40, 'goodwill')), { rider: 43.13 }).ok).toBe(true)
  })

  test('let goodwill exceed what was paid, up to a multiple of the price', () => {
    const most = MAX_PRICE_MULTIPLE * 43.13
    expect(compensate(aPaidBooking(), { rider: most, reason: 'goodwill' }).ok).toBe(true)
    const tooMuch = compensate(aPaidBooking(), { rider: most + 0.01, reason: 'goodwill' })
    expect(getRefusal(tooMuch)?.key).toBe('compensation_too_much')
    const second = compensate(aPaidBooking(credited(most, 'goodwill')), {
      rider: 0.01,
      reason: 'goodwill',
    })
    expect(getRefusal(second)?.key).toBe('compensation_too_much')
  })

  test('take back at most what the booking has earned the driver', () => {
    const booking = aPaidBooking({
      adjustments: {
        [OTHER]: { at: NOON, reason: 'damage', driver: 2 },
        '-OAcompensation00003': { at: NOON, reason: 'detour', driver: -10 },
      },
    })
    expect(getCompensationLimits(booking, settings, 'late').take_back).toBe(29.5)
    expect(compensate(booking, { take_back: 29.5 }).ok).toBe(true)
    expect(getRefusal(compensate(booking, { take_back: 29.51 }))).toEqual({
      key: 'compensation_too_much',
      field: 'take_back',
    })
  })

  test('give the driver at most a multiple of the price', () => {
    const most = MAX_PRICE_MULTIPLE * 43.13
    expect(compensate(aPaidBooking(), { driver: most }).ok).toBe(true)
    expect(getRefusal(compensate(aPaidBooking(), { driver: most + 0.01 }))?.field).toBe('driver')
  })

  test('give back a cancellation fee of a canceled booking', () => {
    const booking = aBooking({
      status: 'CANCELLED',
      cancellationFee: 5,
      reason: 'x',
      cancelledBy: 'rider',
    })
    expect(compensate(booking, { rider: 5 }).ok).toBe(true)
    expect(getRefusal(compensate(booking, { rider: 5.01 }))?.key).toBe('compensation_too_much')
  })

  test('leave out card money that is on its way back, and change the payment’s revision', () => {
    const payment = aPaymentAttempt({
      status: 'paid',
      booking: aPaidBooking().id,
      revision: 3,
      applied_to: 'booking',
    })
    const refund = { id: 'r1', amount: 40, by: 'admin', at: NOON, state: 'sent' } as const
    const cardPayments = [{ ...payment, refund: { ...refund, from_wallet: false } }]
    const refused = compensate(aPaidBooking(), { rider: 3.14 }, { cardPayments })
    expect(getRefusal(refused)?.key).toBe('compensation_too_much')
    const done = compensate(aPaidBooking(), { rider: 3.13 }, { cardPayments })
    expect(done.ok && done.value.updates['payments/pay1/revision']).toBe(4)
  })
})

describe('a complaint is refused', () => {
  test.each<[string, Input, Partial<EventContext>, { key: string; field: string }]>([
    ['without an amount', {}, {}, { key: 'no_details_error', field: 'rider' }],
    [
      'for an amount that rounds to nothing',
      { rider: 0.001 },
      {},
      { key: 'no_details_error', field: 'rider' },
    ],
    [
      'when it gives to and takes from the driver',
      { driver: 1, take_back: 1 },
      {},
      { key: 'bad_input', field: 'take_back' },
    ],
    [
      'for a rider whose account is deleted',
      { rider: 1 },
      { customer: null },
      { key: 'not_found', field: 'rider' },
    ],
    [
      'for a driver whose account is deleted',
      { take_back: 1 },
      { driver: null },
      { key: 'not_found', field: 'take_back' },
    ],
  ])('%s', (_, input, context, refusal) => {
    expect(getRefusal(compensate(aPaidBooking(), input, context))).toEqual(refusal)
  })

  test('when the booking has an earlier currency', () => {
    const result = compensate(aPaidBooking({ currency: 'USD' }), { rider: 1 })
    expect(getRefusal(result)?.key).toBe('payment_mismatch')
    expect(compensate(aPaidBooking({ currency: 'UYU' }), { rider: 1 }).ok).toBe(true)
  })
})
