import { createPublicKey, verify as verifySignature, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf, rescaled } from '~/domain/payments/currency'
import type { Asked, Incoming, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import type { Json } from '../talking'
import { basic, bearer, jsonOf, read, talk, talkOrFail, textAt } from '../talking'

const HOST = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' }
const CURRENCIES = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)
/** PayPal takes no decimals of these, whatever ISO says. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD'])
/** It tries again for three days, with the time of the first try. */
const TOLERANCE_MS = 4 * 24 * 3_600_000

const valueOf = (minor: number, currency: string): string => {
  const places = WHOLE.has(currency) ? 0 : exponentOf(currency)
  const units = rescaled(minor, exponentOf(currency), places)
  if (units === null) throw new ProviderFault('PayPal takes no decimals of this currency.')
  return decimalText(units, places)
}

/** What PayPal signs of a message. */
export const signedText = (id: string, time: string, webhookId: string, body: Buffer): string =>
  [id, time, webhookId, crc32(body) >>> 0].join('|')

const CAPTURE: Record<string, PaymentEvent['status']> = {
  COMPLETED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
}

const captureEvent = (capture: Json, payment: string): PaymentEvent | null => {
  const status = CAPTURE[textAt(capture, 'status')]
  const currency = textAt(capture, 'amount.currency_code')
  if (!status) return null
  return {
    payment: textAt(capture, 'custom_id') || payment,
    gateway: 'paypal',
    ref: textAt(capture, 'id'),
    status,
    minor: minorOf(textAt(capture, 'amount.value'), currency) ?? NaN,
    currency,
  }
}

const linkOf = (json: Json, ...names: string[]): string => {
  const links = read(json, 'links')
  const found = (Array.isArray(links) ? (links as Json[]) : []).find((link) =>
    names.includes(textAt(link, 'rel')),
  )
  return textAt(found, 'href')
}

