import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type { PaymentRef, AdapterFactory } from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { buildRefundedEvent } from '../refundDeduplication'
import { computeHash, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, parseJson, getValueAt, requestOk, getTextAt } from '../providerHttp'

const HOSTS = {
  live: 'https://secure.paytmpayments.com',
  staging: 'https://securestage.paytmpayments.com',
}
const INITIALIZATION_VECTOR = '@@@@&&&&####$$$$'
const SALT_LENGTH = 4

/** Returns the text that Paytm signs for a form: its values, sorted by field name. */
export const buildSignedText = (fields: Iterable<readonly [string, string]>): string =>
  [...fields]
    .filter(([name]) => name !== 'CHECKSUMHASH')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (value.toLowerCase() === 'null' ? '' : value))
    .join('|')

/** Returns Paytm's checksum of a text, with a 16-character key and a 4-character salt. */
export const computePaytmChecksum = (text: string, key: string, salt: string): string => {
  const cipher = createCipheriv('aes-128-cbc', key, INITIALIZATION_VECTOR)
  const plain = computeHash('sha256', `${text}|${salt}`) + salt
  return cipher.update(plain, 'latin1', 'base64') + cipher.final('base64')
}

const isValidChecksum = (given: string, text: string, key: string): boolean => {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, INITIALIZATION_VECTOR)
    const plain = decipher.update(given, 'base64', 'latin1') + decipher.final('latin1')
    const salt = plain.slice(-SALT_LENGTH)
    return isSameSecret(plain, computeHash('sha256', `${text}|${salt}`) + salt)
  } catch {
    return false
  }
}

/** Returns the raw text of one object-valued member of a JSON text, as sent. */
export const extractRawMember = (text: string, name: string): string => {
  const start = new RegExp(`"${name}"\\s*:\\s*(?=\\{)`).exec(text)
  if (!start) return ''
  const from = start.index + start[0].length
  let depth = 0
  let quoted = false
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (quoted && char === '\\') i++
    else if (char === '"') quoted = !quoted
    else if (!quoted && char === '{') depth++
    else if (!quoted && char === '}' && --depth === 0) return text.slice(from, i + 1)
  }
  return ''
}

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  TXN_SUCCESS: 'paid',
  PENDING: 'pending',
  TXN_FAILURE: 'failed',
}

const REFUND_STATES: Record<string, ProviderRefund['state']> = {
  TXN_SUCCESS: 'done',
  PENDING: 'pending',
  TXN_FAILURE: 'failed',
}
/** Paytm's code for an unknown refund, which it also reports as a failure. */
const UNKNOWN_REFUND_CODE = '631'

/**
 * Paytm's hosted page (India, INR): a token first, then a form. We confirm every message by a
 * query.
 */
