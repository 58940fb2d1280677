import { describe, expect, it, test } from 'vitest'
import { aBooking, admin, anEventContext, NOON, rider } from '../../testing/builders'
import { applyCreation } from '../../testing/creation'
import { HOUR_MS, MINUTE_MS } from '../../language/timeUnits'
import { applyBookingEvent } from '../applyBookingEvent'
import { isDispatchDue } from '../deadlines'
import {
  checkFreeActions,
  countFreeAction,
  getOfferDelay,
  type FreeActions,
  type FreeActionTimes,
} from './freeActions'
import type { Booking } from '../types'

const PATH = 'internal/free_actions/rider'
const withTimes = (times: Partial<FreeActionTimes>, limits = {}): FreeActions => ({
  times: { due: NOON, revision: 4, ...times },
  limits,
})
const minutesAgo = (...minutes: number[]) => minutes.map((ago) => NOON - ago * MINUTE_MS)

test('the limit of an hour says when it goes on', () => {
  const five = withTimes({ cancel: minutesAgo(50, 40, 30, 20, 10) })
  expect(checkFreeActions(five, 'cancel', NOON)).toEqual({
    key: 'too_many_changes',
    params: { minutes: 10 },
  })
  expect(checkFreeActions(five, 'cancel', NOON + 10 * MINUTE_MS)).toBeUndefined()
  expect(checkFreeActions(five, 'amend', NOON)).toBeUndefined()
  expect(checkFreeActions({ ...five, limits: { cancel: 6 } }, 'cancel', NOON)).toBeUndefined()
  expect(checkFreeActions({ times: null, limits: { cancel: 0 } }, 'cancel', NOON)).toMatchObject({
    params: { minutes: 60 },
  })
  expect(checkFreeActions(null, 'cancel', NOON)).toBeUndefined()
})

test('a count keeps three hours, and takes the next revision', () => {
  const known = withTimes({ cancel: minutesAgo(200, 20), amend: minutesAgo(5) })
  expect(countFreeAction('rider', known, 'cancel', NOON)).toEqual({
    [PATH]: {
      cancel: [...minutesAgo(20), NOON],
      amend: minutesAgo(5),
      due: NOON + 3 * HOUR_MS,
      revision: 5,
    },
  })
  expect(countFreeAction('rider', null, 'cancel', NOON)).toEqual({})
})

test.each([
  [0, 0],
  [2, 0],
  [3, 30],
  [4, 60],
  [6, 240],
  [12, 600],
])('after %i cancellations the next booking waits %i s for its offers', (count, seconds) => {
  const cancel = Array.from({ length: count }, (_, n) => NOON - (n + 70) * MINUTE_MS)
  expect(getOfferDelay(withTimes({ cancel }), NOON)).toBe(seconds * 1000)
})

