import { describe, expect, it } from 'vitest'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { aRider, aSettings } from '~/domain/testing/builders'
import { delete_user } from '../../endpoints/users/deleteUser'
import { save_user } from '../../endpoints/users/saveUser'
import { aProject, createProjectPorts, createUserContext } from '../../testing/testPorts'
import type { User } from '~/domain/accounts/types'

const OLGA = '+15555550178'
const createPorts = (olga: Partial<User>) =>
  createProjectPorts({
    settings: { ...aSettings(), AllowCriticalEditsAdmin: true },
    users: {
      ...aProject().users,
      olga: {
        ...aRider({ id: 'olga', mobile: OLGA, email: 'olga@kerbside.example' }),
        emailVerified: true,
        walletBalance: 0,
        ...olga,
      },
    },
  })
type TestPorts = ReturnType<typeof createPorts>
const asAdmin = (given: TestPorts) => createUserContext('admin', 'admin', given)

const listWarnings = ({ db }: TestPorts) =>
  Object.values((db.at('internal/outbox') ?? {}) as Record<string, OutboxMessage>)
    .map(({ event, channel, address }) => [event, channel, address])
    .sort()
const listTitles = ({ db }: TestPorts, uid: string) =>
  Object.values((db.at(`inbox/${uid}`) ?? {}) as Record<string, { title: string }>).map(
    ({ title }) => title,
  )
const toBoth = (event: string) => [
  [event, 'email', 'olga@kerbside.example'],
  [event, 'sms', OLGA],
]

describe.each(['admin', 'fleetadmin'] as const)(
  'the warning to a colleague who is %s',
  (usertype) => {
    it.each([
      ['an approval', true, 'office_access_given'],
      ['a block', false, 'office_access_ended'],
    ])('tells them of %s, once', async (_, approved, event) => {
      const given = createPorts({ usertype, approved: !approved })
      const decide = () => save_user.handle({ id: 'olga', approved }, asAdmin(given))
      await decide()
      await decide()
      expect(listWarnings(given)).toEqual(toBoth(event))
      expect(listTitles(given, 'olga')).toEqual([`push_${event}_title`])
    })

    it('goes to no address that they have not proved', async () => {
      const given = createPorts({ usertype, approved: false, emailVerified: false })
      await save_user.handle({ id: 'olga', approved: true }, asAdmin(given))
      expect(listWarnings(given)).toEqual([['office_access_given', 'sms', OLGA]])
    })

    it('tells a person whom the office adds', async () => {
      const given = createPorts({})
      const mobile = '+15555550179'
      const person = {
        usertype,
        firstName: 'Ida',
        lastName: 'Paz',
        mobile,
        email: 'ida@example.com',
      }
      const { id } = await save_user.handle(person, asAdmin(given))
      expect(listWarnings(given)).toEqual([['office_access_given', 'sms', mobile]])
      expect(listTitles(given, id)).toEqual(['push_office_access_given_title'])
    })

    it('does not tell a person who is added without an approval', async () => {
      const given = createPorts({})
      const mobile = '+15555550179'
      const person = {
        usertype,
        firstName: 'Ida',
        lastName: 'Paz',
        mobile,
        email: 'ida@example.com',
      }
      await save_user.handle({ ...person, approved: false }, asAdmin(given))
      expect(listWarnings(given)).toEqual([])
    })

    it('tells a person whose account another one deletes', async () => {
      const given = createPorts({ usertype })
      await delete_user.handle({ id: 'olga' }, asAdmin(given))
      expect(given.db.at('users/olga')).toBeNull()
      expect(listWarnings(given)).toEqual(toBoth('office_access_ended'))
      expect(listTitles(given, 'olga')).toEqual([])
    })

    it('does not tell those who delete their own account', async () => {
      const given = createPorts({ usertype })
      await delete_user.handle({ id: 'olga' }, createUserContext('olga', usertype, given))
      expect(listWarnings(given)).toEqual([])
    })
  },
)

it.each(['rider', 'driver'] as const)('does not warn a %s of a block', async (usertype) => {
  const given = createPorts({ usertype })
  await save_user.handle({ id: 'olga', approved: false }, asAdmin(given))
  expect(listWarnings(given)).toEqual([])
})
