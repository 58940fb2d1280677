import { ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { getAmountDue, buildPacket } from '../../payment/paymentPacket'
import { recordPayment } from '../../payment/paymentHistory'
import { settleBooking } from '../../payment/settlement'
import type { EventArgs } from '../../eventArgs'

/** Moves PENDING → PAID: the driver has collected the rest in cash. */
export const collectCash = (args: EventArgs<'collect'>): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const { discount, wallet, card } = getAmountDue(booking, context.settings.decimal)
  const draft = createEventDraft(args, 'collect', 'PAID')
  const promo = booking.paymentPacket?.promo_details ?? null
  const paid = { mode: 'cash', discount, wallet, card, promo } as const
  const packet = buildPacket(booking, context.settings, paid)
  draft.setFields({ prepaid: false })
  const amounts = { cash: packet.cashPaymentAmount }
  recordPayment(draft, args, { kind: 'charge', cause: 'collected', amounts })
  settleBooking(draft, args, packet)
  return ok(draft.done())
}
