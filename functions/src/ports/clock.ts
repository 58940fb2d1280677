/** The time, so that tests can set it. */
export interface ClockPort {
  /** ms since 1970. */
  now(): number
  /** Rests before another try. */
  wait(ms: number): Promise<void>
}

export const systemClock: ClockPort = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