describe('a rider', () => {
  const cancel = { event: 'cancel', reason: 'Plans' } as const
  const context = (freeActions: FreeActions | null) => anEventContext({ freeActions })

  it('can always cancel, and a cancellation without a fee counts', () => {
    const five = withTimes({ cancel: minutesAgo(5, 4, 3, 2, 1) })
    const result = applyBookingEvent(aBooking(), cancel, {
      actor: rider,
      context: context(five),
      now: NOON,
    })
    expect(result.ok && result.value.updates[PATH]).toMatchObject({ revision: 5 })
    const byOffice = applyBookingEvent(aBooking(), cancel, {
      actor: admin,
      context: context(null),
      now: NOON,
    })
    expect(byOffice.ok && byOffice.value.updates).not.toHaveProperty([PATH])
  })

  it('books nothing more until the hour is over, and waits longer after many cancellations', () => {
    const create = (freeActions: FreeActions) => applyCreation({}, { freeActions })
    const five = withTimes({ cancel: minutesAgo(50, 40, 30, 20, 10) })
    expect(create(five)).toMatchObject({ error: { key: 'too_many_changes' } })
    const earlier = withTimes({ cancel: minutesAgo(100, 90, 80) })
    const made = create(earlier)
    if (!made.ok) throw new Error(made.error.key)
    const [booking] = Object.entries(made.value.updates).flatMap(([path, value]) =>
      /^bookings\/[^/]+$/.test(path) ? [value as unknown as Booking] : [],
    )
    if (!booking) throw new Error('No booking.')
    expect(booking).toMatchObject({ tripdate: NOON, offers_from: NOON + 30_000 })
    const waiting = { ...booking, status: 'NEW' as const }
    expect(isDispatchDue(waiting, NOON + 29_999)).toBe(false)
    expect(isDispatchDue(waiting, NOON + 30_000)).toBe(true)
  })

  it('waits as long with a later booking, also after its time is amended', () => {
    const times = { bookLater: true, tripdate: NOON + 15 * MINUTE_MS }
    const made = applyCreation(times, {
      freeActions: withTimes({ cancel: minutesAgo(100, 90, 80) }),
    })
    if (!made.ok) throw new Error(made.error.key)
    const [created] = Object.entries(made.value.updates).flatMap(([path, value]) =>
      /^bookings\/[^/]+$/.test(path) ? [value as unknown as Booking] : [],
    )
    const booking = { ...aBooking(), ...created, status: 'NEW' as const }
    expect(isDispatchDue(booking, NOON + 29_999)).toBe(false)
    expect(isDispatchDue(booking, NOON + 30_000)).toBe(true)
    const amended = (freeActions: FreeActions | null, now: number) => {
      const input = { event: 'amend', tripdate: NOON + 16 * MINUTE_MS } as const
      const result = applyBookingEvent(booking, input, {
        actor: freeActions ? rider : admin,
        context: context(freeActions),
        now,
      })
      if (!result.ok) throw new Error(result.error.key)
      return result.value.updates[`bookings/${booking.id}/offers_from`]
    }
    expect(amended(withTimes({}), NOON + 1000)).toBe(NOON + 30_000)
    expect(amended(withTimes({}), NOON + MINUTE_MS)).toBeUndefined()
    const four = withTimes({ cancel: minutesAgo(100, 90, 80, 70) })
    expect(amended(four, NOON)).toBe(NOON + 60_000)
    expect(amended(null, NOON)).toBeUndefined()
  })

  it('amends within the limit of an hour, with one push to the driver a minute', () => {
    const booking = aBooking({ status: 'ACCEPTED', driver: 'driver' })
    const amend = (text: string, more: object) =>
      applyBookingEvent(
        booking,
        { event: 'amend', pickUpInstructions: text },
        {
          actor: rider,
          context: { ...context(withTimes({ amend: minutesAgo(9) })), ...more },
          now: NOON,
        },
      )
    const notice = 'internal/amendment_notices/'
    const first = amend('Gate 1', {})
    if (!first.ok) throw new Error(first.error.key)
    expect(first.value.pushes).toMatchObject([
      { to: 'driver', params: { changes: 'pickUpInstructions' } },
    ])
    expect(first.value.updates[notice + booking.id]).toMatchObject({ at: NOON, revision: 1 })
    const soon = amend('Gate 2', {
      amendmentNotice: { at: NOON - 59_000, waiting: 'drop', due: NOON + 1000, revision: 3 },
    })
    if (!soon.ok) throw new Error(soon.error.key)
    expect(soon.value.pushes).toEqual([])
    expect(soon.value.updates[notice + booking.id]).toEqual({
      at: NOON - 59_000,
      waiting: 'drop,pickUpInstructions',
      due: NOON + 1000,
      revision: 4,
    })
    const later = amend('Gate 3', {
      amendmentNotice: { at: NOON - 60_000, waiting: 'drop', due: NOON, revision: 3 },
    })
    expect(later.ok && later.value.pushes).toMatchObject([
      { params: { changes: 'drop,pickUpInstructions' } },
    ])
    const many = { freeActions: withTimes({ amend: minutesAgo(...Array(20).keys()) }) }
    expect(amend('Gate 4', many)).toMatchObject({ error: { key: 'too_many_changes' } })
  })
})
