import { describe, expect, test } from 'vitest'
import { ERROR_KEYS } from '../api/errorKeys'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  aBookingRequest,
  aRider,
  aSettings,
  anEventContext,
  MINUTE,
  NOON,
} from '../testing/builders'
import { ARRIVED_AT_STOP, STOPS, toStopInput } from '../testing/stopInputs'
import { applyBookingEvent } from './applyBookingEvent'
import type { Actor } from './eventTypes'
import { getAvailableEvents } from './availableEvents'
import { getAmountDue } from './payment/paymentPacket'
import { BOOKING_EVENTS, getDefinition, type BookingEvent } from './transitions'
import { isOfficeStep } from './trip/officeStep'
import type { EventInput } from './eventInput'
import type { EventContext } from './eventContext'
import { STATUSES, type Booking, type Status } from './types'

const ACTORS = {
  'its customer': { uid: 'rider', role: 'rider' },
  'another rider': { uid: 'rider2', role: 'rider' },
  'its driver': { uid: 'driver', role: 'driver' },
  'a requested driver': { uid: 'requested', role: 'driver' },
  'another driver': { uid: 'driver2', role: 'driver' },
  'an admin': admin,
  'its fleet admin': { uid: 'fleet', role: 'fleetadmin' },
  'the system': { uid: 'kerbside-server', role: 'system' },
} as const satisfies Record<string, Actor>
type Who = keyof typeof ACTORS
type From = Status | 'none'

/** A provider's message about money moves a booking in every status in which it may be paid. */
const WHILE_PAYMENT_COUNTS: Partial<Record<From, Who[]>> = {
  NEW: ['the system'],
  ACCEPTED: ['the system'],
  ARRIVED: ['the system'],
  STARTED: ['the system'],
  REACHED: ['the system'],
  PENDING: ['the system'],
  PAID: ['the system'],
  COMPLETE: ['the system'],
}

/**
 * Repeats the table by hand, so that a change of the table needs a deliberate second change here.
 */
const ALLOWED: Record<BookingEvent, Partial<Record<From, Who[]>>> = {
  create: { none: ['its customer', 'another rider', 'an admin'] },
  pay: {
    PAYMENT_PENDING: ['its customer', 'the system'],
    PENDING: ['its customer', 'the system'],
  },
  amend: {
    PAYMENT_PENDING: ['its customer', 'an admin'],
    NEW: ['its customer', 'an admin'],
    ACCEPTED: ['its customer', 'an admin'],
    ARRIVED: ['its customer', 'an admin'],
    STARTED: ['its customer', 'an admin'],
  },
  dispatch: { NEW: ['the system'] },
  take: { NEW: ['an admin'] },
  hand_back: { NEW: ['an admin'] },
  keep_waiting: { NEW: ['its customer', 'an admin'] },
  assign: { NEW: ['an admin'] },
  accept: { NEW: ['a requested driver'] },
  decline: { NEW: ['a requested driver'] },
  withdraw: { NEW: ['an admin', 'the system'] },
  release: { ACCEPTED: ['its driver', 'an admin'], ARRIVED: ['its driver', 'an admin'] },
  arrive: { ACCEPTED: ['its driver', 'an admin'] },
  start: { ARRIVED: ['its driver', 'an admin'] },
  arrive_stop: { STARTED: ['its driver'] },
  leave_stop: { STARTED: ['its driver'] },
  skip_stop: { STARTED: ['its driver'] },
  reach: { STARTED: ['its driver', 'an admin'] },
  finish: { REACHED: ['its driver', 'an admin'] },
  collect: { PENDING: ['its driver', 'an admin'] },
  rate: { PAID: ['its customer'] },
  refund: WHILE_PAYMENT_COUNTS,
  reinstate: WHILE_PAYMENT_COUNTS,
  cancel: {
    PAYMENT_PENDING: ['its customer', 'an admin'],
    NEW: ['its customer', 'an admin'],
    ACCEPTED: ['its customer', 'an admin'],
    ARRIVED: ['its customer', 'an admin'],
  },
  no_show: { ARRIVED: ['its driver', 'an admin'] },
  review: {
    REACHED: ['an admin'],
    PENDING: ['an admin'],
    PAID: ['an admin'],
    COMPLETE: ['an admin'],
  },
  compensate: { PAID: ['an admin'], COMPLETE: ['an admin'], CANCELLED: ['an admin'] },
  tip: { PAID: ['its customer'], COMPLETE: ['its customer'] },
  expire: { PAYMENT_PENDING: ['the system'], NEW: ['the system'] },
}

const bookingIn = (status: Status): Booking =>
  aBooking({
    waypoints: STOPS.slice(0, 1),
    status,
    fleetadmin: 'fleet',
    // A later booking past its time, the only NEW booking that may expire.
    bookLater: true,
    // The creator is none of the actors: a second create by them would be a repeat, not a refusal.
    event_log: { create: { event: 'create', by: 'x', at: NOON, status: 'NEW', revision: 1 } },
    ...(status === 'NEW' && { requestedDrivers: { requested: true } }),
    // The trip needs a review by the back office.
    distance_review: { verdict: 'flagged', dropped_points: 12, charged_time: 840 },
  })

/** The input of an admin for a step of the driver. */
const OFFICE_REASON = { reason: 'The phone is dead' }

