import { describe, expect, test } from 'vitest'
import { toJson } from '../../data/databaseValue'
import { commitChange, readValue, type Tree } from '../../data/memoryTree'
import {
  aBooking,
  admin,
  anEventContext,
  driver,
  MINUTE,
  NOON,
  rider,
  ROUTE,
} from '../../testing/builders'
import { STOPS, toStopInput } from '../../testing/stopInputs'
import { applyBookingEvent } from '../applyBookingEvent'
import { getAvailableEvents } from '../availableEvents'
import { isStuck } from '../deadlines'
import type { Actor } from '../eventTypes'
import { getTripUnderWay } from '../trip/tripUnderWay'
import { getCurrentStop, getStops, isStopDone } from './bookingStops'
import { findStopViolations } from './stopViolations'
import type { EventInput } from '../eventInput'
import type { StopInput } from '../events/passStop'
import type { Booking, EventLogEntry } from '../types'
import type { Place } from '../../geo/types'

const NOW = NOON + 10 * MINUTE
const [FIRST, SECOND] = STOPS as [Place, Place]
const toInput = (event: StopInput['event'], index: number, stop: Place = STOPS[index] ?? FIRST) =>
  ({ event, index, stop: { lat: stop.lat, lng: stop.lng } }) as const
const REACH = { event: 'reach', lat: -34.9, lng: -56.16 } as const

const apply = (booking: Booking, input: EventInput, actor: Actor = driver, now = NOW) =>
  applyBookingEvent(booking, input, { actor, context: anEventContext(), now })
const getRefusal = (...args: Parameters<typeof apply>) => {
  const result = apply(...args)
  return result.ok ? undefined : result.error.key
}
const after = (
  booking: Booking,
  ...[input, actor, now]: [EventInput, Actor?, number?]
): Booking => {
  const result = apply(booking, input, actor, now)
  if (!result.ok) throw new Error(result.error.key)
  const tree: Tree = { bookings: { [booking.id]: toJson(booking) } }
  commitChange(tree, result.value)
  return readValue(tree, `bookings/${booking.id}`) as unknown as Booking
}
const start: EventLogEntry = {
  event: 'start',
  by: 'driver',
  at: NOON + 6 * MINUTE,
  status: 'STARTED',
  revision: 4,
}
/** A booking with two stops, as the previous release stores it: without an event of a stop. */
const started = aBooking({
  status: 'STARTED',
  revision: 4,
  waypoints: STOPS,
  event_log: { ...aBooking().event_log, start },
})
const atFirst = after(started, toInput('arrive_stop', 0))
const leftFirst = after(atFirst, toInput('leave_stop', 0))
const getStates = (booking: Booking) => getStops(booking).map(({ state }) => state)

describe('the stops of a booking', () => {
  test('of the previous release are all ahead, and need no migration', () => {
    expect(getStates(started)).toEqual(['next', 'ahead'])
    expect(getStops(started).some(isStopDone)).toBe(false)
    expect(getStates({ ...started, status: 'ARRIVED' })).toEqual(['ahead', 'ahead'])
    const reach = { ...start, event: 'reach', status: 'REACHED', revision: 5 } as const
    const ended = { ...started, status: 'COMPLETE', event_log: { ...started.event_log, reach } }
    expect(getStates(ended as Booking)).toEqual(['ahead', 'ahead'])
    expect(getStates(aBooking({ status: 'STARTED' }))).toEqual([])
  })

  test('are reached and left one after the other, each with its time', () => {
    expect(getStops(atFirst)).toEqual([
      { place: FIRST, state: 'reached', reachedAt: NOW },
      { place: SECOND, state: 'ahead' },
    ])
    expect(getCurrentStop(atFirst)).toMatchObject({ index: 0, place: FIRST })
    expect(getStops(leftFirst)).toEqual([
      { place: FIRST, state: 'left', reachedAt: NOW, leftAt: NOW },
      { place: SECOND, state: 'next' },
    ])
    expect(getCurrentStop(leftFirst)).toMatchObject({ index: 1, place: SECOND })
    const leftBoth = after(after(leftFirst, toInput('arrive_stop', 1)), toInput('leave_stop', 1))
    expect(getStates(leftBoth)).toEqual(['left', 'left'])
    expect(getCurrentStop(leftBoth)).toBeUndefined()
  })

  test('keep the time at which an offline driver was there, and when the server received it', () => {
    const at = NOON + 8 * MINUTE
    const late = after(started, { ...toInput('arrive_stop', 0), at })
    expect(getStops(late)[0]).toMatchObject({ reachedAt: at })
    expect(Object.values(late.event_log)).toContainEqual(
      expect.objectContaining({ event: 'arrive_stop', at, received_at: NOW }),
    )
  })

  test.each([
    ['with the driver’s reason', 'The road is closed', 'The road is closed'],
    ['without a reason', '  ', undefined],
  ])('are skipped %s', (_, reason, expected) => {
    const skipped = after(started, { ...toInput('skip_stop', 0), event: 'skip_stop', reason })
    const [first, second] = getStops(skipped)
    expect(first).toMatchObject({ state: 'skipped', skippedAt: NOW })
    expect(first?.reason).toBe(expected)
    expect(second?.state).toBe('next')
  })

  test('do not move the trip to another status or restart its time', () => {
    expect(leftFirst.status).toBe('STARTED')
    expect(isStuck({ ...leftFirst }, start.at + 241 * MINUTE)).toBe(true)
  })

  test('that are left when the trip ends are stored as skipped', () => {
    const ended = after(leftFirst, REACH)
    expect(ended.status).toBe('REACHED')
    expect(getStates(ended)).toEqual(['left', 'skipped'])
    expect(getStops(ended)[1]).toMatchObject({ skippedAt: NOW })
    expect(ended.event_log.reach?.ref).toBe('1')
    expect(after(started, REACH).event_log.reach?.ref).toBe('0,1')
    // A driver who ends the trip at a stop has been there.
    expect(getStates(after(atFirst, REACH))).toEqual(['left', 'skipped'])
  })

  test('of a trip that passed all of them leave no trace on its end', () => {
    const atSecond = after(leftFirst, toInput('arrive_stop', 1))
    expect(after(atSecond, REACH).event_log.reach).not.toHaveProperty('ref')
    expect(getStates(after(atSecond, REACH))).toEqual(['left', 'left'])
  })
})

