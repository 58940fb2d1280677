import type { PaymentEvent } from '~/domain/payments/attempt'
import { exponentOf, rescaled } from '~/domain/payments/currency'
import type { Asked, CheckoutOrder, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hmacOf, isSame } from '../signing'
import type { Json } from '../talking'
import { bearer, jsonOf, read, talkOrFail, textAt } from '../talking'

const API = 'https://api.stripe.com/v1'
const TOLERANCE_SECONDS = 300
const CURRENCIES = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC
  CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES
  KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
  NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TND TOP TRY TTD
  TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`.split(/\s+/),
)

/** Stripe's own idea of a currency's decimals: ISK and UGX are sent as if they had two, MGA as if it had none. */
const placesOf = (currency: string): number =>
  currency === 'ISK' || currency === 'UGX' ? 2 : currency === 'MGA' ? 0 : exponentOf(currency)

/** Minor units as Stripe counts them. Three-decimal amounts must end in 0 there. */
const unitsOf = (minor: number, currency: string): number => {
  const units = rescaled(minor, exponentOf(currency), placesOf(currency))
  if (units === null || (placesOf(currency) === 3 && units % 10 !== 0))
    throw new ProviderFault('Stripe can’t take this amount.')
  return units
}

const minorAt = (json: Json, path: string, currency: string): number =>
  rescaled(Number(read(json, path)), placesOf(currency), exponentOf(currency)) ?? NaN

const sessionEvent = (
  session: Json,
  status: PaymentEvent['status'],
): PaymentEvent & { currency: string } => {
  const currency = textAt(session, 'currency').toUpperCase()
  return {
    payment: textAt(session, 'client_reference_id'),
    gateway: 'stripe',
    ref: textAt(session, 'payment_intent') || textAt(session, 'id'),
    status,
    minor: minorAt(session, 'amount_total', currency),
    currency,
  }
}

const statusOf = (session: Json): PaymentEvent['status'] | null => {
  if (textAt(session, 'payment_status') === 'paid') return 'paid'
  if (textAt(session, 'status') === 'expired') return 'cancelled'
  return textAt(session, 'status') === 'complete' ? 'pending' : null
}

const chargeEvent = (charge: Json, status: 'refunded' | 'chargeback'): PaymentEvent => {
  const currency = textAt(charge, 'currency').toUpperCase()
  return {
    payment: textAt(charge, 'metadata.payment'),
    gateway: 'stripe',
    ref: textAt(charge, 'payment_intent'),
    status,
    minor: minorAt(charge, status === 'refunded' ? 'amount_refunded' : 'amount', currency),
    currency,
    ...(status === 'refunded' && { cumulative: true }),
  }
}

/** Checkout Sessions: a hosted page of Stripe's, paid when the session says so. */
export const stripe: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  if (!keys) return null
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = keys
  const isLive = /^(sk|rk)_live_/.test(key)
  const call = async (path: string, form?: Record<string, string>, idempotency?: string) =>
    (
      await talkOrFail(outside.fetch, `${API}${path}`, {
        headers: { ...bearer(key), ...(idempotency && { 'Idempotency-Key': idempotency }) },
        ...(form && { form }),
      })
    ).json

  const verify = (header: string, body: Buffer) => {
    const parts = header.split(',').map((part) => part.split('=') as [string, string?])
    const seconds = parts.find(([name]) => name === 't')?.[1] ?? ''
    const expected = hmacOf('sha256', secret, `${seconds}.${body.toString('utf8')}`)
    if (!parts.some(([name, value]) => name === 'v1' && isSame(value, expected)))
      throw new Forged('The signature is not Stripe’s.')
    const age = Math.abs(outside.now() / 1000 - Number(seconds))
    if (!(age <= TOLERANCE_SECONDS)) throw new Forged('The message is stale.')
  }

  const heard = async (type: string, object: Json): Promise<PaymentEvent | null> => {
    switch (type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return sessionEvent(object, statusOf(object) ?? 'pending')
      case 'checkout.session.async_payment_failed':
        return sessionEvent(object, 'failed')
      case 'checkout.session.expired':
        return sessionEvent(object, 'cancelled')
      case 'charge.refunded':
        return chargeEvent(object, 'refunded')
      case 'charge.dispute.created':
        return chargeEvent(await call(`/charges/${textAt(object, 'charge')}`), 'chargeback')
      default:
        return null
    }
  }

  return {
    id: 'stripe',
    supports: (currency) => CURRENCIES.has(currency),
    async checkout({ id, minor, currency, description, customer, urls }: CheckoutOrder) {
      const session = await call(
        '/checkout/sessions',
        {
          mode: 'payment',
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': currency.toLowerCase(),
          'line_items[0][price_data][unit_amount]': String(unitsOf(minor, currency)),
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
      const [url, ref] = [textAt(session, 'url'), textAt(session, 'id')]
      if (!url.startsWith('https://')) throw new ProviderFault('Stripe opened no page.')
      return { kind: 'redirect', url, ref }
    },
    async ask({ checkout_ref: session }: Asked) {
      if (!session) return null
      const json = await call(`/checkout/sessions/${encodeURIComponent(session)}`)
      const status = statusOf(json)
      return status && sessionEvent(json, status)
    },
    async notified({ headers, body }) {
      verify(headers['stripe-signature'] ?? '', body)
      const json = jsonOf(body)
      if (read(json, 'livemode') !== isLive) return { events: [] }
      const event = await heard(textAt(json, 'type'), read(json, 'data.object'))
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency, refunded }, minor, idempotency) {
      const amount = String(unitsOf(minor, currency))
      await call('/refunds', { payment_intent: ref, amount }, idempotency)
      return {
        payment,
        gateway: 'stripe',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
