import { createPublicKey, verify as verifySignature, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { getOwn } from '~/domain/data/ownValue'
import { formatUnits, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { getPaymentIdOfKey, type PaymentEvent } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { DAY_MS } from '~/domain/language/timeUnits'
import type {
  PaymentRef,
  ChargeRules,
  Checkout,
  CheckoutOrder,
  WebhookRequest,
  AdapterDeps,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { toProviderUnits } from '../amounts/providerUnits'
import { getRefundState, type RefundStates } from '../refundStates'
import { assertFresh, toRefundHint, toWebhookResult } from '../webhooks'
import type { HttpResponse, Json } from '../providerHttp'
import {
  createBasicHeader,
  createBearerHeader,
  parseJson,
  getListAt,
  getMinorAt,
  getValueAt,
  request,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

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

const formatPaypalAmount = (minor: MinorUnits, currency: string): string => {
  const { units, places } = toProviderUnits('PayPal', CHARGE_RULES, minor, currency)
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

const REFUND_STATES: RefundStates = {
  COMPLETED: 'done',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

const toPaymentEvent = (refundBody: Json, payment: string): PaymentEvent | null => {
  const status = getOwn(CAPTURE_STATUSES, getTextAt(refundBody, 'status'))
  const currency = getTextAt(refundBody, 'amount.currency_code')
  if (!status) return null
  return {
    payment: getTextAt(refundBody, 'custom_id') || payment,
    gateway: 'paypal',
    ref: getTextAt(refundBody, 'id'),
    status,
    minor: getMinorAt(refundBody, 'amount.value', currency),
    currency,
  }
}

const findLink = (json: Json, ...names: string[]): string => {
  const links = getValueAt(json, 'links')
  const matchingLink = (Array.isArray(links) ? (links as Json[]) : []).find((link) =>
    names.includes(getTextAt(link, 'rel')),
  )
  return getTextAt(matchingLink, 'href')
}

interface Paypal {
  call(path: string, json?: unknown, requestId?: string): Promise<HttpResponse>
  /** Returns PayPal's certificate (PEM) at an address that a message names. */
  fetchCertificate(address: string): Promise<string>
}

const createTokenSource = (
  { clientId, secret }: { clientId: string; secret: string },
  host: string,
  outside: AdapterDeps,
) => {
  let session = { token: '', until: 0 }
  return async (): Promise<string> => {
    if (outside.now() < session.until) return session.token
    const { json } = await requestOk(outside.fetch, `${host}/v1/oauth2/token`, {
      headers: createBasicHeader(clientId, secret),
      form: { grant_type: 'client_credentials' },
    })
    const seconds = Number(getValueAt(json, 'expires_in')) || 60
    session = {
      token: getTextAt(json, 'access_token'),
      until: outside.now() + (seconds - 60) * 1000,
    }
    return session.token
  }
}

const createPaypal = (
  host: string,
  getToken: () => Promise<string>,
  fetcher: typeof fetch,
): Paypal => {
  const certificates = new Map<string, string>()
  return {
    call: async (path, json, requestId) =>
      request(fetcher, `${host}${path}`, {
        headers: {
          ...createBearerHeader(await getToken()),
          ...(requestId && { 'PayPal-Request-Id': requestId }),
        },
        ...(json !== undefined && { json }),
      }),
    // Only from PayPal's own hosts, because the message supplies the address.
    async fetchCertificate(address) {
      const cached = certificates.get(address)
      if (cached !== undefined) return cached
      const url = URL.canParse(address) ? new URL(address) : null
      if (url?.protocol !== 'https:' || !url.hostname.endsWith('.paypal.com') || url.port !== '')
        throw new InvalidSignatureError('The certificate is not from PayPal.')
      const { text } = await requestOk(fetcher, url.href, { headers: { Accept: '*/*' } })
      certificates.set(address, text)
      return text
    },
  }
}

/** Returns the id of our payment that a capture, a refund or a reversal names. */
const getPaymentId = (resource: Json): string =>
  getTextAt(resource, 'custom_id') || getPaymentIdOfKey(getTextAt(resource, 'invoice_id'))

/** Returns the amount of an order's only unit, with its currency. */
const getUnitAmount = (unit: Json): { minor: MinorUnits; currency: string } => {
  const currency = getTextAt(unit, 'amount.currency_code')
  return {
    minor: toCurrencyMinorUnits(getTextAt(unit, 'amount.value'), currency) ?? 0,
    currency,
  }
}

const toOrderEvent = (order: Json, payment: string): PaymentEvent | null => {
  const unit = getValueAt(order, 'purchase_units.0')
  const event = toPaymentEvent(getValueAt(unit, 'payments.captures.0'), payment)
  if (event) return event
  if (getTextAt(order, 'status') !== 'VOIDED') return null
  const ref = getTextAt(order, 'id')
  return { payment, gateway: 'paypal', ref, status: 'cancelled', ...getUnitAmount(unit) }
}

const getOrderPath = (order: string): string => `/v2/checkout/orders/${encodeURIComponent(order)}`

/** Returns the state of an order, and captures the money of an approved one. */
const fetchOrder = async (
  { call }: Paypal,
  { payment, checkout_ref: ref, minor, currency }: PaymentRef,
): Promise<PaymentEvent | null> => {
  if (!ref) return null
  const path = getOrderPath(ref)
  const { json: order, isOk } = await call(path)
  if (!isOk) return null
  if (getTextAt(order, 'status') !== 'APPROVED') return toOrderEvent(order, payment)
  const captured = await call(`${path}/capture`, {}, `${payment}-capture`)
  if (captured.isOk) return toOrderEvent(captured.json, payment)
  const issue = getTextAt(captured.json, 'details.0.issue')
  if (issue === 'ORDER_ALREADY_CAPTURED') return toOrderEvent((await call(path)).json, payment)
  if (issue !== 'INSTRUMENT_DECLINED')
    throw new ProviderError('PayPal did not capture the payment.')
  return { payment, gateway: 'paypal', ref, status: 'failed', minor, currency }
}

const verifyMessage = async (
  { fetchCertificate }: Paypal,
  { headers, body }: WebhookRequest,
  webhookId: string,
  now: number,
) => {
  const header = (name: string) => headers[`paypal-${name}`] ?? ''
  const [id, time, encodedSignature] = [
    header('transmission-id'),
    header('transmission-time'),
    header('transmission-sig'),
  ]
  if (!id || !encodedSignature || header('auth-algo') !== 'SHA256withRSA')
    throw new InvalidSignatureError('The message is not signed.')
  assertFresh(Date.parse(time), now, TOLERANCE_MS)
  const pem = await fetchCertificate(header('cert-url'))
  let good: boolean
  try {
    const { validFrom, validTo } = new X509Certificate(pem)
    const isValid = now >= Date.parse(validFrom) && now <= Date.parse(validTo)
    const message = Buffer.from(buildSignedText(id, time, webhookId, body))
    const signature = Buffer.from(encodedSignature, 'base64')
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
const readWonDispute = async ({ call }: Paypal, resource: Json): Promise<PaymentEvent | null> => {
  if (getTextAt(resource, 'dispute_outcome.outcome_code') !== 'RESOLVED_SELLER_FAVOUR') return null
  const ref = getTextAt(resource, 'disputed_transactions.0.seller_transaction_id')
  const { isOk, status, json } = await call(`/v2/payments/captures/${encodeURIComponent(ref)}`)
  // Another kind of transaction is none of our payments.
  if (status === 404) return null
  if (!isOk) throw new ProviderError(`PayPal returned no capture: status ${status}.`)
  const currency = getTextAt(resource, 'dispute_amount.currency_code')
  return {
    payment: getPaymentId(json),
    gateway: 'paypal',
    ref,
    status: 'chargeback_won',
    minor: getMinorAt(resource, 'dispute_amount.value', currency),
    currency,
    refundId: getTextAt(resource, 'dispute_id'),
  }
}

/** Returns the event of money that has left: a refund, or a reversal by the bank. */
const toReturnedEvent = (resource: Json, status: 'refunded' | 'chargeback'): PaymentEvent => {
  const currency = getTextAt(resource, 'amount.currency_code')
  return {
    payment: getPaymentId(resource),
    gateway: 'paypal',
    ref: findLink(resource, 'up').split('/').at(-1) ?? '',
    status,
    minor: getMinorAt(resource, 'amount.value', currency),
    currency,
    refundId: getTextAt(resource, 'id'),
    ...(status === 'refunded' && { key: getTextAt(resource, 'invoice_id') }),
  }
}

const parseEvent = async (
  api: Paypal,
  type: string,
  resource: Json,
): Promise<PaymentEvent | null> => {
  switch (type) {
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED':
      return toPaymentEvent(resource, getPaymentId(resource))
    case 'PAYMENT.CAPTURE.REFUNDED':
      return toReturnedEvent(resource, 'refunded')
    case 'PAYMENT.CAPTURE.REVERSED':
      return toReturnedEvent(resource, 'chargeback')
    case 'CUSTOMER.DISPUTE.RESOLVED':
      return readWonDispute(api, resource)
    // An approved order is not paid yet: the browser may have closed before our capture.
    case 'CHECKOUT.ORDER.APPROVED': {
      const unit = getValueAt(resource, 'purchase_units.0')
      return fetchOrder(api, {
        payment: getTextAt(unit, 'custom_id'),
        checkout_ref: getTextAt(resource, 'id'),
        ...getUnitAmount(unit),
        refunded: 0,
        createdAt: 0,
      })
    }
    default:
      return null
  }
}

const toAmount = (minor: MinorUnits, currency: string) => ({
  currency_code: currency,
  value: formatPaypalAmount(minor, currency),
})

const createOrder = async (
  { call }: Paypal,
  { id, minor, currency, description, urls }: CheckoutOrder,
): Promise<Checkout> => {
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
          amount: toAmount(minor, currency),
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
}

const listRefunds = async (
  { call }: Paypal,
  { checkout_ref: order = '', currency }: PaymentRef,
): Promise<ProviderRefund[]> => {
  const { isOk, status, json } = await call(getOrderPath(order))
  if (!isOk) throw new ProviderError(`PayPal returned no order: status ${status}.`)
  return getListAt(json, 'purchase_units.0.payments.refunds').map((refund) => ({
    minor: getMinorAt(refund, 'amount.value', currency),
    state: getRefundState(refund, 'status', REFUND_STATES),
    key: getTextAt(refund, 'invoice_id'),
  }))
}

const sendRefund = async (
  { call }: Paypal,
  { payment, ref = '', currency }: PaymentRef,
  minor: MinorUnits,
  key: string,
): Promise<PaymentEvent | 'pending'> => {
  const path = `/v2/payments/captures/${encodeURIComponent(ref)}/refund`
  const refundBody = { amount: toAmount(minor, currency), custom_id: payment, invoice_id: key }
  const { isOk, status, json } = await call(path, refundBody, key)
  const state = getRefundState(json, 'status', REFUND_STATES)
  const why = `PayPal refunded nothing: ${status}.`
  // 409 means that the same request is still in progress.
  if (!isOk && status === 409) throw new ProviderError(why)
  if (!isOk || state === 'failed') throw new ProviderRejectedError(why)
  if (state === 'pending') return state
  const refundId = getTextAt(json, 'id')
  return { payment, gateway: 'paypal', ref, status: 'refunded', minor, currency, refundId }
}

/** Orders v2: the payer approves at PayPal, and only our capture moves money. */
export const paypal: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
  if (!keys) return null
  const host = env.PAYPAL_ENV === 'live' ? HOSTS.live : HOSTS.sandbox
  const account = { clientId: keys.PAYPAL_CLIENT_ID, secret: keys.PAYPAL_CLIENT_SECRET }
  const api = createPaypal(host, createTokenSource(account, host, outside), outside.fetch)
  return {
    id: 'paypal',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    chargeRules: CHARGE_RULES,
    checkout: (order) => createOrder(api, order),
    fetchStatus: (paymentRef) => fetchOrder(api, paymentRef),
    async parseWebhook(incoming) {
      await verifyMessage(api, incoming, keys.PAYPAL_WEBHOOK_ID, outside.now())
      const json = parseJson(incoming.body)
      const [type, resource] = [getTextAt(json, 'event_type'), getValueAt(json, 'resource')]
      if (type.startsWith('PAYMENT.REFUND.')) return toRefundHint(getPaymentId(resource))
      return toWebhookResult(await parseEvent(api, type, resource))
    },
    listRefunds: (paymentRef) => listRefunds(api, paymentRef),
    refund: (paymentRef, minor, key) => sendRefund(api, paymentRef, minor, key),
  }
}
