import { getOccurrenceTime, isPatternDay, type Occurrence } from './occurrences'
import type { AdvanceBookingInput } from '../booking/events/inputs'
import { type RecurringSeries, BOOKING_DETAILS } from './series'

/** Details of the trip that a booking can take over. */
type BookingAmendment = Omit<
  Extract<AdvanceBookingInput, { event: 'amend' }>,
  'booking_id' | 'event'
>

/**
 * Returns the details that a booking takes over from its edited series; null when the series no
 * longer has such a trip, so that its booking stays as it is. Takes over only `changed` fields,
 * because the booking may have been amended by itself. The return trip has the places in reverse.
 */
export const toBookingAmendment = (
  series: RecurringSeries,
  occurrence: Pick<Occurrence, 'date' | 'leg'>,
  changed: ReadonlySet<string>,
  timezone: string,
): BookingAmendment | null => {
  const tripdate = getOccurrenceTime(series, occurrence, timezone)
  if (tripdate === null || !isPatternDay(series, occurrence.date)) return null
  const { pickup, drop, waypoints = [], ...trip } = series.trip
  const isBack = occurrence.leg === 'back'
  const hasPlaces = ['pickup', 'drop', 'waypoints'].some((field) => changed.has(field))
  const details = {
    ...(hasPlaces && {
      pickup: isBack ? drop : pickup,
      drop: isBack ? pickup : drop,
      waypoints: isBack ? waypoints.toReversed() : waypoints,
      ...(trip.addressesConfirmed && { addressesConfirmed: true as const }),
    }),
    ...Object.fromEntries(
      BOOKING_DETAILS.flatMap((field) => (changed.has(field) ? [[field, trip[field]]] : [])),
    ),
  }
  const isMoved = changed.has('time') || (isBack && changed.has('back'))
  return { ...details, ...(isMoved && { tripdate }) }
}
