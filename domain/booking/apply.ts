import type { Booking } from '../entities'
import { refusal, type Refusal } from '../errors'
import { err, ok, type Result } from '../result'
import { cancel, expire } from './cancelling'
import type { Actor, BookingRefusal, Change, EventInput, World } from './change'
import { create } from './create'
import { accept, assign, decline, dispatch } from './dispatching'
import type { Step } from './draft'
import { arrive, finish, reach, start } from './journey'
import { ownTime } from './ownTime'
import { doneBefore, isFrom, isParty, isRoleFor, rolesIn } from './party'
import { collect, pay } from './payment'
import { rate } from './rating'

/** Who may not, and when not; the effects themselves ask the rest. */
const refusedBefore = (booking: Booking, input: EventInput, actor: Actor): Refusal | undefined => {
  const { event } = input
  if (!isRoleFor(event, actor.role) || !isParty(booking, event, actor))
    return refusal('not_allowed')
  // Card money counts only when a provider's callback proved it, and such a callback brings nothing else.
  if (event === 'pay' && (actor.role === 'system') !== 'payment' in input)
    return refusal('not_allowed')
  if (isFrom(event, booking.status))
    return rolesIn(event, booking.status).includes(actor.role)
      ? undefined
      : refusal('event_not_possible')
  const lost = event === 'accept' && booking.driver !== undefined && booking.driver !== actor.uid
  return refusal(lost ? 'booking_taken' : 'event_not_possible', undefined, {
    status: booking.status,
  })
}

const effect = (step: Step, input: EventInput): Result<Change, BookingRefusal> => {
  switch (input.event) {
    case 'create':
      return err(refusal('event_not_possible'))
    case 'pay':
      return pay(step, input)
    case 'dispatch':
      return dispatch(step, input)
    case 'assign':
      return assign(step, input)
    case 'accept':
      return accept(step)
    case 'decline':
      return decline(step)
    case 'arrive':
      return arrive(step, input)
    case 'start':
      return start(step, input)
    case 'reach':
      return reach(step, input)
    case 'finish':
      return finish(step)
    case 'collect':
      return collect(step)
    case 'rate':
      return rate(step, input)
    case 'cancel':
      return cancel(step, input)
    case 'expire':
      return expire(step)
  }
}

const repeated = (
  booking: Booking,
  entry: { status: Booking['status']; revision: number },
): Change => ({
  updates: {},
  pushes: [],
  answer: { booking_id: booking.id, status: entry.status, revision: entry.revision },
})

const createOnce = (
  booking: Booking | null,
  input: Extract<EventInput, { event: 'create' }>,
  actor: Actor,
  world: World,
  now: number,
): Result<Change, BookingRefusal> => {
  if (actor.role === 'system') return err(refusal('not_allowed'))
  if (!booking) return create(input.input, actor, world, now)
  const made = booking.event_log?.create
  if (made?.by !== actor.uid) return err(refusal('event_not_possible'))
  const { answer, ...nothing } = repeated(booking, made)
  return ok({ ...nothing, answer: { ...answer, estimate: booking.estimate } })
}

/**
 * The only way a booking changes: one event by one actor, as the transition table has it. Gives everything it writes as
 * one change, an empty change for the repeat of what this actor already did, or the reason why not. Pure: `world`
 * is what the caller read (`needs` says what), `now` is ms. What a driver's event records of the journey happened at
 * its own time; money, totals and locks go by `now`.
 */
export const apply = (
  booking: Booking | null,
  input: EventInput,
  actor: Actor,
  world: World,
  now: number,
): Result<Change, BookingRefusal> => {
  if (input.event === 'create') return createOnce(booking, input, actor, world, now)
  if (!booking) return err(refusal('not_found', 'booking_id'))
  const may = isRoleFor(input.event, actor.role) && isParty(booking, input.event, actor)
  const done = may ? doneBefore(booking, input, actor) : undefined
  if (done) return ok(repeated(booking, done))
  const refused = refusedBefore(booking, input, actor)
  return refused
    ? err(refused)
    : effect({ booking, actor, world, now, happenedAt: ownTime(booking, input, now) }, input)
}
