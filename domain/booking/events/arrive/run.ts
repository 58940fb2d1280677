import { ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/** Records that the driver is at the pickup. */
export const arriveAtPickup = (
  args: EventArgs<'arrive'>,
  input: EventInputFor<'arrive'>,
): Result<BookingChange, BookingError> => {
  const { booking, occurredAt } = args
  const draft = createEventDraft(args, 'arrive', 'ARRIVED')
  draft.setFields({ driver_arrive_time: occurredAt })
  draft.addTrackPoint(input)
  draft.notifyCustomer('arrived', booking, { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}
