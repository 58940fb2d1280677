import type { Booking, PaymentMode, PaymentPacket } from '../entities'
import { domainError, type DomainError } from '../errors'
import { subtractAmount, roundAmount, sumAmounts, toMinorUnits } from '../money'
import { dbPaths } from '../databasePaths'
import { redeemPromo } from '../promo'
import { areTied, hasInvited } from '../ties'
import { err, ok, type Result } from '../result'
import type { BookingError, BookingChange } from './eventTypes'
import { createEventDraft, type Draft } from './changeDraft'
import {
  getAmountDue,
  isFullyPrepaid,
  toPacketFields,
  buildPacket,
  type AmountDue,
} from './paymentPacket'
import { recordPayment } from './paymentHistory'
import { settleBooking } from './settlement'
import type { EventInputFor } from './eventInput'
import type { EventContext } from './eventContext'
import type { EventArgs, TransitionArgs } from './eventArgs'

type PayInput = EventInputFor<'pay'>
type RedeemedPromo = { id: string; promo_name: string }

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
    TransitionArgs<'customer' | 'driver' | 'promo' | 'isPromoUsed'>,
    'booking' | 'context' | 'now'
  >,
  requested: string | undefined,
): Result<BookingBill, DomainError> => {
  const { customer, driver, settings } = context
  const { decimal } = settings
  const had = booking.paymentPacket
  const paid = getAmountDue(booking, decimal)
  const { discount, due } = paid
  if (requested === undefined)
    return ok({ paid, discount, promo: had?.promo_details ?? null, isPromoNew: false, due })
  // The driver would fund their own trips from the platform's discount.
  if (areTied(customer, driver) || hasInvited(customer, driver))
    return err(domainError('promo_invalid', 'promo'))
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
  const given = Math.min(redeemed.value.discount, due)
  return ok({
    paid,
    discount: given,
    promo: { id: promo.id, promo_name: promo.promo_name },
    isPromoNew: true,
    due: subtractAmount(due, given, decimal),
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
  step: EventArgs<'pay'>,
  input: PayInput,
): Result<BookingChange, BookingError> => {
  const { booking, context } = step
  const { decimal } = context.settings
  const bill = quoteBookingPayment(step, input.promo)
  if (!bill.ok) return bill
  const { promo, isPromoNew, due } = bill.value
  const from = splitPayment(input, due, step)
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
  const draft = createEventDraft(step, 'pay', later ? 'PAID' : 'NEW', { ref })
  // The wallet may pay in two steps, before and after the trip. Each has its own key.
  draft.addWalletEntry(
    context.customer,
    `${booking.id}-${later ? 'rest-' : ''}wallet`,
    'Debit',
    wallet,
  )
  const amounts = { wallet, card: from.value.card }
  recordPayment(draft, step, { kind: 'charge', cause: later ? 'after_trip' : 'booked', amounts })
  if (isPromoNew && promo) recordPromoUse(draft, booking, promo)
  draft.setFields({
    prepaid: !later && isFullyPrepaid(packet, decimal),
    ...('payment' in input && { gateway: input.payment.gateway }),
  })
  if (later) settleBooking(draft, step, packet)
  else draft.setFields(toPacketFields(packet))
  return ok(draft.done())
}

/** Moves PENDING → PAID: the driver has collected the rest in cash. */
export const collectCash = (step: EventArgs<'collect'>): Result<BookingChange, BookingError> => {
  const { booking, context } = step
  const { discount, wallet, card } = getAmountDue(booking, context.settings.decimal)
  const draft = createEventDraft(step, 'collect', 'PAID')
  const promo = booking.paymentPacket?.promo_details ?? null
  const paid = { mode: 'cash', discount, wallet, card, promo } as const
  const packet = buildPacket(booking, context.settings, paid)
  draft.setFields({ prepaid: false })
  const amounts = { cash: packet.cashPaymentAmount }
  recordPayment(draft, step, { kind: 'charge', cause: 'collected', amounts })
  settleBooking(draft, step, packet)
  return ok(draft.done())
}
