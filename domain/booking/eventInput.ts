import type { CreateEventInput } from './events/create/definition'
import type { DispatchInput } from './events/dispatch/definition'
import type { ExpireInput } from './events/expire/definition'
import type { AdvanceBookingInput } from './events/inputs'
import type { PayInput } from './events/pay/definition'
import type { RefundInput } from './events/refund/definition'
import type { ReinstateInput } from './events/reinstate/definition'
import type { WithdrawInput } from './events/withdraw/definition'
import type { BookingEvent } from './transitions'

/** The inputs of events that do not come from people alone. */
interface OwnInputs {
  create: CreateEventInput
  pay: PayInput
  dispatch: DispatchInput
  withdraw: WithdrawInput
  refund: RefundInput
  reinstate: ReinstateInput
  expire: ExpireInput
}

/** The input of one event, already validated against its schema. */
export type EventInputFor<Event extends BookingEvent> = Event extends keyof OwnInputs
  ? OwnInputs[Event]
  : Omit<Extract<AdvanceBookingInput, { event: Event }>, 'booking_id'>

/** The input of any event. */
export type EventInput = { [Event in BookingEvent]: EventInputFor<Event> }[BookingEvent]
