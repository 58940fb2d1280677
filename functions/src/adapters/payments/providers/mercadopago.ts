import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { DAY_MS } from '~/domain/language/timeUnits'
import type {
  PaymentRef,
  ChargeRules,
  Checkout,
  CheckoutOrder,
  WebhookRequest,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import { InvalidSignatureError, readKeys, ProviderError } from '../../../ports/paymentAdapter'
import { toProviderUnits } from '../amounts/providerUnits'
import { buildRefundedEvent } from '../refundDeduplication'
import { assertAcceptedRefund, getRefundState, type RefundStates } from '../refundStates'
import { assertFresh } from '../webhooks'
import { computeHmac, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBearerHeader,
  parseJson,
  getListAt,
  getMinorAt,
  getPageUrlAt,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

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

const REFUND_STATES: RefundStates = {
  approved: 'done',
  rejected: 'failed',
  cancelled: 'failed',
}

/** Converts a Mercado Pago payment to events: the amount paid, and any amount refunded. */
const toPaymentEvents = (payment: Json): PaymentEvent[] => {
  const mappedStatus = getOwn(PAYMENT_STATUSES, getTextAt(payment, 'status'))
  // The payment stays charged back after a won dispute; the detail tells that the money is back.
  const isWon =
    mappedStatus === 'chargeback' && getTextAt(payment, 'status_detail') === 'reimbursed'
  const status = isWon ? 'chargeback_won' : mappedStatus
  const currency = getTextAt(payment, 'currency_id')
  if (!status) return []
  const paid: PaymentEvent = {
    payment: getTextAt(payment, 'external_reference'),
    gateway: 'mercadopago',
    ref: getTextAt(payment, 'id'),
    status,
    minor: getMinorAt(payment, 'transaction_amount', currency),
    currency,
  }
  const back =
    toCurrencyMinorUnits(getTextAt(payment, 'transaction_amount_refunded') || 0, currency) ?? 0
  return back > 0 && status === 'paid'
    ? [paid, { ...paid, status: 'refunded', minor: back, isCumulative: true }]
    : [paid]
}

type Call = (path: string, json?: unknown, idempotency?: string) => Promise<Json>

const createCall =
  (token: string, fetcher: typeof fetch): Call =>
  async (path, json, idempotency) =>
    (
      await requestOk(fetcher, `${API_URL}${path}`, {
        headers: {
          ...createBearerHeader(token),
          ...(idempotency && { 'X-Idempotency-Key': idempotency }),
        },
        ...(json !== undefined && { json }),
      })
    ).json

const verifySignature = ({ headers, query }: WebhookRequest, secret: string, now: number) => {
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
  assertFresh(ts.length > 11 ? Number(ts) : Number(ts) * 1000, now, TOLERANCE_MS)
}

const createPreference = async (
  call: Call,
  { id, minor, currency, description, customer, urls }: CheckoutOrder,
): Promise<Checkout> => {
  const { units, places } = toProviderUnits('Mercado Pago', CHARGE_RULES, minor, currency)
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
  const url = getPageUrlAt(json, 'init_point', 'Mercado Pago')
  return { kind: 'redirect', url, ref: getTextAt(json, 'id') }
}

const fetchStatus = async (call: Call, payment: string): Promise<PaymentEvent | null> => {
  const query = new URLSearchParams({
    external_reference: payment,
    sort: 'date_created',
    criteria: 'desc',
  })
  const json = await call(`/v1/payments/search?${query.toString()}`)
  const events = getListAt(json, 'results').flatMap((each) => toPaymentEvents(each)[0] ?? [])
  return events.find(({ status }) => status === 'paid') ?? events[0] ?? null
}

const getRefundsPath = (ref = ''): string => `/v1/payments/${encodeURIComponent(ref)}/refunds`

const listRefunds = async (
  call: Call,
  { ref, currency }: PaymentRef,
): Promise<ProviderRefund[]> => {
  const json = await call(getRefundsPath(ref))
  if (!Array.isArray(json)) throw new ProviderError('Mercado Pago returned no list of payments.')
  return (json as Json[]).map((refund) => ({
    minor: getMinorAt(refund, 'amount', currency),
    state: getRefundState(refund, 'status', REFUND_STATES),
  }))
}

const sendRefund = async (
  call: Call,
  paymentRef: PaymentRef,
  minor: MinorUnits,
  key: string,
): Promise<PaymentEvent | 'pending'> => {
  const decimals = getDecimals(paymentRef.currency)
  const amount = Number((minor / 10 ** decimals).toFixed(decimals))
  const json = await call(getRefundsPath(paymentRef.ref), { amount }, key)
  const state = assertAcceptedRefund('Mercado Pago', getRefundState(json, 'status', REFUND_STATES))
  return state === 'pending' ? state : buildRefundedEvent('mercadopago', paymentRef, minor)
}

/** Checkout Pro with preferences. Messages contain only an id, so we query the payment. */
export const mercadopago: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'MP_ACCESS_TOKEN', 'MP_WEBHOOK_SECRET')
  if (!keys) return null
  // An account accepts only its own country's currency.
  const own = env.MP_CURRENCY?.trim()
  const call = createCall(keys.MP_ACCESS_TOKEN, outside.fetch)
  return {
    id: 'mercadopago',
    isCurrencySupported: (currency) => (own ? currency === own : CURRENCIES.has(currency)),
    chargeRules: CHARGE_RULES,
    checkout: (order) => createPreference(call, order),
    fetchStatus: ({ payment }) => fetchStatus(call, payment),
    async parseWebhook(incoming) {
      verifySignature(incoming, keys.MP_WEBHOOK_SECRET, outside.now())
      const { query, body } = incoming
      const type = query.get('type') ?? getTextAt(parseJson(body), 'type')
      const id = query.get('data.id') ?? ''
      if (type !== 'payment' || !/^\d+$/.test(id)) return { events: [] }
      return { events: toPaymentEvents(await call(`/v1/payments/${id}`)) }
    },
    listRefunds: (paymentRef) => listRefunds(call, paymentRef),
    refund: (paymentRef, minor, key) => sendRefund(call, paymentRef, minor, key),
  }
}
