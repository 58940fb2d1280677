// Deployed code never imports this file.
import type { Env } from '../ports/paymentAdapter'
import { LOCAL_ENV } from './fakeProvider'

/** Test keys of all providers. */
export const ALL_PROVIDER_KEYS: Env = {
  ...LOCAL_ENV,
  PAYPAL_CLIENT_ID: 'id',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: 'hook',
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'p',
  BRAINTREE_PRIVATE_KEY: 's',
  BRAINTREE_MERCHANT_ACCOUNT_ID: '{"USD":"usd","JPY":"jpy"}',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PAYTM_MID: 'm',
  PAYTM_MERCHANT_KEY: 'kbzk1DSbJiV_O3p5',
  PAYU_MERCHANT_ID: '508029',
  PAYU_ACCOUNT_ID: '512321',
  PAYU_API_KEY: 'key',
  FLW_SECRET_KEY: 'FLWSECK_TEST-1',
  FLW_SECRET_HASH: 'hash',
  PAYSTACK_SECRET_KEY: 'sk_test_1',
  SECUREPAY_MERCHANT_ID: 'ABC0001',
  SECUREPAY_TXN_PASSWORD: 'abc123',
  PAYFAST_MERCHANT_ID: '10000100',
  PAYFAST_MERCHANT_KEY: 'key',
  PAYFAST_PASSPHRASE: 'salt',
  LIQPAY_PUBLIC_KEY: 'i1',
  LIQPAY_PRIVATE_KEY: 'key',
  CULQI_PUBLIC_KEY: 'pk_test_1',
  CULQI_SECRET_KEY: 'sk_test_1',
  CULQI_WEBHOOK_USER: 'user',
  CULQI_WEBHOOK_PASS: 'pass',
  MP_ACCESS_TOKEN: 'TEST-1',
  MP_WEBHOOK_SECRET: 'secret',
}
