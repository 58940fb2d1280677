import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type { PaymentRef, AdapterFactory } from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { computeHash, computeHmac, assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, getListAt, getValueAt, requestOk, getTextAt } from '../providerHttp'

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
const REFUND_STATES: Record<string, ProviderRefund['state']> = {
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

/** PayU Latin America WebCheckout: a signed form and a signed confirmation. */
export const payulatam: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'PAYU_MERCHANT_ID', 'PAYU_ACCOUNT_ID', 'PAYU_API_KEY')
  const algorithm = (env.PAYU_SIGN_ALGO?.trim() || 'HMAC-SHA256') as PayuAlgorithm
  // The HMAC uses its own secret if the panel issued one, and otherwise the API key.
  const secret = env.PAYU_SECRET_KEY?.trim() || keys?.PAYU_API_KEY
  if (!keys || !secret || !['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'].includes(algorithm)) return null
  const { PAYU_MERCHANT_ID: merchant, PAYU_ACCOUNT_ID: account, PAYU_API_KEY: apiKey } = keys
  const isLive = env.PAYU_ENV === 'live'
  const sign = (...parts: string[]) => signPayu([apiKey, ...parts].join('~'), algorithm, secret)
  const apiLogin = env.PAYU_API_LOGIN?.trim() ?? ''
  // A confirmation does not sign its test flag, so live payments count only after a query to PayU.
  if (isLive && apiLogin === '') return null
  const call = async (service: 'reports-api' | 'payments-api', command: object): Promise<Json> => {
    const host = isLive ? API_URLS.live : API_URLS.sandbox
    const { json } = await requestOk(outside.fetch, `${host}/${service}/4.0/service.cgi`, {
      json: { language: 'en', test: !isLive, merchant: { apiLogin, apiKey }, ...command },
    })
    return json
  }
  const known = async (payment: string): Promise<PayuTransaction[]> => {
    const reply = await call('reports-api', {
      command: 'ORDER_DETAIL_BY_REFERENCE_CODE',
      details: { referenceCode: payment },
    })
    if (getTextAt(reply, 'code') !== 'SUCCESS')
      throw new ProviderError('PayU did not answer the query.')
    const orders = getListAt(reply, 'result.payload')
    return parseTransactions(isLive ? orders.filter((order) => !isTestOrder(order)) : orders)
  }
  /**
   * The APIs need a separate login in addition to the key. Without one, we rely on messages only.
   */
  const apis = {
    async fetchStatus({ payment }: Pick<PaymentRef, 'payment'>): Promise<PaymentEvent | null> {
      const charges = (await known(payment)).filter(({ type }) => CHARGE_TYPES.has(type))
      const tried = charges.find(({ state }) => state === 'APPROVED') ?? charges.at(-1)
      const status = QUERY_STATUSES[tried?.state ?? '']
      if (!tried || !status) return null
      const { value, currency } = tried
      const minor = toCurrencyMinorUnits(value, currency) ?? NaN
      return { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
    },
    ...deduplicateRefunds(
      'payulatam',
      async ({ payment, currency, minor: whole }) =>
        (await known(payment))
          .filter(({ type }) => type.endsWith('REFUND'))
          .map(({ state, value }) => ({
            // A full refund does not state an amount.
            minor: value === '' ? whole : (toCurrencyMinorUnits(value, currency) ?? NaN),
            state: REFUND_STATES[state] ?? 'pending',
          })),
      async ({ payment, currency, minor: whole, refunded }, minor) => {
        const all = await known(payment)
        const paid = all.find(({ type, state }) => CHARGE_TYPES.has(type) && state === 'APPROVED')
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
        if (getTextAt(reply, 'code') === 'ERROR' || REFUND_STATES[state] === 'failed')
          throw new ProviderRejectedError('PayU refused the refund; nothing was refunded.')
        // The usual response, because PayU's staff reviews the refund.
        if (state === 'PENDING') return 'pending'
        if (REFUND_STATES[state] !== 'done')
          throw new ProviderError(
            'PayU did not confirm the refund. Check it in the PayU dashboard.',
          )
        return 'done'
      },
    ),
  }

  return {
    ...(apiLogin !== '' && apis),
    id: 'payulatam',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    checkout({ id, minor, currency, description, customer, urls }) {
      const amount = formatUnits(minor, getDecimals(currency))
      return Promise.resolve({
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
      })
    },
    async parseWebhook({ body }) {
      const form = parseForm(body)
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
      if (isLive && field('test') === '1') return { events: [] }
      const minor = toCurrencyMinorUnits(value, currency)
      const status = CONFIRMATION_STATUSES[state]
      if (minor === null || !status) return { events: [] }
      if (isLive && status === 'paid') {
        const confirmed = await apis.fetchStatus({ payment })
        // PayU may not list the payment yet; it will send the confirmation again.
        if (!confirmed)
          throw new ProviderError(
            'PayU lists no such payment yet. It sends the confirmation again.',
          )
        return { events: [confirmed] }
      }
      // The transaction's own number is not signed. The reference is signed and is paid only once.
      const event = { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
      return { events: [event] }
    },
  }
}
