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
 * Returns the card money of a lost dispute to its booking, where it was before. Refused:
 * payment_mismatch (the booking has been paid in another way, or was refunded less).
 */
export const reinstateCardPayment = (
  args: EventArgs<'reinstate'>,
  { payment, amount, isAfterPaid }: EventInputFor<'reinstate'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const { settings } = context
  const { decimal } = settings
  const packet = booking.paymentPacket
  const before = booking.refunded ?? 0
  const missing = isAfterPaid ? before : (packet?.cashPaymentAmount ?? 0)
  if (
    !packet ||
    isAfterPaid !== isPaidOut(booking) ||
    toMinorUnits(amount, decimal) > toMinorUnits(missing, decimal)
  )
    return err(domainError('payment_mismatch', 'amount', { left: missing }))
  const draft = createEventDraft(args, 'reinstate', booking.status, { ref: payment })
  if (isAfterPaid) {
    const refunded = subtractAmount(before, amount, decimal)
    draft.setFields({ refunded })
    draft.addDelta(refundedDelta(booking, refunded, settings))
  } else {
    const card = sumAmounts([packet.cardPaymentAmount, amount], decimal)
    setCardPart(draft, args, packet, { card, mode: 'card' })
    draft.notifyCustomer('chargeback_won', booking, { amount })
  }
  // A refund with the opposite sign, so that refunds and their reversals add up.
  draft.addFareEntry({
    kind: 'refund',
    cause: 'chargeback_won',
    lines: [{ label: 'fare_refund', amount }],
    total: amount,
  })
  return ok(draft.done())
}
