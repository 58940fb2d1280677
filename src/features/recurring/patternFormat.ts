import type { TFunction } from 'i18next'
import { getDateFormat } from '~/domain/language/intlFormats'
import type { WeeklyPattern } from '~/domain/recurring/occurrences'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { Milliseconds } from '~/domain/language/units'

/** The days of the week, Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

const MONDAY = Date.UTC(2024, 0, 1)
/** Days and times of a pattern have no time zone, so they are formatted as UTC. */
const formatUtc = (locale: string, options: Intl.DateTimeFormatOptions, ms: Milliseconds): string =>
  getDateFormat(locale, { ...options, timeZone: 'UTC' }).format(ms)

/** Returns the name of a day of the week, 1 for Monday. */
export const formatWeekday = (
  locale: string,
  day: number,
  weekday: 'long' | 'short' = 'long',
): string => formatUtc(locale, { weekday }, MONDAY + (day - 1) * DAY_MS)

/** Returns a day, yyyy-mm-dd, in the language's format. */
export const formatPatternDay = (locale: string, day: string): string =>
  formatUtc(locale, { dateStyle: 'medium' }, Date.parse(`${day}T00:00Z`))

const formatPatternTime = (locale: string, time: string): string =>
  formatUtc(locale, { timeStyle: 'short' }, Date.parse(`2024-01-01T${time}Z`))

/** Returns a pattern in words, such as “Mon and Fri at 8:30”. */
export const formatPattern = (
  { days, time, back }: WeeklyPattern,
  locale: string,
  t: TFunction,
): string => {
  const names = days.map((day) => formatWeekday(locale, day, 'short'))
  const params = {
    days: new Intl.ListFormat(locale, { type: 'conjunction' }).format(names),
    time: formatPatternTime(locale, time),
  }
  return back === undefined
    ? t('series_summary', params)
    : t('series_summary_back', { ...params, back: formatPatternTime(locale, back) })
}