describe('an event of a stop', () => {
  test.each([
    ['arrive_stop', atFirst],
    ['arrive_stop', leftFirst],
    ['leave_stop', leftFirst],
    ['arrive_stop', after(leftFirst, REACH)],
    ['skip_stop', after(started, toInput('skip_stop', 0))],
  ] as const)('that comes twice changes nothing: %s', (event, booking) => {
    const result = apply(booking, toInput(event, 0))
    expect(result).toMatchObject({ ok: true, value: { updates: {}, pushes: [] } })
  })

  test('gives the end of a trip with a skipped stop its first response again', () => {
    const ended = after(leftFirst, REACH)
    const again = apply(ended, REACH)
    expect(again).toMatchObject({ ok: true, value: { updates: {} } })
    expect(again.ok && again.value.response.revision).toBe(ended.revision)
  })

  test.each([
    ['the second stop is reached before the first', started, toInput('arrive_stop', 1)],
    ['the second stop is skipped before the first', started, toInput('skip_stop', 1)],
    ['a stop is left that was not reached', started, toInput('leave_stop', 0)],
    ['the driver is still at the first stop', atFirst, toInput('arrive_stop', 1)],
    ['a stop is skipped where the driver is', atFirst, toInput('skip_stop', 0)],
    ['a stop is skipped that the driver has left', leftFirst, toInput('skip_stop', 0)],
    [
      'a skipped stop is reached',
      after(started, toInput('skip_stop', 0)),
      toInput('arrive_stop', 0),
    ],
    ['there is no such stop', leftFirst, toInput('arrive_stop', 2)],
    ['another stop has taken its place', started, toInput('arrive_stop', 0, SECOND)],
    ['the booking has no stops', aBooking({ status: 'STARTED' }), toInput('arrive_stop', 0)],
  ])('is refused when %s', (_, booking, input) => {
    expect(getRefusal(booking, input)).toBe('stop_not_next')
  })

  test.each(['ARRIVED', 'REACHED', 'PAID'] as const)('is refused in the status %s', (status) => {
    expect(getRefusal({ ...started, status }, toInput('arrive_stop', 0))).toBe('event_not_possible')
  })

  test.each([
    ['the rider', rider],
    ['the office', admin],
    ['another driver', { uid: 'other', role: 'driver' } as const],
  ])('is refused for %s', (_, actor) => {
    for (const event of ['arrive_stop', 'skip_stop'] as const)
      expect(getRefusal(started, toInput(event, 0), actor)).toBe('not_allowed')
    expect(getRefusal(atFirst, toInput('leave_stop', 0), actor)).toBe('not_allowed')
  })

  test('is offered to the driver exactly when it is the next thing to do', () => {
    const getEvents = (booking: Booking) => getAvailableEvents(booking, driver)
    expect(getEvents(started)).toEqual(['arrive_stop', 'skip_stop', 'reach'])
    expect(getEvents(atFirst)).toEqual(['leave_stop', 'reach'])
    const leftBoth = after(after(leftFirst, toInput('arrive_stop', 1)), toInput('leave_stop', 1))
    expect(getEvents(leftBoth)).toEqual(['reach'])
    expect(getEvents(aBooking({ status: 'STARTED' }))).toEqual(['reach'])
    expect(toStopInput(leftFirst, 'arrive_stop')).toEqual(toInput('arrive_stop', 1))
  })
})

