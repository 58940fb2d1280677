import type { Booking, PaymentMode, PaymentPacket } from '../entities'
import { domainError } from '../errors'
import { subtractAmount, sumAmounts, toMinorUnits } from '../money'
import { err, ok, type Result } from '../result'
import { refundedDelta } from '../stats'
import type { BookingError, BookingChange } from './eventTypes'
import { createEventDraft, type Draft } from './changeDraft'
import { isFullyPrepaid, toPacketFields, buildPacket } from './paymentPacket'
import type { EventInputFor } from './eventInput'
import type { EventArgs, TransitionArgs } from './eventArgs'

const isPaidOut = ({ status }: Booking): boolean => status === 'PAID' || status === 'COMPLETE'

/** Changes the part of the price that the card has paid; the customer owes the rest. */
const setCardPart = (
  draft: Draft,
  { booking, context: { settings } }: TransitionArgs,
  packet: PaymentPacket,
  { card, mode }: { card: number; mode: PaymentMode },
) => {
  const { decimal } = settings
  const owed = buildPacket(booking, settings, {
    mode,
    discount: packet.discount_amount,
    wallet: packet.usedWalletMoney,
    card,
    promo: packet.promo_details ?? null,
  })
  draft.setFields({ ...toPacketFields(owed), prepaid: isFullyPrepaid(owed, decimal) })
}

/**
 * Subtracts refunded card money from its booking. Before the booking is PAID, the customer owes it
 * again, as cash or in the app. Afterwards it is the platform's loss, because the driver has been
 * paid. Refused: payment_mismatch (more than the card paid).
 */
export const refundCardPayment = (
  step: EventArgs<'refund'>,
  input: EventInputFor<'refund'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = step
  const { settings } = context
  const { decimal } = settings
  const packet = booking.paymentPacket
  const before = booking.refunded ?? 0
  const left = subtractAmount(packet?.cardPaymentAmount ?? 0, before, decimal)
  if (!packet || toMinorUnits(input.amount, decimal) > toMinorUnits(left, decimal))
    return err(domainError('payment_mismatch', 'amount', { left }))
  const { complaint } = input
  const draft = createEventDraft(step, 'refund', booking.status, {
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
    setCardPart(draft, step, packet, { card, mode })
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

/**
 * Returns the card money of a lost dispute to its booking, where it was before. Refused:
 * payment_mismatch (the booking has been paid in another way, or was refunded less).
 */
export const reinstateCardPayment = (
  step: EventArgs<'reinstate'>,
  { payment, amount, isAfterPaid }: EventInputFor<'reinstate'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = step
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
  const draft = createEventDraft(step, 'reinstate', booking.status, { ref: payment })
  if (isAfterPaid) {
    const refunded = subtractAmount(before, amount, decimal)
    draft.setFields({ refunded })
    draft.addDelta(refundedDelta(booking, refunded, settings))
  } else {
    const card = sumAmounts([packet.cardPaymentAmount, amount], decimal)
    setCardPart(draft, step, packet, { card, mode: 'card' })
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
