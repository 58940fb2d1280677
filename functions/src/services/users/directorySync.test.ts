import { expect, test } from 'vitest'
import { aDriver } from '~/domain/testing/builders'
import { syncRole, syncDirectoryEntry } from './directorySync'
import { WriteConflictError } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'

test('lists a person whose record no function created', async () => {
  const db = createTestDatabase({
    users: { beto: aDriver({ id: 'beto', fleetadmin: 'fleet' }) },
    people: {},
  })
  await syncDirectoryEntry(db, 'beto')
  expect(db.at('people/beto')).toMatchObject({ usertype: 'driver', fleetadmin: 'fleet' })
})

test('changes nothing on a second event about the same person', async () => {
  const db = createTestDatabase({ users: { beto: aDriver({ id: 'beto' }) }, people: {} })
  await syncDirectoryEntry(db, 'beto')
  await syncDirectoryEntry(db, 'beto')
  expect(db.getCommitCount()).toBe(1)
})

test('removes a deleted person from the list', async () => {
  const db = createTestDatabase({ people: { beto: { usertype: 'driver', firstName: 'Beto' } } })
  await syncDirectoryEntry(db, 'beto')
  expect(db.at('people/beto')).toBeNull()
})

test('rejects when a person can’t be listed', async () => {
  const users = { beto: { usertype: 'driver', approved: true } }
  const db = createTestDatabase({ users, people: {} })
  await expect(syncDirectoryEntry(db, 'beto')).rejects.toThrow(WriteConflictError)
})

test('lists a change that happens while the person is being listed', async () => {
  const db = createTestDatabase({
    users: { beto: aDriver({ id: 'beto', firstName: 'Beto' }) },
    people: {},
  })
  let interrupted = false
  const racing = {
    ...db,
    update: async (updates: Parameters<typeof db.update>[0]) => {
      await db.update(updates)
      if (interrupted) return
      interrupted = true
      db.put({ 'users/beto/firstName': 'Norberto' })
    },
  }
  await syncDirectoryEntry(racing, 'beto')
  expect(db.at('people/beto/firstName')).toBe('Norberto')
})

test('gives an account approved or suspended in a console the role in its record', async () => {
  const db = createTestDatabase({ users: { beto: aDriver({ id: 'beto' }) }, roles: {} })
  await syncRole(db, 'beto')
  expect(db.at('roles/beto')).toBe('driver')
  db.put({ 'users/beto/usertype': 'rider' })
  await syncRole(db, 'beto')
  expect(db.at('roles/beto')).toBe('rider')
  db.put({ 'users/beto/approved': false })
  await syncRole(db, 'beto')
  expect(db.at('roles/beto')).toBeNull()
  const commits = db.getCommitCount()
  await syncRole(db, 'beto')
  expect(db.getCommitCount()).toBe(commits)
})

test('removes the role of an account deleted in a console', async () => {
  const db = createTestDatabase({ roles: { beto: 'admin' } })
  await syncRole(db, 'beto')
  expect(db.at('roles/beto')).toBeNull()
})
