import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { createEventDraft } from '../../changeDraft'
import type { EventArgs } from '../../eventArgs'
import type { BookingChange, BookingError } from '../../eventTypes'

/**
 * Hands a booking back to automatic dispatch, which looks for a driver at once. Offers that the
 * office has made stay open.
 */
export const handBackBooking = (
  args: EventArgs<'hand_back'>,
): Result<BookingChange, BookingError> => {
  if (args.booking.taken_by === undefined) return err(domainError('event_not_possible'))
  const draft = createEventDraft(args, 'hand_back', 'NEW')
  draft.setFields({ taken_by: null })
  draft.addAuditEntry('booking_hand_back', {})
  return ok(draft.done())
}
