import { clockOf, dayOf } from '~/domain/clock'

/** The time now (ms), for what happens on a click. */
export const clock = (): number => Date.now()

/** When a day (yyyy-mm-dd) begins in a time zone, ms. */
export const dayStart = (day: string, timezone: string): number => {
  const wanted = Date.parse(`${day}T00:00:00Z`)
  const shift = (at: number) =>
    Date.parse(`${dayOf(at, timezone)}T${clockOf(at, timezone)}Z`) - Math.floor(at / 1000) * 1000
  // The clock may have been changed between the guess and the answer.
  return wanted - shift(wanted - shift(wanted))
}
