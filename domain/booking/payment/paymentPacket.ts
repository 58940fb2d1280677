import { subtractAmount, sumAmounts, toMinorUnits } from '../../money/money'
import type { BookingFieldUpdates } from '../changeDraft'
import type { Booking, PaymentMode, PaymentPacket } from '../types'
import type { Settings } from '../../catalog/types'

/**
 * Paid and unpaid amounts of a booking. `wallet` and `card` are received; cash does not count
 * before `collect`.
 */
export interface AmountDue {
  discount: number
  wallet: number
  card: number
  due: number
}

/** Returns the amount the rider still owes after the discount and payments by wallet and card. */
export const getAmountDue = (booking: Booking, decimal: number): AmountDue => {
  const packet = booking.paymentPacket
  const discount = packet?.discount_amount ?? 0
  const wallet = packet?.usedWalletMoney ?? 0
  const card = packet?.cardPaymentAmount ?? 0
  const due = subtractAmount(
    booking.trip_cost,
    sumAmounts([discount, wallet, card], decimal),
    decimal,
  )
  return { discount, wallet, card, due: Math.max(0, due) }
}

/**
 * Returns a packet in which trip_cost = customer_paid + discount_amount and customer_paid = wallet
 * + card + cash. Cash is the rest. `payableAmount` is the part not paid from the wallet.
 */
export const buildPacket = (
  booking: Booking,
  settings: Pick<Settings, 'appcat' | 'decimal'>,
  paid: {
    mode: PaymentMode
    discount: number
    wallet: number
    card: number
    promo: { id: string; promo_name: string } | null
  },
): PaymentPacket => {
  const { decimal } = settings
  const customer_paid = subtractAmount(booking.trip_cost, paid.discount, decimal)
  const payableAmount = subtractAmount(customer_paid, paid.wallet, decimal)
  return {
    appcat: settings.appcat,
    payment_mode: paid.mode,
    customer_paid,
    discount_amount: paid.discount,
    usedWalletMoney: paid.wallet,
    cardPaymentAmount: paid.card,
    cashPaymentAmount: subtractAmount(payableAmount, paid.card, decimal),
    payableAmount,
    promo_applied: paid.promo !== null,
    promo_details: paid.promo,
  }
}

/** Returns the packet and the booking's fields that repeat it. */
export const toPacketFields = (packet: PaymentPacket): BookingFieldUpdates => ({
  paymentPacket: packet,
  payment_mode: packet.payment_mode,
  customer_paid: packet.customer_paid,
  discount: packet.discount_amount,
  discount_amount: packet.discount_amount,
  usedWalletMoney: packet.usedWalletMoney,
  cardPaymentAmount: packet.cardPaymentAmount,
  cashPaymentAmount: packet.cashPaymentAmount,
  payableAmount: packet.payableAmount,
  promo_applied: packet.promo_applied,
  promo_details: packet.promo_details ?? undefined,
})

/** Returns true when nothing is left for the driver to collect. */
export const isFullyPrepaid = (packet: PaymentPacket, decimal: number): boolean =>
  toMinorUnits(packet.cashPaymentAmount, decimal) === 0
