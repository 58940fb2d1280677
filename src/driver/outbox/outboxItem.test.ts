import { expect, test } from 'vitest'
import { domainError } from '~/domain/errors'
import { isPermanentError } from './outboxItem'

test.each(['maintenance', 'schema_newer', 'schema_older', 'too_many_requests'] as const)(
  'retries an event refused with %s',
  (key) => {
    expect(isPermanentError(domainError(key))).toBe(false)
  },
)

test('does not retry an event that the booking does not allow', () => {
  expect(isPermanentError(domainError('event_not_possible'))).toBe(true)
})
