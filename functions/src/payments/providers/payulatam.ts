import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf } from '~/domain/payments/currency'
import type { MakeAdapter } from '../adapter'
import { Forged, keysOf } from '../adapter'
import { hashOf, hmacOf, mustBe } from '../signing'
import { formOf } from '../talking'

const ACTION = {
  live: 'https://checkout.payulatam.com/ppp-web-gateway-payu/',
  sandbox: 'https://sandbox.checkout.payulatam.com/ppp-web-gateway-payu/',
}
const CURRENCIES = new Set('ARS BRL CLP COP MXN PEN USD'.split(' '))
export type PayuAlgorithm = 'MD5' | 'SHA' | 'SHA256' | 'HMAC-SHA256'

/** PayU's signature of a text that begins with the API key. */
export const payuSign = (text: string, algorithm: PayuAlgorithm, secret: string): string => {
  switch (algorithm) {
    case 'MD5':
      return hashOf('md5', text)
    case 'SHA':
      return hashOf('sha1', text)
    case 'SHA256':
      return hashOf('sha256', text)
    case 'HMAC-SHA256':
      return hmacOf('sha256', secret, text)
  }
}

/** The amount as a confirmation signs it: one decimal when the second is a zero. */
export const payuValue = (value: string): string => value.replace(/^(\d+\.\d)0$/, '$1')

const STATES: Record<string, PaymentEvent['status']> = {
  '4': 'paid',
  '5': 'cancelled',
  '6': 'failed',
  '7': 'pending',
}

/** WebCheckout of PayU Latin America: a signed form, and a signed confirmation. */
export const payulatam: MakeAdapter = (env) => {
  const keys = keysOf(env, 'PAYU_MERCHANT_ID', 'PAYU_ACCOUNT_ID', 'PAYU_API_KEY')
  const algorithm = (env.PAYU_SIGN_ALGO?.trim() || 'HMAC-SHA256') as PayuAlgorithm
  // The HMAC's own secret, where the panel gave one; else the API key.
  const secret = env.PAYU_SECRET_KEY?.trim() || keys?.PAYU_API_KEY
  if (!keys || !secret || !['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'].includes(algorithm)) return null
  const { PAYU_MERCHANT_ID: merchant, PAYU_ACCOUNT_ID: account, PAYU_API_KEY: apiKey } = keys
  const isLive = env.PAYU_ENV === 'live'
  const sign = (...parts: string[]) => payuSign([apiKey, ...parts].join('~'), algorithm, secret)

  return {
    id: 'payulatam',
    supports: (currency) => CURRENCIES.has(currency),
    checkout({ id, minor, currency, description, customer, urls }) {
      const amount = decimalText(minor, exponentOf(currency))
      return Promise.resolve({
        kind: 'form',
        action: isLive ? ACTION.live : ACTION.sandbox,
        fields: [
          ['merchantId', merchant],
          ['accountId', account],
          ['description', description],
          ['referenceCode', id],
          ['amount', amount],
          // Colombia would add its VAT to an amount without these.
          ['tax', '0'],
          ['taxReturnBase', '0'],
          ['currency', currency],
          ['signature', sign(merchant, id, amount, currency)],
          ['algorithmSignature', algorithm],
          ['test', isLive ? '0' : '1'],
          ['buyerEmail', customer.email],
          ['buyerFullName', `${customer.first} ${customer.last}`.trim()],
          ['telephone', customer.phone],
          ['responseUrl', urls.return],
          ['confirmationUrl', urls.webhook],
        ],
      })
    },
    notified({ body }) {
      const form = formOf(body)
      const field = (name: string) => form.get(name) ?? ''
      const [payment, value, currency, state] = [
        field('reference_sale'),
        field('value'),
        field('currency'),
        field('state_pol'),
      ]
      if (field('merchant_id') !== merchant) throw new Forged('It is another merchant’s.')
      mustBe(field('sign'), sign(merchant, payment, payuValue(value), currency, state))
      if (isLive && field('test') === '1') return Promise.resolve({ events: [] })
      const minor = minorOf(value, currency)
      const status = STATES[state]
      if (minor === null || !status) return Promise.resolve({ events: [] })
      // The transaction's own number is not signed; the reference is, and is paid only once.
      const event = { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
      return Promise.resolve({ events: [event] })
    },
  }
}
