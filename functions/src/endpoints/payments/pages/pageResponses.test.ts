import { describe, expect, it } from 'vitest'
import type { PageResponse } from './pageResponses'
import { renderCheckout, errorPage } from './pageResponses'
import { ADAPTERS } from '../../../adapters/payments/adapters'
import { translatorFor } from './pageTranslator'
import { aCheckoutOrder, LOCAL_ENV, createFakeDeps } from '../../../testing/fakeProvider'

const APP = 'https://app.example'
const KEYS = {
  ...LOCAL_ENV,
  BRAINTREE_MERCHANT_ID: 'm',
  BRAINTREE_PUBLIC_KEY: 'p',
  BRAINTREE_PRIVATE_KEY: 'secret-of-braintree',
  BRAINTREE_MERCHANT_ACCOUNT_ID: '{"USD":"usd"}',
  PAYTM_MID: 'm',
  PAYTM_MERCHANT_KEY: 'kbzk1DSbJiV_O3p5',
  PAYU_MERCHANT_ID: '508029',
  PAYU_ACCOUNT_ID: '512321',
  PAYU_API_KEY: 'secret-of-payu',
  SECUREPAY_MERCHANT_ID: 'ABC0001',
  SECUREPAY_TXN_PASSWORD: 'secret-of-securepay',
  PAYFAST_MERCHANT_ID: '10000100',
  PAYFAST_MERCHANT_KEY: 'key-that-travels',
  PAYFAST_PASSPHRASE: 'secret-of-payfast',
  LIQPAY_PUBLIC_KEY: 'i00000000',
  LIQPAY_PRIVATE_KEY: 'secret-of-liqpay',
  CULQI_PUBLIC_KEY: 'pk_test_1',
  CULQI_SECRET_KEY: 'secret-of-culqi',
  CULQI_WEBHOOK_USER: 'user',
  CULQI_WEBHOOK_PASS: 'secret-of-the-hook',
}
const CURRENCY: Record<string, string> = {
  paytm: 'INR',
  payulatam: 'COP',
  securepay: 'AUD',
  payfast: 'ZAR',
  liqpay: 'UAH',
  culqi: 'PEN',
}
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>`

const getPolicy = ({ headers }: PageResponse): Record<string, string[]> =>
  Object.fromEntries(
    (headers['Content-Security-Policy'] ?? '').split('; ').map((part) => {
      const [name = '', ...sources] = part.split(' ')
      return [name, sources]
    }),
  )

/** Checks that a page meets the requirements for every page of ours. */
const isStrict = (answer: PageResponse) => {
  const policy = getPolicy(answer)
  expect(policy).toMatchObject({
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  expect(answer.headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  })
  const scripts = policy['script-src'] ?? []
  for (const unsafe of ["'unsafe-inline'", "'unsafe-eval'", '*', 'https:', 'data:', 'blob:'])
    expect(scripts).not.toContain(unsafe)
  const [, nonce] = /'nonce-([^']+)'/.exec(scripts.join(' ')) ?? []
  for (const [tag] of answer.body.matchAll(/<script[^>]*>/g)) expect(tag).toContain(`"${nonce}"`)
  // With quoted text and text between tags removed, only the tags' own words remain.
  const tags = answer.body.replace(/"[^"]*"/g, '').match(/<[^>]*>/g) ?? []
  for (const tag of tags) expect(tag).not.toMatch(/\son\w+=|<(iframe|object|embed|base|link)\b/i)
  return policy
}

describe('a page of ours', () => {
  it.each(['gone', 'silent', 'fault'] as const)(
    'runs no scripts and sends no data for the message %s',
    (what) => {
      const policy = isStrict(errorPage(translatorFor('he'), 404, what, `${APP}/payment-return`))
      expect(policy['script-src']).toEqual(["'none'"])
      expect(policy['form-action']).toEqual(["'none'"])
      expect(policy['connect-src']).toEqual(["'none'"])
    },
  )

  it.each([
    'test',
    'braintree',
    'paytm',
    'payulatam',
    'securepay',
    'payfast',
    'liqpay',
    'culqi',
  ] as const)(
    'keeps to its policy for %s, and shows a payer’s name as plain text',
    async (name) => {
      const deps = createFakeDeps(() => ({
        data: { createClientToken: { clientToken: 'client-token' } },
        body: { txnToken: 'txn-token', resultInfo: { resultStatus: 'S' } },
      }))
      const adapter = ADAPTERS[name](KEYS, deps)
      const order = aCheckoutOrder({
        currency: CURRENCY[name] ?? 'USD',
        title: HOSTILE,
        description: HOSTILE,
        customer: { id: HOSTILE, first: HOSTILE, last: HOSTILE, email: HOSTILE, phone: HOSTILE },
      })
      const checkout = await adapter?.checkout(order)
      if (!checkout) throw new Error('There is no checkout.')
      const answer = renderCheckout(checkout, APP, order.translator)
      const policy = isStrict(answer)
      expect(answer.body).not.toContain('<script>alert')
      expect(answer.body).not.toContain('<img')
      expect(answer.body).not.toContain('secret-of')
      // A provider may forward a form that leaves our site; our pages return to us or the app.
      expect(policy['form-action']).toEqual(checkout.kind === 'form' ? ['https:'] : ["'self'", APP])
    },
  )

  it('has a new nonce each time', () => {
    const nonces = Array.from({ length: 20 }, () =>
      getPolicy(errorPage(translatorFor('en'), 404, 'gone', APP))['style-src']?.join(),
    )
    expect(new Set(nonces).size).toBe(20)
  })
})
