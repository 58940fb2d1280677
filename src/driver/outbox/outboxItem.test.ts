import { expect, test } from 'vitest'
import { domainError } from '~/domain/api/errors'
import { type DriverEventInput, isPermanentError, isSameEvent, type OutboxItem } from './outboxItem'

test.each(['maintenance', 'schema_newer', 'schema_older', 'too_many_requests'] as const)(
  'retries an event refused with %s',
  (key) => {
    expect(isPermanentError(domainError(key))).toBe(false)
  },
)

test('does not retry an event that the booking does not allow', () => {
  expect(isPermanentError(domainError('event_not_possible'))).toBe(true)
})

const anEvent = (input: DriverEventInput): OutboxItem => ({
  kind: 'event',
  key: 'a',
  booking_id: input.booking_id,
  at: 1,
  input,
})
const STOP = { lat: 1, lng: 2 }
test.each<[string, DriverEventInput, DriverEventInput, boolean]>([
  [
    'an arrival at another position',
    { booking_id: 'b', event: 'arrive', lat: 1, lng: 2 },
    { booking_id: 'b', event: 'arrive', lat: 3, lng: 4 },
    true,
  ],
  [
    'an event of another booking',
    { booking_id: 'b', event: 'collect' },
    { booking_id: 'c', event: 'collect' },
    false,
  ],
  [
    'the next stop',
    { booking_id: 'b', event: 'leave_stop', index: 0, stop: STOP },
    { booking_id: 'b', event: 'leave_stop', index: 1, stop: STOP },
    false,
  ],
])('knows whether %s already waits', (_, waiting, input, expected) => {
  expect(isSameEvent(anEvent(waiting), input)).toBe(expected)
})
