import { expect, test } from 'vitest'
import { withListing } from './listing'
import { aDriver } from './testing/builders'

test('a new record is listed without what grows with it', () => {
  const driver = aDriver({ id: 'beto', fleetadmin: 'fleet', walletHistory: {} })
  const { 'people/beto': listed } = withListing({ 'users/beto': { ...driver } as never })
  expect(listed).toEqual({
    usertype: 'driver',
    fleetadmin: 'fleet',
    firstName: driver.firstName,
    lastName: driver.lastName,
    mobile: driver.mobile,
    email: driver.email,
    createdAt: driver.createdAt,
    ...(driver.referralId !== undefined && { referralId: driver.referralId }),
    ...(driver.vehicleNumber !== undefined && { vehicleNumber: driver.vehicleNumber }),
  })
})

test('a part that is listed changes in both places, any other in one', () => {
  const updates = { 'users/beto/firstName': 'Norberto', 'users/beto/walletBalance': 5 }
  expect(withListing(updates)).toEqual({ ...updates, 'people/beto/firstName': 'Norberto' })
})

test('who leaves is not listed', () => {
  expect(withListing({ 'users/beto': null })).toEqual({ 'users/beto': null, 'people/beto': null })
})

test('an update about nobody stays as it is', () => {
  const updates = { 'bookings/one/status': 'NEW', 'users/beto/walletHistory/entry': { amount: 5 } }
  expect(withListing(updates)).toEqual(updates)
})
