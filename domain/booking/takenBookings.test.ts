import { expect, test } from 'vitest'
import {
  aBooking,
  admin,
  aDriver,
  anEventContext,
  aSettings,
  driver,
  NOON,
} from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { toJson } from '../data/databaseValue'
import { applyBookingEvent } from './applyBookingEvent'
import { getAvailableEvents } from './availableEvents'
import { getManualOffersEnd, isSearchDue } from './deadlines'
import { SYSTEM_ACTOR, type Actor } from './eventTypes'
import type { EventInput } from './eventInput'
import type { Booking } from './types'

const ID = aBooking().id
const NOW = NOON + 60_000
const AUTOMATIC = aSettings({ autoDispatch: true, requeueDeclined: true })
const COLLEAGUE: Actor = { uid: 'colleague', role: 'admin' }

/** Returns a waiting booking that receives events while drivers are found automatically. */
const follow = (over: Partial<Booking> = {}) => {
  const booking = aBooking({ status: 'NEW', requestedDrivers: { driver: true }, ...over })
  const tree = toJson({
    bookings: { [ID]: booking },
    driver_tasks: { driver: { [ID]: true } },
  }) as Tree
  const read = () => structuredClone(readValue(tree, `bookings/${ID}`)) as unknown as Booking
  return {
    read,
    at: (path: string) => readValue(tree, path),
    send: (input: EventInput, actor: Actor = admin, settings = AUTOMATIC) => {
      const context = anEventContext({ settings, driver: aDriver() })
      const result = applyBookingEvent(read(), input, { actor, context, now: NOW })
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
  }
}

test('a booking that the office takes leaves automatic dispatch, and its offers end', () => {
  const { send, read, at } = follow()
  expect(send({ event: 'assign', driver: 'driver' })).toBe('auto_dispatch_on')
  expect(send({ event: 'take' })).toBe('done')
  expect(read()).toMatchObject({ status: 'NEW', taken_by: admin.uid })
  expect(read().requestedDrivers ?? {}).toEqual({})
  expect(at(`driver_tasks/driver/${ID}`)).toBeNull()
  expect(isSearchDue(read(), AUTOMATIC, NOW)).toBe(false)
  expect(send({ event: 'dispatch', drivers: ['driver'] }, SYSTEM_ACTOR)).toBe('event_not_possible')
  expect(send({ event: 'accept' }, driver)).toBe('not_requested')
})

test('the office assigns a taken booking by hand, and its acceptance ends that', () => {
  const { send, read } = follow({ taken_by: admin.uid, requestedDrivers: {} })
  expect(send({ event: 'assign', driver: 'driver' })).toBe('done')
  expect(getManualOffersEnd(read(), AUTOMATIC)).toBeGreaterThan(NOW)
  expect(send({ event: 'accept' }, driver)).toBe('done')
  expect(read()).toMatchObject({ status: 'ACCEPTED', driver: 'driver' })
  expect(read().taken_by).toBeUndefined()
})

test('a booking that is handed back is dispatched automatically again', () => {
  const { send, read } = follow()
  expect(send({ event: 'hand_back' })).toBe('event_not_possible')
  send({ event: 'take' })
  expect([send({ event: 'hand_back' }), send({ event: 'hand_back' })]).toEqual(['done', 'done'])
  expect(read().taken_by).toBeUndefined()
  expect(Object.values(read().event_log).filter(({ event }) => event === 'hand_back')).toHaveLength(
    1,
  )
  expect(isSearchDue(read(), AUTOMATIC, NOW)).toBe(true)
  expect(send({ event: 'dispatch', drivers: ['driver'] }, SYSTEM_ACTOR)).toBe('done')
})

test('demo mode refuses it to the office, as it refuses to withdraw an offer', () => {
  const { send } = follow()
  const demo = { ...AUTOMATIC, AllowCriticalEditsAdmin: false }
  expect(send({ event: 'take' }, admin, demo)).toBe('demo_mode')
  expect(send({ event: 'withdraw', driver: 'driver' }, admin, demo)).toBe('demo_mode')
})

test('a colleague can take a booking over, and a repeat changes nothing', () => {
  const { send, read } = follow()
  expect([send({ event: 'take' }), send({ event: 'take' })]).toEqual(['done', 'done'])
  expect(read().revision).toBe(aBooking().revision + 1)
  expect(send({ event: 'take' }, COLLEAGUE)).toBe('done')
  expect(read().taken_by).toBe(COLLEAGUE.uid)
  expect(getAvailableEvents(read(), COLLEAGUE, AUTOMATIC)).not.toContain('take')
  expect(getAvailableEvents(read(), COLLEAGUE, AUTOMATIC)).toEqual(
    expect.arrayContaining(['assign', 'hand_back']),
  )
})

test('only the office takes bookings and hands them back', () => {
  const { send } = follow()
  for (const actor of [driver, { uid: 'rider', role: 'rider' } as const, SYSTEM_ACTOR])
    for (const event of ['take', 'hand_back'] as const)
      expect(send({ event }, actor)).toBe('not_allowed')
})
