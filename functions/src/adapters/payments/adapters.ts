import type { AdapterFactory } from '../../ports/paymentAdapter'
import type { ProviderId } from '~/domain/payments/providers'
import { braintree } from './providers/braintree'
import { culqi } from './providers/culqi'
import { flutterwave } from './providers/flutterwave'
import { liqpay } from './providers/liqpay'
import { mercadopago } from './providers/mercadopago'
import { payfast } from './providers/payfast'
import { paypal } from './providers/paypal'
import { paystack } from './providers/paystack'
import { paytm } from './providers/paytm'
import { payulatam } from './providers/payulatam'
import { securepay } from './providers/securepay'
import { stripe } from './providers/stripe'
import { testProvider } from './providers/testProvider'

/** Every provider, in the order in which they are listed. */
export const ADAPTERS: Readonly<Record<ProviderId, AdapterFactory>> = {
  paypal,
  braintree,
  stripe,
  paytm,
  payulatam,
  flutterwave,
  paystack,
  securepay,
  payfast,
  liqpay,
  culqi,
  mercadopago,
  test: testProvider,
}
