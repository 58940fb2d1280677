/** Days, months and clock times in the settings' time zone. */

import { getDateFormat } from './intlFormats'
import { DAY_MS, toWholeSecond } from './timeUnits'
import type { Milliseconds } from './units'

/** The latest time (ms since 1970) that the database accepts, in the year 2286. */
export const MAX_TIMESTAMP = 9_999_999_999_999

const getFormatter = (timezone: string): Intl.DateTimeFormat =>
  getDateFormat('en-GB-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })

const toDateParts = (ms: Milliseconds, timezone: string): Record<string, string> =>
  Object.fromEntries(
    getFormatter(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )

// Every time zone in use is a whole number of quarter hours from UTC, so a quarter hour lies within
// one day. A recount needs millions of days, and formatting each would take most of its time.
const QUARTER_HOUR_MS = 15 * 60_000
const dayCache = new Map<string, string>()

/** Returns the day of a time (ms) in an IANA time zone, yyyy-mm-dd. */
export const formatDay = (ms: Milliseconds, timezone: string): string => {
  const quarter = `${Math.floor(ms / QUARTER_HOUR_MS)} ${timezone}`
  const cachedDay = dayCache.get(quarter)
  if (cachedDay !== undefined) return cachedDay
  const { year, month, day } = toDateParts(ms, timezone)
  const formattedDay = `${year}-${month}-${day}`
  if (dayCache.size >= 10_000) dayCache.clear()
  dayCache.set(quarter, formattedDay)
  return formattedDay
}

/** Returns the month of a time (ms) in an IANA time zone, yyyy-mm. */
export const formatMonth = (ms: Milliseconds, timezone: string): string =>
  formatDay(ms, timezone).slice(0, 7)

/** Returns the clock time of a time (ms) in an IANA time zone, HH:MM:SS. */
export const formatTimeOfDay = (ms: Milliseconds, timezone: string): string => {
  const { hour, minute, second } = toDateParts(ms, timezone)
  return `${hour}:${minute}:${second}`
}

/**
 * Returns a time (ms) in ISO 8601 with the offset of an IANA time zone, such as
 * 2026-11-27T20:15:00-03:00. It keeps whole seconds.
 */
export const formatZonedIso = (ms: Milliseconds, timezone: string): string => {
  const wallClock = `${formatDay(ms, timezone)}T${formatTimeOfDay(ms, timezone)}`
  const offset = Math.round((Date.parse(`${wallClock}Z`) - ms) / 60_000)
  const [hours, minutes] = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  )
  return `${wallClock}${offset < 0 ? '-' : '+'}${hours}:${minutes}`
}

const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Returns the year and the English month name of a yyyy-mm, in the form of the earning rows. */
export const toYearAndMonthName = (month: string): { year: number; monthsName: string } => ({
  year: Number(month.slice(0, 4)),
  monthsName: MONTH_NAMES[Number(month.slice(5, 7)) - 1] ?? '',
})

/** Returns true when the runtime knows this IANA time zone. */
export const isTimezone = (timezone: string): boolean => {
  try {
    return timezone !== '' && getFormatter(timezone) !== undefined
  } catch {
    return false
  }
}

/** Returns the milliseconds by which the clocks of a time zone are ahead of UTC at a time (ms). */
const getOffset = (ms: Milliseconds, timezone: string): number => {
  const { year, month, day, hour, minute, second } = toDateParts(ms, timezone)
  const wallTime = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return wallTime - toWholeSecond(ms)
}

/**
 * Returns the time (ms) at which the clocks of a time zone show HH:MM on a day, yyyy-mm-dd. When a
 * clock change skips that time, it is as much later as the clocks jump; when the clocks show it
 * twice, it is the first of the two.
 */
export const toInstant = (day: string, time: string, timezone: string): number => {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const before = getOffset(wall - DAY_MS, timezone)
  const after = getOffset(wall + DAY_MS, timezone)
  if (before === after) return wall - before
  const instants = [wall - before, wall - after].filter(
    (ms) => ms + getOffset(ms, timezone) === wall,
  )
  return instants.length > 0 ? Math.min(...instants) : wall - before
}

/** Returns the day, yyyy-mm-dd, that is `days` after another. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the day of the week of a day, yyyy-mm-dd: 1 for Monday to 7 for Sunday. */
export const getWeekday = (day: string): number => new Date(`${day}T00:00Z`).getUTCDay() || 7

/** Returns true for a day of the calendar in the form yyyy-mm-dd. */
export const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
