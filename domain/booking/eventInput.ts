import type { AdvanceBookingInput } from './events/inputs'
import type { BookingEvent, TRANSITIONS } from './transitions'

/** The input of one event, already validated against its schema. */
export type EventInputFor<Event extends BookingEvent> = (typeof TRANSITIONS)[Event] extends {
  ownInput: infer Input
}
  ? Input
  : Omit<Extract<AdvanceBookingInput, { event: Event }>, 'booking_id'>

/** The input of any event. */
export type EventInput = { [Event in BookingEvent]: EventInputFor<Event> }[BookingEvent]
