import { applyBookingEvent } from '../booking/applyBookingEvent'
import type { Actor, EventContext } from '../booking/eventTypes'
import { aBookingRequest, anEventContext, NOON, rider } from './builders'

/** Applies the creation of a booking at noon; it succeeds unless an argument forbids it. */
export const applyCreation = (
  over: Parameters<typeof aBookingRequest>[0] = {},
  context: Partial<EventContext> = {},
  actor: Actor = rider,
) =>
  applyBookingEvent(
    null,
    { event: 'create', input: aBookingRequest(over) },
    actor,
    anEventContext(context),
    NOON,
  )
