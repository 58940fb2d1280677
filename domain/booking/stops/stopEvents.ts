import type { Booking, LatLng, Place } from '../../entities'
import { domainError, type DomainError } from '../../errors'
import { err, ok, type Result } from '../../result'
import { createEventDraft } from '../changeDraft'
import type { BookingChange, BookingError } from '../eventTypes'
import { getStops, isStopDone, type StopState } from './bookingStops'
import type { EventInput } from '../eventInput'
import type { EventArgs } from '../eventArgs'

/** The input of an event about one stop. */
export type StopInput = Extract<EventInput, { index: number }>

/** The state in which a stop must be for an event. */
const STATE_BEFORE: Readonly<Record<StopInput['event'], StopState>> = {
  arrive_stop: 'next',
  leave_stop: 'reached',
  skip_stop: 'next',
}

const isSamePosition = (a: LatLng, b: LatLng): boolean => a.lat === b.lat && a.lng === b.lng

/**
 * Records that the driver has reached, left or skipped a stop. Refused with `stop_not_next` when
 * another stop comes first, or when an amendment has changed the stop since the driver saw it.
 */
export const passStop = (
  step: EventArgs<'arrive_stop'>,
  input: StopInput,
): Result<BookingChange, BookingError> => {
  const { event, index } = input
  const stop = getStops(step.booking)[index]
  if (stop?.state !== STATE_BEFORE[event] || !isSamePosition(stop.place, input.stop))
    return err(domainError('stop_not_next', 'index'))
  const words = input.event === 'skip_stop' ? input.reason?.trim() : undefined
  const draft = createEventDraft(step, event, 'STARTED', { ref: String(index), words })
  return ok(draft.done())
}

const isSamePlace = (a: Place, b: Place | undefined): boolean =>
  b !== undefined && isSamePosition(a, b) && a.add === b.add

/**
 * Returns the refusal of an amendment that changes, moves or removes a stop that the driver has
 * already reached or skipped, if any.
 */
export const checkPassedStops = (
  booking: Booking,
  waypoints: readonly Place[],
): DomainError | undefined => {
  const changed = getStops(booking).findIndex(
    (stop, index) => isStopDone(stop) && !isSamePlace(stop.place, waypoints[index]),
  )
  return changed < 0 ? undefined : domainError('stop_passed', 'waypoints', { stop: changed + 1 })
}
