import { ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { continueWithNext } from '../../offers/followOn'
import { getAmountDue } from '../../payment/paymentPacket'
import { settleBooking } from '../../payment/settlement'
import type { EventArgs } from '../../eventArgs'

/**
 * Finishes the trip and frees the driver for their next booking. An unpaid booking becomes PENDING.
 */
export const finishTrip = (args: EventArgs<'finish'>): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const paid = booking.prepaid === true && booking.paymentPacket !== undefined
  const draft = createEventDraft(args, 'finish', paid ? 'PAID' : 'PENDING')
  continueWithNext(draft, args)
  if (paid && booking.paymentPacket) settleBooking(draft, args, booking.paymentPacket)
  else
    draft.notifyCustomer('payment_due', booking, {
      amount: getAmountDue(booking, context.settings.decimal).due,
    })
  return ok(draft.done())
}
