import { expect, it } from 'vitest'
import { createPaymentUrls } from './paymentUrls'

const list = (env: Record<string, string>) => {
  const urls = createPaymentUrls({ GCLOUD_PROJECT: 'city-cabs', ...env })
  return [urls.checkout('stripe'), urls.return('stripe', 'p1'), urls.webhook('stripe')]
}

it.each<[string, Record<string, string>, string]>([
  ['the default region', {}, 'https://us-central1-city-cabs.cloudfunctions.net'],
  [
    'the configured region',
    { KERBSIDE_REGION: 'europe-west1' },
    'https://europe-west1-city-cabs.cloudfunctions.net',
  ],
  [
    'a domain of its own',
    { KERBSIDE_REGION: 'europe-west1', KERBSIDE_FUNCTIONS_URL: 'https://calls.citycabs.com/' },
    'https://calls.citycabs.com',
  ],
])('sends payers of a deployed project to the payments function in %s', (_, env, origin) => {
  expect(list(env)).toEqual([
    `${origin}/payments/pay_stripe`,
    `${origin}/payments/payment_return/stripe?payment=p1`,
    `${origin}/payments/payment_webhook/stripe`,
  ])
})

it('sends payers to a separate function in the emulator', () => {
  const origin = 'http://127.0.0.1:5001/city-cabs/us-central1'
  expect(list({ FUNCTIONS_EMULATOR: 'true' })).toEqual([
    `${origin}/pay_stripe`,
    `${origin}/payment_return/stripe?payment=p1`,
    `${origin}/payment_webhook/stripe`,
  ])
})
