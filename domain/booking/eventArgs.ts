import type { ContextOf, ContextPart } from './eventContext'
import type { Actor } from './eventTypes'
import type { BookingEvent, TRANSITIONS } from './transitions'
import type { Booking } from './types'

/**
 * The input of every effect: one event on one booking. `Part` names what the effect reads of the
 * context, so that an event which does not load it is a compile error.
 */
export interface TransitionArgs<Part extends ContextPart = never> {
  booking: Booking
  actor: Actor
  context: ContextOf<Part>
  /** The server's time, ms; used for money, totals and locks. */
  now: number
  /** The time of the event, ms; before `now` when the driver was offline. */
  occurredAt: number
}

/** The person who causes an event, its time, and the facts that the caller read for it. */
export type EventCause<Part extends ContextPart = never> = Pick<
  TransitionArgs<Part>,
  'actor' | 'context' | 'now'
>

/** The input of an event's effects, with the parts of the context that it loads. */
export type EventArgs<Event extends BookingEvent> = TransitionArgs<
  (typeof TRANSITIONS)[Event]['needs'][number]
>
