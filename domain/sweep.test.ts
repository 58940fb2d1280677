import { describe, expect, test } from 'vitest'
import { ACTIVE_STATUSES } from './entities'
import { inStatusSince, isStuck, remindersOf, sweepTask, waysOut } from './sweep'
import { aBooking, aSettings, MINUTE, NOON } from './testing/builders'

const auto = aSettings({ autoDispatch: true })
const TIME = NOON + 120 * MINUTE
const later = aBooking({ bookLater: true, tripdate: TIME })

describe('a later booking', () => {
  test('is dispatched from half an hour before its time on', () => {
    expect(sweepTask(later, auto, TIME - 31 * MINUTE).event).toBeUndefined()
    expect(sweepTask(later, auto, TIME - 30 * MINUTE).event).toBe('dispatch')
    expect(sweepTask(later, aSettings(), TIME - 30 * MINUTE).event).toBeUndefined()
  })
  test('reminds its parties once, under one key', () => {
    const accepted = aBooking({ status: 'ACCEPTED', bookLater: true, tripdate: TIME })
    expect(remindersOf(accepted, TIME - 31 * MINUTE)).toEqual([])
    const reminders = remindersOf(accepted, TIME - 20 * MINUTE)
    expect(reminders.map(({ to, key }) => [to, key])).toEqual([
      ['rider', `${later.id}-reminder`],
      ['driver', `${later.id}-reminder`],
    ])
    expect(reminders[0]?.params).toEqual({ minutes: 20 })
    expect(remindersOf(accepted, TIME + 1)).toEqual([])
  })
  test('ends when its time is half an hour over', () => {
    expect(sweepTask(later, auto, TIME + 30 * MINUTE)).toEqual({
      event: 'expire',
      reminders: [],
      stuck: false,
    })
  })
  test('is not stuck before its time', () => {
    expect(isStuck(later, TIME - MINUTE)).toBe(false)
    expect(isStuck(later, TIME + 16 * MINUTE)).toBe(true)
  })
})

test('an unpaid booking is ended after half an hour', () => {
  const unpaid = aBooking({ status: 'PAYMENT_PENDING' })
  expect(sweepTask(unpaid, auto, NOON + 29 * MINUTE).event).toBeUndefined()
  expect(sweepTask(unpaid, auto, NOON + 30 * MINUTE).event).toBe('expire')
})

test('a booking is stuck when nothing has happened in its status for too long', () => {
  const event_log = {
    accept: { event: 'accept', by: 'driver', at: NOON, status: 'ACCEPTED' as const, revision: 3 },
    arrive: {
      event: 'arrive',
      by: 'driver',
      at: NOON + 10 * MINUTE,
      status: 'ARRIVED' as const,
      revision: 4,
    },
  }
  const arrived = aBooking({ status: 'ARRIVED', event_log })
  expect(inStatusSince(arrived)).toBe(NOON + 10 * MINUTE)
  expect(isStuck(arrived, NOON + 70 * MINUTE)).toBe(false)
  expect(isStuck(arrived, NOON + 70 * MINUTE + 1)).toBe(true)
})

test.each(ACTIVE_STATUSES)('there is a legal way out of %s', (status) => {
  expect(waysOut(status).length).toBeGreaterThan(0)
})
