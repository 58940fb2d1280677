import { expect, test } from 'vitest'
import {
  aBooking,
  admin,
  aDriver,
  aSettings,
  anEventContext,
  aVehicleType,
  driver,
  MINUTE,
  NOON,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { toJson } from '../data/databaseValue'
import { applyBookingEvent } from './applyBookingEvent'
import type { Actor } from './eventTypes'
import type { EventInput } from './eventInput'
import type { EventContext } from './eventContext'
import type { TripStep } from './transitions'
import type { Booking } from './types'

const ID = aBooking().id
const NOW = NOON + 30 * MINUTE
const REASON = 'The phone is dead'
const ACCEPT = {
  event: 'accept',
  by: driver.uid,
  at: NOON,
  status: 'ACCEPTED',
  revision: 2,
} as const

/** Returns a booking that receives events as the functions apply them. */
const follow = (booking: Booking, context: Partial<EventContext> = {}) => {
  const tree = toJson({ bookings: { [ID]: booking } }) as Tree
  const read = () => structuredClone(readValue(tree, `bookings/${ID}`)) as unknown as Booking
  return {
    read,
    at: (path: string) => readValue(tree, path),
    send: (input: EventInput, actor: Actor = admin) => {
      const result = applyBookingEvent(read(), input, {
        actor,
        context: anEventContext(context),
        now: NOW,
      })
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? Object.keys(result.value.updates).length : result.error
    },
  }
}
const accepted = aBooking({ status: 'ACCEPTED', revision: 2, event_log: { accept: ACCEPT } })

test('the office records every step for a driver with a dead phone, without their code', () => {
  const { send, read, at } = follow(accepted)
  for (const event of ['arrive', 'start', 'reach', 'finish', 'collect'] as const)
    expect(send({ event, reason: ` ${REASON} ` })).toBeGreaterThan(0)
  const { status, words, event_log } = read()
  expect(status).toBe('PAID')
  expect(words).toEqual({
    arrive: REASON,
    start: REASON,
    reach: REASON,
    finish: REASON,
    collect: REASON,
  })
  expect(Object.values(event_log).map(({ by }) => by)).toEqual(
    expect.arrayContaining([admin.uid, driver.uid]),
  )
  expect(at('tracking')).toBeNull()
  const audit = Object.values(at('audit') ?? {}) as { action: string; by: string }[]
  expect(audit.map(({ action, by }) => [action, by]).sort()).toEqual(
    ['arrive', 'collect', 'finish', 'reach', 'start'].map((step) => [`booking_${step}`, admin.uid]),
  )
})

test('a trip whose end the office records keeps the planned price and is flagged', () => {
  const settings = aSettings({ appcat: 'taxi' })
  const { send, read, at } = follow(
    aBooking({ status: 'STARTED', startTime: NOON, paymentPacket: undefined }),
    {
      settings,
      carType: aVehicleType(),
      tracking: [{ lat: -34.8, lng: -56.2, at: NOON + MINUTE, status: 'STARTED' }],
    },
  )
  send({ event: 'reach', reason: REASON })
  expect(read()).toMatchObject({
    status: 'REACHED',
    trip_cost: aBooking().trip_cost,
    drop: aBooking().drop,
    distance_review: { verdict: 'flagged', reasons: ['office_step'] },
  })
  expect(at(`fare_reviews/${ID}`)).toMatchObject({ driver: driver.uid })
})

test.each<[string, EventInput, Actor, Partial<EventContext>, string, string | undefined]>([
  ['without a reason', { event: 'arrive' }, admin, {}, 'reason_required', 'reason'],
  ['with a blank reason', { event: 'arrive', reason: ' ' }, admin, {}, 'reason_required', 'reason'],
  [
    'with a position',
    { event: 'arrive', reason: REASON, lat: 1, lng: 1 },
    admin,
    {},
    'not_allowed',
    'lat',
  ],
  ['with a time', { event: 'arrive', reason: REASON, at: NOON }, admin, {}, 'not_allowed', 'at'],
  [
    'in demo mode',
    { event: 'arrive', reason: REASON },
    admin,
    { settings: aSettings({ AllowCriticalEditsAdmin: false }) },
    'demo_mode',
    undefined,
  ],
  [
    'of a driver with a reason',
    { event: 'arrive', reason: REASON, lat: 1, lng: 1 },
    driver,
    {},
    'not_allowed',
    'reason',
  ],
  ['of a driver without a position', { event: 'arrive' }, driver, {}, 'bad_input', 'lat'],
])('refuses a step %s', (_, input, actor, context, key, field) => {
  const { send, read } = follow(accepted, context)
  expect(send(input, actor)).toEqual({ key, ...(field && { field }) })
  expect(read()).toEqual(JSON.parse(JSON.stringify(accepted)))
})

test('the driver’s own steps, sent later from their phone, change nothing', () => {
  const { send, read } = follow(accepted, { driver: aDriver() })
  const here = { lat: -34.9, lng: -56.16 }
  for (const event of ['arrive', 'start', 'reach'] as const) send({ event, reason: REASON })
  const before = read()
  const late: Record<Exclude<TripStep, 'finish' | 'collect'>, EventInput> = {
    arrive: { event: 'arrive', ...here, at: NOON + MINUTE },
    start: { event: 'start', otp: 12345, at: NOON + 2 * MINUTE },
    reach: { event: 'reach', ...here, at: NOON + 3 * MINUTE },
  }
  for (const input of Object.values(late)) expect(send(input, driver)).toBe(0)
  expect(read()).toEqual(before)
  expect(send({ event: 'finish' }, driver)).toBeGreaterThan(0)
})

test('an arrival that the office recorded for an earlier driver is not the next driver’s', () => {
  const arrive = {
    event: 'arrive',
    by: admin.uid,
    at: NOON,
    status: 'ARRIVED',
    revision: 3,
  } as const
  const again = { ...ACCEPT, revision: 6 }
  const { send } = follow(
    aBooking({
      status: 'CANCELLED',
      driver: driver.uid,
      revision: 7,
      event_log: { accept: ACCEPT, arrive, accept_6: again },
    }),
  )
  expect(send({ event: 'arrive', lat: 1, lng: 1 }, driver)).toMatchObject({
    key: 'event_not_possible',
  })
})
