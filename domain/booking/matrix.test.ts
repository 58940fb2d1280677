import { describe, expect, test } from 'vitest'
import { STATUSES, type Booking, type Status } from '../entities'
import { ERROR_KEYS } from '../errors'
import {
  aBooking,
  aDriver,
  admin,
  aRequest,
  aRider,
  aSettings,
  aWorld,
  MINUTE,
  NOON,
} from '../testing/builders'
import { apply } from './apply'
import type { Actor, EventInput, World } from './change'
import { eventsFor } from './eventsFor'
import { dueOf } from './packet'
import { BOOKING_EVENTS, TRANSITIONS, type BookingEvent, type Transition } from './transitions'

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

/** Written out once more by hand: whoever changes the table has to change this too, and so think twice. */
const ALLOWED: Record<BookingEvent, Partial<Record<From, Who[]>>> = {
  create: { none: ['its customer', 'another rider', 'an admin'] },
  pay: {
    PAYMENT_PENDING: ['its customer', 'the system'],
    PENDING: ['its customer', 'the system'],
  },
  dispatch: { NEW: ['the system'] },
  assign: { NEW: ['an admin'] },
  accept: { NEW: ['a requested driver'] },
  decline: { NEW: ['a requested driver'] },
  arrive: { ACCEPTED: ['its driver'] },
  start: { ARRIVED: ['its driver'] },
  reach: { STARTED: ['its driver'] },
  finish: { REACHED: ['its driver'] },
  collect: { PENDING: ['its driver'] },
  rate: { PAID: ['its customer'] },
  cancel: {
    PAYMENT_PENDING: ['its customer', 'an admin'],
    NEW: ['its customer', 'an admin'],
    ACCEPTED: ['its customer', 'its driver', 'an admin'],
    ARRIVED: ['its customer', 'its driver', 'an admin'],
  },
  expire: { PAYMENT_PENDING: ['the system'], NEW: ['the system'] },
}

const bookingIn = (status: Status): Booking =>
  aBooking({
    status,
    fleetadmin: 'fleet',
    // A later one whose time is over: the one NEW booking that may expire.
    bookLater: true,
    // Nobody here made it: a maker's second create would be a repeat, not a refusal.
    event_log: { create: { event: 'create', by: 'x', at: NOON, status: 'NEW', revision: 1 } },
    ...(status === 'NEW' && { requestedDrivers: { requested: true } }),
  })

const inputFor = (event: BookingEvent, booking: Booking | null, actor: Actor): EventInput => {
  switch (event) {
    case 'create':
      return {
        event,
        input: { ...aRequest(), ...(actor.role === 'admin' && { customer: 'rider' }) },
      }
    case 'pay':
      return actor.role === 'system'
        ? {
            event,
            payment: {
              id: 'p1',
              gateway: 'test',
              amount: booking ? dueOf(booking, 2).due : 1,
              currency: 'UYU',
            },
          }
        : { event, payment_mode: 'wallet' }
    case 'dispatch':
      return { event, drivers: ['driver2'] }
    case 'assign':
      return { event, driver: 'driver2' }
    case 'arrive':
    case 'reach':
      return { event, lat: -34.9, lng: -56.18 }
    case 'start':
      return { event, otp: 12345 }
    case 'rate':
      return { event, rating: 5 }
    case 'cancel':
      return { event, reason: 'changed my mind' }
    default:
      return { event }
  }
}

const settingsFor = (event: BookingEvent) => aSettings({ autoDispatch: event === 'dispatch' })
const worldFor = (event: BookingEvent, actor: Actor): World => {
  const uid = event === 'assign' ? 'driver2' : event === 'accept' ? actor.uid : 'driver'
  const customer = actor.role === 'rider' && event === 'create' ? actor.uid : 'rider'
  return aWorld({
    settings: settingsFor(event),
    customer: aRider({ id: customer, walletBalance: 1000 }),
    driver: aDriver({ id: uid }),
  })
}

const NOW = NOON + 60 * MINUTE
const cells = BOOKING_EVENTS.flatMap((event) =>
  (['none', ...STATUSES] as const).map((from): [BookingEvent, From] => [event, from]),
)

describe.each(cells)('%s in %s', (event, from) => {
  test.each(Object.keys(ACTORS) as Who[])('by %s is as the table says', (who) => {
    const actor: Actor = ACTORS[who]
    const booking = from === 'none' ? null : bookingIn(from)
    const input = inputFor(event, booking, actor)
    const result = apply(booking, input, actor, worldFor(event, actor), NOW)
    const allowed = ALLOWED[event][from]?.includes(who) ?? false
    if (!result.ok) {
      expect(ERROR_KEYS).toContain(result.error.key)
      expect(result.error.record).toBeUndefined()
    }
    expect(result.ok, result.ok ? '' : result.error.key).toBe(allowed)
    if (result.ok) {
      const row: Transition = TRANSITIONS[event]
      expect(row.from).toContain(from)
      expect(row.by).toContain(actor.role)
      expect(row.to).toContain(result.value.answer.status)
      expect(result.value.answer.revision).toBe((booking?.revision ?? 0) + 1)
    }
  })
})

test.each(STATUSES)(
  'the buttons drawn in %s are exactly the events that would go through',
  (status) => {
    for (const [who, actor] of Object.entries(ACTORS)) {
      const possible = BOOKING_EVENTS.filter((event) =>
        ALLOWED[event][status]?.includes(who as Who),
      )
      expect(eventsFor(bookingIn(status), actor), who).toEqual(possible)
    }
  },
)

test('the table allows nothing that the list above forgets', () => {
  for (const event of BOOKING_EVENTS)
    expect(Object.keys(ALLOWED[event]).sort()).toEqual([...TRANSITIONS[event].from].sort())
})
