import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  PaymentRef,
  Checkout,
  CheckoutOrder,
  Env,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import {
  createRefusedRefundError,
  createUnconfirmedRefundError,
  type RefundStates,
} from '../refundStates'
import { toWebhookResult } from '../webhooks'
import { computeHash, computeHmac, assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, getListAt, getValueAt, requestOk, getTextAt } from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

const CHECKOUT_URLS = {
  live: 'https://checkout.payulatam.com/ppp-web-gateway-payu/',
  sandbox: 'https://sandbox.checkout.payulatam.com/ppp-web-gateway-payu/',
}
const API_URLS = { live: 'https://api.payulatam.com', sandbox: 'https://sandbox.api.payulatam.com' }
const CURRENCIES = new Set('ARS BRL CLP COP MXN PEN USD'.split(' '))
export type PayuAlgorithm = 'MD5' | 'SHA' | 'SHA256' | 'HMAC-SHA256'

/** Returns PayU's signature of a text that begins with the API key. */
export const signPayu = (text: string, algorithm: PayuAlgorithm, secret: string): string => {
  switch (algorithm) {
    case 'MD5':
      return computeHash('md5', text)
    case 'SHA':
      return computeHash('sha1', text)
    case 'SHA256':
      return computeHash('sha256', text)
    case 'HMAC-SHA256':
      return computeHmac('sha256', secret, text)
  }
}

/** Formats the amount as a confirmation signs it: one decimal when the second is zero. */
export const formatSignedAmount = (value: string): string => value.replace(/^(\d+\.\d)0$/, '$1')

const CONFIRMATION_STATUSES: Record<string, PaymentEvent['status']> = {
  '4': 'paid',
  '5': 'cancelled',
  '6': 'failed',
  '7': 'pending',
}

/** The query API's payment states, mapped to our statuses. */
const QUERY_STATUSES: Record<string, PaymentEvent['status']> = {
  APPROVED: 'paid',
  DECLINED: 'failed',
  ERROR: 'failed',
  EXPIRED: 'cancelled',
  PENDING: 'pending',
  SUBMITTED: 'pending',
}
const CHARGE_TYPES = new Set(['AUTHORIZATION_AND_CAPTURE', 'CAPTURE'])
/** Refund states. A refund that waits for PayU's staff stays PENDING for days. */
const REFUND_STATES: RefundStates = {
  APPROVED: 'done',
  DECLINED: 'failed',
  ERROR: 'failed',
  EXPIRED: 'failed',
}

interface PayuTransaction {
  order: string
  id: string
  type: string
  state: string
  value: string
  currency: string
}
/** Returns every transaction of these orders. */
const parseTransactions = (orders: readonly Json[]): PayuTransaction[] =>
  orders.flatMap((order) =>
    getListAt(order, 'transactions').map((transaction) => ({
      order: getTextAt(order, 'id'),
      id: getTextAt(transaction, 'id'),
      type: getTextAt(transaction, 'type'),
      state: getTextAt(transaction, 'transactionResponse.state'),
      value: getTextAt(transaction, 'additionalValues.TX_VALUE.value'),
      currency: getTextAt(transaction, 'additionalValues.TX_VALUE.currency'),
    })),
  )

/** Returns true when the payer marked the order as a test, which the form does not sign. */
const isTestOrder = (order: Json): boolean =>
  /^(?:true|1)$/.test(String(getValueAt(order, 'isTest')))

interface PayuAccount {
  merchant: string
  account: string
  apiKey: string
  /** Empty without access to the APIs; we then rely on messages only. */
  apiLogin: string
  algorithm: PayuAlgorithm
  isLive: boolean
  /** Signs these values, after the API key. */
  sign(...parts: string[]): string
}

