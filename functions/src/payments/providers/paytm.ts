import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, minorOf } from '~/domain/payments/currency'
import type { Asked, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hashOf, isSame } from '../signing'
import type { Json } from '../talking'
import { formOf, jsonOf, read, talkOrFail, textAt } from '../talking'

const HOST = {
  live: 'https://secure.paytmpayments.com',
  staging: 'https://securestage.paytmpayments.com',
}
const IV = '@@@@&&&&####$$$$'
const SALT_LENGTH = 4

/** The values of a form in the order of their names: what Paytm signs of it. */
export const paytmText = (fields: Iterable<readonly [string, string]>): string =>
  [...fields]
    .filter(([name]) => name !== 'CHECKSUMHASH')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (value.toLowerCase() === 'null' ? '' : value))
    .join('|')

/** Paytm's checksum of a text under a 16-character key and a salt of four. */
export const paytmChecksum = (text: string, key: string, salt: string): string => {
  const cipher = createCipheriv('aes-128-cbc', key, IV)
  const plain = hashOf('sha256', `${text}|${salt}`) + salt
  return cipher.update(plain, 'latin1', 'base64') + cipher.final('base64')
}

const isChecksum = (given: string, text: string, key: string): boolean => {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, IV)
    const plain = decipher.update(given, 'base64', 'latin1') + decipher.final('latin1')
    const salt = plain.slice(-SALT_LENGTH)
    return isSame(plain, hashOf('sha256', `${text}|${salt}`) + salt)
  } catch {
    return false
  }
}

/** The bytes of one object-valued member of a JSON text, as they were sent. */
export const rawMember = (text: string, name: string): string => {
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

const STATUS: Record<string, PaymentEvent['status']> = {
  TXN_SUCCESS: 'paid',
  PENDING: 'pending',
  TXN_FAILURE: 'failed',
}

/** Paytm's hosted page (India, INR): a token first, then a form. Every message is confirmed by asking. */
export const paytm: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'PAYTM_MID', 'PAYTM_MERCHANT_KEY')
  if (!keys || keys.PAYTM_MERCHANT_KEY.length !== 16) return null
  const { PAYTM_MID: mid, PAYTM_MERCHANT_KEY: key } = keys
  const isLive = env.PAYTM_ENV === 'live'
  const host = isLive ? HOST.live : HOST.staging
  const websiteName = env.PAYTM_WEBSITE_NAME?.trim() || (isLive ? 'DEFAULT' : 'WEBSTAGING')

  const call = async (path: string, body: object): Promise<Json> => {
    const text = JSON.stringify(body)
    const salt = outside.token().slice(0, SALT_LENGTH).padEnd(SALT_LENGTH, 'x')
    const signature = paytmChecksum(text, key, salt)
    const { json } = await talkOrFail(outside.fetch, `${host}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"head":{"signature":${JSON.stringify(signature)}},"body":${text}}`,
    })
    return read(json, 'body')
  }

  const ask = async ({ payment }: Pick<Asked, 'payment'>): Promise<PaymentEvent | null> => {
    const body = await call('/v3/order/status', { mid, orderId: payment })
    const status = STATUS[textAt(body, 'resultInfo.resultStatus')]
    const ref = textAt(body, 'txnId')
    // Without a transaction Paytm answers TXN_FAILURE too: nobody has tried yet.
    if (!status || !ref || textAt(body, 'orderId') !== payment) return null
    const minor = minorOf(textAt(body, 'txnAmount'), 'INR') ?? NaN
    return { payment, gateway: 'paytm', ref, status, minor, currency: 'INR' }
  }

  return {
    id: 'paytm',
    supports: (currency) => currency === 'INR',
    async checkout({ id, minor, customer, urls }) {
      const query = new URLSearchParams({ mid, orderId: id }).toString()
      const body = await call(`/theia/api/v1/initiateTransaction?${query}`, {
        requestType: 'Payment',
        mid,
        websiteName,
        orderId: id,
        callbackUrl: urls.return,
        txnAmount: { value: decimalText(minor, 2), currency: 'INR' },
        userInfo: {
          custId: customer.id,
          mobile: customer.phone,
          email: customer.email,
          firstName: customer.first,
          lastName: customer.last,
        },
      })
      const txnToken = textAt(body, 'txnToken')
      if (!txnToken) throw new ProviderFault('Paytm gave no token.')
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
    ask,
    async notified({ headers, body }) {
      const isJson = (headers['content-type'] ?? '').includes('json')
      let payment: string
      if (isJson) {
        const json = jsonOf(body)
        const raw = rawMember(body.toString('utf8'), 'body')
        if (!raw || !isChecksum(textAt(json, 'head.signature'), raw, key))
          throw new Forged('The checksum is not Paytm’s.')
        payment = textAt(json, 'body.orderId')
      } else {
        const form = formOf(body)
        if (!isChecksum(form.get('CHECKSUMHASH') ?? '', paytmText(form), key))
          throw new Forged('The checksum is not Paytm’s.')
        payment = form.get('ORDERID') ?? ''
      }
      const event = payment ? await ask({ payment }) : null
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency }, minor, refundId) {
      const body = await call('/refund/apply', {
        mid,
        txnType: 'REFUND',
        orderId: payment,
        txnId: ref,
        refId: refundId,
        refundAmount: decimalText(minor, 2),
      })
      const result = textAt(body, 'resultInfo.resultStatus')
      if (result !== 'TXN_SUCCESS' && result !== 'PENDING')
        throw new ProviderFault('Paytm refunded nothing.')
      return { payment, gateway: 'paytm', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
