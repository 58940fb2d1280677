import type { PaymentEvent } from '~/domain/payments/attempt'
import type { MakeAdapter } from '../adapter'
import { Forged, keysOf } from '../adapter'
import { hashOf, mustBe } from '../signing'
import { formOf } from '../talking'

const ACTION = {
  live: 'https://payment.securepay.com.au/secureframe/invoice',
  test: 'https://test.payment.securepay.com.au/secureframe/invoice',
}

/** SecurePay's fingerprint of fields in its order, the transaction password second. */
export const fingerprint = (fields: readonly string[], algorithm = 'sha1'): string =>
  hashOf(algorithm, fields.join('|'))

/** GMT, YYYYMMDDHHMMSS. */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)

const SUMMARY: Record<string, PaymentEvent['status']> = {
  '1': 'paid',
  '2': 'failed',
  '3': 'failed',
}

/** SecureFrame of SecurePay (Australia Post), AUD only: a fingerprinted form, and a fingerprinted result. */
export const securepay: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'SECUREPAY_MERCHANT_ID', 'SECUREPAY_TXN_PASSWORD')
  const algorithm = env.SECUREPAY_FP_ALGO?.trim() || 'sha1'
  if (!keys || !['sha1', 'sha256'].includes(algorithm)) return null
  const { SECUREPAY_MERCHANT_ID: merchant, SECUREPAY_TXN_PASSWORD: password } = keys
  const isLive = env.SECUREPAY_ENV === 'live'
  return {
    id: 'securepay',
    supports: (currency) => currency === 'AUD',
    checkout({ id, minor, currency, urls }) {
      const amount = String(minor)
      const time = stamp(outside.now())
      return Promise.resolve({
        kind: 'form',
        action: isLive ? ACTION.live : ACTION.test,
        fields: [
          ['bill_name', 'transact'],
          ['merchant_id', merchant],
          ['txn_type', '0'],
          ['amount', amount],
          ['currency', currency],
          ['primary_ref', id],
          ['fp_timestamp', time],
          ['fingerprint', fingerprint([merchant, password, '0', id, amount, time], algorithm)],
          ['return_url', urls.return],
          ['return_url_target', 'parent'],
          ['cancel_url', urls.cancel],
          ['callback_url', urls.webhook],
          ['display_receipt', 'no'],
          ['confirmation', 'no'],
        ],
      })
    },
    notified({ body }) {
      const form = formOf(body)
      const field = (name: string) => form.get(name) ?? ''
      const [payment, amount, time, code] = [
        field('refid'),
        field('amount'),
        field('timestamp'),
        field('summarycode'),
      ]
      const given = field('fingerprint').toLowerCase()
      mustBe(given, fingerprint([merchant, password, payment, amount, time, code], algorithm))
      if (!/^\d{1,12}$/.test(amount)) throw new Forged('The amount is none.')
      const status = SUMMARY[code]
      if (!status) return Promise.resolve({ events: [] })
      // Transaction number and currency are not in the fingerprint: the reference is, and only AUD is asked for.
      const event = { payment, gateway: 'securepay', ref: payment, status }
      return Promise.resolve({ events: [{ ...event, minor: Number(amount), currency: 'AUD' }] })
    },
  }
}
