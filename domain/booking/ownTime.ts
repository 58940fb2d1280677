import type { Booking } from '../entities'
import type { EventInput } from './change'

/** Two clocks that differ by no more than this (ms) are taken to agree. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000
/** An event waits at most this long (ms) for a connection and keeps its own time. */
const OWN_TIME_MS = 12 * 3_600_000

const lastEventAt = ({ event_log = {} }: Booking): number =>
  Math.max(0, ...Object.values(event_log).map(({ at }) => at))

/**
 * When the event happened, ms: the time its driver gives, where that can be true, else `now`, the server's. It can be
 * true when it lies after the booking's previous event, not in the future and within twelve hours. An unlikely time
 * never refuses the event itself: what was done stays done.
 */
export const ownTime = (booking: Booking, input: EventInput, now: number): number => {
  const given = 'at' in input ? input.at : undefined
  if (given === undefined) return now
  const before = lastEventAt(booking)
  const credible =
    given <= now + CLOCK_TOLERANCE_MS &&
    given >= before - CLOCK_TOLERANCE_MS &&
    given >= now - OWN_TIME_MS
  return credible ? Math.min(now, Math.max(before, given)) : now
}
