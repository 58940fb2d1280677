import type { Booking, PaymentMode, PaymentPacket, Settings } from '../entities'
import { minus, sum, toMinor } from '../money'
import type { BookingFields } from './draft'

/** What has been paid of a booking, and what has not. `wallet` and `card` are in, cash never is before `collect`. */
export interface Due {
  discount: number
  wallet: number
  card: number
  due: number
}

/** What the rider still owes on a booking, after discount and what wallet and card have paid. */
export const dueOf = (booking: Booking, decimal: number): Due => {
  const packet = booking.paymentPacket
  const discount = packet?.discount_amount ?? 0
  const wallet = packet?.usedWalletMoney ?? 0
  const card = packet?.cardPaymentAmount ?? 0
  const due = minus(booking.trip_cost, sum([discount, wallet, card], decimal), decimal)
  return { discount, wallet, card, due: Math.max(0, due) }
}

/**
 * A packet in which trip_cost = customer_paid + discount_amount and customer_paid = wallet + card + cash; the
 * cash is what remains. `payableAmount` is what does not come from the wallet.
 */
export const packetOf = (
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
  const customer_paid = minus(booking.trip_cost, paid.discount, decimal)
  const payableAmount = minus(customer_paid, paid.wallet, decimal)
  return {
    appcat: settings.appcat,
    payment_mode: paid.mode,
    customer_paid,
    discount_amount: paid.discount,
    usedWalletMoney: paid.wallet,
    cardPaymentAmount: paid.card,
    cashPaymentAmount: minus(payableAmount, paid.card, decimal),
    payableAmount,
    promo_applied: paid.promo !== null,
    promo_details: paid.promo,
  }
}

/** The packet and the booking's fields that repeat it. */
export const packetFields = (packet: PaymentPacket): BookingFields => ({
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

/** Whether nothing is left for the driver to collect. */
export const isPrepaid = (packet: PaymentPacket, decimal: number): boolean =>
  toMinor(packet.cashPaymentAmount, decimal) === 0
