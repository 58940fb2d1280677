import { HOUR_MS } from '../../language/timeUnits'
import type { EventInput } from '../eventInput'
import type { Booking } from '../types'

/** Largest difference (ms) at which two clocks are taken to agree. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000
/** Maximum age (ms) at which a delayed event keeps its own time. */
const MAX_CLIENT_TIME_AGE_MS = 12 * HOUR_MS

const getLastEventTime = ({ event_log = {} }: Booking): number =>
  Math.max(0, ...Object.values(event_log).map(({ at }) => at))

/**
 * Returns the time of an event in ms: the driver's time if plausible, otherwise the server's `now`.
 * A plausible time is after the booking's previous event, not in the future and at most twelve
 * hours old. An implausible time never refuses the event itself.
 */
export const resolveClientTime = (booking: Booking, input: EventInput, now: number): number => {
  const clientTime = 'at' in input ? input.at : undefined
  if (clientTime === undefined) return now
  const before = getLastEventTime(booking)
  const credible =
    clientTime <= now + CLOCK_TOLERANCE_MS &&
    clientTime >= before - CLOCK_TOLERANCE_MS &&
    clientTime >= now - MAX_CLIENT_TIME_AGE_MS
  return credible ? Math.min(now, Math.max(before, clientTime)) : now
}
