import type { ClockPort } from '../../ports/clock'

export const systemClock: ClockPort = {
  now: Date.now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
