import { expect, it } from 'vitest'
import type { OutboxMessage } from '~/domain/messages/outbox'
import type { User } from '~/domain/accounts/types'
import { save_user } from '../../endpoints/users/saveUser'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createUserContext,
  TEST_NOW,
} from '../../testing/testPorts'

const NUMBER = '+15555550190'
const ADDRESS = 'new@kerbside.example'

it.each([
  ['a new phone number', {}, { mobile: NUMBER }, ['phone_changed']],
  ['a new e-mail address', {}, { email: ADDRESS }, ['email_changed']],
  ['both', {}, { mobile: NUMBER, email: ADDRESS }, ['email_changed', 'phone_changed']],
])('tells a person of %s at the former address and number', async (_, former, change, expected) => {
  const { users } = aProject()
  const rider = { ...users.rider, email: 'old@kerbside.example', emailVerified: true, ...former }
  const accounts = createMemoryAccounts()
  const given = createProjectPorts({ users: { ...users, rider } }, { accounts })
  const context = createUserContext('rider', 'rider', given)
  const caller = { ...context.caller, phone: NUMBER }
  await save_user.handle({ id: 'rider', ...change }, { ...context, caller, now: TEST_NOW })
  const messages = Object.values(
    (given.db.at('internal/outbox') ?? {}) as Record<string, OutboxMessage>,
  )
  const sent = messages.map(({ event, channel, address }) => [event, channel, address])
  expect(sent.sort()).toEqual(
    expected.flatMap((event) => [
      [event, 'email', rider.email],
      [event, 'sms', rider.mobile],
    ]),
  )
  const pushes = Object.values(
    (given.db.at('inbox/rider') ?? {}) as Record<string, { title: string }>,
  )
  expect(pushes.map(({ title }) => title).sort()).toEqual(
    expected.map((event) => `push_${event}_title`),
  )
})

/** Returns the messages and the news of a change of the rider's record. */
const changeContact = async (former: Partial<User>, change: object, proved: object) => {
  const { users } = aProject()
  const rider = { ...users.rider, ...former }
  const given = createProjectPorts(
    { users: { ...users, rider } },
    { accounts: createMemoryAccounts() },
  )
  const context = createUserContext('rider', 'rider', given)
  const caller = { ...context.caller, ...proved }
  await save_user.handle({ id: 'rider', ...change }, { ...context, caller, now: TEST_NOW })
  const list = <Row>(path: string) => Object.values((given.db.at(path) ?? {}) as Row[])
  return {
    messages: list<OutboxMessage>('internal/outbox').map(({ channel, address }) => [
      channel,
      address,
    ]),
    news: list<{ title: string }>('inbox/rider').map(({ title }) => title),
  }
}

it('tells the verified address of the first phone number', async () => {
  const former = { mobile: '', email: 'old@kerbside.example', emailVerified: true }
  expect(await changeContact(former, { mobile: NUMBER }, { phone: NUMBER })).toEqual({
    messages: [['email', former.email]],
    news: ['push_phone_changed_title'],
  })
})

it('tells the number of the first address when it can sign in, and otherwise only the app', async () => {
  const { users } = aProject()
  const former = { email: '' }
  expect(await changeContact(former, { email: ADDRESS }, { email: ADDRESS })).toEqual({
    messages: [['sms', users.rider.mobile]],
    news: ['push_email_changed_title'],
  })
  expect(await changeContact(former, { email: ADDRESS }, {})).toEqual({
    messages: [],
    news: ['push_email_changed_title'],
  })
})

it('does not write to a former address without a proof', async () => {
  const { users } = aProject()
  const rider = { ...users.rider, email: 'victim@kerbside.example' }
  const given = createProjectPorts({ users: { ...users, rider } })
  const context = createUserContext('rider', 'rider', given)
  await save_user.handle({ id: 'rider', email: ADDRESS }, { ...context, now: TEST_NOW })
  const messages = Object.values(given.db.at('internal/outbox') as Record<string, OutboxMessage>)
  expect(messages.map(({ channel, address }) => [channel, address])).toEqual([
    ['sms', rider.mobile],
  ])
})
