import { createCipheriv, createDecipheriv } from 'node:crypto'
import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  PaymentRef,
  Checkout,
  CheckoutOrder,
  Env,
  WebhookRequest,
  AdapterDeps,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import { InvalidSignatureError, readKeys, ProviderError } from '../../../ports/paymentAdapter'
import { buildRefundedEvent } from '../refundDeduplication'
import {
  assertAcceptedRefund,
  createUnconfirmedRefundError,
  type RefundStates,
} from '../refundStates'
import { toWebhookResult } from '../webhooks'
import { computeHash, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, parseJson, getMinorAt, getValueAt, requestOk, getTextAt } from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

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

const isValidChecksum = (checksum: string, text: string, key: string): boolean => {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, INITIALIZATION_VECTOR)
    const plain = decipher.update(checksum, 'base64', 'latin1') + decipher.final('latin1')
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

const REFUND_STATES: RefundStates = {
  TXN_SUCCESS: 'done',
  PENDING: 'pending',
  TXN_FAILURE: 'failed',
}
/** Paytm's code for an unknown refund, which it also reports as a failure. */
const UNKNOWN_REFUND_CODE = '631'

interface PaytmAccount {
  mid: string
  key: string
  host: string
  websiteName: string
}

const readAccount = (env: Env): PaytmAccount | null => {
  const keys = readKeys(env, 'PAYTM_MID', 'PAYTM_MERCHANT_KEY')
  if (!keys || keys.PAYTM_MERCHANT_KEY.length !== 16) return null
  const isLive = env.PAYTM_ENV === 'live'
  return {
    mid: keys.PAYTM_MID,
    key: keys.PAYTM_MERCHANT_KEY,
    host: isLive ? HOSTS.live : HOSTS.staging,
    websiteName: env.PAYTM_WEBSITE_NAME?.trim() || (isLive ? 'DEFAULT' : 'WEBSTAGING'),
  }
}

/** Sends a signed request, with the merchant's id in its body. */
type Call = (path: string, fields: object) => Promise<Json>

const createCall =
  ({ mid, key, host }: PaytmAccount, outside: AdapterDeps): Call =>
  async (path, fields) => {
    const text = JSON.stringify({ mid, ...fields })
    const salt = outside.createToken().slice(0, SALT_LENGTH).padEnd(SALT_LENGTH, 'x')
    const signature = computePaytmChecksum(text, key, salt)
    const { json } = await requestOk(outside.fetch, `${host}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"head":{"signature":${JSON.stringify(signature)}},"body":${text}}`,
    })
    return getValueAt(json, 'body')
  }

const createTransaction = async (
  call: Call,
  { mid, host, websiteName }: PaytmAccount,
  { id, minor, customer, urls }: CheckoutOrder,
): Promise<Checkout> => {
  const query = new URLSearchParams({ mid, orderId: id }).toString()
  const body = await call(`/theia/api/v1/initiateTransaction?${query}`, {
    requestType: 'Payment',
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
}

const fetchOrder = (call: Call, payment: string): Promise<Json> =>
  call('/v3/order/status', { orderId: payment })

const fetchStatus = async (call: Call, payment: string): Promise<PaymentEvent | null> => {
  const body = await fetchOrder(call, payment)
  const status = getOwn(PAYMENT_STATUSES, getTextAt(body, 'resultInfo.resultStatus'))
  const ref = getTextAt(body, 'txnId')
  // Paytm also returns TXN_FAILURE without a transaction, when the payer has not tried to pay
  // yet.
  if (!status || !ref || getTextAt(body, 'orderId') !== payment) return null
  const minor = getMinorAt(body, 'txnAmount', 'INR')
  return { payment, gateway: 'paytm', ref, status, minor, currency: 'INR' }
}

/** Returns the id of the payment that a message names. Throws when its checksum is wrong. */
const readMessage = ({ headers, body }: WebhookRequest, key: string): string => {
  const wrong = new InvalidSignatureError('The checksum is not from Paytm.')
  if ((headers['content-type'] ?? '').includes('json')) {
    const json = parseJson(body)
    const raw = extractRawMember(body.toString('utf8'), 'body')
    if (!raw || !isValidChecksum(getTextAt(json, 'head.signature'), raw, key)) throw wrong
    return getTextAt(json, 'body.orderId')
  }
  const form = parseForm(body)
  if (!isValidChecksum(form.get('CHECKSUMHASH') ?? '', buildSignedText(form), key)) throw wrong
  return form.get('ORDERID') ?? ''
}

/** Returns the refund for a key, or null when Paytm has none. */
const fetchRefund = async (
  call: Call,
  payment: string,
  key: string,
): Promise<ProviderRefund | null> => {
  const body = await call('/v2/refund/status', { orderId: payment, refId: key })
  const state = getOwn(REFUND_STATES, getTextAt(body, 'resultInfo.resultStatus'))
  if (!state) throw new ProviderError('Paytm did not report the status of a refund.')
  if (getTextAt(body, 'resultInfo.resultCode') === UNKNOWN_REFUND_CODE) return null
  return { minor: getMinorAt(body, 'refundAmount', 'INR'), state, key }
}

const listRefunds = async (
  call: Call,
  { payment, refund_key }: PaymentRef,
): Promise<ProviderRefund[]> => {
  const own = refund_key ? await fetchRefund(call, payment, refund_key) : null
  const body = await fetchOrder(call, payment)
  if (getTextAt(body, 'orderId') !== payment) throw new ProviderError('Paytm has no such order.')
  // The order states only the total refunded amount.
  const refundedAmount = toCurrencyMinorUnits(getTextAt(body, 'refundAmt') || 0, 'INR') ?? NaN
  const others =
    own && own.state !== 'failed' ? Math.max(0, refundedAmount - own.minor) : refundedAmount
  return [...(own ? [own] : []), { minor: others, state: 'done' }]
}

const sendRefund = async (
  call: Call,
  paymentRef: PaymentRef,
  minor: MinorUnits,
  key: string,
): Promise<PaymentEvent | 'pending'> => {
  const body = await call('/refund/apply', {
    txnType: 'REFUND',
    orderId: paymentRef.payment,
    txnId: paymentRef.ref ?? '',
    refId: key,
    refundAmount: formatUnits(minor, 2),
  })
  const state = getOwn(REFUND_STATES, getTextAt(body, 'resultInfo.resultStatus'))
  if (!state) throw createUnconfirmedRefundError('Paytm')
  return assertAcceptedRefund('Paytm', state) === 'pending'
    ? 'pending'
    : buildRefundedEvent('paytm', paymentRef, minor)
}

/**
 * Paytm's hosted page (India, INR): a token first, then a form. We confirm every message by a
 * query.
 */
export const paytm: AdapterFactory = (env, outside) => {
  const account = readAccount(env)
  if (!account) return null
  const call = createCall(account, outside)
  return {
    id: 'paytm',
    isCurrencySupported: (currency) => currency === 'INR',
    checkout: (order) => createTransaction(call, account, order),
    fetchStatus: ({ payment }) => fetchStatus(call, payment),
    async parseWebhook(incoming) {
      const payment = readMessage(incoming, account.key)
      return toWebhookResult(payment ? await fetchStatus(call, payment) : null)
    },
    listRefunds: (paymentRef) => listRefunds(call, paymentRef),
    refund: (paymentRef, minor, key) => sendRefund(call, paymentRef, minor, key),
  }
}
