import { domainError, type DomainError } from '../../../api/errors'
import { subtractAmount, sumAmounts, toMinorUnits } from '../../../money/money'
import { divideReturn } from '../../../payments/attemptAccount'
import { buildAttemptUpdates } from '../../../payments/paymentChange'
import { quoteDiscount } from '../../../money/promo'
import { err, ok, type Result } from '../../../api/result'
import type { Draft } from '../../changeDraft'
import { recordPayment } from '../../payment/paymentHistory'
import { buildPacket, isFullyPrepaid, toPacketFields } from '../../payment/paymentPacket'
import type { TransitionArgs } from '../../eventArgs'
import type { PaymentPacket } from '../../types'

/** The money of a booking that was paid for before the amendment. */
interface AmendedPayment {
  packet: PaymentPacket
  /** Amounts that go back to the wallet: those paid from it, and those paid by card. */
  returned: number
  returnedCard: number
  /** The amount that leaves the wallet, when the wallet pays for the booking and has enough. */
  walletDebit: number
}

/**
 * Divides the new price into the amounts already paid and the rest. The promo is redeemed again for
 * the new price. A surplus goes back to the wallet, as after a cancellation. A wallet that pays for
 * the booking pays the difference if it can; otherwise the rest is due after the trip.
 */
const splitAmendedPayment = (
  { booking, context }: TransitionArgs<'promo' | 'customer'>,
  packet: PaymentPacket,
  tripCost: number,
): Result<AmendedPayment, DomainError> => {
  const { settings, promo, customer } = context
  const { decimal } = settings
  const discounted =
    promo && packet.promo_applied
      ? quoteDiscount(promo, tripCost, settings)
      : ok(Math.min(packet.discount_amount, tripCost))
  if (!discounted.ok) return discounted
  const discount = discounted.value
  const { usedWalletMoney: wallet, cardPaymentAmount: card } = packet
  const rest = subtractAmount(tripCost, sumAmounts([discount, wallet, card], decimal), decimal)
  const surplus = Math.max(0, -rest)
  const returned = Math.min(wallet, surplus)
  const returnedCard = subtractAmount(surplus, returned, decimal)
  const isCovered =
    packet.payment_mode === 'wallet' &&
    toMinorUnits(customer?.walletBalance ?? 0, decimal) >= toMinorUnits(rest, decimal)
  const walletDebit = isCovered ? Math.max(0, rest) : 0
  const isCashDue = rest > 0 && walletDebit === 0
  const amended = buildPacket({ ...booking, trip_cost: tripCost }, settings, {
    mode: packet.payment_mode === 'wallet' && isCashDue ? 'cash' : packet.payment_mode,
    discount,
    wallet: sumAmounts([wallet, -returned, walletDebit], decimal),
    card: subtractAmount(card, returnedCard, decimal),
    promo: packet.promo_details ?? null,
  })
  return ok({ packet: amended, returned, returnedCard, walletDebit })
}

/** Returns what the payment of an amended booking becomes; null when nothing was paid for it. */
export const getAmendedPayment = (
  args: TransitionArgs<'cardPayments' | 'customer' | 'promo'>,
  tripCost: number,
): Result<AmendedPayment | null, DomainError> => {
  const { booking, context } = args
  if (!booking.paymentPacket) return ok(null)
  const payment = splitAmendedPayment(args, booking.paymentPacket, tripCost)
  // The refund in progress may take the same money back to the card.
  return payment.ok &&
    payment.value.returnedCard > 0 &&
    context.cardPayments.some(({ refund }) => refund !== undefined)
    ? err(domainError('refund_open'))
    : payment
}

/**
 * Records on the attempts that paid by card what goes back to the wallet, so that it cannot go back
 * to the card too. Safe because a refund that starts at the same time writes the same revision.
 */
const recordReturnOnAttempts = (
  draft: Draft,
  { context: { cardPayments }, now }: TransitionArgs<'cardPayments'>,
  amount: number,
) => {
  for (const { attempt, returned } of divideReturn(cardPayments, amount))
    for (const [path, value] of Object.entries(buildAttemptUpdates(attempt, { returned }, now)))
      draft.set(path, value)
}

/** Moves the money that an amended price returns or takes, and tells the customer. */
export const movePayment = (
  draft: Draft,
  args: TransitionArgs<'customer' | 'cardPayments'>,
  payment: AmendedPayment,
) => {
  const { booking, context } = args
  const { decimal } = context.settings
  const { packet, returned, returnedCard, walletDebit } = payment
  const key = `${booking.id}-amend_${draft.revision}`
  draft.setFields({ ...toPacketFields(packet), prepaid: isFullyPrepaid(packet, decimal) })
  draft.addWalletEntry(context.customer, `${key}-returned`, { type: 'Credit', amount: returned })
  draft.addWalletEntry(context.customer, `${key}-returned-card`, {
    type: 'Credit',
    amount: returnedCard,
  })
  draft.addWalletEntry(context.customer, `${key}-wallet`, { type: 'Debit', amount: walletDebit })
  recordReturnOnAttempts(draft, args, returnedCard)
  const amount = sumAmounts([returned, returnedCard], decimal)
  const cause = 'amended'
  recordPayment(draft, args, { kind: 'return', cause, amounts: { wallet: amount } })
  recordPayment(draft, args, { kind: 'charge', cause, amounts: { wallet: walletDebit } })
  const { reference } = booking
  if (amount > 0) draft.notifyCustomer('returned', booking, { amount, reference })
  if (walletDebit > 0)
    draft.notifyCustomer('amendment_charged', booking, { amount: walletDebit, reference })
}
