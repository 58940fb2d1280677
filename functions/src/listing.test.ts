import { expect, test } from 'vitest'
import { aDriver } from '~/domain/testing/builders'
import { listPerson } from './listing'
import { Conflict } from './ports/database'
import { memoryDatabase } from './ports/memoryDatabase'

test('somebody whom no function made is listed', async () => {
  const db = memoryDatabase({ users: { beto: aDriver({ id: 'beto', fleetadmin: 'fleet' }) } })
  await listPerson(db, 'beto')
  expect(db.at('people/beto')).toMatchObject({ usertype: 'driver', fleetadmin: 'fleet' })
})

test('a second event about the same changes nothing', async () => {
  const db = memoryDatabase({ users: { beto: aDriver({ id: 'beto' }) } })
  await listPerson(db, 'beto')
  await listPerson(db, 'beto')
  expect(db.commits()).toBe(1)
})

test('who is no longer there is no longer listed', async () => {
  const db = memoryDatabase({ people: { beto: { usertype: 'driver', firstName: 'Beto' } } })
  await listPerson(db, 'beto')
  expect(db.at('people/beto')).toBeNull()
})

test('who can’t be listed is no secret', async () => {
  const users = { beto: { usertype: 'driver', approved: true } }
  const db = memoryDatabase({ users }, () => false)
  await expect(listPerson(db, 'beto')).rejects.toThrow(Conflict)
})

test('what changed while he was being listed is listed too', async () => {
  const db = memoryDatabase({ users: { beto: aDriver({ id: 'beto', firstName: 'Beto' }) } })
  let interrupted = false
  const racing = {
    ...db,
    update: async (updates: Parameters<typeof db.update>[0]) => {
      await db.update(updates)
      if (interrupted) return
      interrupted = true
      await db.update({ 'users/beto/firstName': 'Norberto' })
    },
  }
  await listPerson(racing, 'beto')
  expect(db.at('people/beto/firstName')).toBe('Norberto')
})
