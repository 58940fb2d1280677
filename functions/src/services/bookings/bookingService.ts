import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import type { Actor, BookingError, BookingChange } from '~/domain/booking/eventTypes'
import { getDefinition } from '~/domain/booking/transitions'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Result } from '~/domain/api/result'
import { type DispatchPorts, releaseExpiredRequests } from '../dispatch/dispatchCandidates'
import { dispatchImmediately, offerToWaitingBookings } from '../dispatch/driverDispatch'
import { DomainException } from '../../domainException'
import type { ClockPort } from '../../ports/clock'
import { commitOrFail, type Decision } from './commitRetry'
import type { DatabasePort } from '../../ports/database'
import type { LazyMaps } from '../../ports/lazyMaps'
import type { PushPort } from '../../ports/push'
import type { RandomPort } from '../../ports/random'
import { createLookups } from './eventContext/lookups'
import { getChosenDriver } from './eventContext/eventReads'
import { loadEventContext } from './eventContext/loadEventContext'
import type { EventInput } from '~/domain/booking/eventInput'
import type { EventContext } from '~/domain/booking/eventContext'
import type { BookingService } from '../../ports/bookings'
import type { Booking } from '~/domain/booking/types'

interface BookingServiceDeps {
  db: DatabasePort
  maps: LazyMaps
  push: PushPort
  clock: ClockPort
  random: RandomPort
}

/** The maximum number of rereads of a refused booking that changed during the read. */
const MAX_REREADS = 60

interface BookingDecision {
  applied: Result<BookingChange, BookingError>
  booking: Booking | null
  eventContext: EventContext
  now: number
}

/**
 * Returns the function that reads the booking and decides the event, at each attempt to write it.
 */
const createDecider = (
  { db, maps, clock, random }: BookingServiceDeps,
  id: string,
  requested: EventInput,
  actor: Actor,
) => {
  const lookups = createLookups(requested, maps, random)
  let input = requested
  return async (): Promise<Decision<BookingDecision>> => {
    for (let tries = 1; ; tries++) {
      const { booking, eventContext } = await loadEventContext({
        db,
        id,
        input,
        actor,
        lookups,
        now: clock.now(),
      })
      // An amendment is decided from the state that its caller saw. When another amendment is
      // written first, this one is refused instead of applied to details that its caller did not
      // know.
      if (input.event === 'amend' && booking)
        input = { ...input, revision: input.revision ?? booking.revision }
      const now = clock.now()
      const applied: Result<BookingChange, BookingError> = applyBookingEvent(booking, input, {
        actor,
        context: eventContext,
        now,
      })
      const effect = applied.ok ? applied.value : applied.error.failureChange
      const decision = {
        stateRead: [booking, eventContext],
        now,
        effect,
        result: { applied, booking, eventContext, now },
      }
      if (effect || applied.ok || tries >= MAX_REREADS) return decision
      // The reads are not a snapshot: the booking may be from before a change and its driver from
      // after it. A refusal is valid only if the booking has not changed since the read.
      const revision = await db.read<number>(`${dbPaths.booking(id)}/revision`)
      if (revision === (booking?.revision ?? null)) return decision
    }
  }
}

/** Dispatches what an applied event lets go on: its booking, others, and drivers who are free. */
const dispatchAfter = async (
  parts: DispatchPorts,
  id: string,
  input: EventInput,
  { change, eventContext, now }: { change: BookingChange; eventContext: EventContext; now: number },
): Promise<void> => {
  if (isDispatchNeeded(input, change.response, eventContext))
    await dispatchImmediately(parts, id, now)
  // The bookings whose requests an accept withdrew go on to their next drivers. The scheduled job
  // does it when the process dies here.
  if (input.event === 'accept' && eventContext.settings.autoDispatch)
    await Promise.all(
      eventContext.openRequests.map(({ booking }) => dispatchImmediately(parts, booking, now)),
    )
  await offerToWaitingBookings(parts, findFreedDrivers(input, change), now)
}

/**
 * Creates the booking service of one database. Safe because every write includes revision + 1,
 * which only one of two racing writes can have.
 */
export const createBookingService = (deps: BookingServiceDeps): BookingService => {
  const { db, maps, push, clock, random } = deps
  const change: BookingService['applyEvent'] = async (id, input, actor) => {
    const dispatching = { db, change, maps }
    const decide = createDecider(deps, id, input, actor)
    // A driver who did not answer another booking in time must not block the office's choice.
    const chosenDriver = getChosenDriver(input)
    if (chosenDriver !== undefined && actor.role === 'admin')
      await releaseExpiredRequests(dispatching, chosenDriver, id, clock.now())
    const log = { subject: id, event: input.event }
    const parts = { db, push, clock, random }
    const { applied, booking, eventContext, now } = await commitOrFail(parts, log, decide)
    if (!applied.ok) throw new DomainException(applied.error)
    const { response } = applied.value
    await dispatchAfter(dispatching, id, input, { change: applied.value, eventContext, now })
    return {
      ...response,
      estimate: response.estimate ?? booking?.estimate ?? 0,
      reference: response.reference ?? booking?.reference ?? '',
    }
  }
  return { applyEvent: change }
}

/**
 * Returns the drivers whose request the change ends. A driver who did not answer in time has been
 * released for one booking, which asks them next.
 */
const findFreedDrivers = (input: EventInput, { updates }: BookingChange): string[] =>
  input.event === 'withdraw' && input.isExpired
    ? []
    : Object.entries(updates).flatMap(([path, value]) => {
        const [top, driver] = path.split('/')
        return top === 'driver_tasks' && driver !== undefined && value === null ? [driver] : []
      })

/** Returns true when a booking has just started to wait for a driver. */
const isDispatchNeeded = (
  input: EventInput,
  { status }: BookingChange['response'],
  { settings }: EventContext,
): boolean =>
  settings.autoDispatch &&
  status === 'NEW' &&
  // The compiler cannot see that both have the same event.
  getDefinition(input.event).startsDispatch?.(input as never) === true
