import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import type { Checkout, CheckoutOrder, AdapterFactory } from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { escapeHtml } from '../../../html'
import { computeHash, assertSignature } from '../signatures'
import { toWebhookResult } from '../webhooks'
import { parseForm, requestOk } from '../providerHttp'
import type { Milliseconds, MinorUnits } from '~/domain/language/units'

const CHECKOUT_URLS = {
  live: 'https://payment.securepay.com.au/secureframe/invoice',
  test: 'https://test.payment.securepay.com.au/secureframe/invoice',
}
const XML_API_URLS = {
  live: 'https://api.securepay.com.au/xmlapi/payment',
  test: 'https://test.api.securepay.com.au/xmlapi/payment',
}

/**
 * Returns SecurePay's fingerprint of the fields in its order, with the transaction password second.
 */
export const computeFingerprint = (fields: readonly string[], algorithm = 'sha1'): string =>
  computeHash(algorithm, fields.join('|'))

/** Formats a time in GMT as YYYYMMDDHHMMSS. */
const formatTimestamp = (ms: Milliseconds): string =>
  new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
/** Formats a time for the XML API: day before month, nanoseconds, minutes east of Greenwich. */
const formatXmlTimestamp = (ms: Milliseconds): string =>
  formatTimestamp(ms).replace(/^(\d{4})(\d\d)(\d\d)(\d{6})$/, '$1$3$2$4000000+000')

const SUMMARY_STATUSES: Record<string, PaymentEvent['status']> = {
  '1': 'paid',
  '2': 'failed',
  '3': 'failed',
}

/**
 * Status codes of messages that SecurePay did not accept: wrong id, address, password, version or
 * form.
 */
const REJECTED_MESSAGE_CODES = new Set([
  '504',
  '505',
  '516',
  '517',
  '518',
  '519',
  '545',
  '550',
  '575',
  '577',
  '580',
])

/** Returns the text of an element in SecurePay's flat XML. */
const readXmlElement = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''

/**
 * Builds a refund (transaction type 4) for the XML API. The bank's number and ours must match the
 * payment.
 */
const buildRefundXml = (
  { merchant, password, message }: { merchant: string; password: string; message: string },
  {
    payment,
    txnId,
    minor,
    now,
  }: { payment: string; txnId: string; minor: MinorUnits; now: number },
): string => {
  const [id, secret, order, txn] = [merchant, password, payment, txnId].map(escapeHtml)
  return `<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo><messageID>${message}</messageID><messageTimestamp>${formatXmlTimestamp(now)}</messageTimestamp><timeoutValue>60</timeoutValue><apiVersion>xml-4.2</apiVersion></MessageInfo><MerchantInfo><merchantID>${id}</merchantID><password>${secret}</password></MerchantInfo><RequestType>Payment</RequestType><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType><txnSource>23</txnSource><amount>${minor}</amount><currency>AUD</currency><purchaseOrderNo>${order}</purchaseOrderNo><txnID>${txn}</txnID></Txn></TxnList></Payment></SecurePayMessage>`
}

interface SecurepayAccount {
  merchant: string
  password: string
  algorithm: string
  isLive: boolean
}

const buildForm = (
  { merchant, password, algorithm, isLive }: SecurepayAccount,
  { id, minor, currency, urls }: CheckoutOrder,
  now: number,
): Checkout => {
  const amount = String(minor)
  const time = formatTimestamp(now)
  const signed = [merchant, password, '0', id, amount, time]
  return {
    kind: 'form',
    action: isLive ? CHECKOUT_URLS.live : CHECKOUT_URLS.test,
    fields: [
      ['bill_name', 'transact'],
      ['merchant_id', merchant],
      ['txn_type', '0'],
      ['amount', amount],
      ['currency', currency],
      ['primary_ref', id],
      ['fp_timestamp', time],
      ['fingerprint', computeFingerprint(signed, algorithm)],
      ['return_url', urls.return],
      ['return_url_target', 'parent'],
      ['cancel_url', urls.cancel],
      ['callback_url', urls.webhook],
      ['display_receipt', 'no'],
      ['confirmation', 'no'],
    ],
  }
}

