import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { isBookingExpired } from '../../deadlines'
import type { EventArgs } from '../../eventArgs'
import { cancelWithoutFee, UNPAID_REASON } from '../../payment/cancellation'

/** Cancels an expired booking on behalf of the system. */
export const expireBooking = (args: EventArgs<'expire'>): Result<BookingChange, BookingError> => {
  const { booking, now } = args
  if (!isBookingExpired(booking, now)) return err(domainError('event_not_possible'))
  const unpaid = booking.status === 'PAYMENT_PENDING'
  const draft = createEventDraft(args, 'expire', 'CANCELLED')
  cancelWithoutFee(draft, args, {
    reason: unpaid ? UNPAID_REASON : 'no_driver',
    cancelledBy: 'system',
  })
  draft.notifyCustomer(unpaid ? 'expired' : 'no_driver', booking)
  return ok(draft.done())
}