const inputFor = (event: BookingEvent, booking: Booking | null, actor: Actor): EventInput => {
  switch (event) {
    case 'create':
      return {
        event,
        input: { ...aBookingRequest(), ...(actor.role === 'admin' && { customer: 'rider' }) },
      }
    case 'pay':
      return actor.role === 'system'
        ? {
            event,
            payment: {
              id: 'p1',
              gateway: 'test',
              amount: booking ? getAmountDue(booking, 2).due : 1,
              currency: 'UYU',
            },
          }
        : { event, payment_mode: 'wallet' }
    case 'amend':
      return { event, waypoints: STOPS }
    case 'dispatch':
      return { event, drivers: ['driver2'] }
    case 'assign':
      return { event, driver: 'driver2' }
    case 'withdraw':
      return { event, driver: 'requested' }
    case 'arrive':
    case 'reach':
      return { event, ...(isOfficeStep(actor) ? OFFICE_REASON : { lat: -34.9, lng: -56.18 }) }
    case 'finish':
    case 'collect':
      return { event, ...(isOfficeStep(actor) && OFFICE_REASON) }
    case 'arrive_stop':
    case 'leave_stop':
    case 'skip_stop':
      return toStopInput(booking ?? aBooking(), event)
    case 'start':
      return { event, ...(isOfficeStep(actor) ? OFFICE_REASON : { otp: 12345 }) }
    case 'rate':
      return { event, rating: 5 }
    case 'refund':
      return { event, payment: 'p1', amount: 1 }
    case 'reinstate': {
      const isAfterPaid = booking?.status === 'PAID' || booking?.status === 'COMPLETE'
      return { event, payment: 'p1', amount: 1, isAfterPaid }
    }
    case 'release':
    case 'cancel':
      return { event, reason: 'changed my mind' }
    case 'keep_waiting':
      return { event, asked_at: NOON }
    case 'review':
      return { event, decision: 'keep' }
    case 'tip':
      return { event, request_id: '-OAtip00000000000001', amount: 1 }
    case 'compensate':
      return { event, request_id: '-OAcompensation00001', reason: 'goodwill', rider: 1 }
    default:
      return { event }
  }
}

const settingsFor = (event: BookingEvent) => aSettings({ autoDispatch: event === 'dispatch' })
const contextFor = (event: BookingEvent, actor: Actor): EventContext => {
  const uid = event === 'assign' ? 'driver2' : event === 'accept' ? actor.uid : 'driver'
  const customer = actor.role === 'rider' && event === 'create' ? actor.uid : 'rider'
  return anEventContext({
    settings: settingsFor(event),
    customer: aRider({ id: customer, walletBalance: 1000 }),
    driver: aDriver({ id: uid }),
  })
}

const NOW = NOON + 60 * MINUTE
const cells = BOOKING_EVENTS.flatMap((event) =>
  (['none', ...STATUSES] as const).map((from): [BookingEvent, From] => [event, from]),
)

describe.each(cells)('the event %s in the status %s', (event, from) => {
  test.each(Object.keys(ACTORS) as Who[])(
    'succeeds for %s exactly when the table allows it',
    (who) => {
      const actor: Actor = ACTORS[who]
      const paidByCard = { customer_paid: 43.13, paymentPacket: aCardPacket() }
      const stored = from === 'none' ? null : bookingIn(from)
      const booking = stored && {
        ...stored,
        ...(event === 'refund' && paidByCard),
        ...(event === 'reinstate' && {
          refunded: 2,
          paymentPacket: aCardPacket({ cardPaymentAmount: 40, cashPaymentAmount: 3.13 }),
        }),
        ...(event === 'hand_back' && { taken_by: admin.uid }),
        ...(event === 'keep_waiting' && { wait_until: NOON }),
        ...(event === 'leave_stop' && { event_log: { ...stored.event_log, ...ARRIVED_AT_STOP } }),
      }
      const input = inputFor(event, booking, actor)
      const result = applyBookingEvent(booking, input, {
        actor,
        context: contextFor(event, actor),
        now: NOW,
      })
      const allowed = ALLOWED[event][from]?.includes(who) ?? false
      if (!result.ok) {
        expect(ERROR_KEYS).toContain(result.error.key)
        expect(result.error.failureChange).toBeUndefined()
      }
      expect(result.ok, result.ok ? '' : result.error.key).toBe(allowed)
      if (result.ok) {
        const row = getDefinition(event)
        expect(row.from).toContain(from)
        expect(row.by).toContain(actor.role)
        expect(row.to).toContain(result.value.response.status)
        expect(result.value.response.revision).toBe((booking?.revision ?? 0) + 1)
      }
    },
  )
})

test.each(STATUSES)('offers in %s exactly the events that would succeed', (status) => {
  for (const [who, actor] of Object.entries(ACTORS)) {
    // The driver leaves a stop after they have reached it, the office hands back what it took, and
    // a customer who waits for a driver goes on waiting.
    const possible = BOOKING_EVENTS.filter(
      (event) =>
        !['leave_stop', 'hand_back', 'keep_waiting'].includes(event) &&
        ALLOWED[event][status]?.includes(who as Who),
    )
    expect(getAvailableEvents(bookingIn(status), actor), who).toEqual(possible)
  }
})

test('covers every transition of the table in the list above', () => {
  for (const event of BOOKING_EVENTS)
    expect(Object.keys(ALLOWED[event]).sort()).toEqual([...getDefinition(event).from].sort())
})
