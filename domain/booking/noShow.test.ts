import { expect, test } from 'vitest'
import {
  aBooking,
  aCardPacket,
  admin,
  aDriver,
  anEventContext,
  aRider,
  aSettings,
  driver,
  MINUTE,
  NOON,
  PICKUP,
  rider,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { toJson } from '../data/databaseValue'
import { applyBookingEvent } from './applyBookingEvent'
import type { EventContext } from './eventContext'
import type { Actor } from './eventTypes'
import type { Booking, EventLogEntry } from './types'
import type { Settings } from '../catalog/types'
import type { LatLng } from '../geo/types'

const ID = aBooking().id
const ARRIVE: EventLogEntry = {
  event: 'arrive',
  by: driver.uid,
  at: NOON,
  status: 'ARRIVED',
  revision: 3,
}
const arrived = (over: Partial<Booking> = {}) =>
  aBooking({
    status: 'ARRIVED',
    revision: 3,
    driver_arrive_time: NOON,
    event_log: { arrive: ARRIVE },
    ...over,
  })

/** Ends the booking as a no-show at a time; returns the refusal or what has changed. */
const endAt = (
  now: number,
  {
    actor = driver,
    booking = arrived(),
    settings = {},
    walletBalance = 100,
    facts = {},
  }: {
    actor?: Actor
    booking?: Booking
    settings?: Partial<Settings>
    walletBalance?: number
    facts?: Partial<EventContext>
  } = {},
) => {
  const context = anEventContext({
    settings: aSettings(settings),
    customer: aRider({ walletBalance }),
    driver: aDriver({ queue: true, walletBalance: 10 }),
    ...facts,
  })
  const result = applyBookingEvent(booking, { event: 'no_show' }, { actor, context, now })
  const tree = toJson({
    bookings: { [ID]: booking },
    users: { rider: { walletBalance }, driver: { queue: true, walletBalance: 10 } },
  }) as Tree
  if (result.ok) commitChange(tree, result.value)
  return {
    error: result.ok ? undefined : result.error,
    at: (path: string) => readValue(tree, path),
    pushes: result.ok ? result.value.pushes.map(({ to, msg }) => [to, msg]) : [],
  }
}
const DUE = NOON + 5 * MINUTE

test.each([
  ['the driver', driver],
  ['an admin', admin],
])('%s ends the booking five minutes after the arrival, and not before', (_, actor) => {
  expect(endAt(DUE - 1, { actor }).error).toEqual({
    key: 'no_show_too_early',
    params: { minutes: 1 },
  })
  const { at, pushes } = endAt(DUE, { actor })
  expect(at(`bookings/${ID}`)).toMatchObject({
    status: 'CANCELLED',
    reason: 'no_show',
    cancelledBy: actor.role,
    cancellationFee: 0,
    cancelled_at: DUE,
  })
  expect(at('users/driver/queue')).toBe(false)
  expect(pushes).toEqual(
    expect.arrayContaining([
      [rider.uid, 'push_cancelled_msg'],
      [driver.uid, 'push_cancelled_msg'],
    ]),
  )
})

test('the minutes of the setting begin with the message to the customer', () => {
  const settings = { noShowMinutes: 10 }
  const received_at = NOON + 20 * MINUTE
  const late = arrived({ event_log: { arrive: { ...ARRIVE, received_at } } })
  expect(endAt(received_at + 9 * MINUTE, { booking: late, settings }).error?.params).toEqual({
    minutes: 1,
  })
  expect(endAt(received_at + 10 * MINUTE, { booking: late, settings }).error).toBeUndefined()
})

test('charges the fee of the setting, and credits the driver with their part', () => {
  const settings = { noShowFee: 60, noShowDriverPart: 40 }
  const { at, pushes } = endAt(DUE, { settings })
  expect(at(`bookings/${ID}`)).toMatchObject({ cancellationFee: 60 })
  expect([at('users/rider/walletBalance'), at('users/driver/walletBalance')]).toEqual([40, 34])
  expect(Object.values(at(`bookings/${ID}/adjustments`) ?? {})).toEqual([
    { at: DUE, reason: 'no_show', driver: 24 },
  ])
  expect(pushes).toEqual(
    expect.arrayContaining([
      [rider.uid, 'push_fee_charged_msg'],
      [driver.uid, 'push_compensated_msg'],
    ]),
  )
})

test('the driver gets their part only of what the customer has paid', () => {
  const settings = { noShowFee: 60, noShowDriverPart: 40 }
  const owed = endAt(DUE, { settings, walletBalance: 0 })
  expect([owed.at('users/rider/walletBalance'), owed.at('users/driver/walletBalance')]).toEqual([
    -60, 10,
  ])
  expect(owed.at(`bookings/${ID}/adjustments`)).toBeNull()
  const partly = endAt(DUE, { settings, walletBalance: 10 })
  expect([partly.at('users/rider/walletBalance'), partly.at('users/driver/walletBalance')]).toEqual(
    [-50, 14],
  )
})

test('a customer who has paid gets the money back less the fee, and one who has not owes it', () => {
  const settings = { noShowFee: 20 }
  const paid = arrived({ prepaid: true, paymentPacket: aCardPacket() })
  expect(
    endAt(DUE, { booking: paid, settings, walletBalance: 0 }).at('users/rider/walletBalance'),
  ).toBe(23.13)
  expect(endAt(DUE, { settings, walletBalance: 5 }).at('users/rider/walletBalance')).toBe(-15)
})

test('a driver who was never at the pickup cannot say so; the office can', () => {
  const far = { lat: PICKUP.lat + 0.1, lng: PICKUP.lng }
  const arrivedAt = (place: LatLng) => [{ at: NOON, status: 'ARRIVED' as const, ...place }]
  const away = { tracking: arrivedAt(far), driver: aDriver({ queue: true, location: far }) }
  expect(endAt(DUE, { facts: away }).error?.key).toBe('no_show_elsewhere')
  expect(endAt(DUE, { facts: away, actor: admin }).error).toBeUndefined()
  const drivenOn = { ...away, tracking: arrivedAt(PICKUP) }
  expect(endAt(DUE, { facts: drivenOn }).error).toBeUndefined()
  const lateFix = { ...away, driver: aDriver({ queue: true, location: PICKUP }) }
  expect(endAt(DUE, { facts: lateFix }).error).toBeUndefined()
})

test('counts as a free cancellation of the customer unless a fee is charged', () => {
  const facts = { freeActions: { times: null, limits: {} } }
  const path = 'internal/free_actions/rider'
  expect(endAt(DUE, { facts }).at(`${path}/cancel`)).toEqual([DUE])
  expect(endAt(DUE, { facts, settings: { noShowFee: 20 } }).at(path)).toBeNull()
})

test('is refused to the office in demo mode, and to other people', () => {
  const settings = { AllowCriticalEditsAdmin: false }
  expect(endAt(DUE, { actor: admin, settings }).error?.key).toBe('demo_mode')
  expect(endAt(DUE, { actor: rider }).error?.key).toBe('not_allowed')
  expect(endAt(DUE, { actor: { uid: 'other', role: 'driver' } }).error?.key).toBe('not_allowed')
})
