import { apply } from '~/domain/booking/apply'
import type { Actor, BookingRefusal, Change, EventInput, World } from '~/domain/booking/change'
import type { Booking } from '~/domain/entities'
import { at } from '~/domain/paths'
import type { Result } from '~/domain/result'
import { dispatchAtOnce } from '../dispatching'
import { logDisagreement } from '../logs'
import { refuse, Refused } from '../refused'
import type { ClockPort } from './clock'
import { Conflict } from './database'
import type { DatabasePort } from './database'
import { perform } from './effects'
import type { LazyMaps } from './maps'
import type { PushPort } from './push'
import type { RandomPort } from './random'
import { lookups, readWorld } from './world'

interface BookingAnswerWithEstimate {
  booking_id: string
  status: Booking['status']
  revision: number
  /** The grand total the booking was made for. */
  estimate: number
}

export interface Bookings {
  /**
   * Does one event to one booking, all or nothing, and sends its pushes.
   * Throws `Refused` when the table says no; nothing is written then, except what the refusal itself records.
   */
  change(id: string, input: EventInput, actor: Actor): Promise<BookingAnswerWithEstimate>
}

interface Parts {
  db: DatabasePort
  maps: LazyMaps
  push: PushPort
  clock: ClockPort
  random: RandomPort
}

/** Fifty drivers may race for one booking; each lost race has one winner more. */
const TRIES = 60
/** The rules refusing the very same thing this often is no race. */
const SAME_AGAIN = 8

/** The bookings of one database. Safe because every write carries revision + 1, which only one of two racers can. */
export const bookingsIn = ({ db, maps, push, clock, random }: Parts): Bookings => {
  const change: Bookings['change'] = async (id, input, actor) => {
    const looked = lookups(input, maps, random)
    let seen = ''
    let same = 0
    for (let tries = 1; ; tries++) {
      const { booking, world } = await readWorld(db, id, input, actor, looked)
      const now = clock.now()
      const result: Result<Change, BookingRefusal> = apply(booking, input, actor, world, now)
      const decided = result.ok ? result.value : result.error.record
      try {
        if (decided) await perform({ db, push, random }, decided, now)
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
        const state = JSON.stringify([booking, world])
        same = state === seen ? same + 1 : 1
        seen = state
        if (same >= SAME_AGAIN || tries >= TRIES) {
          logDisagreement(id, input.event)
          return refuse('changed_meanwhile')
        }
        // The more racers, the longer the rests, so that they do not stay in step.
        await clock.wait(random.between(0, Math.min(20 * tries, 400)))
        continue
      }
      if (!result.ok) {
        // What was read is no snapshot: the booking may be from before a change and its driver from after it.
        // A no is only true of a booking that still is as it was read.
        const revision = await db.read<number>(`${at.booking(id)}/revision`)
        if (decided || tries >= TRIES || revision === (booking?.revision ?? null))
          throw new Refused(result.error)
        continue
      }
      const { answer } = result.value
      if (asksForDrivers(input, answer, world)) await dispatchAtOnce({ db, change }, id, now)
      return { ...answer, estimate: answer.estimate ?? booking?.estimate ?? 0 }
    }
  }
  return { change }
}

/** Whether a booking has just become one that waits for a driver. */
const asksForDrivers = (
  { event }: EventInput,
  { status }: Change['answer'],
  { settings }: World,
): boolean =>
  settings.autoDispatch &&
  status === 'NEW' &&
  (event === 'create' || event === 'pay' || event === 'decline')
