/** The payment providers that the platform knows, in the order in which they are listed. */
export const PROVIDER_IDS = [
  'paypal',
  'braintree',
  'stripe',
  'paytm',
  'payulatam',
  'flutterwave',
  'paystack',
  'securepay',
  'payfast',
  'liqpay',
  'culqi',
  'mercadopago',
  'test',
] as const
export type ProviderId = (typeof PROVIDER_IDS)[number]
