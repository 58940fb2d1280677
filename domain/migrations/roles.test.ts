import { expect, test } from 'vitest'
import type { MigrationContext } from './migration'
import { buildRoleUpdate, rebuildRoles } from './roles'

/** A record in the format of release 0.1.0. */
const record = {
  id: 'beto',
  firstName: 'Beto',
  lastName: 'Conductor',
  mobile: '+15555550102',
  email: '',
  createdAt: '2026-01-01T00:00:00.000Z',
  walletBalance: 0,
}

test.each([
  ['driver', true, 'driver'],
  ['admin', true, 'admin'],
  ['driver', false, null],
  ['superuser', true, null],
])('maps a %s with the approval %s to the role %s', (usertype, approved, role) => {
  expect(buildRoleUpdate('beto', { ...record, usertype, approved })).toEqual({
    'roles/beto': role,
  })
})

test('gives no role to a record without an approval', () => {
  expect(buildRoleUpdate('beto', { ...record, usertype: 'driver' })).toEqual({ 'roles/beto': null })
})

test('removes a role without a record', () => {
  const context: MigrationContext = { settings: {}, texts: {}, now: 0 }
  const users = { ...record, usertype: 'driver', approved: true }
  expect(rebuildRoles.apply({ users, roles: null }, 'beto', context)['roles']).toBe('driver')
  expect(rebuildRoles.apply({ users: null, roles: 'admin' }, 'beto', context)['roles']).toBeNull()
})