const readAccount = (env: Env): PayuAccount | null => {
  const keys = readKeys(env, 'PAYU_MERCHANT_ID', 'PAYU_ACCOUNT_ID', 'PAYU_API_KEY')
  const algorithm = (env.PAYU_SIGN_ALGO?.trim() || 'HMAC-SHA256') as PayuAlgorithm
  // The HMAC uses its own secret if the panel issued one, and otherwise the API key.
  const secret = env.PAYU_SECRET_KEY?.trim() || keys?.PAYU_API_KEY
  if (!keys || !secret || !['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'].includes(algorithm)) return null
  const { PAYU_MERCHANT_ID: merchant, PAYU_ACCOUNT_ID: account, PAYU_API_KEY: apiKey } = keys
  const isLive = env.PAYU_ENV === 'live'
  const apiLogin = env.PAYU_API_LOGIN?.trim() ?? ''
  // A confirmation does not sign its test flag, so live payments count only after a query to PayU.
  if (isLive && apiLogin === '') return null
  const sign = (...parts: string[]) => signPayu([apiKey, ...parts].join('~'), algorithm, secret)
  return { merchant, account, apiKey, apiLogin, algorithm, isLive, sign }
}

type Call = (service: 'reports-api' | 'payments-api', command: object) => Promise<Json>

const createCall =
  ({ apiLogin, apiKey, isLive }: PayuAccount, fetcher: typeof fetch): Call =>
  async (service, command) => {
    const host = isLive ? API_URLS.live : API_URLS.sandbox
    const { json } = await requestOk(fetcher, `${host}/${service}/4.0/service.cgi`, {
      json: { language: 'en', test: !isLive, merchant: { apiLogin, apiKey }, ...command },
    })
    return json
  }

type FetchTransactions = (payment: string) => Promise<PayuTransaction[]>

const createQuery =
  (call: Call, isLive: boolean): FetchTransactions =>
  async (payment) => {
    const reply = await call('reports-api', {
      command: 'ORDER_DETAIL_BY_REFERENCE_CODE',
      details: { referenceCode: payment },
    })
    if (getTextAt(reply, 'code') !== 'SUCCESS')
      throw new ProviderError('PayU did not answer the query.')
    const orders = getListAt(reply, 'result.payload')
    return parseTransactions(isLive ? orders.filter((order) => !isTestOrder(order)) : orders)
  }