describe('an amendment during the trip', () => {
  const THIRD = { lat: -34.89, lng: -56.15, add: 'Obelisco' }
  const amend = (waypoints: Place[]) =>
    ({ event: 'amend', waypoints, estimateFare: started.trip_cost }) as const
  const context = anEventContext({
    route: { ...ROUTE, distance_in_km: 0, time_in_secs: 0 },
  })
  const amendAs = (booking: Booking, waypoints: Place[]) => {
    const asked = applyBookingEvent(booking, amend(waypoints), { actor: rider, context, now: NOW })
    const price = asked.ok ? undefined : asked.error.params?.estimate
    if (typeof price !== 'number') return asked
    const confirmed = { ...amend(waypoints), estimateFare: price }
    return applyBookingEvent(booking, confirmed, { actor: rider, context, now: NOW })
  }

  test('keeps what the driver recorded at the stops they have passed', () => {
    const result = amendAs(leftFirst, [FIRST, THIRD, SECOND])
    if (!result.ok) throw new Error(result.error.key)
    const tree: Tree = { bookings: { [started.id]: toJson(leftFirst) } }
    commitChange(tree, result.value)
    const amended = readValue(tree, `bookings/${started.id}`) as unknown as Booking
    expect(getStates(amended)).toEqual(['left', 'next', 'ahead'])
    expect(getCurrentStop(amended)?.place).toEqual(THIRD)
    // The driver was offline, and their arrival at the former second stop counts for no other one.
    expect(getRefusal(amended, toInput('arrive_stop', 1))).toBe('stop_not_next')
  })

  test.each([
    ['removes', leftFirst, [SECOND]],
    ['removes all and so', leftFirst, []],
    ['moves', leftFirst, [SECOND, FIRST]],
    ['replaces', leftFirst, [THIRD, SECOND]],
    ['renames', leftFirst, [{ ...FIRST, add: 'Elsewhere' }, SECOND]],
    ['leaves early and removes', atFirst, [SECOND]],
    ['forgets', after(started, toInput('skip_stop', 0)), [SECOND]],
  ])('is refused when it %s a passed stop', (_, booking, waypoints) => {
    const result = amendAs(booking, waypoints)
    expect(!result.ok && result.error).toMatchObject({
      key: 'stop_passed',
      field: 'waypoints',
      params: { stop: 1 },
    })
  })

  test.each([
    ['the first stop of a trip that has passed none', started, [SECOND]],
    ['a stop ahead', leftFirst, [FIRST]],
  ])('may remove %s', (_, booking, waypoints) => {
    expect(amendAs(booking, waypoints).ok).toBe(true)
  })

  test('plans the road over the stops that the driver reached, and not over a skipped one', () => {
    const trace = { pickup: started.pickup, tracking: [], driver: null }
    const skipped = after(started, toInput('skip_stop', 0))
    expect(getTripUnderWay(trace, getStops(skipped), STOPS)).toMatchObject({
      visited: [],
      remaining: [SECOND],
    })
    expect(getTripUnderWay(trace, getStops(atFirst), [FIRST, THIRD])).toMatchObject({
      visited: [FIRST],
      remaining: [THIRD],
    })
  })
})

describe('the check of stored bookings', () => {
  const entry = (event: string, ref: string, revision: number): EventLogEntry => ({
    ...start,
    event,
    ref,
    revision,
  })
  const check = (...entries: EventLogEntry[]) =>
    findStopViolations({
      id: 'b',
      event_log: Object.fromEntries(entries.map((one, key) => [String(key), one])),
    })

  test('accepts stops in their order', () => {
    expect(findStopViolations(after(leftFirst, REACH))).toEqual([])
    expect(check(entry('skip_stop', '0', 5), entry('arrive_stop', '1', 6))).toEqual([])
  })

  test.each([
    ['a second arrival', [entry('arrive_stop', '0', 5), entry('arrive_stop', '0', 6)]],
    ['a stop left before it was reached', [entry('leave_stop', '0', 5)]],
    ['a stop passed too early', [entry('arrive_stop', '1', 5)]],
    [
      'a stop skipped after its arrival',
      [entry('arrive_stop', '0', 5), entry('skip_stop', '0', 6)],
    ],
  ])('finds %s', (_, entries) => {
    expect(check(...entries)).toHaveLength(1)
  })
})
