import { expect, test } from 'vitest'
import {
  aBooking,
  admin,
  aDriver,
  anEventContext,
  aSettings,
  driver,
  MINUTE,
  NOON,
  rider,
} from '../testing/builders'
import { applyCreation } from '../testing/creation'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { toJson } from '../data/databaseValue'
import { applyBookingEvent } from './applyBookingEvent'
import { planMaintenance } from './bookingMaintenance'
import { getDueTime } from './deadlines'
import type { EventInput } from './eventInput'
import { SYSTEM_ACTOR, type Actor } from './eventTypes'
import type { Booking } from './types'

const nobodyNear = { isDriverNearby: false, soonestPickup: NOON + 12 * MINUTE }
const allowed = { ...nobodyNear, settings: aSettings({ allowWaiting: true }) }
const ID = aBooking().id

const getError = (result: ReturnType<typeof applyCreation>) =>
  result.ok ? undefined : result.error

test('the refusal without a driver nearby says when one can be there at the earliest', () => {
  expect(getError(applyCreation({}, nobodyNear))).toEqual({
    key: 'no_driver_found_alert_messege',
    params: { wait_s: 720 },
  })
  expect(getError(applyCreation({}, { isDriverNearby: false }))?.params).toBeUndefined()
})

test.each([
  ['a rider on a platform that allows it', { wait: true }, allowed, rider],
  ['an admin', { wait: true, customer: 'rider' }, nobodyNear, admin],
] as const)('%s books without a driver nearby, and waits', (_, input, context, actor) => {
  const result = applyCreation(input, context, actor)
  const booking = result.ok ? result.value.updates[`bookings/${ID}`] : undefined
  expect(booking).toMatchObject({
    wait_until: NOON + 15 * MINUTE,
    expected_at: NOON + 12 * MINUTE,
  })
})

test.each([
  ['a rider on a platform that does not allow it', {}, nobodyNear, 'not_allowed'],
  ['a booking for later', { bookLater: true, tripdate: NOON + 60 * MINUTE }, allowed, 'bad_input'],
] as const)('waiting is refused to %s', (_, input, context, key) => {
  expect(getError(applyCreation({ ...input, wait: true }, context))).toEqual({ key, field: 'wait' })
})

/** Returns a waiting booking that receives events. */
const follow = (over: Partial<Booking> = {}) => {
  const booking = aBooking({
    status: 'NEW',
    wait_until: NOON,
    expected_at: NOON,
    requestedDrivers: { driver: true },
    ...over,
  })
  const tree = toJson({ bookings: { [ID]: booking } }) as Tree
  const read = () => structuredClone(readValue(tree, `bookings/${ID}`)) as unknown as Booking
  return {
    read,
    send: (input: EventInput, actor: Actor, now = NOON + MINUTE) => {
      const context = anEventContext({ driver: aDriver(), isDriverNearby: false })
      const result = applyBookingEvent(read(), input, { actor, context, now })
      if (result.ok) commitChange(tree, result.value)
      return result.ok ? 'done' : result.error.key
    },
  }
}
const keep = { event: 'keep_waiting', asked_at: NOON } as const

test.each([
  ['the rider', rider],
  ['an admin', admin],
])('%s goes on waiting, once for each question', (_, actor) => {
  const { read, send } = follow()
  expect([send(keep, actor), send(keep, actor)]).toEqual(['done', 'done'])
  expect(read()).toMatchObject({ status: 'NEW', wait_until: NOON + 16 * MINUTE })
  expect(read().expected_at).toBeUndefined()
  expect(read().revision).toBe(aBooking().revision + 1)
})

test('others cannot, and neither can a rider whose booking does not wait', () => {
  const other: Actor = { uid: 'other', role: 'rider' }
  for (const actor of [other, driver, SYSTEM_ACTOR])
    expect(follow().send(keep, actor)).toBe('not_allowed')
  expect(follow({ wait_until: NOON + 1 }).send(keep, rider)).toBe('event_not_possible')
  expect(follow({ status: 'ACCEPTED' }).send(keep, rider)).toBe('event_not_possible')
})

test('the acceptance of a driver and another time end the wait', () => {
  const accepted = follow()
  expect(accepted.send({ event: 'accept' }, driver)).toBe('done')
  expect(accepted.read().wait_until).toBeUndefined()
  expect(accepted.read().expected_at).toBeUndefined()
  const later = follow()
  const amend = { event: 'amend', tripdate: NOON + 120 * MINUTE } as const
  expect(later.send(amend, rider)).toBe('done')
  expect(later.read()).toMatchObject({ bookLater: true })
  expect(later.read().wait_until).toBeUndefined()
})

test('another pickup needs no driver nearby while the customer waits', () => {
  const pickup = { lat: -34.91, lng: -56.19, add: 'Elsewhere' }
  const send = (over: Partial<Booking>) => {
    const { id } = aBooking()
    const booking = aBooking({ id, status: 'NEW', ...over })
    const context = anEventContext({ isDriverNearby: false })
    const input = { event: 'amend', pickup, estimateFare: booking.estimate } as const
    const result = applyBookingEvent(booking, input, { actor: rider, context, now: NOON })
    return result.ok ? 'done' : result.error.key
  }
  expect(send({})).toBe('no_driver_found_alert_messege')
  expect(send({ wait_until: NOON })).not.toBe('no_driver_found_alert_messege')
})

test('the job asks the customer once for each time', () => {
  const settings = aSettings({ autoDispatch: true })
  const booking = follow().read()
  expect(getDueTime(booking, { ...settings, autoDispatch: false }, NOON - 5, 'offer')).toBe(NOON)
  const remind = (now: number, over: Partial<Booking> = {}) =>
    planMaintenance({ ...booking, ...over }, settings, now).reminders.map(({ to, key, title }) => [
      to,
      key,
      title,
    ])
  expect(remind(NOON - 1)).toEqual([])
  expect(remind(NOON)).toEqual([['rider', `${ID}-wait-${NOON}`, 'push_wait_question_title']])
  expect(remind(NOON, { status: 'ACCEPTED' })).toEqual([])
})
