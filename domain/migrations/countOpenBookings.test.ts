import { expect, test } from 'vitest'
import { aBooking, NOON } from '../testing/builders'
import { countOpenBookings } from './countOpenBookings'
import { STATUSES } from '../booking/types'

const CONTEXT = { settings: {}, texts: {}, now: NOON }

test('counts each rider’s open bookings and, among them, the finished unpaid ones', () => {
  const count = countOpenBookings.createCounter(CONTEXT, () => true)
  STATUSES.forEach((status, at) => count.add('bookings', { ...aBooking({ status }) }, `b${at}`))
  count.add('bookings', { ...aBooking({ customer: 'other', status: 'COMPLETE' }) }, 'done')
  expect(Object.fromEntries(count.finish())).toEqual({
    'open_bookings/rider/open': 7,
    'open_bookings/rider/unpaid': 1,
    'open_bookings/rider/revision': 1,
  })
})

test('counts only the riders of a round', () => {
  const isCounted = (path: string) => path.startsWith('open_bookings/rider/')
  const count = countOpenBookings.createCounter(CONTEXT, isCounted)
  for (const customer of ['rider', 'other'])
    count.add('bookings', { ...aBooking({ customer, status: 'NEW' }) }, customer)
  expect(count.getSize()).toBe(3)
  expect([...count.finish().keys()]).toEqual([
    'open_bookings/rider/open',
    'open_bookings/rider/unpaid',
    'open_bookings/rider/revision',
  ])
})
