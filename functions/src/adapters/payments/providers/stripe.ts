import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { getDecimals, rescaleUnits } from '~/domain/payments/currencyUnits'
import type {
  PaymentRef,
  ChargeRules,
  Checkout,
  CheckoutOrder,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { buildRefundedEvent } from '../refundDeduplication'
import { assertAcceptedRefund, getRefundState, type RefundStates } from '../refundStates'
import { assertFresh, toRefundHint, toWebhookResult } from '../webhooks'
import { computeHmac, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBearerHeader,
  parseJson,
  getListAt,
  getPageUrlAt,
  getValueAt,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

const API_URL = 'https://api.stripe.com/v1'
const TOLERANCE_SECONDS = 300
const CURRENCIES = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC
  CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES
  KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
  NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TND TOP TRY TTD
  TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`.split(/\s+/),
)

/**
 * Stripe takes three-decimal currencies in multiples of ten, and MGA without decimals. The minimums
 * are the ones it documents for an account that settles in the same currency.
 */
const CHARGE_RULES: ChargeRules = {
  BHD: { step: 0.01 },
  JOD: { step: 0.01 },
  KWD: { step: 0.01 },
  OMR: { step: 0.01 },
  TND: { step: 0.01 },
  MGA: { step: 1 },
  AED: { minimum: 2 },
  AUD: { minimum: 0.5 },
  BGN: { minimum: 1 },
  BRL: { minimum: 0.5 },
  CAD: { minimum: 0.5 },
  CHF: { minimum: 0.5 },
  CZK: { minimum: 15 },
  DKK: { minimum: 2.5 },
  EUR: { minimum: 0.5 },
  GBP: { minimum: 0.3 },
  HKD: { minimum: 4 },
  HUF: { minimum: 175 },
  INR: { minimum: 0.5 },
  JPY: { minimum: 50 },
  MXN: { minimum: 10 },
  MYR: { minimum: 2 },
  NOK: { minimum: 3 },
  NZD: { minimum: 0.5 },
  PLN: { minimum: 2 },
  RON: { minimum: 2 },
  SEK: { minimum: 3 },
  SGD: { minimum: 0.5 },
  THB: { minimum: 10 },
  USD: { minimum: 0.5 },
}

const REFUND_STATES: RefundStates = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}
/** Maximum page size of Stripe's lists. */
const PAGE_SIZE = 100

/** Returns the number of decimals that Stripe uses: two for ISK and UGX, none for MGA. */
const getStripeDecimals = (currency: string): number =>
  currency === 'ISK' || currency === 'UGX' ? 2 : currency === 'MGA' ? 0 : getDecimals(currency)

/** Converts minor units to Stripe's units. Amounts in three-decimal currencies must end in 0. */
const toStripeUnits = (minor: MinorUnits, currency: string): number => {
  const units = rescaleUnits(minor, getDecimals(currency), getStripeDecimals(currency))
  if (units === null || (getStripeDecimals(currency) === 3 && units % 10 !== 0))
    throw new ProviderRejectedError('Stripe does not accept this amount. Use another amount.')
  return units
}

const readMinorUnits = (json: Json, path: string, currency: string): MinorUnits =>
  rescaleUnits(
    Number(getValueAt(json, path)),
    getStripeDecimals(currency),
    getDecimals(currency),
  ) ?? NaN

const toSessionEvent = (
  session: Json,
  status: PaymentEvent['status'],
): PaymentEvent & { currency: string } => {
  const currency = getTextAt(session, 'currency').toUpperCase()
  return {
    payment: getTextAt(session, 'client_reference_id'),
    gateway: 'stripe',
    ref: getTextAt(session, 'payment_intent') || getTextAt(session, 'id'),
    status,
    minor: readMinorUnits(session, 'amount_total', currency),
    currency,
  }
}

const getSessionStatus = (session: Json): PaymentEvent['status'] | null => {
  if (getTextAt(session, 'payment_status') === 'paid') return 'paid'
  if (getTextAt(session, 'status') === 'expired') return 'cancelled'
  return getTextAt(session, 'status') === 'complete' ? 'pending' : null
}

const toRefundedEvent = (charge: Json): PaymentEvent => {
  const currency = getTextAt(charge, 'currency').toUpperCase()
  return {
    payment: getTextAt(charge, 'metadata.payment'),
    gateway: 'stripe',
    ref: getTextAt(charge, 'payment_intent'),
    status: 'refunded',
    minor: readMinorUnits(charge, 'amount_refunded', currency),
    currency,
    isCumulative: true,
  }
}

/**
 * Returns the status of a dispute's message; null when no money has moved. An inquiry
 * (`warning_…`) takes no money, and may become a dispute that does.
 */
const getDisputeStatus = (type: string, dispute: Json): 'chargeback' | 'chargeback_won' | null => {
  const status = getTextAt(dispute, 'status')
  if (type === 'charge.dispute.funds_withdrawn') return 'chargeback'
  if (type === 'charge.dispute.funds_reinstated') return 'chargeback_won'
  if (type === 'charge.dispute.created') return status.startsWith('warning_') ? null : 'chargeback'
  return type === 'charge.dispute.closed' && status === 'won' ? 'chargeback_won' : null
}

const toDisputeEvent = (
  dispute: Json,
  charge: Json,
  status: 'chargeback' | 'chargeback_won',
): PaymentEvent => {
  const currency = getTextAt(dispute, 'currency').toUpperCase()
  return {
    payment: getTextAt(charge, 'metadata.payment'),
    gateway: 'stripe',
    ref: getTextAt(charge, 'payment_intent'),
    status,
    minor: readMinorUnits(dispute, 'amount', currency),
    currency,
    refundId: getTextAt(dispute, 'id'),
  }
}

type Call = (path: string, form?: Record<string, string>, idempotency?: string) => Promise<Json>

const createCall =
  (key: string, fetcher: typeof fetch): Call =>
  async (path, form, idempotency) =>
    (
      await requestOk(fetcher, `${API_URL}${path}`, {
        headers: {
          ...createBearerHeader(key),
          ...(idempotency && { 'Idempotency-Key': idempotency }),
        },
        ...(form && { form }),
      })
    ).json

const verifySignature = (header: string, body: Buffer, secret: string, now: number) => {
  const parts = header.split(',').map((part) => part.split('=') as [string, string?])
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? ''
  const expected = computeHmac('sha256', secret, `${seconds}.${body.toString('utf8')}`)
  if (!parts.some(([name, value]) => name === 'v1' && isSameSecret(value, expected)))
    throw new InvalidSignatureError('The signature is not from Stripe.')
  assertFresh(Number(seconds) * 1000, now, TOLERANCE_SECONDS * 1000)
}

const parseEvent = async (call: Call, type: string, object: Json): Promise<PaymentEvent | null> => {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return toSessionEvent(object, getSessionStatus(object) ?? 'pending')
    case 'checkout.session.async_payment_failed':
      return toSessionEvent(object, 'failed')
    case 'checkout.session.expired':
      return toSessionEvent(object, 'cancelled')
    case 'charge.refunded':
      return toRefundedEvent(object)
    default: {
      const status = getDisputeStatus(type, object)
      if (!status) return null
      const charge = await call(`/charges/${encodeURIComponent(getTextAt(object, 'charge'))}`)
      return toDisputeEvent(object, charge, status)
    }
  }
}

const createSession = async (
  call: Call,
  { id, minor, currency, description, customer, urls }: CheckoutOrder,
): Promise<Checkout> => {
  const session = await call(
    '/checkout/sessions',
    {
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': String(toStripeUnits(minor, currency)),
      'line_items[0][price_data][product_data][name]': description,
      client_reference_id: id,
      'metadata[payment]': id,
      'payment_intent_data[metadata][payment]': id,
      ...(customer.email && { customer_email: customer.email }),
      success_url: urls.return,
      cancel_url: urls.cancel,
    },
    id,
  )
  const url = getPageUrlAt(session, 'url', 'Stripe')
  return { kind: 'redirect', url, ref: getTextAt(session, 'id') }
}

const sendRefund = async (
  call: Call,
  paymentRef: PaymentRef,
  minor: MinorUnits,
  idempotency: string,
): Promise<PaymentEvent | 'pending'> => {
  const { payment, ref = '', currency } = paymentRef
  const refund = await call(
    '/refunds',
    {
      payment_intent: ref,
      amount: String(toStripeUnits(minor, currency)),
      'metadata[payment]': payment,
      'metadata[refund]': idempotency,
    },
    idempotency,
  )
  const state = assertAcceptedRefund('Stripe', getRefundState(refund, 'status', REFUND_STATES))
  return state === 'pending' ? state : buildRefundedEvent('stripe', paymentRef, minor)
}

/** Checkout Sessions: Stripe's hosted page, paid when the session says so. */
export const stripe: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  if (!keys) return null
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = keys
  const isLive = /^(sk|rk)_live_/.test(key)
  const call = createCall(key, outside.fetch)
  return {
    id: 'stripe',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    chargeRules: CHARGE_RULES,
    checkout: (order) => createSession(call, order),
    async fetchStatus({ checkout_ref: session }) {
      if (!session) return null
      const json = await call(`/checkout/sessions/${encodeURIComponent(session)}`)
      const status = getSessionStatus(json)
      return status && toSessionEvent(json, status)
    },
    async parseWebhook({ headers, body }) {
      verifySignature(headers['stripe-signature'] ?? '', body, secret, outside.now())
      const json = parseJson(body)
      if (getValueAt(json, 'livemode') !== isLive) return { events: [] }
      const [type, object] = [getTextAt(json, 'type'), getValueAt(json, 'data.object')]
      // Our own refund names its payment; a refund from the dashboard only has its charge.
      if (/^(refund\.|charge\.refund\.)/.test(type))
        return toRefundHint(getTextAt(object, 'metadata.payment'))
      return toWebhookResult(await parseEvent(call, type, object))
    },
    async listRefunds({ ref = '', currency }) {
      const query = new URLSearchParams({ payment_intent: ref, limit: String(PAGE_SIZE) })
      return getListAt(await call(`/refunds?${query.toString()}`), 'data').map((refund) => ({
        minor: readMinorUnits(refund, 'amount', currency),
        state: getRefundState(refund, 'status', REFUND_STATES),
        key: getTextAt(refund, 'metadata.refund'),
      }))
    },
    refund: (paymentRef, minor, key) => sendRefund(call, paymentRef, minor, key),
  }
}
