import { expect, test } from 'vitest'
import { STATUSES } from '../entities'
import { aBooking, NOON } from '../testing/builders'
import { countOpenBookings } from './countOpenBookings'

test('counts each rider’s open bookings and, among them, the finished unpaid ones', () => {
  const count = countOpenBookings.createCounter({ settings: {}, texts: {}, now: NOON })
  STATUSES.forEach((status, at) => count.add('bookings', { ...aBooking({ status }) }, `b${at}`))
  count.add('bookings', { ...aBooking({ customer: 'other', status: 'COMPLETE' }) }, 'done')
  expect(Object.fromEntries(count.totals())).toEqual({
    'open_bookings/rider/open': 7,
    'open_bookings/rider/unpaid': 1,
    'open_bookings/rider/revision': 1,
  })
})
