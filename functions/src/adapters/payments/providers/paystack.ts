import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { getDecimals, rescaleUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  PaymentRef,
  ChargeRules,
  Checkout,
  CheckoutOrder,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import { readKeys, ProviderRejectedError } from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { assertAcceptedRefund, getRefundState, type RefundStates } from '../refundStates'
import { toRefundHint, toWebhookResult } from '../webhooks'
import { computeHmac, assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBearerHeader,
  parseJson,
  fetchTransaction,
  getPageUrlAt,
  getRequiredListAt,
  getValueAt,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

const API_URL = 'https://api.paystack.co'
const CURRENCIES = new Set('GHS KES NGN RWF USD XOF ZAR'.split(' '))
/** The minimums of Paystack's table of currencies. */
const CHARGE_RULES: ChargeRules = {
  GHS: { minimum: 0.1 },
  KES: { minimum: 3 },
  NGN: { minimum: 50 },
  USD: { minimum: 2 },
  ZAR: { minimum: 1 },
}

/**
 * Returns Paystack's reference for a payment. References allow only letters, digits and -.=; our
 * ids contain _ but never =.
 */
export const toReference = (payment: string): string => payment.replaceAll('_', '=')
const toPaymentId = (reference: string): string => reference.replaceAll('=', '_')

/**
 * Converts an amount to hundredths, which Paystack uses for every currency, even those without
 * decimals.
 */
const toHundredths = (minor: MinorUnits, currency: string): string => {
  const units = rescaleUnits(minor, getDecimals(currency), 2)
  if (units === null)
    throw new ProviderRejectedError('Paystack does not accept this amount. Use another amount.')
  return String(units)
}

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  success: 'paid',
  failed: 'failed',
  pending: 'pending',
  processing: 'pending',
  ongoing: 'pending',
  // The payment was paid first; its refunds are in a separate list.
  reversed: 'paid',
}

/**
 * Refund states. `needs-attention` waits for the payer's bank account, to be entered in Paystack's
 * dashboard.
 */
const REFUND_STATES: RefundStates = {
  processed: 'done',
  failed: 'failed',
}
const PAGE_SIZE = 100

const toPaymentEvent = (transaction: Json): PaymentEvent | null => {
  const status = getOwn(PAYMENT_STATUSES, getTextAt(transaction, 'status'))
  const currency = getTextAt(transaction, 'currency')
  if (!status) return null
  return {
    payment: toPaymentId(getTextAt(transaction, 'reference')),
    gateway: 'paystack',
    ref: getTextAt(transaction, 'id'),
    status,
    minor: rescaleUnits(Number(getValueAt(transaction, 'amount')), 2, getDecimals(currency)) ?? NaN,
    currency,
  }
}

/** Sends a request to Paystack's API. */
type Send = (path: string, json?: object) => ReturnType<typeof requestOk>

const fetchRefunds = async (
  send: Send,
  { ref = '', currency }: PaymentRef,
): Promise<ProviderRefund[]> => {
  // Queries by Paystack's own number, because our reference returns an empty list, which looks
  // like no refunds.
  const query = new URLSearchParams({ transaction: ref, perPage: String(PAGE_SIZE) })
  const { json } = await send(`/refund?${query.toString()}`)
  return getRequiredListAt(json, 'data', 'Paystack returned no list of refunds.')
    .filter((refund) => getTextAt(refund, 'transaction') === ref)
    .map((refund) => ({
      minor: rescaleUnits(Number(getValueAt(refund, 'amount')), 2, getDecimals(currency)) ?? NaN,
      state: getRefundState(refund, 'status', REFUND_STATES),
      key: getTextAt(refund, 'merchant_note'),
    }))
}

const createTransaction = async (
  send: Send,
  { id, minor, currency, customer, urls }: CheckoutOrder,
): Promise<Checkout> => {
  const { json } = await send('/transaction/initialize', {
    email: customer.email,
    amount: toHundredths(minor, currency),
    currency,
    reference: toReference(id),
    callback_url: urls.return,
    metadata: { cancel_action: urls.cancel },
  })
  const url = getPageUrlAt(json, 'data.authorization_url', 'Paystack')
  return { kind: 'redirect', url, ref: getTextAt(json, 'data.access_code') }
}

/** Paystack's hosted page. Its messages have no timestamp, so we confirm each one by a query. */
export const paystack: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'PAYSTACK_SECRET_KEY')
  if (!keys) return null
  const { PAYSTACK_SECRET_KEY: key } = keys
  const headers = createBearerHeader(key)
  const send: Send = (path, json) =>
    requestOk(outside.fetch, `${API_URL}${path}`, { headers, ...(json && { json }) })
  const fetchStatus = async (reference: string): Promise<PaymentEvent | null> => {
    const url = `${API_URL}/transaction/verify/${encodeURIComponent(reference)}`
    return toPaymentEvent(await fetchTransaction('Paystack', outside.fetch, url, { headers }))
  }
  return {
    id: 'paystack',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    chargeRules: CHARGE_RULES,
    checkout: (order) => createTransaction(send, order),
    fetchStatus: ({ payment }) => fetchStatus(toReference(payment)),
    async parseWebhook({ headers: requestHeaders, body }) {
      assertSignature(requestHeaders['x-paystack-signature'], computeHmac('sha512', key, body))
      const json = parseJson(body)
      const kind = getTextAt(json, 'event')
      const refunded = getTextAt(json, 'data.transaction_reference')
      if (kind.startsWith('refund.') && refunded) return toRefundHint(toPaymentId(refunded))
      const reference = getTextAt(json, 'data.reference')
      if (kind !== 'charge.success' || !reference) return { events: [] }
      return toWebhookResult(await fetchStatus(reference))
    },
    ...deduplicateRefunds(
      'paystack',
      (paymentRef) => fetchRefunds(send, paymentRef),
      async ({ ref = '', currency }, minor, note) => {
        const amount = toHundredths(minor, currency)
        const { json } = await send('/refund', { transaction: ref, amount, merchant_note: note })
        return assertAcceptedRefund('Paystack', getRefundState(json, 'data.status', REFUND_STATES))
      },
    ),
  }
}
