import { HOUR_MS } from '~/domain/language/timeUnits'

/**
 * Milliseconds during which a failing event is retried. We notice and fix our own errors within
 * hours; an event that still fails then would fail until Google gives up silently.
 */
export const RETRY_WINDOW_MS = 6 * HOUR_MS

/** One delivery of an event: the first one or a repeat. */
export interface EventDelivery {
  /** The function's name, for the log. */
  name: string
  eventId: string
  /** Milliseconds since 1970 at which the event happened, not at which it was delivered. */
  occurredAt: number
}

/**
 * Runs `act` for an event. Rethrows a failure, so that the event is delivered again, until it is
 * `RETRY_WINDOW_MS` old; then calls `onExpired` and throws nothing. `act` must be safe to repeat.
 */
export const retryUntilExpired = async (
  delivery: EventDelivery,
  { now, onExpired }: { now: number; onExpired(delivery: EventDelivery, fault: unknown): void },
  act: () => Promise<void>,
): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (!(now - delivery.occurredAt >= RETRY_WINDOW_MS)) throw error
    onExpired(delivery, error)
  }
}