const parseMessage = (
  { merchant, password, algorithm }: SecurepayAccount,
  form: URLSearchParams,
): PaymentEvent | null => {
  const field = (name: string) => form.get(name) ?? ''
  const [payment, amount, time, code] = [
    field('refid'),
    field('amount'),
    field('timestamp'),
    field('summarycode'),
  ]
  const signed = [merchant, password, payment, amount, time, code]
  assertSignature(field('fingerprint').toLowerCase(), computeFingerprint(signed, algorithm))
  if (!/^\d{1,12}$/.test(amount)) throw new InvalidSignatureError('The amount is not a number.')
  const status = getOwn(SUMMARY_STATUSES, code)
  if (!status) return null
  // The fingerprint covers our reference, but neither the transaction number nor the currency.
  // We only request AUD. A forged transaction number does no harm, because SecurePay refuses a
  // refund unless its transaction number and our reference belong to the same payment.
  const [refundReference] = /^[A-Za-z0-9]{1,32}$/.exec(field('txnid')) ?? []
  return {
    payment,
    gateway: 'securepay',
    ref: payment,
    status,
    ...(refundReference && { refundReference }),
    minor: Number(amount),
    currency: 'AUD',
  }
}

/** Returns SecurePay's number of a refund by its response; the key when it names none. */
const readRefundId = (xml: string, key: string): string => {
  const [status, approved] = [readXmlElement(xml, 'statusCode'), readXmlElement(xml, 'approved')]
  if (REJECTED_MESSAGE_CODES.has(status) || (status === '000' && approved === 'No'))
    throw new ProviderRejectedError(
      `SecurePay refused the refund; nothing was refunded: ${readXmlElement(xml, 'responseCode')}.`,
    )
  // SecurePay documents no way to query the outcome, so the back office must check SecurePay's
  // panel.
  if (status !== '000' || approved !== 'Yes')
    throw new ProviderError(
      `SecurePay did not confirm the refund: status ${status}. Check it in the SecurePay dashboard.`,
    )
  return readXmlElement(xml, 'txnID') || key
}

/**
 * SecurePay SecureFrame (Australia Post), AUD only: a fingerprinted form and a fingerprinted
 * result.
 */
export const securepay: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'SECUREPAY_MERCHANT_ID', 'SECUREPAY_TXN_PASSWORD')
  const algorithm = env.SECUREPAY_FP_ALGO?.trim() || 'sha1'
  if (!keys || !['sha1', 'sha256'].includes(algorithm)) return null
  const { SECUREPAY_MERCHANT_ID: merchant, SECUREPAY_TXN_PASSWORD: password } = keys
  const isLive = env.SECUREPAY_ENV === 'live'
  const account: SecurepayAccount = { merchant, password, algorithm, isLive }
  return {
    id: 'securepay',
    isCurrencySupported: (currency) => currency === 'AUD',
    checkout: (order) => Promise.resolve(buildForm(account, order, outside.now())),
    async parseWebhook({ body }) {
      return Promise.resolve(toWebhookResult(parseMessage(account, parseForm(body))))
    },
    async refund({ payment, ref = '', checkout_ref: txnId = '', currency }, minor, key) {
      if (txnId === '')
        throw new ProviderRejectedError(
          'The payment has no transaction number. Refund it in the SecurePay dashboard.',
        )
      const { text } = await requestOk(
        outside.fetch,
        isLive ? XML_API_URLS.live : XML_API_URLS.test,
        {
          method: 'POST',
          headers: { 'Content-Type': 'text/xml', Accept: 'text/xml' },
          body: buildRefundXml(
            { merchant, password, message: computeHash('sha256', key).slice(0, 30) },
            { payment, txnId, minor, now: outside.now() },
          ),
        },
      )
      const refundId = readRefundId(text, key)
      return { payment, gateway: 'securepay', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
