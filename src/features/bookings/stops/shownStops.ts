import {
  getStops,
  isStopDone,
  type BookingStop,
  type StopState,
} from '~/domain/booking/stops/bookingStops'
import type { Booking } from '~/domain/booking/types'

/** A stop as screens show it. `at` (ms) is when the driver reached, left or skipped it. */
export interface ShownStop {
  add: string
  state: StopState
  at?: number | undefined
  reason?: string | undefined
}

/** Returns a stop with the time of the last thing that happened there. */
export const toShownStop = ({
  place: { add },
  state,
  reachedAt,
  leftAt,
  skippedAt,
  reason,
}: BookingStop): ShownStop => ({ add, state, at: skippedAt ?? leftAt ?? reachedAt, reason })

/**
 * Returns the stops whose states are known: of a trip under way, and of one whose driver recorded
 * them. Empty before the trip, and for bookings of an earlier release.
 */
export const getShownStops = (booking: Booking): ShownStop[] => {
  const stops = getStops(booking)
  const isKnown = booking.status === 'STARTED' || stops.some(isStopDone)
  return isKnown ? stops.map(toShownStop) : []
}

/** Returns the number of stops that the driver has reached or skipped. */
export const countPassedStops = (stops: readonly Pick<ShownStop, 'state'>[]): number =>
  stops.filter(isStopDone).length
