import { clockOf, dayOf } from '~/domain/clock'

const DAY_MS = 86_400_000

/** The time now (ms), for what happens on a click. */
export const clock = (): number => Date.now()

/** The day (yyyy-mm-dd) so many after another, by the calendar: one on which the clocks are changed is a day, too. */
export const dayPlus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** When a day (yyyy-mm-dd) begins in a time zone, ms. */
export const dayStart = (day: string, timezone: string): number => {
  const wanted = Date.parse(`${day}T00:00:00Z`)
  const shift = (at: number) =>
    Date.parse(`${dayOf(at, timezone)}T${clockOf(at, timezone)}Z`) - Math.floor(at / 1000) * 1000
  // The clock may have been changed between the guess and the answer.
  return wanted - shift(wanted - shift(wanted))
}

/** An instant (ms) that is within the day wherever its clocks are changed. */
export const noonOf = (day: string, timezone: string): number =>
  dayStart(day, timezone) + DAY_MS / 2