const fetchStatus = async (
  fetchTransactions: FetchTransactions,
  payment: string,
): Promise<PaymentEvent | null> => {
  const charges = (await fetchTransactions(payment)).filter(({ type }) => CHARGE_TYPES.has(type))
  const charge = charges.find(({ state }) => state === 'APPROVED') ?? charges.at(-1)
  const status = getOwn(QUERY_STATUSES, charge?.state ?? '')
  if (!charge || !status) return null
  const { value, currency } = charge
  const minor = toCurrencyMinorUnits(value, currency) ?? NaN
  return { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
}

const listRefunds = async (
  fetchTransactions: FetchTransactions,
  { payment, currency, minor: whole }: PaymentRef,
): Promise<ProviderRefund[]> =>
  (await fetchTransactions(payment))
    .filter(({ type }) => type.endsWith('REFUND'))
    .map(({ state, value }) => ({
      // A full refund does not state an amount.
      minor: value === '' ? whole : (toCurrencyMinorUnits(value, currency) ?? NaN),
      state: getOwn(REFUND_STATES, state) ?? 'pending',
    }))

const sendRefund = async (
  call: Call,
  transactions: readonly PayuTransaction[],
  { currency, minor: whole, refunded }: PaymentRef,
  minor: MinorUnits,
): Promise<'done' | 'pending'> => {
  const paid = transactions.find(
    ({ type, state }) => CHARGE_TYPES.has(type) && state === 'APPROVED',
  )
  if (!paid) throw new ProviderRejectedError('PayU has no approved payment to refund.')
  const value = formatUnits(minor, getDecimals(currency))
  const isWhole = refunded === 0 && minor === whole
  const reply = await call('payments-api', {
    command: 'SUBMIT_TRANSACTION',
    transaction: {
      order: { id: paid.order },
      type: isWhole ? 'REFUND' : 'PARTIAL_REFUND',
      reason: 'Requested by the payer',
      parentTransactionId: paid.id,
      ...(!isWhole && { additionalValues: { TX_VALUE: { value, currency } } }),
    },
  })
  const state = getTextAt(reply, 'transactionResponse.state')
  if (getTextAt(reply, 'code') === 'ERROR' || getOwn(REFUND_STATES, state) === 'failed')
    throw createRefusedRefundError('PayU')
  // The usual response, because PayU's staff reviews the refund.
  if (state === 'PENDING') return 'pending'
  if (getOwn(REFUND_STATES, state) !== 'done') throw createUnconfirmedRefundError('PayU')
  return 'done'
}

const buildForm = (
  { merchant, account, algorithm, isLive, sign }: PayuAccount,
  { id, minor, currency, description, customer, urls }: CheckoutOrder,
): Checkout => {
  const amount = formatUnits(minor, getDecimals(currency))
  return {
    kind: 'form',
    action: isLive ? CHECKOUT_URLS.live : CHECKOUT_URLS.sandbox,
    fields: [
      ['merchantId', merchant],
      ['accountId', account],
      ['description', description],
      ['referenceCode', id],
      ['amount', amount],
      // Without these fields, Colombia adds its VAT to the amount.
      ['tax', '0'],
      ['taxReturnBase', '0'],
      ['currency', currency],
      ['signature', sign(merchant, id, amount, currency)],
      ['algorithmSignature', algorithm],
      ['test', isLive ? '0' : '1'],
      ['buyerEmail', customer.email],
      ['buyerFullName', `${customer.first} ${customer.last}`.trim()],
      ['telephone', customer.phone],
      ['responseUrl', urls.return],
      ['confirmationUrl', urls.webhook],
    ],
  }
}

/** Returns the event of a confirmation; null for a test, and for what is no payment. */
const parseConfirmation = (
  { merchant, isLive, sign }: PayuAccount,
  form: URLSearchParams,
): PaymentEvent | null => {
  const field = (name: string) => form.get(name) ?? ''
  const [payment, value, currency, state] = [
    field('reference_sale'),
    field('value'),
    field('currency'),
    field('state_pol'),
  ]
  if (field('merchant_id') !== merchant)
    throw new InvalidSignatureError('The message belongs to another merchant.')
  assertSignature(
    field('sign'),
    sign(merchant, payment, formatSignedAmount(value), currency, state),
  )
  if (isLive && field('test') === '1') return null
  const minor = toCurrencyMinorUnits(value, currency)
  const status = getOwn(CONFIRMATION_STATUSES, state)
  if (minor === null || !status) return null
  // The transaction's own number is not signed. The reference is signed and is paid only once.
  return { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
}

/** PayU Latin America WebCheckout: a signed form and a signed confirmation. */
export const payulatam: AdapterFactory = (env, outside) => {
  const account = readAccount(env)
  if (!account) return null
  const call = createCall(account, outside.fetch)
  const fetchTransactions = createQuery(call, account.isLive)
  /** The APIs need a separate login in addition to the key. */
  const apis = {
    fetchStatus: ({ payment }: PaymentRef) => fetchStatus(fetchTransactions, payment),
    ...deduplicateRefunds(
      'payulatam',
      (paymentRef) => listRefunds(fetchTransactions, paymentRef),
      async (paymentRef, minor) =>
        sendRefund(call, await fetchTransactions(paymentRef.payment), paymentRef, minor),
    ),
  }
  return {
    ...(account.apiLogin !== '' && apis),
    id: 'payulatam',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    checkout: (order) => Promise.resolve(buildForm(account, order)),
    async parseWebhook({ body }) {
      const event = parseConfirmation(account, parseForm(body))
      if (!account.isLive || event?.status !== 'paid') return toWebhookResult(event)
      const confirmed = await fetchStatus(fetchTransactions, event.payment)
      // PayU may not list the payment yet; it will send the confirmation again.
      if (!confirmed)
        throw new ProviderError('PayU lists no such payment yet. It sends the confirmation again.')
      return toWebhookResult(confirmed)
    },
  }
}
