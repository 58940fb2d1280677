import type { ErrorKey } from '../api/errorKeys'
import { accept } from './events/accept/definition'
import { amend } from './events/amend/definition'
import { arrive } from './events/arrive/definition'
import { arriveStop } from './events/arriveStop/definition'
import { assign } from './events/assign/definition'
import { cancel } from './events/cancel/definition'
import { collect } from './events/collect/definition'
import { compensate } from './events/compensate/definition'
import { create } from './events/create/definition'
import { decline } from './events/decline/definition'
import { dispatch } from './events/dispatch/definition'
import { expire } from './events/expire/definition'
import { finish } from './events/finish/definition'
import { handBack } from './events/handBack/definition'
import { keepWaiting } from './events/keepWaiting/definition'
import { leaveStop } from './events/leaveStop/definition'
import { noShow } from './events/noShow/definition'
import { pay } from './events/pay/definition'
import { rate } from './events/rate/definition'
import { reach } from './events/reach/definition'
import { refund } from './events/refund/definition'
import { reinstate } from './events/reinstate/definition'
import { release } from './events/release/definition'
import { review } from './events/review/definition'
import { skipStop } from './events/skipStop/definition'
import { start } from './events/start/definition'
import { take } from './events/take/definition'
import { tip } from './events/tip/definition'
import { withdraw } from './events/withdraw/definition'
import type { EventDefinition } from './events/defineEvent'
import type { Status } from './types'

/** All events of the booking lifecycle. Only `applyBookingEvent` acts on them. */
export const TRANSITIONS = {
  create,
  pay,
  amend,
  dispatch,
  take,
  hand_back: handBack,
  keep_waiting: keepWaiting,
  assign,
  accept,
  decline,
  withdraw,
  release,
  arrive,
  start,
  arrive_stop: arriveStop,
  leave_stop: leaveStop,
  skip_stop: skipStop,
  reach,
  finish,
  collect,
  rate,
  refund,
  reinstate,
  cancel,
  no_show: noShow,
  review,
  compensate,
  tip,
  expire,
} as const satisfies Record<string, EventDefinition>

export type BookingEvent = keyof typeof TRANSITIONS
export const BOOKING_EVENTS = Object.keys(TRANSITIONS) as BookingEvent[]

/** Returns what is defined about an event, with all optional fields. */
export const getDefinition = (event: BookingEvent): EventDefinition => TRANSITIONS[event]

/** The events that a driver sends about their own booking, and not about an offer. */
export type DriverEvent = {
  [Event in BookingEvent]: (typeof TRANSITIONS)[Event] extends { isForAskedDrivers: true }
    ? never
    : 'driver' extends (typeof TRANSITIONS)[Event]['by'][number]
      ? Event
      : never
}[BookingEvent]

/** The steps of a driver that the office can record. Each status allows one at most. */
export type TripStep = {
  [Event in BookingEvent]: (typeof TRANSITIONS)[Event] extends { isTripStep: true } ? Event : never
}[BookingEvent]

/** Returns true for the steps of `TripStep`. */
export const isTripStep = (event: BookingEvent): event is TripStep =>
  getDefinition(event).isTripStep === true

/** Returns true for the events of `DriverEvent`. */
export const isDriverEvent = (event: BookingEvent): event is DriverEvent => {
  const { by, isForAskedDrivers } = getDefinition(event)
  return by.includes('driver') && !isForAskedDrivers
}

/** Returns true when an event can lead from one status to the other. */
export const isTransitionAllowed = (
  event: BookingEvent,
  from: Status | 'none',
  to: Status,
): boolean => {
  const definition = getDefinition(event)
  if (!definition.from.includes(from) || !definition.to.includes(to)) return false
  if (definition.isStatusKept) return from === to
  return definition.isResultPossible?.(from, to) ?? true
}

/** Refusals that every event can have; `changed_meanwhile` comes from the writing. */
const COMMON_ERRORS: readonly ErrorKey[] = [
  'not_found',
  'not_allowed',
  'event_not_possible',
  'changed_meanwhile',
]

/** Returns every refusal of some events, each once. */
export const listErrors = (events: readonly BookingEvent[]): ErrorKey[] => [
  ...new Set([...COMMON_ERRORS, ...events.flatMap((event) => getDefinition(event).errors)]),
]
