import { expect, test } from 'vitest'
import { aBooking } from '../testing/builders'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { LEGACY_CONTACT_FIELDS, buildContactsUpdates } from './bookingContacts'

/** Returns a booking in the format of release 0.1. */
const before = (more: object = {}) => ({
  ...aBooking({ id: 'b1', status: 'COMPLETE' }),
  revision: 9,
  customer_contact: '+15555550199',
  customer_email: 'rider@kerbside.example',
  customer_token: 'rider-phone',
  driver_contact: '+15555550102',
  driver_token: 'driver-phone',
  deliveryPersonPhone: '099 123 456',
  ...more,
})
const migrated = (booking: ReturnType<typeof before>, contacts: object = {}) => {
  const tree = JSON.parse(
    JSON.stringify({ bookings: { b1: booking }, booking_contacts: { b1: contacts } }),
  ) as Tree
  commitChange(tree, { updates: buildContactsUpdates(booking) })
  return tree
}

test('moves the contacts of an old booking to their own record and removes its push tokens', () => {
  const tree = migrated(before())
  expect(readValue(tree, 'booking_contacts/b1')).toEqual({
    customer_contact: '+15555550199',
    customer_email: 'rider@kerbside.example',
    driver_contact: '+15555550102',
    deliveryPersonPhone: '099 123 456',
  })
  const booking = readValue(tree, 'bookings/b1') as Record<string, unknown>
  expect(LEGACY_CONTACT_FIELDS.filter((field) => field in booking)).toEqual([])
  expect(booking).toMatchObject({ customer_name: 'Ana Lima', revision: 10 })
  expect(JSON.stringify(tree)).not.toMatch(/-phone/)
})

test('keeps both required fields for a booking of a rider without an email address', () => {
  expect(readValue(migrated(before({ customer_email: '' })), 'booking_contacts/b1')).toMatchObject({
    customer_contact: '+15555550199',
    customer_email: '',
  })
})

test('creates no contacts for an anonymized booking', () => {
  const anonymous = before({
    customer_contact: '',
    customer_email: '',
    customer_token: undefined,
    driver_contact: '',
    deliveryPersonPhone: undefined,
  })
  const updates = buildContactsUpdates(anonymous)
  expect(Object.keys(updates).filter((path) => path.startsWith('booking_contacts'))).toEqual([])
  expect(updates['bookings/b1/customer_contact']).toBeNull()
})

test('keeps a driver who accepted an old booking after the upgrade', () => {
  const old = before({ driver_contact: undefined, driver_token: undefined })
  const tree = migrated(old, { driver_contact: '+15555550103' })
  expect(readValue(tree, 'booking_contacts/b1')).toMatchObject({
    customer_contact: '+15555550199',
    driver_contact: '+15555550103',
  })
})

test('does not write a migrated booking again', () => {
  const tree = migrated(before())
  expect(buildContactsUpdates(readValue(tree, 'bookings/b1') as never)).toEqual({})
})
