import type { PaymentEvent } from '~/domain/payments/attempt'
import type { MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { escapeHtml } from '../html'
import { hashOf, mustBe } from '../signing'
import { formOf, talkOrFail } from '../talking'

const ACTION = {
  live: 'https://payment.securepay.com.au/secureframe/invoice',
  test: 'https://test.payment.securepay.com.au/secureframe/invoice',
}
const XML = {
  live: 'https://api.securepay.com.au/xmlapi/payment',
  test: 'https://test.api.securepay.com.au/xmlapi/payment',
}

/** SecurePay's fingerprint of fields in its order, the transaction password second. */
export const fingerprint = (fields: readonly string[], algorithm = 'sha1'): string =>
  hashOf(algorithm, fields.join('|'))

/** GMT, YYYYMMDDHHMMSS. */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
/** As the XML API writes time: day before month, nanoseconds, minutes east of Greenwich. */
const xmlStamp = (ms: number): string =>
  stamp(ms).replace(/^(\d{4})(\d\d)(\d\d)(\d{6})$/, '$1$3$2$4000000+000')

const SUMMARY: Record<string, PaymentEvent['status']> = {
  '1': 'paid',
  '2': 'failed',
  '3': 'failed',
}

/** The text of an element of SecurePay's flat XML. */
const element = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''

/** A refund (transaction type 4) as the XML API wants it; the bank's number and ours must be the payment's. */
const refundXml = (
  { merchant, password, message }: { merchant: string; password: string; message: string },
  { payment, txnId, minor, now }: { payment: string; txnId: string; minor: number; now: number },
): string => {
  const [id, secret, order, txn] = [merchant, password, payment, txnId].map(escapeHtml)
  return `<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo><messageID>${message}</messageID><messageTimestamp>${xmlStamp(now)}</messageTimestamp><timeoutValue>60</timeoutValue><apiVersion>xml-4.2</apiVersion></MessageInfo><MerchantInfo><merchantID>${id}</merchantID><password>${secret}</password></MerchantInfo><RequestType>Payment</RequestType><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType><txnSource>23</txnSource><amount>${minor}</amount><currency>AUD</currency><purchaseOrderNo>${order}</purchaseOrderNo><txnID>${txn}</txnID></Txn></TxnList></Payment></SecurePayMessage>`
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
      // Transaction number and currency are not in the fingerprint: the reference is, and only AUD is asked for. A false
      // transaction number can't hurt: a refund that names it is refused, because it is not the reference's.
      const [handle] = /^[A-Za-z0-9]{1,32}$/.exec(field('txnid')) ?? []
      const event = {
        payment,
        gateway: 'securepay',
        ref: payment,
        status,
        ...(handle && { handle }),
      }
      return Promise.resolve({ events: [{ ...event, minor: Number(amount), currency: 'AUD' }] })
    },
    async refund({ payment, ref = '', checkout_ref: txnId = '', currency }, minor, key) {
      if (txnId === '') throw new ProviderFault('SecurePay told no transaction number.')
      const { text } = await talkOrFail(outside.fetch, isLive ? XML.live : XML.test, {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml', Accept: 'text/xml' },
        body: refundXml(
          { merchant, password, message: hashOf('sha256', key).slice(0, 30) },
          { payment, txnId, minor, now: outside.now() },
        ),
      })
      if (element(text, 'statusCode') !== '000' || element(text, 'approved') !== 'Yes')
        throw new ProviderFault(`SecurePay refunded nothing: ${element(text, 'responseCode')}.`)
      const refundId = element(text, 'txnID') || key
      return { payment, gateway: 'securepay', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
