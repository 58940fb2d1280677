import { expect, test } from 'vitest'
import { toSortKey, withDirectory } from './directory'
import { aDriver } from '../testing/builders'

test('lists a new record without its growing parts', () => {
  const driver = aDriver({ id: 'beto', fleetadmin: 'fleet', walletHistory: {} })
  const { 'people/beto': listed } = withDirectory({ 'users/beto': { ...driver } as never })
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
    sortKey: 'driver~beto silva',
  })
})

test('sorts people of a type by name, whatever its accents and capitals', () => {
  const names = [
    ['Zoe', ''],
    ['ÁLVARO', 'Núñez'],
    ['alba', 'Paz'],
    ['Zoe', 'Abad'],
  ] as const
  const keys = names.map(([firstName, lastName]) =>
    toSortKey({ usertype: 'rider', firstName, lastName }),
  )
  expect(keys.sort()).toEqual([
    'rider~alba paz',
    'rider~alvaro nunez',
    'rider~zoe',
    'rider~zoe abad',
  ])
})

test('writes a listed field in both places and any other field in one', () => {
  const updates = { 'users/beto/firstName': 'Norberto', 'users/beto/walletBalance': 5 }
  expect(withDirectory(updates)).toEqual({ ...updates, 'people/beto/firstName': 'Norberto' })
})

test('removes a deleted person from the directory and the roles', () => {
  expect(withDirectory({ 'users/beto': null })).toEqual({
    'users/beto': null,
    'people/beto': null,
    'roles/beto': null,
  })
})

test.each([
  ['gives an approved driver a role', true, 'driver'],
  ['gives a driver who waits for approval no role', false, null],
])('%s', (_title, approved, role) => {
  const updates = withDirectory({ 'users/beto': { ...aDriver({ id: 'beto', approved }) } as never })
  expect(updates['roles/beto']).toBe(role)
})

test('leaves an update unchanged when it touches no person', () => {
  const updates = { 'bookings/one/status': 'NEW', 'users/beto/walletHistory/entry': { amount: 5 } }
  expect(withDirectory(updates)).toEqual(updates)
})
