import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { continueWithNext } from '../../offers/followOn'
import { getAmountDue } from '../../payment/paymentPacket'
import { settleBooking } from '../../payment/settlement'
import { checkStep, createStepDraft } from '../../trip/officeStep'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/**
 * Finishes the trip and frees the driver for their next booking. An unpaid booking becomes PENDING.
 */
export const finishTrip = (
  args: EventArgs<'finish'>,
  input: EventInputFor<'finish'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const refused = checkStep(args, input)
  if (refused) return err(refused)
  const paid = booking.prepaid === true && booking.paymentPacket !== undefined
  const draft = createStepDraft(args, input, paid ? 'PAID' : 'PENDING')
  continueWithNext(draft, args)
  if (paid && booking.paymentPacket) settleBooking(draft, args, booking.paymentPacket)
  else
    draft.notifyCustomer('payment_due', booking, {
      amount: getAmountDue(booking, context.settings.decimal).due,
    })
  return ok(draft.done())
}
