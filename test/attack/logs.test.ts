import { expect, it } from 'vitest'
import type { DatabaseTree } from '~/domain/invariants'
import { aRider } from '~/domain/testing/builders'
import { personalLines } from '../support/personal'

// The suite's own log is asked the same when its tests are over.
it('a line of the functions that names somebody’s phone or e-mail is found, without naming it', () => {
  const tree = { users: { rider: aRider() } } as unknown as DatabaseTree
  const log = [
    'i  To verify the phone number +15555550199, use the code 123456.',
    '>  {"name":"health","uid":"rider","message":"call"}',
    '>  {"to":"+15555550199","message":"sent"}',
    '>  rider@kerbside.example is new',
  ].join('\n')
  const found = personalLines(log, tree)
  expect(found).toHaveLength(2)
  expect(found[0]).toBe('"message":"sent"')
})
