import { DAY_MS, toWholeSecond } from '~/domain/language/timeUnits'
import { formatTimeOfDay, formatDay } from '~/domain/language/zonedTime'

/** Returns the current time (ms), for use in click handlers. */
export const getNow = (): number => Date.now()

/**
 * Returns the day (yyyy-mm-dd) that is `days` calendar days later; a day with a clock change counts
 * as one day.
 */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns when a day (yyyy-mm-dd) starts in a time zone, in ms. */
export const getDayStart = (day: string, timezone: string): number => {
  const utcMidnight = Date.parse(`${day}T00:00:00Z`)
  const shift = (at: number) =>
    Date.parse(`${formatDay(at, timezone)}T${formatTimeOfDay(at, timezone)}Z`) - toWholeSecond(at)
  // The clock may change between the first guess and the result, so we shift twice.
  return utcMidnight - shift(utcMidnight - shift(utcMidnight))
}

/** Returns an instant (ms) that stays within the day even when the clocks change. */
export const getDayNoon = (day: string, timezone: string): number =>
  getDayStart(day, timezone) + DAY_MS / 2
