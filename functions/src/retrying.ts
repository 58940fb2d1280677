const HOUR = 3_600_000
/** A fault of ours is seen and mended within hours; what still fails then would fail until Google gives up, and without a word. */
export const RETRIED_MS = 6 * HOUR

/** One delivery of an event, which may be its first or a repeat. */
export interface Delivery {
  /** The function's name, for the log. */
  name: string
  eventId: string
  /** ms; when it happened, not when it was delivered. */
  happenedAt: number
}

/**
 * Does what an event asks for. A failure is thrown, so that the event is delivered again, until it is `RETRIED_MS` old: then
 * `giveUp` is told and nothing is thrown. `act` must be safe to repeat.
 */
export const whileYoung = async (
  delivery: Delivery,
  { now, giveUp }: { now: number; giveUp(delivery: Delivery, fault: unknown): void },
  act: () => Promise<void>,
): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (!(now - delivery.happenedAt >= RETRIED_MS)) throw error
    giveUp(delivery, error)
  }
}
