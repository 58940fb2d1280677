import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { getAmountDue, buildPacket } from '../../payment/paymentPacket'
import { recordPayment } from '../../payment/paymentHistory'
import { settleBooking } from '../../payment/settlement'
import { checkStep, createStepDraft } from '../../trip/officeStep'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/** Moves PENDING → PAID: the driver has collected the rest in cash. */
export const collectCash = (
  args: EventArgs<'collect'>,
  input: EventInputFor<'collect'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const refused = checkStep(args, input)
  if (refused) return err(refused)
  const { discount, wallet, card } = getAmountDue(booking, context.settings.decimal)
  const draft = createStepDraft(args, input, 'PAID')
  const promo = booking.paymentPacket?.promo_details ?? null
  const paid = { mode: 'cash', discount, wallet, card, promo } as const
  const packet = buildPacket(booking, context.settings, paid)
  draft.setFields({ prepaid: false })
  const amounts = { cash: packet.cashPaymentAmount }
  recordPayment(draft, args, { kind: 'charge', cause: 'collected', amounts })
  settleBooking(draft, args, packet)
  return ok(draft.done())
}
