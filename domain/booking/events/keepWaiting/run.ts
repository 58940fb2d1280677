import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { createEventDraft } from '../../changeDraft'
import type { EventArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import type { BookingChange, BookingError } from '../../eventTypes'
import { getWaitLimitMs } from '../../limits/waitLimit'

/**
 * Lets the customer be asked only after the time of the setting again. The office may record it
 * before they are asked. Drivers are looked for meanwhile.
 */
export const goOnWaiting = (
  args: EventArgs<'keep_waiting'>,
  { asked_at }: EventInputFor<'keep_waiting'>,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  if (booking.wait_until !== asked_at) return err(domainError('event_not_possible'))
  const draft = createEventDraft(args, 'keep_waiting', 'NEW')
  draft.setFields({ wait_until: now + getWaitLimitMs(context.settings), expected_at: null })
  draft.addAuditEntry('booking_keep_waiting', {})
  return ok(draft.done())
}
