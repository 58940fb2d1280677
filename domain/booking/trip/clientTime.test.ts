import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  aBooking,
  aSettings,
  anEventContext,
  driver,
  DROP,
  MINUTE,
  NOON,
} from '../../testing/builders'
import { createPushKey } from '../../data/pushKeys'
import { commitChange, readValue, type Tree } from '../../data/memoryTree'
import { applyBookingEvent } from '../applyBookingEvent'
import { resolveClientTime } from './clientTime'
import { HOUR_MS } from '../../language/timeUnits'
import { advanceBookingSchema } from '../events/inputs'
import type { EventInput } from '../eventInput'
import type { Booking, TrackingPoint } from '../types'

const ID = aBooking().id
const HERE = { lat: -34.9, lng: -56.16 }
/** The driver accepted at noon; the server receives the other events at three. */
const ACCEPTED = aBooking({
  status: 'ACCEPTED',
  accepted_at: NOON,
  event_log: {
    accept: { event: 'accept', by: 'driver', at: NOON, status: 'ACCEPTED', revision: 1 },
  },
})
const NOW = NOON + 3 * HOUR_MS

test.each([
  ['uses the server time when the client sends no time', undefined, NOW],
  ['accepts a time one hour in the past', NOW - HOUR_MS, NOW - HOUR_MS],
  ['uses the server time when the clock is a minute ahead', NOW + MINUTE, NOW],
  ['uses the server time when the clock is three hours ahead', NOW + 3 * HOUR_MS, NOW],
  [
    'uses the server time when the clock is three hours behind, before the acceptance',
    NOON - HOUR_MS,
    NOW,
  ],
  ['uses the time of the previous event when the clock is a minute before it', NOON - MINUTE, NOON],
  ['uses the server time when the client sends zero', 0, NOW],
])('%s', (_, given, expected) => {
  expect(resolveClientTime(ACCEPTED, { event: 'arrive', ...HERE, at: given }, NOW)).toBe(expected)
})

test.each([['noon'], [-1], [1.5], [Number.NaN], [null]])(
  'refuses the time %s and names its field',
  (at) => {
    const { issues } = v.safeParse(advanceBookingSchema, { booking_id: ID, event: 'finish', at })
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['at'])
  },
)

test('uses the server’s time for an event more than twelve hours old', () => {
  const late = (hours: number) =>
    resolveClientTime(
      ACCEPTED,
      { event: 'finish', at: NOON + HOUR_MS },
      NOON + HOUR_MS + hours * HOUR_MS,
    )
  expect(late(12)).toBe(NOON + HOUR_MS)
  expect(late(12.01)).toBe(NOON + HOUR_MS + 12.01 * HOUR_MS)
})

/** Sends the events in order; the server handles all of them at `NOW`. */
const sentAt = (
  events: EventInput[],
  appcat: 'taxi' | 'delivery' = 'delivery',
  track: readonly TrackingPoint[] = [],
) => {
  const points = Object.fromEntries(track.map((point) => [createPushKey(point.at, 0), point]))
  const tree = JSON.parse(
    JSON.stringify({ bookings: { [ID]: ACCEPTED }, tracking: { [ID]: points } }),
  ) as Tree
  const read = <T>(path: string) => readValue(tree, path) as unknown as T
  for (const input of events) {
    const tracking = Object.values(read<Record<string, never>>(`tracking/${ID}`) ?? {})
    const context = anEventContext({ settings: aSettings({ appcat }), tracking })
    const result = applyBookingEvent(read<Booking>(`bookings/${ID}`), input, {
      actor: driver,
      context,
      now: NOW,
    })
    if (!result.ok) throw new Error(result.error.key)
    commitChange(tree, result.value)
  }
  return { booking: read<Booking>(`bookings/${ID}`), read }
}
const trip = (at: (minutes: number) => number): EventInput[] => [
  { event: 'arrive', ...HERE, at: at(10) },
  { event: 'start', otp: 12345, at: at(15) },
  { event: 'reach', ...HERE, at: at(45) },
  { event: 'finish', at: at(46) },
  { event: 'collect', at: at(47) },
]
const afterNoon = (minutes: number) => NOON + minutes * MINUTE

