import { expect, test } from 'vitest'
import { buildApprovalUpdates, getRole, getRoles, type RoleSource } from './roles'
import { aDriver, aRider } from '../testing/builders'

test.each<[string, RoleSource | null, string | null]>([
  ['an approved driver', aDriver(), 'driver'],
  ['a driver who waits for approval', aDriver({ approved: false }), null],
  ['a record without an approval', { usertype: 'rider' }, null],
  ['an approved account of an unknown type', { usertype: 'superuser', approved: true }, null],
  ['a record whose approval is not a boolean', { usertype: 'rider', approved: 'true' }, null],
  ['a missing account', null, null],
])('calculates the role of %s', (_title, user, role) => {
  expect(getRole(user)).toBe(role)
})

test('lists no roles for accounts without one', () => {
  const users = { rider: aRider(), waiting: aDriver({ id: 'waiting', approved: false }) }
  expect(getRoles(users)).toEqual({ rider: 'rider' })
})

test('writes record and role on approval, and removes the role on suspension', () => {
  const driver = { id: 'beto', usertype: 'driver' } as const
  expect(buildApprovalUpdates(driver, true)).toEqual({
    'users/beto/approved': true,
    'roles/beto': 'driver',
  })
  expect(buildApprovalUpdates(driver, false)).toEqual({
    'users/beto/approved': false,
    'roles/beto': null,
  })
})
