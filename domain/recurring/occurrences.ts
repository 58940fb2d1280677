import { addDays, formatDay, getWeekday, toInstant } from '../language/zonedTime'

/** A pattern that repeats every week, in the local time of the platform's time zone. */
export interface WeeklyPattern {
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  days: number[]
  /** Pickup time of the outbound trip, HH:MM. */
  time: string
  /**
   * Pickup time of the return trip, HH:MM. One that is not later than `time` is on the next day, as
   * after a night shift.
   */
  back?: string
  /** The first and the last day of the outbound trip, yyyy-mm-dd. */
  from: string
  until?: string
}

export const LEGS = ['out', 'back'] as const
export type Leg = (typeof LEGS)[number]

/** One trip of a pattern. */
export interface Occurrence {
  /** The day of the outbound trip, yyyy-mm-dd, also for a return trip on the next day. */
  date: string
  leg: Leg
  /** Pickup time, ms. */
  at: number
}

/** Returns the key of an occurrence within its series. */
export const toOccurrenceKey = ({ date, leg }: Pick<Occurrence, 'date' | 'leg'>): string =>
  `${date}_${leg}`

/** Returns the occurrence of a key. */
export const fromOccurrenceKey = (key: string): Pick<Occurrence, 'date' | 'leg'> => ({
  date: key.slice(0, 10),
  leg: key.endsWith('back') ? 'back' : 'out',
})

/** Maximum number of days that the search for the next occurrences looks ahead. */
const MAX_DAYS_SEARCHED = 800

const compareTimes = (a: Occurrence, b: Occurrence): number => a.at - b.at

/** Returns the trips of one day of the pattern. */
const buildDay = (pattern: WeeklyPattern, date: string, timezone: string): Occurrence[] => {
  const { time, back } = pattern
  const out: Occurrence = { date, leg: 'out', at: toInstant(date, time, timezone) }
  if (back === undefined) return [out]
  const backDate = back > time ? date : addDays(date, 1)
  return [out, { date, leg: 'back', at: toInstant(backDate, back, timezone) }]
}

/** Returns the pickup time of an occurrence in ms; null for a return trip the pattern lacks. */
export const getOccurrenceTime = (
  pattern: WeeklyPattern,
  { date, leg }: Pick<Occurrence, 'date' | 'leg'>,
  timezone: string,
): number | null => buildDay(pattern, date, timezone).find((one) => one.leg === leg)?.at ?? null

/** Returns true when the pattern has a trip on this day, yyyy-mm-dd. */
export const isPatternDay = ({ days, from, until }: WeeklyPattern, date: string): boolean =>
  days.includes(getWeekday(date)) && date >= from && (until === undefined || date <= until)

/** Yields the days of the pattern from one day (yyyy-mm-dd) on, each with its trips. */
const iterateDays = function* (
  pattern: WeeklyPattern,
  timezone: string,
  first: string,
): Generator<Occurrence[]> {
  const { days, from, until } = pattern
  let date = first > from ? first : from
  for (let searched = 0; searched < MAX_DAYS_SEARCHED; searched++) {
    if (until !== undefined && date > until) return
    if (days.includes(getWeekday(date))) yield buildDay(pattern, date, timezone)
    date = addDays(date, 1)
  }
}

/** Returns the first day whose trips may be after a time (ms): a return trip may be a day later. */
const getFirstDay = (after: number, timezone: string): string =>
  addDays(formatDay(after, timezone), -2)

/** Returns the occurrences after a time (ms) and not later than another, the earliest first. */
export const listOccurrences = (
  pattern: WeeklyPattern,
  timezone: string,
  after: number,
  upTo: number,
): Occurrence[] => {
  const occurrences: Occurrence[] = []
  const last = addDays(formatDay(upTo, timezone), 1)
  for (const day of iterateDays(pattern, timezone, getFirstDay(after, timezone))) {
    if (day.some(({ date }) => date > last)) break
    occurrences.push(...day.filter(({ at }) => at > after && at <= upTo))
  }
  return occurrences.sort(compareTimes)
}

/**
 * Returns the next `limit` occurrences after a time (ms) that `isWanted` accepts, the earliest
 * first. Looks about two years ahead.
 */
export const findNextOccurrences = (
  pattern: WeeklyPattern,
  timezone: string,
  after: number,
  {
    limit,
    isWanted = () => true,
  }: { limit: number; isWanted?: (occurrence: Occurrence) => boolean },
): Occurrence[] => {
  const occurrences: Occurrence[] = []
  for (const day of iterateDays(pattern, timezone, getFirstDay(after, timezone))) {
    // One more, because a return trip may be later than the next day's outbound trip.
    if (occurrences.length > limit) break
    occurrences.push(...day.filter((occurrence) => occurrence.at > after && isWanted(occurrence)))
  }
  return occurrences.sort(compareTimes).slice(0, limit)
}
