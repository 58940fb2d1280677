import { expect, it } from 'vitest'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { aRider } from '~/domain/testing/builders'
import { findPersonalLines } from '../support/personalDataCheck'

// The teardown runs the same check on the suite's own log.
it('reports a log line with a phone number or email address without repeating it', () => {
  const tree = { users: { rider: aRider() } } as unknown as DatabaseTree
  const log = [
    'i  To verify the phone number +15555550199, use the code 123456.',
    '>  {"name":"health","uid":"rider","message":"call"}',
    '>  {"to":"+15555550199","message":"sent"}',
    '>  rider@kerbside.example is new',
  ].join('\n')
  const found = findPersonalLines(log, tree)
  expect(found).toHaveLength(2)
  expect(found[0]).toBe('"message":"sent"')
})
