import { expect, test } from 'vitest'
import { type BookingFilter, isCoveredByIndex, isMatch, chooseIndex } from './bookingFilter'
import { aBooking, NOON } from '../../testing/builders'
import { DAY_MS } from '../../language/timeUnits'

test.each<[BookingFilter, ReturnType<typeof chooseIndex>]>([
  [{}, null],
  [{ carTypeId: 'van' }, 'carTypeId'],
  [{ status: 'COMPLETE', carTypeId: 'van' }, 'status'],
  [{ status: 'COMPLETE', from: NOON }, 'bookingDate'],
  [{ status: 'NEW', from: NOON }, 'status'],
  [{ status: 'NEW', driver: 'beto', until: NOON }, 'driver'],
  [{ status: 'NEW', driver: 'beto', customer: 'ana' }, 'customer'],
])('chooses the most selective index for %j: %s', (filter, index) => {
  expect(chooseIndex(filter)).toBe(index)
})

test('needs more than one index for a filter of two fields', () => {
  expect(isCoveredByIndex({ from: NOON, until: NOON + DAY_MS })).toBe(true)
  expect(isCoveredByIndex({ status: 'NEW' })).toBe(true)
  expect(isCoveredByIndex({ status: 'NEW', from: NOON })).toBe(false)
})

test('finds a booking that matches every field of the filter', () => {
  const booking = aBooking({ status: 'COMPLETE', bookingDate: NOON, driver: 'beto' })
  expect(isMatch(booking, {})).toBe(true)
  expect(isMatch(booking, { from: NOON, until: NOON, driver: 'beto' })).toBe(true)
  expect(isMatch(booking, { from: NOON + 1 })).toBe(false)
  expect(isMatch(booking, { until: NOON - 1 })).toBe(false)
  expect(isMatch(booking, { driver: 'beto', status: 'NEW' })).toBe(false)
})
