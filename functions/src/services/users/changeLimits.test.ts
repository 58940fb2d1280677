import { expect, it } from 'vitest'
import { DAY_MS } from '~/domain/language/timeUnits'
import { DomainException } from '../../domainException'
import { save_user } from '../../endpoints/users/saveUser'
import { aProject, createProjectPorts, createUserContext, TEST_NOW } from '../../testing/testPorts'
import type { UserType } from '~/domain/access/types'

const openAccounts = () => {
  const { users } = aProject()
  const given = createProjectPorts({
    users: { ...users, admin: { ...users.admin, email: 'admin@kerbside.example' } },
  })
  const save = (uid: string, role: UserType, fields: object, now = TEST_NOW, id = uid) =>
    save_user.handle({ id, ...fields }, { ...createUserContext(uid, role, given), now }).then(
      () => 'saved',
      (error: unknown) => {
        if (error instanceof DomainException) return error.error
        throw error
      },
    )
  const countWarnings = () => Object.keys(given.db.at('internal/outbox') ?? {}).length
  return { db: given.db, save, countWarnings }
}
const toEmail = (n: number) => ({ email: `rider${n}@kerbside.example` })

it.each([
  ['rider', 'email', toEmail],
  ['admin', 'email', toEmail],
  ['driver', 'bankAccount', (n: number) => ({ bankAccount: `UY ${n}` })],
] as const)('%s changes their own %s three times a day', async (role, field, toFields) => {
  const { save } = openAccounts()
  for (let n = 1; n <= 3; n++)
    expect(await save(role, role, toFields(n), TEST_NOW + n)).toBe('saved')
  const minutes = Math.ceil((DAY_MS - (TEST_NOW % DAY_MS)) / 60_000)
  const refused = { key: 'too_many_changes', field, params: { minutes } }
  expect(await save(role, role, toFields(4))).toEqual(refused)
  expect(await save(role, role, { firstName: 'Ana' })).toBe('saved')
  expect(await save(role, role, toFields(4), TEST_NOW + minutes * 60_000)).toBe('saved')
})

it('makes 65 changes of an address send warnings about three', async () => {
  const { save, countWarnings } = openAccounts()
  await save('rider', 'rider', toEmail(0), TEST_NOW - DAY_MS)
  const before = countWarnings()
  await Promise.all(
    Array.from({ length: 65 }, (_, n) =>
      save('rider', 'rider', toEmail(n + 1), TEST_NOW + n).catch(() => null),
    ),
  )
  expect(countWarnings() - before).toBe(3)
})

it('does not count a change that is refused', async () => {
  const { save, db } = openAccounts()
  db.put({ 'users/driver/email': 'driver@kerbside.example' })
  await save('driver', 'driver', { email: 'taken@kerbside.example' }, TEST_NOW - DAY_MS)
  for (let n = 0; n < 5; n++)
    expect(await save('rider', 'rider', { email: 'taken@kerbside.example' })).toMatchObject({
      key: 'user_exists',
    })
  expect(await save('rider', 'rider', toEmail(1))).toBe('saved')
})

it('lets the office correct the bank details of a driver at any time', async () => {
  const { save } = openAccounts()
  for (let n = 1; n <= 5; n++) {
    const fields = { bankAccount: `UY ${n}` }
    expect(await save('admin', 'admin', fields, TEST_NOW + n, 'driver')).toBe('saved')
  }
})
