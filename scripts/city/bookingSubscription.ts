import { dbPaths } from '~/domain/data/databasePaths'
import type { SimulatedUser } from './simulatedUser'
import type { Booking } from '~/domain/booking/types'
import type { Milliseconds } from '~/domain/language/units'

/** Maximum milliseconds of real time until a person's own event appears on their screen. */
export const OWN_EVENT_TIMEOUT_MS = 90_000

/** A booking as its screen shows it. */
export interface BookingSubscription {
  getCurrent(): Booking | null
  /**
   * Returns the booking as soon as it meets the condition, or null after `ms` or at the end of the
   * run.
   */
  waitFor(isSo: (booking: Booking) => boolean, ms: Milliseconds): Promise<Booking | null>
  unsubscribe(): void
}

/** Subscribes to a booking as its screen does. */
export const subscribeToBooking = (
  person: SimulatedUser,
  id: string,
  signal: AbortSignal,
): BookingSubscription => {
  let latest: Booking | null = null
  const waiting = new Set<() => void>()
  const end = person.subscribe<Booking>(dbPaths.booking(id), (booking) => {
    latest = booking ?? latest
    for (const check of [...waiting]) check()
  })
  return {
    getCurrent: () => latest,
    waitFor: (isSo, ms) =>
      new Promise((resolve) => {
        const settle = (booking: Booking | null) => {
          clearTimeout(timer)
          waiting.delete(check)
          signal.removeEventListener('abort', give)
          resolve(booking)
        }
        const give = () => settle(null)
        const check = () => {
          if (latest && isSo(latest)) settle(latest)
        }
        const timer = setTimeout(give, ms)
        signal.addEventListener('abort', give)
        waiting.add(check)
        check()
      }),
    unsubscribe: end,
  }
}