export const paytm: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'PAYTM_MID', 'PAYTM_MERCHANT_KEY')
  if (!keys || keys.PAYTM_MERCHANT_KEY.length !== 16) return null
  const { PAYTM_MID: mid, PAYTM_MERCHANT_KEY: key } = keys
  const isLive = env.PAYTM_ENV === 'live'
  const host = isLive ? HOSTS.live : HOSTS.staging
  const websiteName = env.PAYTM_WEBSITE_NAME?.trim() || (isLive ? 'DEFAULT' : 'WEBSTAGING')

  const call = async (path: string, body: object): Promise<Json> => {
    const text = JSON.stringify(body)
    const salt = outside.createToken().slice(0, SALT_LENGTH).padEnd(SALT_LENGTH, 'x')
    const signature = computePaytmChecksum(text, key, salt)
    const { json } = await requestOk(outside.fetch, `${host}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"head":{"signature":${JSON.stringify(signature)}},"body":${text}}`,
    })
    return getValueAt(json, 'body')
  }

  const ask = async ({ payment }: Pick<PaymentRef, 'payment'>): Promise<PaymentEvent | null> => {
    const body = await call('/v3/order/status', { mid, orderId: payment })
    const status = PAYMENT_STATUSES[getTextAt(body, 'resultInfo.resultStatus')]
    const ref = getTextAt(body, 'txnId')
    // Paytm also returns TXN_FAILURE without a transaction, when the payer has not tried to pay
    // yet.
    if (!status || !ref || getTextAt(body, 'orderId') !== payment) return null
    const minor = toCurrencyMinorUnits(getTextAt(body, 'txnAmount'), 'INR') ?? NaN
    return { payment, gateway: 'paytm', ref, status, minor, currency: 'INR' }
  }

  /** Returns the refund for a key, or null when Paytm has none. */
  const refundUnder = async (payment: string, key: string): Promise<ProviderRefund | null> => {
    const body = await call('/v2/refund/status', { mid, orderId: payment, refId: key })
    const state = REFUND_STATES[getTextAt(body, 'resultInfo.resultStatus')]
    if (!state) throw new ProviderError('Paytm did not report the status of a refund.')
    if (getTextAt(body, 'resultInfo.resultCode') === UNKNOWN_REFUND_CODE) return null
    return {
      minor: toCurrencyMinorUnits(getTextAt(body, 'refundAmount'), 'INR') ?? NaN,
      state,
      key,
    }
  }

  return {
    id: 'paytm',
    isCurrencySupported: (currency) => currency === 'INR',
    async checkout({ id, minor, customer, urls }) {
      const query = new URLSearchParams({ mid, orderId: id }).toString()
      const body = await call(`/theia/api/v1/initiateTransaction?${query}`, {
        requestType: 'Payment',
        mid,
        websiteName,
        orderId: id,
        callbackUrl: urls.return,
        txnAmount: { value: formatUnits(minor, 2), currency: 'INR' },
        userInfo: {
          custId: customer.id,
          mobile: customer.phone,
          email: customer.email,
          firstName: customer.first,
          lastName: customer.last,
        },
      })
      const txnToken = getTextAt(body, 'txnToken')
      if (!txnToken) throw new ProviderError('Paytm returned no token.')
      return {
        kind: 'form',
        action: `${host}/theia/api/v1/showPaymentPage?${query}`,
        fields: [
          ['mid', mid],
          ['orderId', id],
          ['txnToken', txnToken],
        ],
      }
    },
    fetchStatus: ask,
    async parseWebhook({ headers, body }) {
      const isJson = (headers['content-type'] ?? '').includes('json')
      let payment: string
      if (isJson) {
        const json = parseJson(body)
        const raw = extractRawMember(body.toString('utf8'), 'body')
        if (!raw || !isValidChecksum(getTextAt(json, 'head.signature'), raw, key))
          throw new InvalidSignatureError('The checksum is not from Paytm.')
        payment = getTextAt(json, 'body.orderId')
      } else {
        const form = parseForm(body)
        if (!isValidChecksum(form.get('CHECKSUMHASH') ?? '', buildSignedText(form), key))
          throw new InvalidSignatureError('The checksum is not from Paytm.')
        payment = form.get('ORDERID') ?? ''
      }
      const event = payment ? await ask({ payment }) : null
      return { events: event ? [event] : [] }
    },
    async listRefunds({ payment, refund_key }) {
      const own = refund_key ? await refundUnder(payment, refund_key) : null
      const body = await call('/v3/order/status', { mid, orderId: payment })
      if (getTextAt(body, 'orderId') !== payment)
        throw new ProviderError('Paytm has no such order.')
      // The order states only the total refunded amount.
      const refundedAmount = toCurrencyMinorUnits(getTextAt(body, 'refundAmt') || 0, 'INR') ?? NaN
      const others =
        own && own.state !== 'failed' ? Math.max(0, refundedAmount - own.minor) : refundedAmount
      return [...(own ? [own] : []), { minor: others, state: 'done' }]
    },
    async refund(paymentRef, minor, key) {
      const body = await call('/refund/apply', {
        mid,
        txnType: 'REFUND',
        orderId: paymentRef.payment,
        txnId: paymentRef.ref ?? '',
        refId: key,
        refundAmount: formatUnits(minor, 2),
      })
      const state = REFUND_STATES[getTextAt(body, 'resultInfo.resultStatus')]
      if (!state)
        throw new ProviderError(
          'Paytm did not confirm the refund. Check it in the Paytm dashboard.',
        )
      if (state === 'failed')
        throw new ProviderRejectedError('Paytm refused the refund; nothing was refunded.')
      return state === 'pending' ? state : buildRefundedEvent('paytm', paymentRef, minor)
    },
  }
}
