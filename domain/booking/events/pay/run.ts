import { domainError, type DomainError } from '../../../api/errors'
import { subtractAmount, roundAmount, toMinorUnits } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft, type Draft } from '../../changeDraft'
import { isFullyPrepaid, toPacketFields } from '../../payment/paymentPacket'
import { recordPayment } from '../../payment/paymentHistory'
import { settleBooking } from '../../payment/settlement'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { PayInput } from './definition'
import { type RedeemedPromo, quoteBookingPayment, buildBillPacket } from './bill'
import type { Booking, PaymentMode } from '../../types'

/** Splits the amount due into wallet, card and cash. */
const splitPayment = (
  input: PayInput,
  due: number,
  { booking, context }: TransitionArgs,
): Result<{ mode: PaymentMode; wallet: number; card: number }, DomainError> => {
  const { decimal, code } = context.settings
  const requested = roundAmount(input.usedWalletMoney ?? 0, decimal)
  if (requested < 0 || toMinorUnits(requested, decimal) > toMinorUnits(due, decimal))
    return err(domainError('bad_input', 'usedWalletMoney'))
  if ('payment' in input) {
    const { amount, currency } = input.payment
    const card = subtractAmount(due, requested, decimal)
    // The amount must be exact and in our currency. Any other payment is parked for the back
    // office.
    if (
      currency !== code ||
      toMinorUnits(amount, decimal) !== toMinorUnits(card, decimal) ||
      card <= 0
    )
      return err(domainError('payment_mismatch', undefined, { expected: card, paid: amount }))
    return ok({ mode: 'card', wallet: requested, card })
  }
  if (input.payment_mode === 'wallet') return ok({ mode: 'wallet', wallet: due, card: 0 })
  // After the trip the driver takes the cash and confirms it with `collect`.
  if (booking.status === 'PENDING') return err(domainError('event_not_possible', 'payment_mode'))
  return ok({ mode: 'cash', wallet: requested, card: 0 })
}

const recordPromoUse = (draft: Draft, booking: Booking, promo: RedeemedPromo) => {
  draft.add(`${dbPaths.promo(promo.id)}/user_avail`, 1)
  draft.set(dbPaths.promoUse(promo.id, booking.customer), booking.id)
}

/**
 * Pays a booking: PAYMENT_PENDING → NEW or PENDING → PAID. Wallet money and a verified card payment
 * move now; cash is only promised, and moves with `collect`.
 */
export const payBooking = (
  args: EventArgs<'pay'>,
  input: PayInput,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const { decimal } = context.settings
  const bill = quoteBookingPayment(args, input.promo)
  if (!bill.ok) return bill
  const { promo, isPromoNew, due } = bill.value
  const from = splitPayment(input, due, args)
  if (!from.ok) return from
  const { wallet } = from.value
  if (
    toMinorUnits(wallet, decimal) >
    toMinorUnits(Math.max(0, context.customer?.walletBalance ?? 0), decimal)
  )
    return err(domainError('wallet_too_low', 'payment_mode', { needed: wallet }))

  const packet = buildBillPacket(bill.value, booking, context.settings, from.value)
  const later = booking.status === 'PENDING'
  const ref = 'payment' in input ? input.payment.id : undefined
  const draft = createEventDraft(args, 'pay', later ? 'PAID' : 'NEW', { ref })
  // The wallet may pay in two steps, before and after the trip. Each has its own key.
  draft.addWalletEntry(context.customer, `${booking.id}-${later ? 'rest-' : ''}wallet`, {
    type: 'Debit',
    amount: wallet,
  })
  const amounts = { wallet, card: from.value.card }
  recordPayment(draft, args, { kind: 'charge', cause: later ? 'after_trip' : 'booked', amounts })
  if (isPromoNew && promo) recordPromoUse(draft, booking, promo)
  draft.setFields({
    prepaid: !later && isFullyPrepaid(packet, decimal),
    ...('payment' in input && { gateway: input.payment.gateway }),
  })
  if (later) settleBooking(draft, args, packet)
  else draft.setFields(toPacketFields(packet))
  return ok(draft.done())
}
