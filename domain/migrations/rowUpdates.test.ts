import { expect, test } from 'vitest'
import { applyUpdatesToRow } from './rowUpdates'

const row = { bookings: { status: 'NEW', customer_contact: '1' }, booking_contacts: null }

test('changes a row by a multi-path update in the same way as the database does', () => {
  const updates = {
    'bookings/b1/customer_contact': null,
    'booking_contacts/b1/customer_contact': '1',
    'bookings/b1/revision': 2,
  }
  expect(applyUpdatesToRow(row, 'b1', updates)).toEqual({
    bookings: { status: 'NEW', customer_contact: null, revision: 2 },
    booking_contacts: { customer_contact: '1' },
  })
  expect(applyUpdatesToRow(row, 'b1', { 'bookings/b1': null }).bookings).toBeNull()
  expect(applyUpdatesToRow(row, 'b1', {})).toEqual(row)
})

test('throws on a path outside the row', () => {
  expect(() => applyUpdatesToRow(row, 'b1', { 'bookings/b2/status': 'X' })).toThrow(
    'bookings/b2/status',
  )
  expect(() => applyUpdatesToRow(row, 'b1', { 'users/b1/status': 'X' })).toThrow('users/b1/status')
})
