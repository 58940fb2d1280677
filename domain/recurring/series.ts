import { TRIP_DETAILS, type TripDetail } from '../booking/tripDetails'
import { LATER_LEAD_MINUTES } from '../booking/limits/leadTime'
import type { CreateBookingInput } from '../api/inputs/bookings'
import type { DomainError } from '../api/errors'
import { addDays, formatDay } from '../language/zonedTime'
import {
  findNextOccurrences,
  fromOccurrenceKey,
  listOccurrences,
  toOccurrenceKey,
  type Leg,
  type Occurrence,
  type WeeklyPattern,
} from './occurrences'
import { DAY_MS, MINUTE_MS } from '../language/timeUnits'
import type { PaymentMode } from '../booking/types'

/** The details of the outbound trip. The return trip has the same with the places in reverse. */
type SeriesTrip = Pick<
  CreateBookingInput,
  | 'pickup'
  | 'drop'
  | 'waypoints'
  | 'addressesConfirmed'
  | 'carType'
  | 'parcelTypeIndex'
  | 'optionIndex'
  | TripDetail
>

/** A booking that was made for an occurrence. */
interface MadeBooking {
  booking: string
  /** Pickup time, ms. */
  at: number
  /** True until the series has paid for it. */
  unpaid?: true
}

/** The reason an occurrence has no booking. */
export interface SeriesProblem extends Pick<DomainError, 'key' | 'params'> {
  /** Pickup time, ms. */
  at: number
}

/** A recurring booking of one customer. */
export interface RecurringSeries extends WeeklyPattern {
  /** A push key. */
  id: string
  /** Raised by each edit; missing before the first. */
  revision?: number
  /** The person who saved it, or the rider once they have edited it; the job books for them. */
  by: string
  role: 'rider' | 'admin'
  created_at: number
  trip: SeriesTrip
  /** How to pay before the trip where that is due; missing when the driver collects. */
  payment?: Exclude<PaymentMode, 'card'>
  /** Occurrences without a booking, by key. */
  skipped?: Record<string, true>
  /** The first and the last day without bookings; without a last one until it is resumed. */
  pause?: { from: string; to?: string }
  /** No occurrence up to this time (ms) can be booked anymore. */
  settled: number
  /** Bookings by occurrence, until a day after their time. */
  made?: Record<string, MadeBooking>
  /** The last problems by occurrence. */
  problems?: Record<string, SeriesProblem>
}

/** All series of one customer. Of two changes at once, the second one is refused. */
export interface RecurringRecord {
  revision: number
  /** When the scheduled job next has work with the record, ms; missing without a series. */
  due?: number
  series?: Record<string, RecurringSeries>
  /** When the latest series ended, ms, by id. A late repeat of their first request is refused. */
  ended?: Record<string, number>
}

/** Maximum number of series of one customer. */
export const MAX_SERIES = 10

/** Maximum number of skipped occurrences of one series. */
export const MAX_SKIPPED = 50

const MAX_PROBLEMS = 5

/** Maximum number of ended series of one customer that are remembered. */
const MAX_ENDED = 50

/** The details beside places and time that an edit and an amendment share. */
export const BOOKING_DETAILS = [
  'carType',
  ...TRIP_DETAILS,
] as const satisfies readonly (keyof SeriesTrip)[]

/** Milliseconds before its time at which an occurrence becomes a booking. */
const CREATE_AHEAD_MS = DAY_MS

/** Milliseconds after which an occurrence that was refused is tried again. */
const RETRY_MS = 120 * MINUTE_MS

/** Milliseconds after which the job looks again at a series without a next occurrence. */
const RECHECK_MS = 7 * DAY_MS

const LATER_LEAD_MS = LATER_LEAD_MINUTES * MINUTE_MS

/** Returns the time up to which no occurrence can be booked anymore, ms. */
export const getSettledTime = (now: number): number => now + LATER_LEAD_MS

/** The occurrence that a booking was made for. */
export interface BookedOccurrence {
  series: string
  date: string
  leg: Leg
}

/** An occurrence to book, with the revision of the series that the details are from. */
export interface OccurrenceToBook extends BookedOccurrence {
  revision: number
}

/** Returns the reference by which the log of a booking names its occurrence. */
export const toOccurrenceRef = ({ series, date, leg }: BookedOccurrence): string =>
  `${series}/${date}/${leg}`

const OCCURRENCE_REF = /^(-[\w-]{19})\/(\d{4}-\d\d-\d\d)\/(out|back)$/

