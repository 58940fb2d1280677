import { domainError } from '../../api/errors'
import { err, ok, type Result } from '../../api/result'
import { createEventDraft } from '../changeDraft'
import type { BookingChange, BookingError } from '../eventTypes'
import { getStops, type StopState } from '../stops/bookingStops'
import type { EventInput } from '../eventInput'
import type { EventArgs } from '../eventArgs'
import { isSamePosition } from '../stops/passedStops'

/** The input of an event about one stop. */
export type StopInput = Extract<EventInput, { index: number }>

/** The state in which a stop must be for an event. */
const STATE_BEFORE: Readonly<Record<StopInput['event'], StopState>> = {
  arrive_stop: 'next',
  leave_stop: 'reached',
  skip_stop: 'next',
}

/**
 * Records that the driver has reached, left or skipped a stop. Refused with `stop_not_next` when
 * another stop comes first, or when an amendment has changed the stop since the driver saw it.
 */
export const passStop = (
  args: EventArgs<'arrive_stop'>,
  input: StopInput,
): Result<BookingChange, BookingError> => {
  const { event, index } = input
  const stop = getStops(args.booking)[index]
  if (stop?.state !== STATE_BEFORE[event] || !isSamePosition(stop.place, input.stop))
    return err(domainError('stop_not_next', 'index'))
  const words = input.event === 'skip_stop' ? input.reason?.trim() : undefined
  const draft = createEventDraft(args, event, 'STARTED', { ref: String(index), words })
  return ok(draft.done())
}
