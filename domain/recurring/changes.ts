import { MAX_DAYS_AHEAD } from '../booking/limits/limits'
import type { EditRecurringInput } from '../api/inputs/recurring'
import { domainError, type DomainError } from '../api/errors'
import { err, ok, type Result } from '../api/result'
import { addDays, formatDay } from '../language/zonedTime'
import { findNextOccurrences, type WeeklyPattern, type Leg, toOccurrenceKey } from './occurrences'
import { getSeriesRevision, getSettledTime, MAX_SKIPPED, type RecurringSeries } from './series'

/** Returns the reason the times of a pattern cannot be saved, if any. */
const checkTimes = (
  pattern: WeeklyPattern,
  timezone: string,
  now: number,
): DomainError | undefined => {
  const { until, time, back } = pattern
  if (back === time) return domainError('bad_input', 'back')
  const [next] = findNextOccurrences(pattern, timezone, getSettledTime(now), { limit: 1 })
  return next || until === undefined ? undefined : domainError('series_empty', 'until')
}

/** Returns the reason a day cannot become the first one, if any. */
const checkFirstDay = (from: string, timezone: string, now: number): DomainError | undefined => {
  const today = formatDay(now, timezone)
  if (from < today) return domainError('past_booking_error', 'from')
  return from > addDays(today, MAX_DAYS_AHEAD)
    ? domainError('too_far_ahead', 'from', { days: MAX_DAYS_AHEAD })
    : undefined
}

/**
 * Returns the reason a new pattern cannot be saved, if any. The fields have their form already;
 * this checks how they fit together and to the day of the request.
 */
export const checkPattern = (
  pattern: WeeklyPattern,
  timezone: string,
  now: number,
): DomainError | undefined =>
  checkFirstDay(pattern.from, timezone, now) ?? checkTimes(pattern, timezone, now)

/** The new details of an edit. An absent field stays as it is. */
type SeriesEdit = Omit<EditRecurringInput, 'series_id' | 'customer' | 'action' | 'booked'>

/** A series after an edit, with the names of the fields that changed. */
interface EditedSeries {
  series: RecurringSeries
  changed: ReadonlySet<string>
}

/** Returns a text that is equal for equal values; the database changes the order of keys. */
const toComparedText = (value: unknown): string =>
  JSON.stringify(value ?? [], ['lat', 'lng', 'add'])

/** A row without the fields that may be absent. */
type Present<Row> = {
  [Field in keyof Row as Row[Field] extends NonNullable<Row[Field]> ? Field : never]: Row[Field]
} & {
  [Field in keyof Row as Row[Field] extends NonNullable<Row[Field]> ? never : Field]?: NonNullable<
    Row[Field]
  >
}

const withoutAbsent = <Row extends object>(row: Row): Present<Row> =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<Row>

/**
 * Returns a series with new details, which count from the next occurrence without a booking on.
 * Nothing changes in a repeat of an edit. An edit by a caller who has not seen the latest one is
 * refused.
 */
export const editSeries = (
  series: RecurringSeries,
  { revision, ...edit }: SeriesEdit,
  timezone: string,
  now: number,
): Result<EditedSeries, DomainError> => {
  const { days, time, back, from, until, payment, ...trip } = edit
  const pattern = withoutAbsent({
    days: days?.toSorted((a, b) => a - b) ?? series.days,
    time: time ?? series.time,
    back: back === undefined ? series.back : back,
    from: from ?? series.from,
    until: until === undefined ? series.until : until,
    payment: payment ?? series.payment,
  })
  const isOtherVehicle = trip.carType !== undefined && trip.carType !== series.trip.carType
  const details = { ...series.trip, ...withoutAbsent(trip) }
  // The places of the office stay confirmed, and new ones were checked just now.
  if (series.role === 'admin') details.addressesConfirmed = true
  if (isOtherVehicle) {
    // Another vehicle type has its own parcel types and options.
    delete details.parcelTypeIndex
    delete details.optionIndex
  }
  const before: Record<string, unknown> = { ...series, ...series.trip }
  const after: Record<string, unknown> = { ...pattern, ...details }
  const changed = new Set(
    Object.keys(edit).filter(
      (field) => toComparedText(after[field]) !== toComparedText(before[field]),
    ),
  )
  if (changed.size === 0) return ok({ series, changed })
  const currentRevision = getSeriesRevision(series)
  if (revision !== currentRevision)
    return err(domainError('changed_meanwhile', undefined, { revision: currentRevision }))
  const rest = { ...series }
  delete rest.back
  delete rest.until
  const edited: RecurringSeries = {
    ...rest,
    ...pattern,
    trip: details,
    revision: currentRevision + 1,
    // The new times that are over already were not missed.
    settled: Math.max(series.settled, getSettledTime(now)),
  }
  // A first day that stays may be long over.
  const wrong =
    (changed.has('from') ? checkFirstDay(edited.from, timezone, now) : undefined) ??
    checkTimes(edited, timezone, now)
  if (wrong) return err(wrong)
  // The reasons of upcoming trips were those of the old details: the job tries again at once.
  const problems = Object.entries(series.problems ?? {}).filter(([, { at }]) => at <= now)
  if (problems.length > 0) edited.problems = Object.fromEntries(problems)
  else delete edited.problems
  return ok({ series: edited, changed })
}

/** A change that its owner or the office makes to a series. */
type SeriesChange =
  | { action: 'skip' | 'unskip'; date: string; leg: Leg }
  | { action: 'pause'; from: string; to?: string | undefined }
  | { action: 'resume' | 'end' }

/**
 * Returns the series after a change, null when it ends. Bookings that were made stay as they are:
 * an occurrence that has one is refused with event_not_possible, because its booking is canceled
 * instead.
 */
export const changeSeries = (
  series: RecurringSeries,
  change: SeriesChange,
  timezone: string,
  now: number,
): Result<RecurringSeries | null, DomainError> => {
  const today = formatDay(now, timezone)
  const latest = addDays(today, MAX_DAYS_AHEAD)
  switch (change.action) {
    case 'end':
      return ok(null)
    case 'resume': {
      const rest = { ...series }
      delete rest.pause
      // The occurrences of the pause were not missed.
      return ok({ ...rest, settled: Math.max(rest.settled, getSettledTime(now)) })
    }
    case 'pause': {
      const { from, to } = change
      if (from < today) return err(domainError('past_booking_error', 'from'))
      if (from > latest || (to ?? from) > latest)
        return err(domainError('too_far_ahead', 'to', { days: MAX_DAYS_AHEAD }))
      if (to !== undefined && to < from) return err(domainError('bad_input', 'to'))
      return ok({ ...series, pause: { from, ...(to !== undefined && { to }) } })
    }
    case 'unskip': {
      const skipped = { ...series.skipped }
      delete skipped[toOccurrenceKey(change)]
      return ok({ ...series, skipped })
    }
    case 'skip': {
      const key = toOccurrenceKey(change)
      if (change.date < addDays(today, -1)) return err(domainError('past_booking_error', 'date'))
      if (change.date > latest)
        return err(domainError('too_far_ahead', 'date', { days: MAX_DAYS_AHEAD }))
      if (series.made?.[key]) return err(domainError('event_not_possible', 'date'))
      const skipped = { ...series.skipped, [key]: true as const }
      if (Object.keys(skipped).length > MAX_SKIPPED)
        return err(domainError('too_many_skipped', 'date', { most: MAX_SKIPPED }))
      return ok({ ...series, skipped })
    }
  }
}
