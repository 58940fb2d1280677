import { applyBookingEvent } from '../booking/applyBookingEvent'
import type { Actor } from '../booking/eventTypes'
import { aBookingRequest, anEventContext, NOON, rider } from './builders'
import type { EventContext } from '../booking/eventContext'

/** Applies the creation of a booking at noon; it succeeds unless an argument forbids it. */
export const applyCreation = (
  over: Parameters<typeof aBookingRequest>[0] = {},
  context: Partial<EventContext> = {},
  actor: Actor = rider,
) =>
  applyBookingEvent(
    null,
    { event: 'create', input: aBookingRequest(over) },
    { actor, context: anEventContext(context), now: NOON },
  )