/** Returns the series, the day and the leg that a booking was made for; null for other bookings. */
export const getBookedOccurrence = (booking: {
  event_log?: Record<string, { ref?: string }>
}): { id: string; date: string; leg: Leg } | null => {
  const [, id, date, leg] = OCCURRENCE_REF.exec(booking.event_log?.['create']?.ref ?? '') ?? []
  return id === undefined || date === undefined ? null : { id, date, leg: leg as Leg }
}

const isPaused = ({ pause }: RecurringSeries, date: string): boolean =>
  pause !== undefined && date >= pause.from && (pause.to === undefined || date <= pause.to)

/** Returns true when the customer wants this occurrence: it is not skipped and not in a pause. */
const isWanted = (series: RecurringSeries, occurrence: Pick<Occurrence, 'date' | 'leg'>): boolean =>
  series.skipped?.[toOccurrenceKey(occurrence)] === undefined && !isPaused(series, occurrence.date)

/** Returns how often a series was edited. */
export const getSeriesRevision = ({ revision = 0 }: Pick<RecurringSeries, 'revision'>): number =>
  revision

const isMade = (series: RecurringSeries, occurrence: Pick<Occurrence, 'date' | 'leg'>): boolean =>
  series.made?.[toOccurrenceKey(occurrence)] !== undefined

/** Returns true when an occurrence still waits for its booking. */
export const isBookable = (
  series: RecurringSeries,
  occurrence: Pick<Occurrence, 'date' | 'leg'>,
): boolean => isWanted(series, occurrence) && !isMade(series, occurrence)

/** Returns the next occurrences that are booked or will be, the earliest first. */
export const listUpcoming = (
  series: RecurringSeries,
  timezone: string,
  now: number,
  most: number,
): Occurrence[] =>
  findNextOccurrences(series, timezone, now, {
    limit: most,
    isWanted: (occurrence) => {
      if (isMade(series, occurrence)) return true
      return occurrence.at > getSettledTime(now) && isWanted(series, occurrence)
    },
  })

/** Returns the occurrences to book now. */
export const listDueOccurrences = (
  series: RecurringSeries,
  timezone: string,
  now: number,
): Occurrence[] =>
  listOccurrences(
    series,
    timezone,
    Math.max(series.settled, getSettledTime(now)),
    now + CREATE_AHEAD_MS,
  ).filter((occurrence) => isBookable(series, occurrence))

/** Returns the details of the booking of an occurrence. `ids` are its own and the customer's. */
export const toBookingInput = (
  ids: Required<Pick<CreateBookingInput, 'booking_id' | 'customer'>>,
  series: RecurringSeries,
  occurrence: Occurrence,
): CreateBookingInput => {
  const { pickup, drop, waypoints, ...details } = series.trip
  const stops = waypoints ?? []
  const isBack = occurrence.leg === 'back'
  return {
    ...details,
    ...ids,
    pickup: isBack ? drop : pickup,
    drop: isBack ? pickup : drop,
    ...(stops.length > 0 && { waypoints: isBack ? stops.toReversed() : stops }),
    bookLater: true,
    tripdate: occurrence.at,
    // The price is that of the day on which the booking is made.
    estimateFare: 0,
  }
}

/** An upcoming booking of a series. */
export interface UpcomingBooking extends Occurrence {
  booking: string
}

/** Returns the bookings of a series whose time is still to come, the earliest first. */
export const listUpcomingBookings = (series: RecurringSeries, now: number): UpcomingBooking[] =>
  Object.entries(series.made ?? {})
    .filter(([, { at }]) => at > now)
    .map(([key, { booking, at }]) => ({ ...fromOccurrenceKey(key), booking, at }))
    .sort((a, b) => a.at - b.at)

const filterRecord = <Value>(
  rows: Record<string, Value> | undefined,
  isKept: (value: Value, key: string) => boolean,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(rows ?? {}).filter(([key, value]) => isKept(value, key)))

/** Returns true when no occurrence of the series is left, and nothing of the last day. */
const isOver = (series: RecurringSeries, timezone: string, now: number): boolean =>
  series.until !== undefined &&
  findNextOccurrences(series, timezone, now - DAY_MS, { limit: 1 }).length === 0 &&
  Object.values(series.problems ?? {}).every(({ at }) => at < now - RECHECK_MS)

