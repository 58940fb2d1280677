import { domainError } from '../../../api/errors'
import { subtractAmount, sumAmounts, toMinorUnits } from '../../../money/money'
import { err, ok, type Result } from '../../../api/result'
import { refundedDelta } from '../../../money/stats'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'
import { setCardPart } from '../../payment/cardPart'
import { isPaidOut } from '../../payment/paidOut'

/**
 * Subtracts refunded card money from its booking. Before the booking is PAID, the customer owes it
 * again, as cash or in the app. Afterwards it is the platform's loss, because the driver has been
 * paid. Refused: payment_mismatch (more than the card paid).
 */
export const refundCardPayment = (
  args: EventArgs<'refund'>,
  input: EventInputFor<'refund'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const { settings } = context
  const { decimal } = settings
  const packet = booking.paymentPacket
  const before = booking.refunded ?? 0
  const left = subtractAmount(packet?.cardPaymentAmount ?? 0, before, decimal)
  if (!packet || toMinorUnits(input.amount, decimal) > toMinorUnits(left, decimal))
    return err(domainError('payment_mismatch', 'amount', { left }))
  const { complaint } = input
  const draft = createEventDraft(args, 'refund', booking.status, {
    ref: input.payment,
    reason: complaint?.reason,
    words: complaint?.text,
  })
  if (isPaidOut(booking)) {
    const refunded = sumAmounts([before, input.amount], decimal)
    draft.setFields({ refunded })
    draft.addDelta(refundedDelta(booking, refunded, settings))
  } else {
    const card = subtractAmount(packet.cardPaymentAmount, input.amount, decimal)
    const mode = toMinorUnits(card, decimal) > 0 ? packet.payment_mode : 'cash'
    setCardPart(draft, args, packet, { card, mode })
  }
  draft.addFareEntry({
    kind: 'refund',
    cause: input.isChargeback ? 'chargeback' : (complaint?.reason ?? 'refund'),
    lines: [{ label: 'fare_refund', amount: -input.amount }],
    total: -input.amount,
  })
  // The payer's bank has told the payer, and the dispute is not decided yet.
  const { amount } = input
  if (complaint)
    draft.notifyCustomer('complaint_refunded', booking, {
      amount,
      reference: booking.reference,
      reason: complaint.reason,
    })
  else if (!input.isChargeback) draft.notifyCustomer('refunded', booking, { amount })
  return ok(draft.done())
}
