import { TRIP_DETAILS, type TripDetail } from '../booking/tripDetails'
import type { DomainError } from '../api/errors'
import {
  fromOccurrenceKey,
  toOccurrenceKey,
  type Occurrence,
  type WeeklyPattern,
} from './occurrences'
import {
  getSeriesRevision,
  listUpcoming,
  listUpcomingBookings,
  type RecurringSeries,
  type UpcomingBooking,
} from './series'
import type { Place } from '../geo/types'

/** An upcoming booking of an edited series; one that stays as it is has the reason. */
export interface AmendedTrip
  extends UpcomingBooking, Partial<Pick<DomainError, 'key' | 'params'>> {}

/** Number of next occurrences that a list shows. */
const SHOWN_OCCURRENCES = 4

/** A series as its owner and the office see it. */
export interface SeriesView extends WeeklyPattern, Partial<Record<TripDetail, string>> {
  id: string
  /** The number of edits, which the next edit names. */
  revision: number
  customer: string
  /** Only for the office. */
  customer_name?: string
  pickup: Place
  drop: Place
  waypoints: Place[]
  /** The vehicle type's id. */
  carType: string
  role: RecurringSeries['role']
  /** How a parcel is paid before its trip; missing when the driver collects. */
  payment?: 'cash' | 'wallet'
  pause?: { from: string; to?: string }
  /** The next occurrences; one with a booking names it. */
  next: (Occurrence & { booking?: string })[]
  /** Occurrences without a booking, with the reason, the latest first. */
  problems: (Occurrence & Pick<DomainError, 'key' | 'params'>)[]
  /** Skipped occurrences, the earliest first. */
  skipped: Pick<Occurrence, 'date' | 'leg'>[]
}

/** Returns the next occurrences; one with a booking has the booking's time, also after an edit. */
const listNext = (series: RecurringSeries, timezone: string, now: number): SeriesView['next'] => {
  const booked = listUpcomingBookings(series, now)
  const isBooked = new Set(Object.keys(series.made ?? {}))
  const others = listUpcoming(series, timezone, now, SHOWN_OCCURRENCES + isBooked.size).filter(
    (occurrence) => !isBooked.has(toOccurrenceKey(occurrence)),
  )
  return [...booked, ...others].sort((a, b) => a.at - b.at).slice(0, SHOWN_OCCURRENCES)
}

/** Returns a series as its owner and the office see it, without the rider's contact details. */
export const toSeriesView = (
  customer: string,
  series: RecurringSeries,
  timezone: string,
  now: number,
): SeriesView => {
  const { id, trip, role, payment, days, time, back, from, until, pause } = series
  return {
    id,
    revision: getSeriesRevision(series),
    customer,
    pickup: trip.pickup,
    drop: trip.drop,
    waypoints: trip.waypoints ?? [],
    carType: trip.carType,
    role,
    ...Object.fromEntries(
      TRIP_DETAILS.flatMap((field) => (trip[field] === undefined ? [] : [[field, trip[field]]])),
    ),
    ...(payment !== undefined && { payment }),
    days,
    time,
    ...(back !== undefined && { back }),
    from,
    ...(until !== undefined && { until }),
    ...(pause && { pause }),
    next: listNext(series, timezone, now),
    problems: Object.entries(series.problems ?? {})
      .map(([key, problem]) => ({ ...fromOccurrenceKey(key), ...problem }))
      .sort((a, b) => b.at - a.at),
    skipped: Object.keys(series.skipped ?? {})
      .sort()
      .map(fromOccurrenceKey),
  }
}
