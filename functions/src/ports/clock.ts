/** The clock, replaceable in tests. */
export interface ClockPort {
  /** Returns the time in ms since 1970. */
  now(): number
  /** Pauses before another attempt. */
  wait(ms: number): Promise<void>
}

export const systemClock: ClockPort = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
