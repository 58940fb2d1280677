import type { Milliseconds } from '~/domain/language/units'

/** The clock, replaceable in tests. */
export interface ClockPort {
  /** Returns the time in ms since 1970. */
  now(): number
  /** Pauses before another attempt. */
  wait(ms: Milliseconds): Promise<void>
}
