import { describe, expect, it, test } from 'vitest'
import { applyBookingEvent } from '../booking/applyBookingEvent'
import type { Actor } from '../booking/eventTypes'
import {
  aBooking,
  aDriver,
  anEventContext,
  aPaymentAttempt,
  aSettings,
  driver,
  NOON,
  rider,
} from '../testing/builders'
import { buildAttemptUpdates } from '../payments/paymentChange'
import { claimMessage, LEASE_MS, settleMessage, toSenderName, type OutboxMessage } from './outbox'
import type { EventInput } from '../booking/eventInput'
import type { EventContext } from '../booking/eventContext'
import type { Booking } from '../booking/types'
import type { Settings } from '../catalog/types'

const PREFIX = 'internal/outbox/'
/** Returns the messages that an event writes with its booking, by key. */
const getMessages = (
  booking: Booking,
  input: EventInput,
  actor: Actor,
  context: Partial<EventContext> = {},
): Record<string, OutboxMessage> => {
  const result = applyBookingEvent(booking, input, {
    actor,
    context: anEventContext(context),
    now: NOON,
  })
  if (!result.ok) throw new Error(`The event was refused: ${result.error.key}.`)
  return Object.fromEntries(
    Object.entries(result.value.updates)
      .filter(([path]) => path.startsWith(PREFIX))
      .map(([path, value]) => [path.slice(PREFIX.length), value as unknown as OutboxMessage]),
  )
}
const offered = (more: Partial<Booking> = {}) =>
  aBooking({
    id: 'b1',
    status: 'NEW',
    revision: 2,
    driver: undefined,
    requestedDrivers: { driver: true },
    customer_name: 'Ana Paz',
    ...more,
  })
const accept = (more: Partial<Booking> = {}, settings: Partial<Settings> = {}) =>
  getMessages(offered(more), { event: 'accept' }, driver, {
    driver: aDriver({ queue: false }),
    settings: aSettings(settings),
  })

describe('the messages of an event', () => {
  it('are written with the booking, once for each person and channel', () => {
    expect(accept({}, { appcat: 'delivery' })).toEqual({
      'b1-3-accepted-rider-sms': expect.objectContaining({
        event: 'accepted',
        audience: 'rider',
        uid: 'rider',
        booking_id: 'b1',
        channel: 'sms',
        at: NOON,
        due: NOON,
        state: 'waiting',
        revision: 1,
      }) as OutboxMessage,
      'b1-3-parcel_sent-recipient-sms': expect.objectContaining({
        audience: 'recipient',
        params: { sender: 'Ana' },
      }) as OutboxMessage,
    })
  })

  it('have no recipient in taxi mode', () => {
    expect(Object.keys(accept({}, { appcat: 'taxi' }))).toEqual(['b1-3-accepted-rider-sms'])
  })

  it('address a rider for whom the office booked as a guest', () => {
    expect(accept({ booking_type_admin: true })['b1-3-accepted-rider-sms']?.audience).toBe('guest')
  })

  it('include no recipient of a cancellation who has heard of no parcel', () => {
    const cancel = { event: 'cancel', reason: 'Too late' } as const
    expect(getMessages(offered(), cancel, rider)).toEqual({})
  })

  it('name the rider or driver whose event caused them, and no admin', () => {
    expect(Object.values(accept())).toMatchObject([{ by: 'driver' }, { by: 'driver' }])
  })

  it('have no address and no whole name of the rider', () => {
    expect(JSON.stringify(accept())).not.toMatch(/Paz|\+\d|@/)
  })
})

test('tells the office of a payment when it gets a problem, and not when it loses one', () => {
  const attempt = aPaymentAttempt({ id: 'p1', uid: 'rider', revision: 3 })
  const key = 'internal/outbox/p1-4-payment_review-office-email'
  const updates = buildAttemptUpdates(attempt, { report: 'chargeback' }, NOON)
  const news = { event: 'payment_review', params: { payment: 'p1' } }
  expect(updates[key]).toMatchObject({ ...news, by: 'rider' })
  const alerts = Object.entries(updates).filter(([path]) =>
    path.startsWith('internal/admin/~news-'),
  )
  expect(alerts.map(([, alert]) => alert)).toEqual([
    { ...news, at: NOON, expires: NOON + 600_000, revision: 1 },
  ])
  const solved = buildAttemptUpdates(
    { ...attempt, problem: 'chargeback' },
    { isDecided: true },
    NOON,
  )
  expect(solved).toMatchObject({ 'payments/p1/problem': null })
  expect(solved).not.toHaveProperty([key])
})

test.each([
  ['Ana Paz', 'Ana'],
  ['https://evil.example/pay', 'httpsevilexamplepay'],
  ['0800-EVIL now', '-EVIL'],
  ['<b>Ana</b>', 'bAnab'],
  ['Jürgen-O’Neil X', 'Jürgen-O’Neil'],
  ['अनीता देवी', 'अनीता'],
  ['A'.repeat(99), 'A'.repeat(30)],
  ['', ''],
])('takes only letters of the first name of %s into a message to a stranger', (name, shown) => {
  expect(toSenderName(name)).toBe(shown)
})

describe('a claim', () => {
  const [message] = Object.values(accept())
  const claimed = message && claimMessage(message, NOON)

  it('is refused while another one holds, and allowed after it', () => {
    expect(claimed).toMatchObject({ state: 'claimed', tries: 1, revision: 2, due: NOON + LEASE_MS })
    expect(claimed && claimMessage(claimed, NOON + LEASE_MS - 1)).toBeNull()
    expect(claimed && claimMessage(claimed, NOON + LEASE_MS)).toMatchObject({ tries: 2 })
  })

  it('is refused for a done message', () => {
    const done = claimed && settleMessage(claimed, { state: 'sent', ref: 'a' }, NOON)
    expect(done).toMatchObject({ state: 'sent', ref: 'a', revision: 3 })
    expect(done).not.toHaveProperty('params')
    expect(done && claimMessage(done, done.due)).toBeNull()
  })
})
