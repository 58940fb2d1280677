import { createPublicKey, verify as verifySignature, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import {
  formatUnits,
  getDecimals,
  toCurrencyMinorUnits,
  rescaleUnits,
} from '~/domain/payments/currencyUnits'
import { getPaymentIdOfKey } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { DAY_MS } from '~/domain/language/timeUnits'
import type {
  PaymentRef,
  ChargeRules,
  WebhookRequest,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import type { Json } from '../providerHttp'
import {
  createBasicHeader,
  createBearerHeader,
  parseJson,
  getListAt,
  getValueAt,
  request,
  requestOk,
  getTextAt,
} from '../providerHttp'

const HOSTS = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' }
const CURRENCIES = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)
/**
 * Currencies without decimals at PayPal (DECIMALS_NOT_SUPPORTED), whatever ISO 4217 says. PayPal
 * documents no minimum.
 */
const CHARGE_RULES: ChargeRules = { HUF: { step: 1 }, JPY: { step: 1 }, TWD: { step: 1 } }
/** PayPal retries for three days with the time of the first attempt. */
const TOLERANCE_MS = 4 * DAY_MS

const formatPaypalAmount = (minor: number, currency: string): string => {
  const places = CHARGE_RULES[currency]?.step === 1 ? 0 : getDecimals(currency)
  const units = rescaleUnits(minor, getDecimals(currency), places)
  if (units === null)
    throw new ProviderRejectedError(
      'PayPal accepts no decimals for this currency. Use a whole amount.',
    )
  return formatUnits(units, places)
}

/** Returns the text that PayPal signs for a message. */
export const buildSignedText = (
  id: string,
  time: string,
  webhookId: string,
  body: Buffer,
): string => [id, time, webhookId, crc32(body) >>> 0].join('|')

const CAPTURE_STATUSES: Record<string, PaymentEvent['status']> = {
  COMPLETED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
}

const REFUND_STATES: Record<string, ProviderRefund['state']> = {
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

const toPaymentEvent = (refundBody: Json, payment: string): PaymentEvent | null => {
  const status = CAPTURE_STATUSES[getTextAt(refundBody, 'status')]
  const currency = getTextAt(refundBody, 'amount.currency_code')
  if (!status) return null
  return {
    payment: getTextAt(refundBody, 'custom_id') || payment,
    gateway: 'paypal',
    ref: getTextAt(refundBody, 'id'),
    status,
    minor: toCurrencyMinorUnits(getTextAt(refundBody, 'amount.value'), currency) ?? NaN,
    currency,
  }
}

const findLink = (json: Json, ...names: string[]): string => {
  const links = getValueAt(json, 'links')
  const found = (Array.isArray(links) ? (links as Json[]) : []).find((link) =>
    names.includes(getTextAt(link, 'rel')),
  )
  return getTextAt(found, 'href')
}

/** Orders v2: the payer approves at PayPal, and only our capture moves money. */
export const paypal: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
  if (!keys) return null
  const host = env.PAYPAL_ENV === 'live' ? HOSTS.live : HOSTS.sandbox
  let session = { token: '', until: 0 }
  const certificates = new Map<string, string>()

  const token = async (): Promise<string> => {
    if (outside.now() < session.until) return session.token
    const { json } = await requestOk(outside.fetch, `${host}/v1/oauth2/token`, {
      headers: createBasicHeader(keys.PAYPAL_CLIENT_ID, keys.PAYPAL_CLIENT_SECRET),
      form: { grant_type: 'client_credentials' },
    })
    const seconds = Number(getValueAt(json, 'expires_in')) || 60
    session = {
      token: getTextAt(json, 'access_token'),
      until: outside.now() + (seconds - 60) * 1000,
    }
    return session.token
  }
  const call = async (path: string, json?: unknown, requestId?: string) =>
    request(outside.fetch, `${host}${path}`, {
      headers: {
        ...createBearerHeader(await token()),
        ...(requestId && { 'PayPal-Request-Id': requestId }),
      },
      ...(json !== undefined && { json }),
    })

  const orderEvent = (order: Json, payment: string): PaymentEvent | null => {
    const unit = getValueAt(order, 'purchase_units.0')
    const event = toPaymentEvent(getValueAt(unit, 'payments.captures.0'), payment)
    if (event) return event
    if (getTextAt(order, 'status') !== 'VOIDED') return null
    const currency = getTextAt(unit, 'amount.currency_code')
    const minor = toCurrencyMinorUnits(getTextAt(unit, 'amount.value'), currency) ?? 0
    const ref = getTextAt(order, 'id')
    return { payment, gateway: 'paypal', ref, status: 'cancelled', minor, currency }
  }

  const ask = async ({ payment, checkout_ref: ref, minor, currency }: PaymentRef) => {
    if (!ref) return null
    const path = `/v2/checkout/orders/${encodeURIComponent(ref)}`
    const { json: order, isOk } = await call(path)
    if (!isOk) return null
    if (getTextAt(order, 'status') !== 'APPROVED') return orderEvent(order, payment)
    const captured = await call(`${path}/capture`, {}, `${payment}-capture`)
    if (captured.isOk) return orderEvent(captured.json, payment)
    const issue = getTextAt(captured.json, 'details.0.issue')
    if (issue === 'ORDER_ALREADY_CAPTURED') return orderEvent((await call(path)).json, payment)
    if (issue !== 'INSTRUMENT_DECLINED')
      throw new ProviderError('PayPal did not capture the payment.')
    return { payment, gateway: 'paypal', ref, status: 'failed', minor, currency } as const
  }

  /**
   * Fetches PayPal's certificate, but only from PayPal's own hosts, because the message supplies
   * the address.
   */
  const certificate = async (address: string): Promise<string> => {
    const known = certificates.get(address)
    if (known !== undefined) return known
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' || !url.hostname.endsWith('.paypal.com') || url.port !== '')
      throw new InvalidSignatureError('The certificate is not from PayPal.')
    const { text } = await requestOk(outside.fetch, url.href, { headers: { Accept: '*/*' } })
    certificates.set(address, text)
    return text
  }

  const verify = async ({ headers, body }: WebhookRequest) => {
    const header = (name: string) => headers[`paypal-${name}`] ?? ''
    const [id, time, given] = [
      header('transmission-id'),
      header('transmission-time'),
      header('transmission-sig'),
    ]
    if (!id || !given || header('auth-algo') !== 'SHA256withRSA')
      throw new InvalidSignatureError('The message is not signed.')
    if (!(Math.abs(outside.now() - Date.parse(time)) <= TOLERANCE_MS))
      throw new InvalidSignatureError('The message is stale.')
    const pem = await certificate(header('cert-url'))
    let good: boolean
    try {
      const { validFrom, validTo } = new X509Certificate(pem)
      const isValid = outside.now() >= Date.parse(validFrom) && outside.now() <= Date.parse(validTo)
      const message = Buffer.from(buildSignedText(id, time, keys.PAYPAL_WEBHOOK_ID, body))
      const signature = Buffer.from(given, 'base64')
      good = isValid && verifySignature('sha256', message, createPublicKey(pem), signature)
    } catch {
      good = false
    }
    if (!good) throw new InvalidSignatureError('The signature is not from PayPal.')
  }

  /**
   * Returns the event of a dispute that the seller has won; null for any other outcome. Only the
   * capture names our payment. The reversal has a number of its own, so the dispute is found by its
   * amount.
   */
  const readWonDispute = async (resource: Json): Promise<PaymentEvent | null> => {
    if (getTextAt(resource, 'dispute_outcome.outcome_code') !== 'RESOLVED_SELLER_FAVOUR')
      return null
    const ref = getTextAt(resource, 'disputed_transactions.0.seller_transaction_id')
    const { isOk, status, json } = await call(`/v2/payments/captures/${encodeURIComponent(ref)}`)
    // Another kind of transaction is none of our payments.
    if (status === 404) return null
    if (!isOk) throw new ProviderError(`PayPal returned no capture: status ${status}.`)
    const currency = getTextAt(resource, 'dispute_amount.currency_code')
    return {
      payment: getTextAt(json, 'custom_id') || getPaymentIdOfKey(getTextAt(json, 'invoice_id')),
      gateway: 'paypal',
      ref,
      status: 'chargeback_won',
      minor: toCurrencyMinorUnits(getTextAt(resource, 'dispute_amount.value'), currency) ?? NaN,
      currency,
      refundId: getTextAt(resource, 'dispute_id'),
    }
  }

  const received = async (type: string, resource: Json): Promise<PaymentEvent | null> => {
    const payment =
      getTextAt(resource, 'custom_id') || getPaymentIdOfKey(getTextAt(resource, 'invoice_id'))
    switch (type) {
      case 'PAYMENT.CAPTURE.COMPLETED':
      case 'PAYMENT.CAPTURE.PENDING':
      case 'PAYMENT.CAPTURE.DENIED':
      case 'PAYMENT.CAPTURE.DECLINED':
        return toPaymentEvent(resource, payment)
      case 'PAYMENT.CAPTURE.REFUNDED':
      case 'PAYMENT.CAPTURE.REVERSED': {
        const currency = getTextAt(resource, 'amount.currency_code')
        return {
          payment,
          gateway: 'paypal',
          ref: findLink(resource, 'up').split('/').at(-1) ?? '',
          status: type.endsWith('REVERSED') ? 'chargeback' : 'refunded',
          minor: toCurrencyMinorUnits(getTextAt(resource, 'amount.value'), currency) ?? NaN,
          currency,
          refundId: getTextAt(resource, 'id'),
          ...(type.endsWith('REFUNDED') && { key: getTextAt(resource, 'invoice_id') }),
        }
      }
      case 'CUSTOMER.DISPUTE.RESOLVED':
        return readWonDispute(resource)
      // An approved order is not paid yet: the browser may have closed before our capture.
      case 'CHECKOUT.ORDER.APPROVED': {
        const unit = getValueAt(resource, 'purchase_units.0')
        const currency = getTextAt(unit, 'amount.currency_code')
        return ask({
          payment: getTextAt(unit, 'custom_id'),
          checkout_ref: getTextAt(resource, 'id'),
          minor: toCurrencyMinorUnits(getTextAt(unit, 'amount.value'), currency) ?? 0,
          currency,
          refunded: 0,
          createdAt: 0,
        })
      }
      default:
        return null
    }
  }

  return {
    id: 'paypal',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    chargeRules: CHARGE_RULES,
    async checkout({ id, minor, currency, description, urls }) {
      const { isOk, status, json } = await call(
        '/v2/checkout/orders',
        {
          intent: 'CAPTURE',
          purchase_units: [
            {
              reference_id: id,
              custom_id: id,
              invoice_id: id,
              description: description.slice(0, 127),
              amount: { currency_code: currency, value: formatPaypalAmount(minor, currency) },
            },
          ],
          payment_source: {
            paypal: {
              experience_context: {
                return_url: urls.return,
                cancel_url: urls.cancel,
                user_action: 'PAY_NOW',
                shipping_preference: 'NO_SHIPPING',
                payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
              },
            },
          },
        },
        id,
      )
      const url = findLink(json, 'payer-action', 'approve')
      if (!isOk || !url.startsWith('https://'))
        throw new ProviderError(`PayPal returned no payment page: status ${status}.`)
      return { kind: 'redirect', url, ref: getTextAt(json, 'id') }
    },
    fetchStatus: ask,
    async parseWebhook(incoming) {
      await verify(incoming)
      const json = parseJson(incoming.body)
      const [type, resource] = [getTextAt(json, 'event_type'), getValueAt(json, 'resource')]
      if (type.startsWith('PAYMENT.REFUND.')) {
        const payment =
          getTextAt(resource, 'custom_id') || getPaymentIdOfKey(getTextAt(resource, 'invoice_id'))
        return { events: [], paymentsToCheck: payment ? [payment] : [] }
      }
      const event = await received(type, resource)
      return { events: event ? [event] : [] }
    },
    async listRefunds({ checkout_ref: order = '', currency }) {
      const { isOk, status, json } = await call(`/v2/checkout/orders/${encodeURIComponent(order)}`)
      if (!isOk) throw new ProviderError(`PayPal returned no order: status ${status}.`)
      return getListAt(json, 'purchase_units.0.payments.refunds').map((refund) => ({
        minor: toCurrencyMinorUnits(getTextAt(refund, 'amount.value'), currency) ?? NaN,
        state: REFUND_STATES[getTextAt(refund, 'status')] ?? 'pending',
        key: getTextAt(refund, 'invoice_id'),
      }))
    },
    async refund({ payment, ref = '', currency }, minor, key) {
      const amount = { currency_code: currency, value: formatPaypalAmount(minor, currency) }
      const path = `/v2/payments/captures/${encodeURIComponent(ref)}/refund`
      const refundBody = { amount, custom_id: payment, invoice_id: key }
      const { isOk, status, json } = await call(path, refundBody, key)
      const state = REFUND_STATES[getTextAt(json, 'status')] ?? 'pending'
      const why = `PayPal refunded nothing: ${status}.`
      // 409 means that the same request is still in progress.
      if (!isOk && status === 409) throw new ProviderError(why)
      if (!isOk || state === 'failed') throw new ProviderRejectedError(why)
      if (state === 'pending') return state
      const refundId = getTextAt(json, 'id')
      return { payment, gateway: 'paypal', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
