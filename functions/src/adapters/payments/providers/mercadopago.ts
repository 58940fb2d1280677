import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { getDecimals, toCurrencyMinorUnits, rescaleUnits } from '~/domain/payments/currencyUnits'
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
import { buildRefundedEvent } from '../refundDeduplication'
import { computeHmac, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import { createBearerHeader, parseJson, getValueAt, requestOk, getTextAt } from '../providerHttp'

const API_URL = 'https://api.mercadopago.com'
const CURRENCIES = new Set('ARS BRL CLP COP MXN PEN UYU'.split(' '))
/** No decimals of CLP and COP; the minimums are those of a card or a Mercado Pago account. */
const CHARGE_RULES: ChargeRules = {
  ARS: { minimum: 2 },
  BRL: { minimum: 0.5 },
  CLP: { step: 1, minimum: 1000 },
  COP: { step: 1, minimum: 1000 },
  MXN: { minimum: 5 },
}
/** Mercado Pago retries its messages for days, and we confirm each one by a query. */
const TOLERANCE_MS = DAY_MS

/** Returns the text that Mercado Pago signs, built from the parts that exist. */
export const buildSignedManifest = (id: string, requestId: string, ts: string): string =>
  [id && `id:${id};`, requestId && `request-id:${requestId};`, `ts:${ts};`].join('')

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  approved: 'paid',
  // The payment was paid first; its refund is a separate event.
  refunded: 'paid',
  charged_back: 'chargeback',
  pending: 'pending',
  in_process: 'pending',
  authorized: 'pending',
  in_mediation: 'pending',
  rejected: 'failed',
  cancelled: 'cancelled',
}

const REFUND_STATES: Record<string, ProviderRefund['state']> = {
  approved: 'done',
  rejected: 'failed',
  cancelled: 'failed',
}

/** Converts a Mercado Pago payment to events: the amount paid, and any amount refunded. */
const toPaymentEvents = (payment: Json): PaymentEvent[] => {
  const known = PAYMENT_STATUSES[getTextAt(payment, 'status')]
  // The payment stays charged back after a won dispute; the detail tells that the money is back.
  const isWon = known === 'chargeback' && getTextAt(payment, 'status_detail') === 'reimbursed'
  const status = isWon ? 'chargeback_won' : known
  const currency = getTextAt(payment, 'currency_id')
  if (!status) return []
  const paid: PaymentEvent = {
    payment: getTextAt(payment, 'external_reference'),
    gateway: 'mercadopago',
    ref: getTextAt(payment, 'id'),
    status,
    minor: toCurrencyMinorUnits(getTextAt(payment, 'transaction_amount'), currency) ?? NaN,
    currency,
  }
  const back =
    toCurrencyMinorUnits(getTextAt(payment, 'transaction_amount_refunded') || 0, currency) ?? 0
  return back > 0 && status === 'paid'
    ? [paid, { ...paid, status: 'refunded', minor: back, isCumulative: true }]
    : [paid]
}

/** Checkout Pro with preferences. Messages contain only an id, so we query the payment. */
export const mercadopago: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'MP_ACCESS_TOKEN', 'MP_WEBHOOK_SECRET')
  if (!keys) return null
  const { MP_ACCESS_TOKEN: token, MP_WEBHOOK_SECRET: secret } = keys
  // An account accepts only its own country's currency.
  const own = env.MP_CURRENCY?.trim()
  const call = async (path: string, json?: unknown, idempotency?: string) =>
    (
      await requestOk(outside.fetch, `${API_URL}${path}`, {
        headers: {
          ...createBearerHeader(token),
          ...(idempotency && { 'X-Idempotency-Key': idempotency }),
        },
        ...(json !== undefined && { json }),
      })
    ).json

  const verify = ({ headers, query }: WebhookRequest) => {
    const parts = Object.fromEntries(
      (headers['x-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2)),
    ) as Record<string, string | undefined>
    const { ts = '', v1 } = parts
    const requestId = headers['x-request-id'] ?? ''
    const id = query.get('data.id') ?? ''
    // The documentation signs the id in lower case; the SDK signs it unchanged.
    const good = [id, id.toLowerCase()].some((form) =>
      isSameSecret(v1, computeHmac('sha256', secret, buildSignedManifest(form, requestId, ts))),
    )
    if (!good) throw new InvalidSignatureError('The signature is not from Mercado Pago.')
    // The documentation says seconds; in practice it is milliseconds.
    const ms = ts.length > 11 ? Number(ts) : Number(ts) * 1000
    if (!(Math.abs(outside.now() - ms) <= TOLERANCE_MS))
      throw new InvalidSignatureError('The message is stale.')
  }

  return {
    id: 'mercadopago',
    isCurrencySupported: (currency) => (own ? currency === own : CURRENCIES.has(currency)),
    chargeRules: CHARGE_RULES,
    async checkout({ id, minor, currency, description, customer, urls }) {
      const places = CHARGE_RULES[currency]?.step === 1 ? 0 : getDecimals(currency)
      const units = rescaleUnits(minor, getDecimals(currency), places)
      if (units === null)
        throw new ProviderRejectedError(
          'Mercado Pago accepts no decimals for this currency. Use a whole amount.',
        )
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
      const url = getTextAt(json, 'init_point')
      if (!url.startsWith('https://'))
        throw new ProviderError('Mercado Pago returned no payment page.')
      return { kind: 'redirect', url, ref: getTextAt(json, 'id') }
    },
    async fetchStatus({ payment }: PaymentRef) {
      const query = new URLSearchParams({
        external_reference: payment,
        sort: 'date_created',
        criteria: 'desc',
      })
      const found = getValueAt(await call(`/v1/payments/search?${query.toString()}`), 'results')
      const all = (Array.isArray(found) ? (found as Json[]) : []).flatMap(
        (each) => toPaymentEvents(each)[0] ?? [],
      )
      return all.find(({ status }) => status === 'paid') ?? all[0] ?? null
    },
    async parseWebhook(incoming) {
      verify(incoming)
      const { query, body } = incoming
      const type = query.get('type') ?? getTextAt(parseJson(body), 'type')
      const id = query.get('data.id') ?? ''
      if (type !== 'payment' || !/^\d+$/.test(id)) return { events: [] }
      return { events: toPaymentEvents(await call(`/v1/payments/${id}`)) }
    },
    async listRefunds({ ref = '', currency }) {
      const json = await call(`/v1/payments/${encodeURIComponent(ref)}/refunds`)
      if (!Array.isArray(json))
        throw new ProviderError('Mercado Pago returned no list of payments.')
      return (json as Json[]).map((refund) => ({
        minor: toCurrencyMinorUnits(getTextAt(refund, 'amount'), currency) ?? NaN,
        state: REFUND_STATES[getTextAt(refund, 'status')] ?? 'pending',
      }))
    },
    async refund(paymentRef, minor, key) {
      const { ref = '', currency } = paymentRef
      const amount = Number((minor / 10 ** getDecimals(currency)).toFixed(getDecimals(currency)))
      const path = `/v1/payments/${encodeURIComponent(ref)}/refunds`
      const state =
        REFUND_STATES[getTextAt(await call(path, { amount }, key), 'status')] ?? 'pending'
      if (state === 'failed')
        throw new ProviderRejectedError('Mercado Pago refused the refund; nothing was refunded.')
      return state === 'pending' ? state : buildRefundedEvent('mercadopago', paymentRef, minor)
    },
  }
}
