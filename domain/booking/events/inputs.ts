import * as v from 'valibot'
import { bookingRef } from '../../api/inputFields'
import { BOOKING_EVENTS, type BookingEvent, getDefinition, TRANSITIONS } from '../transitions'

/** The schema of each event that people send. */
type SentSchema = {
  [Event in BookingEvent]: (typeof TRANSITIONS)[Event] extends {
    input: infer Fields extends v.ObjectEntries
  }
    ? v.StrictObjectSchema<
        typeof bookingRef & { event: v.LiteralSchema<Event, undefined> } & Fields,
        undefined
      >
    : never
}[BookingEvent]
export type AdvanceBookingInput = v.InferOutput<SentSchema>
type SentEvent = AdvanceBookingInput['event']

/** The events that people send. */
export const SENT_EVENTS = BOOKING_EVENTS.filter(
  (event): event is SentEvent => getDefinition(event).input !== undefined,
)

const toSchema = (event: SentEvent) =>
  v.strictObject({ ...bookingRef, event: v.literal(event), ...TRANSITIONS[event].input })

/** The input of the endpoint that applies an event: one of those that people send. */
export const advanceBookingSchema = v.variant(
  'event',
  // The compiler cannot see that the fields are those of the same event.
  SENT_EVENTS.map((event) => toSchema(event) as unknown as SentSchema),
)
