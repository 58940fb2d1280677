import { expect, it } from 'vitest'
import type { OutboxMessage } from '~/domain/messages/outbox'
import { save_user } from '../endpoints/saveUser'
import {
  aProject,
  createMemoryAccounts,
  createProjectPorts,
  createUserContext,
  TEST_NOW,
} from '../testing/testPorts'

const NUMBER = '+15555550190'
const ADDRESS = 'new@kerbside.example'

it.each([
  ['a new phone number', {}, { mobile: NUMBER }, ['phone_changed email']],
  ['a new e-mail address', {}, { email: ADDRESS }, ['email_changed sms']],
  ['both', {}, { mobile: NUMBER, email: ADDRESS }, ['email_changed sms', 'phone_changed email']],
  ['the first phone number', { mobile: '' }, { mobile: NUMBER }, []],
  ['the first e-mail address', { email: '' }, { email: ADDRESS }, []],
])('tells a person of %s on another channel', async (_, former, change, expected) => {
  const { users } = aProject()
  const rider = { ...users.rider, email: 'old@kerbside.example', ...former }
  const accounts = createMemoryAccounts()
  const given = createProjectPorts({ users: { ...users, rider } }, { accounts })
  const context = createUserContext('rider', 'rider', given)
  const caller = { ...context.caller, phone: NUMBER }
  await save_user.handle({ id: 'rider', ...change }, { ...context, caller, now: TEST_NOW })
  const messages = Object.values(
    (given.db.at('internal/outbox') ?? {}) as Record<string, OutboxMessage>,
  )
  expect(messages.map(({ event, channel }) => `${event} ${channel}`).sort()).toEqual(expected)
  const pushes = Object.values(
    (given.db.at('inbox/rider') ?? {}) as Record<string, { title: string }>,
  )
  expect(pushes.map(({ title }) => title).sort()).toEqual(
    expected.map((message) => `push_${message.split(' ')[0]}_title`),
  )
})
