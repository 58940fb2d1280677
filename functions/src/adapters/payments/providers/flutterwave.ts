import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  PaymentRef,
  Checkout,
  CheckoutOrder,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import { readKeys, ProviderError } from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { createRefusedRefundError, createUnconfirmedRefundError } from '../refundStates'
import { toRefundHint, toWebhookResult } from '../webhooks'
import { computeHash, computeHmac, assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBearerHeader,
  parseJson,
  fetchTransaction,
  getMinorAt,
  getPageUrlAt,
  getRequiredListAt,
  getSearchDays,
  getValueAt,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

const API_URL = 'https://api.flutterwave.com/v3'
const CURRENCIES = new Set(
  'EGP EUR GBP GHS KES MWK NGN RWF SLL TZS UGX USD XAF XOF ZAR ZMW'.split(' '),
)

/**
 * Returns a hash that binds amount, currency, payer and reference to the secret key, so that the
 * page can't be opened with other values.
 */
export const computePayloadHash = (
  { amount, currency, email, tx_ref }: Record<'amount' | 'currency' | 'email' | 'tx_ref', string>,
  key: string,
): string => computeHash('sha256', amount + currency + email + tx_ref + computeHash('sha256', key))

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  successful: 'paid',
  pending: 'pending',
  failed: 'failed',
}

/** Maximum number of refund pages searched for a payment's refunds. */
const MAX_PAGES = 10

/**
 * Returns the state of a refund. `completed` alone only means that Flutterwave has started it; the
 * longer words describe the payout.
 */
const getRefundState = (refund: Json): ProviderRefund['state'] => {
  const status = getTextAt(refund, 'status').toLowerCase()
  if (/^(successful|succeeded|completed-.+)$/.test(status)) return 'done'
  return /^(failed|cancelled)$/.test(status) ? 'failed' : 'pending'
}

/**
 * Returns the first of these fields that has text. Responses for a single refund and for a list use
 * different names.
 */
const getFirstText = (json: Json, ...names: string[]): string =>
  names.map((name) => getTextAt(json, name)).find((text) => text !== '') ?? ''
const TRANSACTION_ID_FIELDS = ['tx_id', 'transaction_id', 'TransactionId'] as const
const REFUNDED_AMOUNT_FIELDS = ['amount_refunded', 'AmountRefunded'] as const

const toPaymentEvent = (transaction: Json): PaymentEvent | null => {
  const status = getOwn(PAYMENT_STATUSES, getTextAt(transaction, 'status'))
  const currency = getTextAt(transaction, 'currency')
  if (!status) return null
  return {
    payment: getTextAt(transaction, 'tx_ref'),
    gateway: 'flutterwave',
    ref: getTextAt(transaction, 'id'),
    status,
    minor: getMinorAt(transaction, 'amount', currency),
    currency,
  }
}

/** Sends a request to Flutterwave's API. */
type Send = (path: string, json?: object) => ReturnType<typeof requestOk>

const toRefund = (refund: Json, currency: string): ProviderRefund => ({
  minor: toCurrencyMinorUnits(getFirstText(refund, ...REFUNDED_AMOUNT_FIELDS), currency) ?? NaN,
  state: getRefundState(refund),
  key: getFirstText(refund, 'comment', 'comments'),
})

const fetchRefunds = async (
  send: Send,
  { ref = '', currency, createdAt }: PaymentRef,
  now: number,
): Promise<ProviderRefund[]> => {
  const refunds: ProviderRefund[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      id: ref,
      ...getSearchDays(createdAt, now),
      page: String(page),
    })
    const { json } = await send(`/refunds?${query.toString()}`)
    const why = 'Flutterwave returned no list of refunds.'
    for (const refund of getRequiredListAt(json, 'data', why))
      if (getFirstText(refund, ...TRANSACTION_ID_FIELDS) === ref)
        refunds.push(toRefund(refund, currency))
    if (page >= (Number(getValueAt(json, 'meta.page_info.total_pages')) || 1)) return refunds
  }
  throw new ProviderError(
    'Flutterwave lists too many refunds to read. Check this one in the Flutterwave dashboard.',
  )
}

const createPayment = async (
  send: Send,
  { id, minor, currency, description, customer, urls }: CheckoutOrder,
  key: string,
): Promise<Checkout> => {
  const amount = formatUnits(minor, getDecimals(currency))
  const { email } = customer
  const { json } = await send('/payments', {
    tx_ref: id,
    amount,
    currency,
    redirect_url: urls.return,
    customer: {
      email,
      name: `${customer.first} ${customer.last}`.trim(),
      phonenumber: customer.phone,
    },
    customizations: { title: description },
    payload_hash: computePayloadHash({ amount, currency, email, tx_ref: id }, key),
  })
  return { kind: 'redirect', url: getPageUrlAt(json, 'data.link', 'Flutterwave') }
}

const sendRefund = async (
  send: Send,
  { ref = '', currency }: PaymentRef,
  minor: MinorUnits,
  comments: string,
): Promise<'done' | 'pending'> => {
  const amount = formatUnits(minor, getDecimals(currency))
  const path = `/transactions/${encodeURIComponent(ref)}/refund`
  const { json } = await send(path, { amount, comments })
  const state = getRefundState(getValueAt(json, 'data'))
  if (getTextAt(json, 'status') === 'error' || state === 'failed')
    throw createRefusedRefundError('Flutterwave')
  if (!getTextAt(json, 'data.id')) throw createUnconfirmedRefundError('Flutterwave')
  return state
}

/** Flutterwave Standard (v3). A message is only a hint, so we query the transaction itself. */
export const flutterwave: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'FLW_SECRET_KEY', 'FLW_SECRET_HASH')
  if (!keys) return null
  const { FLW_SECRET_KEY: key, FLW_SECRET_HASH: hash } = keys
  const headers = createBearerHeader(key)
  const send: Send = (path, json) =>
    requestOk(outside.fetch, `${API_URL}${path}`, { headers, ...(json && { json }) })
  const fetchEvent = async (path: string): Promise<PaymentEvent | null> => {
    const url = `${API_URL}/transactions${path}`
    return toPaymentEvent(await fetchTransaction('Flutterwave', outside.fetch, url, { headers }))
  }
  return {
    id: 'flutterwave',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    checkout: (order) => createPayment(send, order, key),
    fetchStatus: ({ payment }) =>
      fetchEvent(`/verify_by_reference?tx_ref=${encodeURIComponent(payment)}`),
    async parseWebhook({ headers: requestHeaders, body }) {
      const signature = requestHeaders['flutterwave-signature']
      if (signature !== undefined)
        assertSignature(signature, computeHmac('sha256', hash, body, 'base64'))
      else assertSignature(requestHeaders['verif-hash'], hash)
      const json = parseJson(body)
      const isRefund = /refund/i.test(getFirstText(json, 'event', 'event.type', 'type'))
      // A refund has its own number in addition to its transaction's.
      const id = isRefund
        ? getFirstText(getValueAt(json, 'data'), ...TRANSACTION_ID_FIELDS)
        : getTextAt(json, 'data.id')
      if (!/^\d+$/.test(id)) return { events: [] }
      const event = await fetchEvent(`/${id}/verify`)
      return isRefund ? toRefundHint(event?.payment ?? '') : toWebhookResult(event)
    },
    ...deduplicateRefunds(
      'flutterwave',
      (paymentRef) => fetchRefunds(send, paymentRef, outside.now()),
      (paymentRef, minor, key) => sendRefund(send, paymentRef, minor, key),
    ),
  }
}
