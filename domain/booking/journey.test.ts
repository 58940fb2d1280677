import { describe, expect, test } from 'vitest'
import type { Booking } from '../entities'
import { quote } from '../fare'
import { distanceKm } from '../geo'
import {
  aBooking,
  aCarType,
  aDriver,
  aRider,
  aSettings,
  aWorld,
  driver,
  DROP,
  MINUTE,
  NOON,
  rider,
} from '../testing/builders'
import { commit, valueAt, type Tree } from '../testing/tree'
import { apply } from './apply'
import type { Actor, EventInput, World } from './change'

const ID = aBooking().id
const NOW = NOON + 16 * MINUTE + 400
const after = (
  booking: Booking,
  input: EventInput,
  world: Partial<World> = {},
  actor: Actor = driver,
) => {
  const result = apply(booking, input, actor, aWorld(world), NOW)
  const tree: Tree = { bookings: { [ID]: JSON.parse(JSON.stringify(booking)) } }
  if (result.ok) commit(tree, result.value)
  return {
    key: result.ok ? undefined : result.error.key,
    booking: valueAt(tree, `bookings/${ID}`) as unknown as Booking,
    points: Object.values(valueAt(tree, `tracking/${ID}`) ?? {}),
    value: (path: string) => valueAt(tree, path),
    pushes: result.ok
      ? result.value.pushes.map(({ to, title, screen }) => [to, title, screen])
      : [],
  }
}
const HERE = { lat: -34.9, lng: -56.16 }
const started = aBooking({ status: 'STARTED' })

test('arriving records when, and the customer is told', () => {
  const { booking, pushes } = after(aBooking({ status: 'ACCEPTED' }), { event: 'arrive', ...HERE })
  expect(booking).toMatchObject({ status: 'ARRIVED', driver_arrive_time: NOW })
  expect(pushes).toEqual([['rider', 'push_arrived_title', 'BookedCab']])
})

test('starting records time and clock time and a point where the driver is', () => {
  const { booking, points } = after(aBooking({ status: 'ARRIVED' }), { event: 'start', otp: 12345 })
  expect(booking).toMatchObject({ status: 'STARTED', startTime: NOW, trip_start_time: '12:16:00' })
  expect(points).toEqual([{ at: NOW, status: 'STARTED', ...aDriver().location }])
})

test('reaching records end, whole seconds and a point; in delivery the price stays', () => {
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

test('reaching asks for the picture when the settings do, in delivery only', () => {
  const settings = aSettings({ AllowFinalDeliveryImageCapture: true })
  expect(after(started, { event: 'reach', ...HERE }, { settings }).key).toBe('image_required')
  const taxi = aSettings({ AllowFinalDeliveryImageCapture: true, appcat: 'taxi' })
  expect(after(started, { event: 'reach', ...HERE }, { settings: taxi }).key).toBeUndefined()
})

describe('a taxi', () => {
  const settings = aSettings({ appcat: 'taxi' })
  const tracking = [
    { at: NOON, status: 'ACCEPTED' as const, lat: -34.8, lng: -56.0 },
    { at: NOON + 7 * MINUTE, status: 'STARTED' as const, lat: -34.9058, lng: -56.1913 },
    { at: NOON + 10 * MINUTE, status: 'STARTED' as const, lat: -34.9, lng: -56.18 },
  ]

  test('costs what was driven, to where the driver is', () => {
    const { booking } = after(
      started,
      { event: 'reach', ...HERE },
      { settings, tracking, dropAddress: 'Ejido 1275' },
    )
    const km = distanceKm(tracking[1]!, tracking[2]!) + distanceKm(tracking[2]!, HERE)
    const priced = quote({ carType: aCarType(), settings, distanceKm: km, seconds: 600 })
    expect(booking).toMatchObject({
      drop: { ...HERE, add: 'Ejido 1275' },
      dropAddress: 'Ejido 1275',
      distance: priced.distance,
      trip_cost: priced.estimateFare,
      convenience_fees: priced.convenience_fees,
      driver_share: priced.driver_share,
      // What was shown when it was booked stays to be compared.
      estimate: 43.13,
    })
    expect(
      Object.values(booking.fare_history).map(({ kind, cause }) => `${kind} ${cause}`),
    ).toEqual(['estimate booked', 'revision distance_driven'])
  })

  test('without an address says where it is in numbers', () => {
    const { booking } = after(started, { event: 'reach', ...HERE }, { settings, tracking })
    expect(booking.dropAddress).toBe('-34.90000, -56.16000')
  })

  test('that was never tracked costs the minimum fare', () => {
    const { booking } = after(started, { event: 'reach', ...HERE }, { settings })
    expect(booking.distance).toBe(0)
    expect(booking.driver_share).toBe(20)
  })

  test('keeps the price that was paid before', () => {
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

describe('the drop is remembered', () => {
  const saved = (lat: number) => ({ home: { description: 'Home', lat, lng: DROP.lng, count: 2 } })
  const reached = (customer: World['customer'], settings = aSettings()) =>
    after(started, { event: 'reach', ...HERE }, { customer, settings })

  test('as a new address of the customer', () => {
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
  ])('at %s from a known one: the known one counts %s', (_, km, convert_to_mile, isKnown) => {
    const savedAddresses = saved(DROP.lat + km / 111.195)
    const { value } = reached(aRider({ savedAddresses }), aSettings({ convert_to_mile }))
    expect(value('users/rider/savedAddresses/home/count')).toBe(isKnown ? 1 : null)
  })

  test('unless the account is gone', () => {
    expect(reached(null).value('users')).toBeNull()
  })
})

test('finishing frees the driver and says what is to pay', () => {
  const { booking, value, pushes } = after(aBooking({ status: 'REACHED' }), { event: 'finish' })
  expect(booking.status).toBe('PENDING')
  expect(value('users/driver/queue')).toBe(false)
  expect(pushes).toEqual([['rider', 'push_payment_due_title', 'BookedCab']])
})

describe('rating', () => {
  const details = { a: { user: 'x', rate: 5 }, b: { user: 'y', rate: 4 } }
  const rate = (rating: number, ratings = { userrating: 4.5, details }) =>
    after(
      aBooking({ status: 'PAID' }),
      { event: 'rate', rating },
      { driver: aDriver({ ratings }) },
      rider,
    )

  test('makes the driver’s average to one decimal and keeps who gave what', () => {
    const { value, booking, pushes } = rate(4)
    expect(value('users/driver/ratings/userrating')).toBe(4.3)
    expect(value(`users/driver/ratings/details/${ID}`)).toEqual({ user: 'rider', rate: 4 })
    expect(booking).toMatchObject({ status: 'COMPLETE', rating: 4 })
    expect(pushes).toEqual([['driver', 'push_rated_title', 'BookedCab']])
  })

  test.each([0, 6, 4.5, Number.NaN])('%d is no rating', (rating) => {
    expect(rate(rating).key).toBe('rating_invalid')
  })
})
