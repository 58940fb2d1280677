import { domainError, type DomainError } from '../../../api/errors'
import { subtractAmount, sumAmounts } from '../../../money/money'
import { redeemPromo } from '../../../money/promo'
import { isPromoRefused } from '../../../accounts/ties'
import { err, ok, type Result } from '../../../api/result'
import { getAmountDue, buildPacket, type AmountDue } from '../../payment/paymentPacket'
import type { EventContext } from '../../eventContext'
import type { TransitionArgs } from '../../eventArgs'
import type { Booking, PaymentMode, PaymentPacket } from '../../types'

export type RedeemedPromo = { id: string; promo_name: string }

/** The amounts to pay for a booking now. */
interface BookingBill {
  /** Amounts paid before. */
  paid: AmountDue
  /** The existing discount, or the one requested now. */
  discount: number
  promo: RedeemedPromo | null
  /** True when this payment redeems the promo. */
  isPromoNew: boolean
  due: number
}

/**
 * Returns the bill of a booking, with the promo that the payer names, if any. Refused:
 * promo_already_used, and the errors of `redeemPromo`.
 */
export const quoteBookingPayment = (
  {
    booking,
    context,
    now,
  }: Pick<
    TransitionArgs<'customer' | 'driver' | 'referrer' | 'promo' | 'isPromoUsed'>,
    'booking' | 'context' | 'now'
  >,
  requested: string | undefined,
): Result<BookingBill, DomainError> => {
  const { customer, driver, referrer, settings } = context
  const { decimal } = settings
  const had = booking.paymentPacket
  const paid = getAmountDue(booking, decimal)
  const { discount, due } = paid
  if (requested === undefined)
    return ok({ paid, discount, promo: had?.promo_details ?? null, isPromoNew: false, due })
  // The driver would fund their own trips from the platform's discount.
  if (isPromoRefused(customer, driver, referrer)) return err(domainError('promo_invalid', 'promo'))
  if (had?.promo_applied) return err(domainError('promo_already_used', 'promo'))
  const redeemed = redeemPromo(context.promo, {
    tripCost: booking.trip_cost,
    usedBefore: context.isPromoUsed,
    now,
    settings: context.settings,
  })
  if (!redeemed.ok) return redeemed
  const { promo } = redeemed.value
  // A part of the trip may already be paid, and that money is not returned.
  const promoDiscount = Math.min(redeemed.value.discount, due)
  return ok({
    paid,
    discount: promoDiscount,
    promo: { id: promo.id, promo_name: promo.promo_name },
    isPromoNew: true,
    due: subtractAmount(due, promoDiscount, decimal),
  })
}

/**
 * Returns the payment packet of a bill, given the amounts paid now by wallet and card. The rest is
 * cash.
 */
export const buildBillPacket = (
  { paid, discount, promo }: BookingBill,
  booking: Booking,
  settings: EventContext['settings'],
  { mode, wallet, card }: { mode: PaymentMode; wallet: number; card: number },
): PaymentPacket =>
  buildPacket(booking, settings, {
    mode,
    discount,
    promo,
    wallet: sumAmounts([paid.wallet, wallet], settings.decimal),
    card: sumAmounts([paid.card, card], settings.decimal),
  })