/** Orders v2: the payer approves at PayPal, and only our capture moves money. */
export const paypal: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
  if (!keys) return null
  const host = env.PAYPAL_ENV === 'live' ? HOST.live : HOST.sandbox
  let session = { token: '', until: 0 }
  const certificates = new Map<string, string>()

  const token = async (): Promise<string> => {
    if (outside.now() < session.until) return session.token
    const { json } = await talkOrFail(outside.fetch, `${host}/v1/oauth2/token`, {
      headers: basic(keys.PAYPAL_CLIENT_ID, keys.PAYPAL_CLIENT_SECRET),
      form: { grant_type: 'client_credentials' },
    })
    const seconds = Number(read(json, 'expires_in')) || 60
    session = {
      token: textAt(json, 'access_token'),
      until: outside.now() + (seconds - 60) * 1000,
    }
    return session.token
  }
  const call = async (path: string, json?: unknown, requestId?: string) =>
    talk(outside.fetch, `${host}${path}`, {
      headers: { ...bearer(await token()), ...(requestId && { 'PayPal-Request-Id': requestId }) },
      ...(json !== undefined && { json }),
    })

  const orderEvent = (order: Json, payment: string): PaymentEvent | null => {
    const unit = read(order, 'purchase_units.0')
    const event = captureEvent(read(unit, 'payments.captures.0'), payment)
    if (event) return event
    if (textAt(order, 'status') !== 'VOIDED') return null
    const currency = textAt(unit, 'amount.currency_code')
    const minor = minorOf(textAt(unit, 'amount.value'), currency) ?? 0
    const ref = textAt(order, 'id')
    return { payment, gateway: 'paypal', ref, status: 'cancelled', minor, currency }
  }

  const ask = async ({ payment, checkout_ref: ref, minor, currency }: Asked) => {
    if (!ref) return null
    const path = `/v2/checkout/orders/${encodeURIComponent(ref)}`
    const { json: order, ok } = await call(path)
    if (!ok) return null
    if (textAt(order, 'status') !== 'APPROVED') return orderEvent(order, payment)
    const captured = await call(`${path}/capture`, {}, `${payment}-capture`)
    if (captured.ok) return orderEvent(captured.json, payment)
    const issue = textAt(captured.json, 'details.0.issue')
    if (issue === 'ORDER_ALREADY_CAPTURED') return orderEvent((await call(path)).json, payment)
    if (issue !== 'INSTRUMENT_DECLINED') throw new ProviderFault('PayPal did not capture.')
    return { payment, gateway: 'paypal', ref, status: 'failed', minor, currency } as const
  }

  /** PayPal's certificate, from PayPal's own hosts only: the address comes with the message. */
  const certificate = async (address: string): Promise<string> => {
    const known = certificates.get(address)
    if (known !== undefined) return known
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' || !url.hostname.endsWith('.paypal.com') || url.port !== '')
      throw new Forged('The certificate is not PayPal’s.')
    const { text } = await talkOrFail(outside.fetch, url.href, { headers: { Accept: '*/*' } })
    certificates.set(address, text)
    return text
  }

  const verify = async ({ headers, body }: Incoming) => {
    const header = (name: string) => headers[`paypal-${name}`] ?? ''
    const [id, time, given] = [
      header('transmission-id'),
      header('transmission-time'),
      header('transmission-sig'),
    ]
    if (!id || !given || header('auth-algo') !== 'SHA256withRSA')
      throw new Forged('The message is not signed.')
    if (!(Math.abs(outside.now() - Date.parse(time)) <= TOLERANCE_MS))
      throw new Forged('The message is stale.')
    const pem = await certificate(header('cert-url'))
    let good: boolean
    try {
      const { validFrom, validTo } = new X509Certificate(pem)
      const isValid = outside.now() >= Date.parse(validFrom) && outside.now() <= Date.parse(validTo)
      const message = Buffer.from(signedText(id, time, keys.PAYPAL_WEBHOOK_ID, body))
      const signature = Buffer.from(given, 'base64')
      good = isValid && verifySignature('sha256', message, createPublicKey(pem), signature)
    } catch {
      good = false
    }
    if (!good) throw new Forged('The signature is not PayPal’s.')
  }

  const heard = async (type: string, resource: Json): Promise<PaymentEvent | null> => {
    const payment = textAt(resource, 'custom_id')
    switch (type) {
      case 'PAYMENT.CAPTURE.COMPLETED':
      case 'PAYMENT.CAPTURE.PENDING':
      case 'PAYMENT.CAPTURE.DENIED':
      case 'PAYMENT.CAPTURE.DECLINED':
        return captureEvent(resource, payment)
      case 'PAYMENT.CAPTURE.REFUNDED':
      case 'PAYMENT.CAPTURE.REVERSED': {
        const currency = textAt(resource, 'amount.currency_code')
        return {
          payment,
          gateway: 'paypal',
          ref: linkOf(resource, 'up').split('/').at(-1) ?? '',
          status: type.endsWith('REVERSED') ? 'chargeback' : 'refunded',
          minor: minorOf(textAt(resource, 'amount.value'), currency) ?? NaN,
          currency,
          refundId: textAt(resource, 'id'),
        }
      }
      // Approved is not paid: the browser may have been lost before we captured.
      case 'CHECKOUT.ORDER.APPROVED': {
        const unit = read(resource, 'purchase_units.0')
        const currency = textAt(unit, 'amount.currency_code')
        return ask({
          payment: textAt(unit, 'custom_id'),
          checkout_ref: textAt(resource, 'id'),
          minor: minorOf(textAt(unit, 'amount.value'), currency) ?? 0,
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
    supports: (currency) => CURRENCIES.has(currency),
    async checkout({ id, minor, currency, description, urls }) {
      const { ok, status, json } = await call(
        '/v2/checkout/orders',
        {
          intent: 'CAPTURE',
          purchase_units: [
            {
              reference_id: id,
              custom_id: id,
              invoice_id: id,
              description: description.slice(0, 127),
              amount: { currency_code: currency, value: valueOf(minor, currency) },
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
      const url = linkOf(json, 'payer-action', 'approve')
      if (!ok || !url.startsWith('https://'))
        throw new ProviderFault(`PayPal opened no page: ${status}.`)
      return { kind: 'redirect', url, ref: textAt(json, 'id') }
    },
    ask,
    async notified(incoming) {
      await verify(incoming)
      const json = jsonOf(incoming.body)
      const event = await heard(textAt(json, 'event_type'), read(json, 'resource'))
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency }, minor, key) {
      const amount = { currency_code: currency, value: valueOf(minor, currency) }
      const path = `/v2/payments/captures/${encodeURIComponent(ref)}/refund`
      const { ok, status, json } = await call(path, { amount }, key)
      if (!ok) throw new ProviderFault(`PayPal refunded nothing: ${status}.`)
      const refundId = textAt(json, 'id')
      return { payment, gateway: 'paypal', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
