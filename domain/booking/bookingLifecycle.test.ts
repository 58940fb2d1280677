import { expect, test } from 'vitest'
import {
  admin,
  aDriver,
  aBookingRequest,
  aRider,
  anEventContext,
  driver,
  MINUTE,
  NOON,
  rider,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { applyBookingEvent } from './applyBookingEvent'
import type { Actor } from './eventTypes'
import type { EventInput } from './eventInput'
import type { EventContext } from './eventContext'
import type { Booking } from './types'

const start = () => ({
  tree: {
    users: { rider: { walletBalance: 100 }, driver: { walletBalance: 0 } },
  } as Tree,
  at: NOON,
})
const ID = '-OAbcdefghijklmnopqr'

const live = (state: ReturnType<typeof start>) => {
  const booking = () => readValue(state.tree, `bookings/${ID}`) as unknown as Booking | null
  return {
    booking,
    value: (path: string) => readValue(state.tree, path),
    does: (actor: Actor, input: EventInput, context: Partial<EventContext> = {}) => {
      state.at += MINUTE
      const result = applyBookingEvent(booking(), input, {
        actor,
        context: anEventContext(context),
        now: state.at,
      })
      if (!result.ok) throw new Error(`${input.event}: ${result.error.key}`)
      commitChange(state.tree, result.value)
      return result.value
    },
  }
}

test('keeps all records consistent from booking a parcel to cash payment and rating', () => {
  const { does, booking, value } = live(start())
  const made = does(rider, {
    event: 'create',
    input: aBookingRequest({ parcelTypeIndex: 1, optionIndex: 1 }),
  })
  expect(made.response).toMatchObject({ status: 'PAYMENT_PENDING', revision: 1 })
  // (5.2 km × 5 + 0.25 h × 6 + 10 + 7.5 + 12.25) = 57.25, plus 15 %.
  expect(made.response.estimate).toBe(65.84)
  does(rider, { event: 'pay', payment_mode: 'cash' })
  does(admin, { event: 'assign', driver: 'driver' })
  expect(value('driver_tasks/driver')).toEqual({ [ID]: true })
  does(driver, { event: 'accept' })
  expect(value('driver_tasks')).toBeNull()
  expect(value('users/driver/queue')).toBe(true)
  does(driver, { event: 'arrive', lat: -34.9, lng: -56.19 })
  does(driver, { event: 'start', otp: 12345 })
  does(driver, { event: 'reach', lat: -34.894, lng: -56.152 })
  expect(Object.values(value('users/rider/savedAddresses') ?? {})).toEqual([
    { description: 'Tres Cruces', lat: -34.8941, lng: -56.1521, count: 1 },
  ])
  does(driver, { event: 'finish' })
  expect(value('users/driver/queue')).toBe(false)
  does(driver, { event: 'collect' }, { customer: aRider(), driver: aDriver() })
  // The driver keeps 65.84 in cash and is owed 57.25.
  expect(value('users/driver/walletBalance')).toBe(-8.59)
  does(rider, { event: 'rate', rating: 4 })
  expect(value('users/driver/ratings')).toEqual({
    userrating: 4,
    count: 1,
    details: { [ID]: { user: 'rider', rate: 4 } },
  })
  expect(booking()).toMatchObject({ status: 'COMPLETE', revision: 10, rating: 4 })
  expect(value('stats/days/2026-11-20')).toMatchObject({
    created: 1,
    total_rides: 1,
    minor: { UYU2: { tripCost: 6584 } },
  })
  expect(value('stats/status/COMPLETE')).toBe(1)
  expect(value('stats/driver_earnings/driver/2026-11')).toEqual({
    year: 2026,
    monthsName: 'November',
    driverName: 'Beto Silva',
    driverVehicleNo: 'SBA 1234',
    total_rides: 1,
    minor: { UYU2: { driverShare: 5725 } },
  })
})

test('returns the first response to every repeated event and changes nothing', () => {
  const { does } = live(start())
  const steps: [Actor, EventInput][] = [
    [rider, { event: 'create', input: aBookingRequest() }],
    [rider, { event: 'pay', payment_mode: 'cash' }],
    [admin, { event: 'assign', driver: 'driver' }],
    [driver, { event: 'accept' }],
    [driver, { event: 'arrive', lat: -34.9, lng: -56.19 }],
    [driver, { event: 'start', otp: 12345 }],
    [driver, { event: 'reach', lat: -34.894, lng: -56.152 }],
    [driver, { event: 'finish' }],
    [driver, { event: 'collect' }],
    [rider, { event: 'rate', rating: 5 }],
  ]
  const first = steps.map(([actor, input]) => does(actor, input).response)
  steps.forEach(([actor, input], i) => {
    const again = does(actor, input)
    expect(again.response, input.event).toEqual(first[i])
    expect([again.updates, again.pushes]).toEqual([{}, []])
  })
})
