import { describe, expect, test } from 'vitest'
import { buildReminders, planMaintenance } from './bookingMaintenance'
import { getStatusSince, isStuck } from './deadlines'
import { aBooking, aSettings, MINUTE, NOON } from '../testing/builders'
import { BOOKING_EVENTS, getDefinition } from './transitions'
import { ACTIVE_STATUSES } from './types'

const auto = aSettings({ autoDispatch: true })
const TIME = NOON + 120 * MINUTE
const later = aBooking({ bookLater: true, tripdate: TIME })

describe('a later booking', () => {
  test('is dispatched half an hour before its time', () => {
    expect(planMaintenance(later, auto, TIME - 31 * MINUTE).event).toBeUndefined()
    expect(planMaintenance(later, auto, TIME - 30 * MINUTE).event).toBe('dispatch')
    expect(planMaintenance(later, aSettings(), TIME - 30 * MINUTE).event).toBeUndefined()
  })
  test('reminds its parties once, under one key', () => {
    const accepted = aBooking({ status: 'ACCEPTED', bookLater: true, tripdate: TIME })
    expect(buildReminders(accepted, TIME - 31 * MINUTE)).toEqual([])
    const reminders = buildReminders(accepted, TIME - 20 * MINUTE)
    expect(reminders.map(({ to, key }) => [to, key])).toEqual([
      ['rider', `${later.id}-reminder`],
      ['driver', `${later.id}-reminder`],
    ])
    expect(reminders[0]?.params).toEqual({ minutes: 20 })
    expect(buildReminders(accepted, TIME + 1)).toEqual([])
  })
  test('ends half an hour after its time', () => {
    expect(planMaintenance(later, auto, TIME + 30 * MINUTE)).toEqual({
      event: 'expire',
      unanswered: [],
      reminders: [],
      isStuck: false,
    })
  })
  test('is never stuck before its time', () => {
    expect(isStuck(later, TIME - MINUTE)).toBe(false)
    expect(isStuck(later, TIME + 16 * MINUTE)).toBe(true)
  })
})

test('ends an unpaid booking after half an hour', () => {
  const unpaid = aBooking({ status: 'PAYMENT_PENDING' })
  expect(planMaintenance(unpaid, auto, NOON + 29 * MINUTE).event).toBeUndefined()
  expect(planMaintenance(unpaid, auto, NOON + 30 * MINUTE).event).toBe('expire')
})

test('reports a booking as stuck when its status has not changed for too long', () => {
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
  expect(getStatusSince(arrived)).toBe(NOON + 10 * MINUTE)
  expect(isStuck(arrived, NOON + 70 * MINUTE)).toBe(false)
  expect(isStuck(arrived, NOON + 70 * MINUTE + 1)).toBe(true)
})

test.each(ACTIVE_STATUSES)('allows at least one event in %s', (status) => {
  const events = BOOKING_EVENTS.filter((event) => getDefinition(event).from.includes(status))
  expect(events.length).toBeGreaterThan(0)
})
