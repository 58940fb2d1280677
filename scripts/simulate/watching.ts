import type { Booking } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { Person } from './person'

/** A booking as it is on somebody's screen. */
export interface Watched {
  now(): Booking | null
  /** The booking as soon as it is so, or null after `ms` or at the end of the run. */
  until(isSo: (booking: Booking) => boolean, ms: number): Promise<Booking | null>
  end(): void
}

/** Opens a booking's screen. */
export const watch = (person: Person, id: string, signal: AbortSignal): Watched => {
  let shown: Booking | null = null
  const waiting = new Set<() => void>()
  const end = person.hear<Booking>(at.booking(id), (booking) => {
    shown = booking ?? shown
    for (const look of [...waiting]) look()
  })
  return {
    now: () => shown,
    until: (isSo, ms) =>
      new Promise((resolve) => {
        const settle = (booking: Booking | null) => {
          clearTimeout(timer)
          waiting.delete(look)
          signal.removeEventListener('abort', give)
          resolve(booking)
        }
        const give = () => settle(null)
        const look = () => {
          if (shown && isSo(shown)) settle(shown)
        }
        const timer = setTimeout(give, ms)
        signal.addEventListener('abort', give)
        waiting.add(look)
        look()
      }),
    end,
  }
}
