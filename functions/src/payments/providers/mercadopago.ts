import type { PaymentEvent } from '~/domain/payments/attempt'
import { exponentOf, minorOf, rescaled } from '~/domain/payments/currency'
import type { Asked, Incoming, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hmacOf, isSame } from '../signing'
import type { Json } from '../talking'
import { bearer, jsonOf, read, talkOrFail, textAt } from '../talking'

const API = 'https://api.mercadopago.com'
const CURRENCIES = new Set('ARS BRL CLP COP MXN PEN UYU'.split(' '))
const WHOLE = new Set(['CLP', 'COP'])
/** Its messages are tried again for days, and each is confirmed by asking. */
const TOLERANCE_MS = 24 * 3_600_000

/** What Mercado Pago signs: the parts that are there. */
export const manifestOf = (id: string, requestId: string, ts: string): string =>
  [id && `id:${id};`, requestId && `request-id:${requestId};`, `ts:${ts};`].join('')

const STATUS: Record<string, PaymentEvent['status']> = {
  approved: 'paid',
  // Paid first; what went back is an event of its own.
  refunded: 'paid',
  charged_back: 'chargeback',
  pending: 'pending',
  in_process: 'pending',
  authorized: 'pending',
  in_mediation: 'pending',
  rejected: 'failed',
  cancelled: 'cancelled',
}

/** A payment of theirs as events: what was paid, and what went back of it. */
const eventsOf = (payment: Json): PaymentEvent[] => {
  const status = STATUS[textAt(payment, 'status')]
  const currency = textAt(payment, 'currency_id')
  if (!status) return []
  const paid: PaymentEvent = {
    payment: textAt(payment, 'external_reference'),
    gateway: 'mercadopago',
    ref: textAt(payment, 'id'),
    status,
    minor: minorOf(textAt(payment, 'transaction_amount'), currency) ?? NaN,
    currency,
  }
  const back = minorOf(textAt(payment, 'transaction_amount_refunded') || 0, currency) ?? 0
  return back > 0 && status === 'paid'
    ? [paid, { ...paid, status: 'refunded', minor: back, cumulative: true }]
    : [paid]
}

/** Checkout Pro by preferences. Messages carry only an id: the payment is asked for. */
export const mercadopago: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'MP_ACCESS_TOKEN', 'MP_WEBHOOK_SECRET')
  if (!keys) return null
  const { MP_ACCESS_TOKEN: token, MP_WEBHOOK_SECRET: secret } = keys
  // An account takes its own country's currency only.
  const own = env.MP_CURRENCY?.trim()
  const call = async (path: string, json?: unknown, idempotency?: string) =>
    (
      await talkOrFail(outside.fetch, `${API}${path}`, {
        headers: { ...bearer(token), ...(idempotency && { 'X-Idempotency-Key': idempotency }) },
        ...(json !== undefined && { json }),
      })
    ).json

  const verify = ({ headers, query }: Incoming) => {
    const parts = Object.fromEntries(
      (headers['x-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2)),
    ) as Record<string, string | undefined>
    const { ts = '', v1 } = parts
    const requestId = headers['x-request-id'] ?? ''
    const id = query.get('data.id') ?? ''
    // The documents sign the id in lower case, the SDK as it comes.
    const good = [id, id.toLowerCase()].some((form) =>
      isSame(v1, hmacOf('sha256', secret, manifestOf(form, requestId, ts))),
    )
    if (!good) throw new Forged('The signature is not Mercado Pago’s.')
    // Seconds by the documents, milliseconds in practice.
    const ms = ts.length > 11 ? Number(ts) : Number(ts) * 1000
    if (!(Math.abs(outside.now() - ms) <= TOLERANCE_MS)) throw new Forged('The message is stale.')
  }

  return {
    id: 'mercadopago',
    supports: (currency) => (own ? currency === own : CURRENCIES.has(currency)),
    async checkout({ id, minor, currency, description, customer, urls }) {
      const places = WHOLE.has(currency) ? 0 : exponentOf(currency)
      const units = rescaled(minor, exponentOf(currency), places)
      if (units === null) throw new ProviderFault('Mercado Pago takes no decimals here.')
      const json = await call(
        '/checkout/preferences',
        {
          items: [
            {
              id,
              title: description,
              quantity: 1,
              unit_price: Number((units / 10 ** places).toFixed(places)),
              currency_id: currency,
            },
          ],
          payer: { name: customer.first, surname: customer.last, email: customer.email },
          external_reference: id,
          back_urls: { success: urls.return, pending: urls.return, failure: urls.cancel },
          auto_return: 'approved',
        },
        id,
      )
      const url = textAt(json, 'init_point')
      if (!url.startsWith('https://')) throw new ProviderFault('Mercado Pago opened no page.')
      return { kind: 'redirect', url, ref: textAt(json, 'id') }
    },
    async ask({ payment }: Asked) {
      const query = new URLSearchParams({
        external_reference: payment,
        sort: 'date_created',
        criteria: 'desc',
      })
      const found = read(await call(`/v1/payments/search?${query.toString()}`), 'results')
      const all = (Array.isArray(found) ? (found as Json[]) : []).flatMap(
        (each) => eventsOf(each)[0] ?? [],
      )
      return all.find(({ status }) => status === 'paid') ?? all[0] ?? null
    },
    async notified(incoming) {
      verify(incoming)
      const { query, body } = incoming
      const type = query.get('type') ?? textAt(jsonOf(body), 'type')
      const id = query.get('data.id') ?? ''
      if (type !== 'payment' || !/^\d+$/.test(id)) return { events: [] }
      return { events: eventsOf(await call(`/v1/payments/${id}`)) }
    },
    async refund({ payment, ref = '', currency, refunded }, minor, key) {
      const amount = Number((minor / 10 ** exponentOf(currency)).toFixed(exponentOf(currency)))
      await call(`/v1/payments/${encodeURIComponent(ref)}/refunds`, { amount }, key)
      return {
        payment,
        gateway: 'mercadopago',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
