import type { PaymentPacket } from '~/domain/entities'
import { operation } from '~/src/store/operation'

export interface PaymentQuote {
  packet: PaymentPacket
  /** What is left to pay, in the settings' currency. */
  due: number
  walletBalance: number
}

/** What paying a booking would come to with a promo and so much from the wallet; writes nothing. */
export const quotePayment = operation<
  { booking_id: string; promo?: string; usedWalletMoney?: number; quiet?: boolean },
  PaymentQuote
>('bookingdata/quotePayment', ({ quiet: _, ...input }, { functions }) =>
  functions.call('quote_payment', input),
)
