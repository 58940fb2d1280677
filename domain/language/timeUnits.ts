/** Milliseconds of a minute, an hour and a day without a change of the clock. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Rounds a time (ms) down to a second, the unit of clocks and of the times in ID tokens. */
export const toWholeSecond = (time: number): number => Math.floor(time / 1000) * 1000
