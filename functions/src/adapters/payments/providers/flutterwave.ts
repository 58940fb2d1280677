import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { PaymentRef, AdapterFactory } from '../../../ports/paymentAdapter'
import { readKeys, ProviderError, ProviderRejectedError } from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { computeHash, computeHmac, assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBearerHeader,
  parseJson,
  getListAt,
  getValueAt,
  request,
  requestOk,
  getTextAt,
} from '../providerHttp'

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
  const status = PAYMENT_STATUSES[getTextAt(transaction, 'status')]
  const currency = getTextAt(transaction, 'currency')
  if (!status) return null
  return {
    payment: getTextAt(transaction, 'tx_ref'),
    gateway: 'flutterwave',
    ref: getTextAt(transaction, 'id'),
    status,
    minor: toCurrencyMinorUnits(getTextAt(transaction, 'amount'), currency) ?? NaN,
    currency,
  }
}

/** Flutterwave Standard (v3). A message is only a hint, so we query the transaction itself. */
export const flutterwave: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'FLW_SECRET_KEY', 'FLW_SECRET_HASH')
  if (!keys) return null
  const { FLW_SECRET_KEY: key, FLW_SECRET_HASH: hash } = keys
  const headers = createBearerHeader(key)
  const get = async (path: string) => {
    const { isOk, status, json } = await request(outside.fetch, `${API_URL}${path}`, { headers })
    if (!isOk && status !== 404 && status !== 400)
      throw new ProviderError(`Flutterwave refused the request with status ${status}.`)
    return isOk ? toPaymentEvent(getValueAt(json, 'data')) : null
  }
  const fetchRefunds = async ({
    ref = '',
    currency,
    createdAt,
  }: PaymentRef): Promise<ProviderRefund[]> => {
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    const found: ProviderRefund[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = new URLSearchParams({
        id: ref,
        from: day(createdAt - DAY_MS),
        to: day(outside.now() + DAY_MS),
        page: String(page),
      })
      const { json } = await requestOk(outside.fetch, `${API_URL}/refunds?${query.toString()}`, {
        headers,
      })
      if (!Array.isArray(getValueAt(json, 'data')))
        throw new ProviderError('Flutterwave returned no list of refunds.')
      for (const refund of getListAt(json, 'data'))
        if (getFirstText(refund, ...TRANSACTION_ID_FIELDS) === ref)
          found.push({
            minor:
              toCurrencyMinorUnits(getFirstText(refund, ...REFUNDED_AMOUNT_FIELDS), currency) ??
              NaN,
            state: getRefundState(refund),
            key: getFirstText(refund, 'comment', 'comments'),
          })
      if (page >= (Number(getValueAt(json, 'meta.page_info.total_pages')) || 1)) return found
    }
    throw new ProviderError(
      'Flutterwave lists too many refunds to read. Check this one in the Flutterwave dashboard.',
    )
  }
  return {
    id: 'flutterwave',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    async checkout({ id, minor, currency, description, customer, urls }) {
      const amount = formatUnits(minor, getDecimals(currency))
      const email = customer.email
      const { json } = await requestOk(outside.fetch, `${API_URL}/payments`, {
        headers,
        json: {
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
        },
      })
      const url = getTextAt(json, 'data.link')
      if (!url.startsWith('https://'))
        throw new ProviderError('Flutterwave returned no payment page.')
      return { kind: 'redirect', url }
    },
    fetchStatus: ({ payment }: PaymentRef) =>
      get(`/transactions/verify_by_reference?tx_ref=${encodeURIComponent(payment)}`),
    async parseWebhook({ headers: given, body }) {
      const signature = given['flutterwave-signature']
      if (signature !== undefined)
        assertSignature(signature, computeHmac('sha256', hash, body, 'base64'))
      else assertSignature(given['verif-hash'], hash)
      const json = parseJson(body)
      const isRefund = /refund/i.test(getFirstText(json, 'event', 'event.type', 'type'))
      // A refund has its own number in addition to its transaction's.
      const id = isRefund
        ? getFirstText(getValueAt(json, 'data'), ...TRANSACTION_ID_FIELDS)
        : getTextAt(json, 'data.id')
      if (!/^\d+$/.test(id)) return { events: [] }
      const event = await get(`/transactions/${id}/verify`)
      if (isRefund) return { events: [], paymentsToCheck: event ? [event.payment] : [] }
      return { events: event ? [event] : [] }
    },
    ...deduplicateRefunds(
      'flutterwave',
      fetchRefunds,
      async ({ ref = '', currency }, minor, comments) => {
        const path = `${API_URL}/transactions/${encodeURIComponent(ref)}/refund`
        const amount = formatUnits(minor, getDecimals(currency))
        const { json } = await requestOk(outside.fetch, path, {
          headers,
          json: { amount, comments },
        })
        const state = getRefundState(getValueAt(json, 'data'))
        if (getTextAt(json, 'status') === 'error' || state === 'failed')
          throw new ProviderRejectedError('Flutterwave refused the refund; nothing was refunded.')
        if (!getTextAt(json, 'data.id'))
          throw new ProviderError(
            'Flutterwave did not confirm the refund. Check it in the Flutterwave dashboard.',
          )
        return state
      },
    ),
  }
}
