import { describe, expect, test } from 'vitest'
import {
  aBookingRequest,
  anEventContext,
  aBooking,
  admin,
  driver,
  NOON,
  rider,
  system,
} from '../../testing/builders'
import { applyCreation } from '../../testing/creation'
import { applyBookingEvent } from '../applyBookingEvent'
import type { Actor } from '../eventTypes'
import { countOpenByCustomer, MAX_OPEN_BOOKINGS, MAX_UNPAID_BOOKINGS } from './openBookingLimits'
import type { EventInput } from '../eventInput'
import type { OpenBookings, Status } from '../types'

const create = (counts: Partial<OpenBookings> | null) => applyCreation({}, { openBookings: counts })
const asOffice = (counts: Partial<OpenBookings> | null) =>
  applyCreation({ customer: 'rider' }, { openBookings: counts }, admin)

describe('a new booking', () => {
  test('is counted for its rider in the update that creates it', () => {
    const last = { open: MAX_OPEN_BOOKINGS - 1, unpaid: 1, revision: 12 }
    for (const counts of [null, { open: 0, revision: 4 }, last]) {
      const made = create(counts)
      if (!made.ok) throw new Error(made.error.key)
      expect(made.value.updates).toMatchObject({
        'open_bookings/rider/open': { '.sv': { increment: 1 } },
        'open_bookings/rider/revision': (counts?.revision ?? 0) + 1,
      })
    }
  })
  test('is refused when the rider has the maximum number of open bookings', () => {
    expect(create({ open: MAX_OPEN_BOOKINGS })).toMatchObject({
      ok: false,
      error: { key: 'too_many_bookings', params: { most: 5 } },
    })
  })
  test('is refused when the rider has two finished unpaid bookings', () => {
    expect(create({ open: 2, unpaid: MAX_UNPAID_BOOKINGS })).toMatchObject({
      ok: false,
      error: { key: 'unpaid_bookings', params: { count: 2 } },
    })
  })
  test('is allowed for an admin above the limits, and is counted', () => {
    const made = asOffice({ open: 5, unpaid: 3, revision: 9 })
    if (!made.ok) throw new Error(made.error.key)
    expect(made.value.updates['open_bookings/rider/revision']).toBe(10)
    expect(create({ open: 6 }).ok).toBe(false)
  })
  test('returns the first response to a repeat, whatever has been opened since', () => {
    const booking = aBooking({ id: aBookingRequest().booking_id, status: 'PAYMENT_PENDING' })
    booking.event_log = {
      create: { event: 'create', by: 'rider', at: NOON, status: 'PAYMENT_PENDING', revision: 1 },
    }
    const again = applyBookingEvent(
      booking,
      { event: 'create', input: aBookingRequest() },
      { actor: rider, context: anEventContext({ openBookings: { open: 5 } }), now: NOON },
    )
    expect(again).toMatchObject({ ok: true, value: { updates: {} } })
  })
})

describe('the booking counters of a rider', () => {
  const moved = (status: Status, input: EventInput, actor: Actor, over = {}) => {
    const booking = aBooking({ status, bookingDate: NOON - 3_600_000, ...over })
    const result = applyBookingEvent(booking, input, {
      actor,
      context: anEventContext(),
      now: NOON,
    })
    if (!result.ok) throw new Error(result.error.key)
    return Object.fromEntries(
      Object.entries(result.value.updates).filter(([path]) => path.startsWith('open_bookings/')),
    )
  }
  const by = (field: keyof OpenBookings, n: number) => ({
    [`open_bookings/rider/${field}`]: { '.sv': { increment: n } },
    'open_bookings/rider/revision': { '.sv': { increment: 1 } },
  })
  test.each([
    [
      'a cancellation closes the booking',
      moved('NEW', { event: 'cancel', reason: 'x' }, rider),
      by('open', -1),
    ],
    [
      'an expiry closes the booking',
      moved('PAYMENT_PENDING', { event: 'expire' }, system),
      by('open', -1),
    ],
    [
      'a finish leaves the booking unpaid',
      moved('REACHED', { event: 'finish' }, driver),
      by('unpaid', 1),
    ],
    [
      'the collection of the cash closes the booking',
      moved('PENDING', { event: 'collect' }, driver),
      { ...by('open', -1), ...by('unpaid', -1) },
    ],
    [
      'an arrival changes no count',
      moved('ACCEPTED', { event: 'arrive', lat: 1, lng: 1 }, driver),
      {},
    ],
    ['a rating changes no count', moved('PAID', { event: 'rate', rating: 5 }, rider), {}],
  ])('%s', (_, updates, expected) => expect(updates).toEqual(expected))
})

test('does not count a paid booking as open, even if it is never rated', () => {
  const statuses = ['NEW', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED', 'STARTED'] as const
  const bookings = statuses.map((status) => aBooking({ status }))
  expect(countOpenByCustomer(bookings)).toEqual({ rider: { open: 3, unpaid: 1 } })
})
