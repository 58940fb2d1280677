import { expect, test } from 'vitest'
import { type BookingFilter, isAnsweredByIndex, isFound, leadOf } from './bookingFilter'
import { aBooking, NOON } from './testing/builders'

const DAY = 86_400_000

test.each<[BookingFilter, ReturnType<typeof leadOf>]>([
  [{}, null],
  [{ carTypeId: 'van' }, 'carTypeId'],
  [{ status: 'COMPLETE', carTypeId: 'van' }, 'status'],
  [{ status: 'COMPLETE', from: NOON }, 'bookingDate'],
  [{ status: 'NEW', from: NOON }, 'status'],
  [{ status: 'NEW', driver: 'beto', until: NOON }, 'driver'],
  [{ status: 'NEW', driver: 'beto', customer: 'ana' }, 'customer'],
])('%j is asked by the index with the fewest bookings behind it: %s', (filter, index) => {
  expect(leadOf(filter)).toBe(index)
})

test('a filter of two things is answered by no index alone', () => {
  expect(isAnsweredByIndex({ from: NOON, until: NOON + DAY })).toBe(true)
  expect(isAnsweredByIndex({ status: 'NEW' })).toBe(true)
  expect(isAnsweredByIndex({ status: 'NEW', from: NOON })).toBe(false)
})

test('a booking is found when everything asked for is so', () => {
  const booking = aBooking({ status: 'COMPLETE', bookingDate: NOON, driver: 'beto' })
  expect(isFound(booking, {})).toBe(true)
  expect(isFound(booking, { from: NOON, until: NOON, driver: 'beto' })).toBe(true)
  expect(isFound(booking, { from: NOON + 1 })).toBe(false)
  expect(isFound(booking, { until: NOON - 1 })).toBe(false)
  expect(isFound(booking, { driver: 'beto', status: 'NEW' })).toBe(false)
})
