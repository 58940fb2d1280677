import type { EndpointOutput } from '~/domain/api/api'
import { createServiceThunk } from '~/src/store/serviceThunk'

export type PaymentQuote = EndpointOutput<'quote_payment'>

/** Returns what a payment would cost with a promo and an amount from the wallet; writes nothing. */
export const quotePayment = createServiceThunk<
  { booking_id: string; promo?: string; usedWalletMoney?: number },
  PaymentQuote
>('bookingdata/quotePayment', (input, { functions }) => functions.call('quote_payment', input))
