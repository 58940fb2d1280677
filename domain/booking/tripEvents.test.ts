import { describe, expect, test } from 'vitest'
import { quoteFare } from '../money/fare'
import { getDistanceKm } from '../geo/geo'
import {
  aBooking,
  aCardPacket,
  admin,
  aVehicleType,
  aDriver,
  aRider,
  aSettings,
  anEventContext,
  driver,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
  rider,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { applyBookingEvent } from './applyBookingEvent'
import type { Actor } from './eventTypes'
import { getFeedback } from './feedback'
import type { EventInput, EventInputFor } from './eventInput'
import type { EventContext } from './eventContext'
import type { Booking } from './types'
import type { LatLng } from '../geo/types'

const ID = aBooking().id
const NOW = NOON + 16 * MINUTE + 400
const after = (
  booking: Booking,
  input: EventInput,
  context: Partial<EventContext> = {},
  actor: Actor = driver,
) => {
  const result = applyBookingEvent(booking, input, {
    actor,
    context: anEventContext(context),
    now: NOW,
  })
  const tree: Tree = { bookings: { [ID]: JSON.parse(JSON.stringify(booking)) } }
  if (result.ok) commitChange(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: readValue(tree, `bookings/${ID}`) as unknown as Booking,
    points: Object.values(readValue(tree, `tracking/${ID}`) ?? {}),
    value: (path: string) => readValue(tree, path),
    pushes: result.ok
      ? result.value.pushes.map(({ to, title, screen }) => [to, title, screen])
      : [],
  }
}
const HERE = { lat: -34.9, lng: -56.16 }
const started = aBooking({ status: 'STARTED' })

test('records the arrival time and notifies the customer', () => {
  const { booking, pushes } = after(aBooking({ status: 'ACCEPTED' }), { event: 'arrive', ...HERE })
  expect(booking).toMatchObject({ status: 'ARRIVED', driver_arrive_time: NOW })
  expect(pushes).toEqual([['rider', 'push_arrived_title', 'BookedCab']])
})

test('records the start time, the clock time and the driver’s position', () => {
  const { booking, points } = after(aBooking({ status: 'ARRIVED' }), { event: 'start', otp: 12345 })
  expect(booking).toMatchObject({ status: 'STARTED', startTime: NOW, trip_start_time: '12:16:00' })
  expect(points).toEqual([{ at: NOW, status: 'STARTED', ...aDriver().location }])
})

test('records the end, whole seconds and a position; a delivery keeps its price', () => {
  const { booking, points, pushes } = after(started, { event: 'reach', ...HERE })
  expect(booking).toMatchObject({
    status: 'REACHED',
    endTime: NOW,
    trip_end_time: '12:16:00',
    total_trip_time: 600,
    trip_cost: 43.13,
    drop: DROP,
  })
  expect(points).toEqual([{ at: NOW, status: 'REACHED', ...HERE }])
  expect(pushes).toEqual([['rider', 'push_reached_title', 'BookedCab']])
})

test('requires the delivery picture on arrival in delivery mode when the settings say so', () => {
  const settings = aSettings({ AllowFinalDeliveryImageCapture: true })
  expect(after(started, { event: 'reach', ...HERE }, { settings }).key).toBe('image_required')
  const taxi = aSettings({ AllowFinalDeliveryImageCapture: true, appcat: 'taxi' })
  expect(after(started, { event: 'reach', ...HERE }, { settings: taxi }).key).toBeUndefined()
})

describe('a taxi trip', () => {
  const settings = aSettings({ appcat: 'taxi' })
  const tracking = [
    { at: NOON, status: 'ACCEPTED' as const, lat: -34.8, lng: -56.0 },
    { at: NOON + 7 * MINUTE, status: 'STARTED' as const, lat: -34.9058, lng: -56.1913 },
    { at: NOON + 10 * MINUTE, status: 'STARTED' as const, lat: -34.9, lng: -56.18 },
  ]

  test('costs the driven distance to the driver’s position', () => {
    const { booking } = after(
      started,
      { event: 'reach', ...HERE },
      { settings, tracking, dropAddress: 'Ejido 1275' },
    )
    const km = getDistanceKm(tracking[1]!, tracking[2]!) + getDistanceKm(tracking[2]!, HERE)
    const priced = quoteFare({ carType: aVehicleType(), settings, distanceKm: km, seconds: 600 })
    expect(booking).toMatchObject({
      drop: { ...HERE, add: 'Ejido 1275' },
      dropAddress: 'Ejido 1275',
      distance: priced.distance,
      trip_cost: priced.estimateFare,
      convenience_fees: priced.convenience_fees,
      driver_share: priced.driver_share,
      // The estimate shown at booking stays for comparison.
      estimate: 43.13,
    })
    expect(
      Object.values(booking.fare_history).map(({ kind, cause }) => `${kind} ${cause}`),
    ).toEqual(['estimate booked', 'revision distance_driven'])
  })

  test('stores the track’s distance beside the charged one', () => {
    const { booking } = after(started, { event: 'reach', ...HERE }, { settings, tracking })
    expect(booking.driven_distance).toBeCloseTo(booking.distance, 9)
    expect(booking.distance_review).toMatchObject({ verdict: 'ok', dropped_points: 0 })
  })

  describe('with an implausible track', () => {
    /** Contains twenty points that jump between two countries. */
    const forged = Array.from({ length: 20 }, (_, i) => ({
      at: NOON + 7 * MINUTE + i * 1000,
      status: 'STARTED' as const,
      lat: i % 2 ? -20 : -34.9,
      lng: -56.18,
    }))
    const end = { event: 'reach', ...HERE } as const

    test('costs no more than planned and awaits a review', () => {
      const { booking, value } = after(started, end, {
        settings,
        tracking: [...tracking, ...forged],
      })
      expect(booking.distance_review?.verdict).toBe('flagged')
      expect(booking.distance).toBeLessThanOrEqual(started.estimateDistance)
      expect(booking.trip_cost).toBeLessThanOrEqual(started.estimate)
      expect(value(`fare_reviews/${ID}`)).toEqual({ at: NOW, driver: 'driver' })
      expect(Object.values(booking.fare_history).at(-1)?.cause).toBe('distance_flagged')
    })

    test('keeps the drop-off when the driver cannot be at the stated position', () => {
      const { booking } = after(
        started,
        { event: 'reach', lat: -20, lng: -50 },
        { settings, tracking },
      )
      expect(booking.distance_review?.reasons).toContain('end_impossible')
      expect([booking.drop, booking.dropAddress]).toEqual([DROP, DROP.add])
    })

    test('keeps the agreed price in delivery mode, and awaits a review too', () => {
      const { booking, value } = after(started, end, { tracking: forged })
      expect(booking.distance_review?.reasons).toContain('jumps')
      expect(booking.trip_cost).toBe(started.trip_cost)
      expect(value(`fare_reviews/${ID}`)).toEqual({ at: NOW, driver: 'driver' })
    })
  })

  test('shows coordinates when the address is missing', () => {
    const { booking } = after(started, { event: 'reach', ...HERE }, { settings, tracking })
    expect(booking.dropAddress).toBe('-34.90000, -56.16000')
  })

  test('costs the minimum fare without a track', () => {
    const { booking } = after(started, { event: 'reach', ...HERE }, { settings })
    expect(booking.distance).toBe(0)
    expect(booking.driver_share).toBe(20)
  })

  test('keeps a price that was paid before', () => {
    const paymentPacket = after(
      aBooking({ status: 'PAYMENT_PENDING' }),
      { event: 'pay', payment_mode: 'wallet' },
      { customer: aRider({ walletBalance: 90 }) },
      rider,
    ).booking.paymentPacket
    const { booking } = after(
      { ...started, paymentPacket },
      { event: 'reach', ...HERE },
      { settings, tracking },
    )
    expect(booking.trip_cost).toBe(43.13)
  })
})

describe('a delivery', () => {
  const MIDDLE = { lat: (PICKUP.lat + DROP.lat) / 2, lng: (PICKUP.lng + DROP.lng) / 2 }
  const reach = (seconds: number, here: LatLng = DROP, context: Partial<EventContext> = {}) =>
    after(
      { ...started, startTime: NOW - seconds * 1000 },
      { event: 'reach', lat: here.lat, lng: here.lng },
      context,
    )

  test('that no car can have driven in its time is flagged, and the office decides', () => {
    const { booking, value } = reach(20)
    expect(booking).toMatchObject({
      status: 'REACHED',
      trip_cost: started.trip_cost,
      distance_review: {
        verdict: 'flagged',
        reasons: ['too_fast', 'end_impossible'],
        dropped_points: 0,
        charged_time: started.estimateTime,
      },
    })
    expect(value(`fare_reviews/${ID}`)).toEqual({ at: NOW, driver: 'driver' })
    const decided = after(booking, { event: 'review', decision: 'keep' }, {}, admin)
    expect(decided.booking.distance_review).toMatchObject({ decision: 'keep', decided_by: 'admin' })
    expect(decided.value(`fare_reviews/${ID}`)).toBeNull()
  })

  test('that leaves out a stop which its price pays for is flagged', () => {
    const far = { lat: DROP.lat + 0.3, lng: DROP.lng, add: 'A stop 33 km away' }
    const { booking } = after(
      { ...started, startTime: NOW - 600_000, waypoints: [far] },
      { event: 'reach', ...DROP },
    )
    expect(booking.distance_review?.reasons).toEqual(['end_impossible', 'stops'])
  })

  describe('with a stop on a road that is longer than the one to its drop-off', () => {
    const stop = { lat: PICKUP.lat + 3 / 111.195, lng: PICKUP.lng, add: 'A stop 3 km away' }
    const trip = { ...started, startTime: NOW - 1200_000, waypoints: [stop] }
    /** A track of twenty minutes that is `kmFromStop` away from the stop after ten. */
    const trackBy = (kmFromStop: number) =>
      [PICKUP, { ...stop, lat: stop.lat - kmFromStop / 111.195 }, DROP].map(({ lat, lng }, i) => ({
        ...{ lat, lng, at: NOW - 1200_000 + i * 590_000 },
        status: 'STARTED' as const,
      }))
    const end = (booking: Booking, kmFromStop = 0) =>
      after(booking, { event: 'reach', ...DROP }, { tracking: trackBy(kmFromStop) })
    const pass = (event: 'arrive_stop' | 'skip_stop') =>
      after(trip, { event, index: 0, stop }).booking

    test.each([
      ['skipped it', 'skip_stop', 0, ['stops']],
      ['never came near it', 'arrive_stop', 3, ['stops']],
      ['stopped 600 m away', 'arrive_stop', 0.6, ['stops']],
      ['stopped there', 'arrive_stop', 0, undefined],
      ['stopped 400 m away', 'arrive_stop', 0.4, undefined],
    ] as const)('keeps its price; of a driver who %s', (_, event, km, reasons) => {
      const { booking, value } = end(pass(event), km)
      expect(booking.distance_review?.reasons).toEqual(reasons)
      expect(value(`fare_reviews/${ID}`) !== null).toBe(reasons !== undefined)
      expect(booking.trip_cost).toBe(trip.trip_cost)
    })

    test('is flagged when the driver ends it before they have reached the stop', () => {
      expect(end(trip).booking.distance_review?.reasons).toEqual(['stops'])
    })
  })

  describe('across a bay, with 15 km and 25 minutes of road for 2 km of straight line', () => {
    const across = { lat: PICKUP.lat + 2 / 111.195, lng: PICKUP.lng, add: 'Other side of the bay' }
    const planned = { estimateDistance: 15, distance: 15, estimateTime: 1500, drop: across }
    const end = (seconds: number, here: LatLng = across, over: Partial<Booking> = {}) => {
      const startTime = NOW - seconds * 1000
      const input = { event: 'reach', lat: here.lat, lng: here.lng } as const
      return after({ ...started, ...planned, startTime, ...over }, input).booking.distance_review
    }

    test.each([
      ['two minutes is', 120, ['too_fast']],
      ['less than half of the planned time is', 690, ['too_fast']],
      ['about half of the planned time is not', 720, undefined],
    ])('in %s flagged', (_, seconds, reasons) => {
      expect(end(seconds)?.reasons).toEqual(reasons)
    })

    test('is measured by the plan of its amendment', () => {
      const amended = { estimateDistance: 5, estimateTime: 500 }
      expect(end(240, across, amended)).toBeUndefined()
    })

    test('is not flagged by a plan without a time', () => {
      expect(end(240, across, { estimateTime: 0 })).toBeUndefined()
    })

    test('needs less time for a prepaid passenger who leaves the car before it', () => {
      const settings = aSettings({ appcat: 'taxi' })
      const paymentPacket = aCardPacket({ customer_paid: started.trip_cost })
      const half = { lat: PICKUP.lat - 4 / 111.195, lng: PICKUP.lng }
      const stopAt = (seconds: number) =>
        after(
          { ...started, ...planned, paymentPacket, startTime: NOW - seconds * 1000 },
          { event: 'reach', ...half },
          { settings },
        ).booking.distance_review
      expect(stopAt(400)).toBeUndefined()
      expect(stopAt(120)?.reasons).toContain('too_fast')
    })
  })

  test('at the speed of a car is not flagged', () => {
    expect(reach(600).booking).not.toHaveProperty('distance_review')
  })

  test.each([
    ['400 m from its drop-off is not', 0.4, undefined],
    ['600 m from its drop-off is', 0.6, ['drop_elsewhere']],
  ])('handed over %s flagged', (_, km, reasons) => {
    const here = { lat: DROP.lat + km / 111.195, lng: DROP.lng }
    expect(reach(600, here).booking.distance_review?.reasons).toEqual(reasons)
  })

  test.each([
    ['stands at its drop-off from the start', [[DROP, 1]], ['start_elsewhere']],
    ['is first seen halfway', [[MIDDLE, 300]], undefined],
    ['sent its last position long before', [[PICKUP, 20]], undefined],
    ['sends no track', [], undefined],
  ] as const)('is judged by where it begins: of a car elsewhere that %s', (_, points, reasons) => {
    const startTime = NOW - 600_000
    const tracking = [[DROP, 0] as const, ...points].map(([{ lat, lng }, seconds]) => ({
      ...{ lat, lng, at: startTime + seconds * 1000 },
      status: 'STARTED' as const,
    }))
    expect(reach(600, DROP, { tracking }).booking.distance_review?.reasons).toEqual(reasons)
  })

  test('from which the car was still far a moment before is flagged', () => {
    const tracking = [590, 400, 200, 10].map((seconds) => ({
      ...PICKUP,
      at: NOW - seconds * 1000,
      status: 'STARTED' as const,
    }))
    const { booking } = reach(600, DROP, { tracking })
    expect(booking.distance_review?.reasons).toEqual(['end_impossible'])
  })

  test('of a taxi that was prepaid is not judged by its end, which the rider chooses', () => {
    const settings = aSettings({ appcat: 'taxi' })
    const paymentPacket = aCardPacket({ customer_paid: started.trip_cost })
    const { booking } = after(
      { ...started, startTime: NOW - 600_000, paymentPacket },
      { event: 'reach', ...HERE },
      { settings },
    )
    expect(booking).not.toHaveProperty('distance_review')
  })
})

describe('the drop-off', () => {
  const saved = (lat: number) => ({ home: { description: 'Home', lat, lng: DROP.lng, count: 2 } })
  const reached = (customer: EventContext['customer'], settings = aSettings()) =>
    after(started, { event: 'reach', ...HERE }, { customer, settings })

  test('is saved as a new address of the customer', () => {
    const { value } = reached(aRider())
    expect(Object.values(value('users/rider/savedAddresses') ?? {})).toEqual([
      { description: DROP.add, lat: DROP.lat, lng: DROP.lng, count: 1 },
    ])
  })

  test.each([
    ['0.09 km', 0.09, false, true],
    ['0.11 km', 0.11, false, false],
    ['0.15 km, which is 0.093 miles,', 0.15, true, true],
    ['0.17 km, which is 0.106 miles,', 0.17, true, false],
  ])(
    'is matched at %s from a saved address when close enough: %s',
    (_, km, convert_to_mile, isKnown) => {
      const savedAddresses = saved(DROP.lat + km / 111.195)
      const { value } = reached(aRider({ savedAddresses }), aSettings({ convert_to_mile }))
      expect(value('users/rider/savedAddresses/home/count')).toBe(isKnown ? 1 : null)
    },
  )

  test('is not saved when the account is deleted', () => {
    expect(reached(null).value('users')).toBeNull()
  })
})

test('frees the driver at the finish and shows the amount due', () => {
  const { booking, value, pushes } = after(aBooking({ status: 'REACHED' }), { event: 'finish' })
  expect(booking.status).toBe('PENDING')
  expect(value('users/driver/queue')).toBe(false)
  expect(pushes).toEqual([['rider', 'push_payment_due_title', 'BookedCab']])
})

describe('a rating', () => {
  const details = { a: { user: 'x', rate: 5 }, b: { user: 'y', rate: 4 } }
  const rate = (rating: number, ratings = { userrating: 4.5, details }) =>
    after(
      aBooking({ status: 'PAID' }),
      { event: 'rate', rating },
      { driver: aDriver({ ratings }) },
      rider,
    )

  test('updates the driver’s average to one decimal and keeps each rating', () => {
    const { value, booking, pushes } = rate(4)
    expect(value('users/driver/ratings/userrating')).toBe(4.3)
    expect(value(`users/driver/ratings/details/${ID}`)).toEqual({ user: 'rider', rate: 4 })
    expect(booking).toMatchObject({ status: 'COMPLETE', rating: 4 })
    expect(pushes).toEqual([['driver', 'push_rated_title', 'BookedCab']])
  })

  const say = (words: Omit<EventInputFor<'rate'>, 'event'>) =>
    after(aBooking({ status: 'PAID' }), { event: 'rate', ...words }, { driver: aDriver({}) }, rider)

  test('keeps the compliments and the comment with the booking', () => {
    const { booking } = say({
      rating: 5,
      compliments: ['helpful', 'friendly', 'helpful'],
      comment: 'Waited for us',
    })
    expect(getFeedback(booking)).toEqual({
      rating: 5,
      compliments: ['friendly', 'helpful'],
      comment: 'Waited for us',
    })
  })

  test('is a repeat the second time, also with compliments', () => {
    const words: EventInputFor<'rate'> = { event: 'rate', rating: 5, compliments: ['friendly'] }
    const { booking } = say(words)
    const again = after(booking, words, { driver: aDriver({}) }, rider)
    expect([again.key, again.booking, again.pushes]).toEqual([undefined, booking, []])
  })

  test('has no compliments with less than four stars, but a comment', () => {
    expect(say({ rating: 3, compliments: ['friendly'] }).key).toBe('bad_input')
    const { booking } = say({ rating: 3, comment: 'Late' })
    expect(getFeedback(booking)).toEqual({ rating: 3, compliments: [], comment: 'Late' })
  })

  test('of an earlier release has stars only', () => {
    const { booking } = say({ rating: 4 })
    expect(getFeedback(booking)).toEqual({ rating: 4, compliments: [] })
    expect(getFeedback(aBooking({ status: 'PAID' }))).toBeNull()
  })

  test.each([0, 6, 4.5, Number.NaN])('is refused with the value %d', (rating) => {
    expect(rate(rating).key).toBe('rating_invalid')
  })
})