test('keeps the event times of an offline trip, and counts its money on arrival', () => {
  const { booking, read } = sentAt(trip(afterNoon))
  expect(booking).toMatchObject({
    status: 'PAID',
    driver_arrive_time: afterNoon(10),
    startTime: afterNoon(15),
    trip_start_time: '12:15:00',
    endTime: afterNoon(45),
    trip_end_time: '12:45:00',
    total_trip_time: 30 * 60,
    paid_at: NOW,
  })
  const log = Object.values(booking.event_log).sort((a, b) => a.revision - b.revision)
  expect(log.map(({ event, at }) => [event, at])).toEqual([
    ['accept', NOON],
    ['arrive', afterNoon(10)],
    ['start', afterNoon(15)],
    ['reach', afterNoon(45)],
    ['finish', afterNoon(46)],
    ['collect', afterNoon(47)],
  ])
  expect(log.map(({ received_at }) => received_at)).toEqual([undefined, NOW, NOW, NOW, NOW, NOW])
  expect(read(`users/driver/walletHistory/${ID}-share/date`)).toBe(NOW)
  expect(Object.values(booking.fare_history).find(({ kind }) => kind === 'final')?.at).toBe(NOW)
})

describe('a delivery whose events all arrive at once', () => {
  const PHONE_TRACK = [20, 25, 30, 35, 40].map((minutes) => ({
    ...HERE,
    at: afterNoon(minutes),
    status: 'STARTED' as const,
  }))
  const events = trip(afterNoon).map((input) =>
    input.event === 'reach' ? { ...input, lat: DROP.lat, lng: DROP.lng } : input,
  )

  test('awaits a review when its phone sends no track of the time before', () => {
    const { booking, read } = sentAt(events)
    expect(booking.distance_review?.reasons).toEqual(['too_fast', 'end_impossible'])
    expect(read(`fare_reviews/${ID}`)).toEqual({ at: afterNoon(45), driver: 'driver' })
    expect(booking.total_trip_time).toBe(30 * 60)
  })

  test('needs no review when its phone sends the track of a drive without a network', () => {
    expect(sentAt(events, 'delivery', PHONE_TRACK).booking).not.toHaveProperty('distance_review')
  })

  test('awaits a review when its phone sends one point, or a track of a few minutes', () => {
    for (const track of [PHONE_TRACK.slice(0, 1), PHONE_TRACK.slice(0, 2)])
      expect(sentAt(events, 'delivery', track).booking.distance_review?.reasons).toContain(
        'too_fast',
      )
  })

  test('awaits a review when only arrival and start carry earlier times', () => {
    const now = events.map((input, i) => (i < 2 ? input : { ...input, at: undefined }))
    expect(sentAt(now as EventInput[]).booking.distance_review?.reasons).toContain('too_fast')
  })
})

test('starts the track at the pickup and keeps it in driving order', () => {
  const { read } = sentAt(trip(afterNoon))
  const points = Object.values(read<Record<string, object>>(`tracking/${ID}`))
  expect(points).toMatchObject([
    { status: 'ARRIVED', at: afterNoon(10) },
    { status: 'STARTED', at: afterNoon(15), lat: ACCEPTED.pickup.lat, lng: ACCEPTED.pickup.lng },
    { status: 'REACHED', at: afterNoon(45) },
  ])
})

test('charges a taxi trip for its real duration when all events arrive at once', () => {
  const { booking } = sentAt(trip(afterNoon), 'taxi')
  expect(booking.total_trip_time).toBe(1800)
  const { booking: atOnce } = sentAt(
    trip(() => NOW),
    'taxi',
  )
  expect(atOnce.total_trip_time).toBe(0)
  expect(booking.trip_cost).toBeGreaterThan(atOnce.trip_cost)
})

test.each([
  ['five hours ahead', 5],
  ['five hours behind', -5],
  ['a year behind', -365 * 24],
])(
  'accepts a trip from a phone with a clock %s, in order and never before its acceptance',
  (_, hours) => {
    const { booking } = sentAt(trip((minutes) => afterNoon(minutes) + hours * HOUR_MS))
    expect(booking.status).toBe('PAID')
    const times = Object.values(booking.event_log)
      .sort((a, b) => a.revision - b.revision)
      .map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.every((at) => at >= NOON && at <= NOW)).toBe(true)
    expect(booking.total_trip_time).toBeGreaterThanOrEqual(0)
  },
)