/**
 * Returns a series after a run of the job. Adds the reasons (`refused`, by key) for which an
 * occurrence could not be booked, and those that the job missed, and forgets what is over.
 */
const settleSeries = (
  series: RecurringSeries,
  refused: Readonly<Record<string, SeriesProblem>>,
  timezone: string,
  now: number,
): RecurringSeries => {
  const settled = Math.max(series.settled, getSettledTime(now))
  const missed = listOccurrences(series, timezone, series.settled, settled)
    .filter((occurrence) => isBookable(series, occurrence))
    .map((occurrence): [string, SeriesProblem] => [
      toOccurrenceKey(occurrence),
      { at: occurrence.at, key: 'past_booking_error' },
    ])
  // The return trip of a night trip is a day after its date.
  const oldest = addDays(formatDay(now, timezone), -2)
  // An edit may move the time of an occurrence that has a booking, so its day counts too.
  const bookedOccurrences = filterRecord(
    series.made,
    ({ at }, key) => at > now - DAY_MS || key.slice(0, 10) >= oldest,
  )
  const problems = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(missed), ...series.problems, ...refused })
      .filter(([, { at }]) => at > now - RECHECK_MS)
      .sort(([, a], [, b]) => b.at - a.at)
      .slice(0, MAX_PROBLEMS),
  )
  const skipped = filterRecord(series.skipped, (_, key) => key.slice(0, 10) >= oldest)
  const trimmedSeries: RecurringSeries = {
    ...series,
    settled,
    made: bookedOccurrences,
    problems,
    skipped,
  }
  // The database stores no empty records.
  for (const field of ['made', 'problems', 'skipped'] as const)
    if (Object.keys(trimmedSeries[field] ?? {}).length === 0) delete trimmedSeries[field]
  if (trimmedSeries.pause?.to !== undefined && trimmedSeries.pause.to < oldest)
    delete trimmedSeries.pause
  return trimmedSeries
}

/** Returns when the job next has work with a series, ms. */
const getSeriesDueTime = (series: RecurringSeries, timezone: string, now: number): number => {
  if (Object.values(series.made ?? {}).some(({ unpaid }) => unpaid)) return now
  const after = Math.max(series.settled, getSettledTime(now))
  const [next] = findNextOccurrences(series, timezone, after, {
    limit: 1,
    isWanted: (occurrence) => isBookable(series, occurrence),
  })
  if (!next) return now + RECHECK_MS
  const due = next.at - CREATE_AHEAD_MS
  const isRefused = series.problems?.[toOccurrenceKey(next)] !== undefined
  return due > now ? Math.min(due, now + RECHECK_MS) : isRefused ? now + RETRY_MS : now
}

/** Returns the record with its next revision and due time. */
const withDueTime = (
  { revision, ended }: RecurringRecord,
  series: Record<string, RecurringSeries>,
  timezone: string,
  now: number,
): RecurringRecord => {
  const all = Object.values(series)
  return {
    revision: revision + 1,
    ...(ended && { ended }),
    ...(all.length > 0 && {
      due: Math.min(...all.map((one) => getSeriesDueTime(one, timezone, now))),
      series,
    }),
  }
}

/** The problems that a run of the job met, by series and occurrence. */
type RefusedOccurrences = Readonly<Record<string, Readonly<Record<string, SeriesProblem>>>>

/**
 * Returns a customer's record after a run of the job. A series whose last occurrence is over is
 * removed.
 */
export const settleRecord = (
  record: RecurringRecord,
  refused: RefusedOccurrences,
  timezone: string,
  now: number,
): RecurringRecord => {
  const settled = Object.entries(record.series ?? {})
    .map(([id, one]) => [id, settleSeries(one, refused[id] ?? {}, timezone, now)] as const)
    .filter(([, one]) => !isOver(one, timezone, now))
  return withDueTime(record, Object.fromEntries(settled), timezone, now)
}

/** Returns the record with a new or changed series, or without it when `series` is null. */
export const replaceSeries = (
  record: RecurringRecord | null,
  { id, series }: { id: string; series: RecurringSeries | null },
  timezone: string,
  now: number,
): RecurringRecord => {
  const before = record ?? { revision: 0 }
  const others = filterRecord(before.series, (_, key) => key !== id)
  if (series) return withDueTime(before, { ...others, [id]: series }, timezone, now)
  const ended = Object.entries({ ...before.ended, [id]: now })
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_ENDED)
  return withDueTime({ ...before, ended: Object.fromEntries(ended) }, others, timezone, now)
}
