import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf } from '~/domain/payments/currency'
import type { Adapter, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hashOf, hmacOf, mustBe } from '../signing'
import type { Json } from '../talking'
import { formOf, read, talkOrFail, textAt } from '../talking'

const ACTION = {
  live: 'https://checkout.payulatam.com/ppp-web-gateway-payu/',
  sandbox: 'https://sandbox.checkout.payulatam.com/ppp-web-gateway-payu/',
}
const API = { live: 'https://api.payulatam.com', sandbox: 'https://sandbox.api.payulatam.com' }
const CURRENCIES = new Set('ARS BRL CLP COP MXN PEN USD'.split(' '))
export type PayuAlgorithm = 'MD5' | 'SHA' | 'SHA256' | 'HMAC-SHA256'

/** PayU's signature of a text that begins with the API key. */
export const payuSign = (text: string, algorithm: PayuAlgorithm, secret: string): string => {
  switch (algorithm) {
    case 'MD5':
      return hashOf('md5', text)
    case 'SHA':
      return hashOf('sha1', text)
    case 'SHA256':
      return hashOf('sha256', text)
    case 'HMAC-SHA256':
      return hmacOf('sha256', secret, text)
  }
}

/** The amount as a confirmation signs it: one decimal when the second is a zero. */
export const payuValue = (value: string): string => value.replace(/^(\d+\.\d)0$/, '$1')

const STATES: Record<string, PaymentEvent['status']> = {
  '4': 'paid',
  '5': 'cancelled',
  '6': 'failed',
  '7': 'pending',
}

/** What the queries API calls the states of a payment. */
const ASKED: Record<string, PaymentEvent['status']> = {
  APPROVED: 'paid',
  DECLINED: 'failed',
  ERROR: 'failed',
  EXPIRED: 'cancelled',
  PENDING: 'pending',
  SUBMITTED: 'pending',
}
const CHARGES = new Set(['AUTHORIZATION_AND_CAPTURE', 'CAPTURE'])

interface Transaction {
  order: string
  id: string
  type: string
  state: string
  value: string
  currency: string
}
const listAt = (json: Json, path: string): Json[] => {
  const found = read(json, path)
  return Array.isArray(found) ? (found as Json[]) : []
}
/** Every transaction of every order under one reference. */
const transactionsOf = (reply: Json): Transaction[] =>
  listAt(reply, 'result.payload').flatMap((order) =>
    listAt(order, 'transactions').map((transaction) => ({
      order: textAt(order, 'id'),
      id: textAt(transaction, 'id'),
      type: textAt(transaction, 'type'),
      state: textAt(transaction, 'transactionResponse.state'),
      value: textAt(transaction, 'additionalValues.TX_VALUE.value'),
      currency: textAt(transaction, 'additionalValues.TX_VALUE.currency'),
    })),
  )

/** WebCheckout of PayU Latin America: a signed form, and a signed confirmation. */
export const payulatam: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'PAYU_MERCHANT_ID', 'PAYU_ACCOUNT_ID', 'PAYU_API_KEY')
  const algorithm = (env.PAYU_SIGN_ALGO?.trim() || 'HMAC-SHA256') as PayuAlgorithm
  // The HMAC's own secret, where the panel gave one; else the API key.
  const secret = env.PAYU_SECRET_KEY?.trim() || keys?.PAYU_API_KEY
  if (!keys || !secret || !['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'].includes(algorithm)) return null
  const { PAYU_MERCHANT_ID: merchant, PAYU_ACCOUNT_ID: account, PAYU_API_KEY: apiKey } = keys
  const isLive = env.PAYU_ENV === 'live'
  const sign = (...parts: string[]) => payuSign([apiKey, ...parts].join('~'), algorithm, secret)
  const apiLogin = env.PAYU_API_LOGIN?.trim() ?? ''
  const call = async (service: 'reports-api' | 'payments-api', command: object): Promise<Json> => {
    const host = isLive ? API.live : API.sandbox
    const { json } = await talkOrFail(outside.fetch, `${host}/${service}/4.0/service.cgi`, {
      json: { language: 'en', test: !isLive, merchant: { apiLogin, apiKey }, ...command },
    })
    return json
  }
  const known = async (payment: string): Promise<Transaction[]> => {
    const reply = await call('reports-api', {
      command: 'ORDER_DETAIL_BY_REFERENCE_CODE',
      details: { referenceCode: payment },
    })
    if (textAt(reply, 'code') !== 'SUCCESS') throw new ProviderFault('PayU answered no query.')
    return transactionsOf(reply)
  }
  /** Its APIs want a login of their own beside the key; without one, messages are all there is. */
  const apis: Pick<Adapter, 'ask' | 'refund'> = {
    async ask({ payment }) {
      const charges = (await known(payment)).filter(({ type }) => CHARGES.has(type))
      const tried = charges.find(({ state }) => state === 'APPROVED') ?? charges.at(-1)
      const status = ASKED[tried?.state ?? '']
      if (!tried || !status) return null
      const { value, currency } = tried
      const minor = minorOf(value, currency) ?? NaN
      return { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
    },
    async refund({ payment, ref = '', currency, minor: whole, refunded }, minor) {
      const all = await known(payment)
      const paid = all.find(({ type, state }) => CHARGES.has(type) && state === 'APPROVED')
      if (!paid) throw new ProviderFault('PayU knows no approved payment.')
      const gone = all
        .filter(({ type, state }) => type.endsWith('REFUND') && state === 'APPROVED')
        .reduce((sum, { value }) => sum + (minorOf(value, currency) ?? 0), 0)
      // An earlier answer was lost: so much has gone back already.
      if (gone < refunded + minor) {
        const value = decimalText(minor, exponentOf(currency))
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
        const state = textAt(reply, 'transactionResponse.state')
        // PENDING: somebody at PayU still looks at it, which is the usual answer.
        if (textAt(reply, 'code') !== 'SUCCESS' || (state !== 'APPROVED' && state !== 'PENDING'))
          throw new ProviderFault('PayU refunded nothing.')
      }
      const minorBack = refunded + minor
      const event = { payment, gateway: 'payulatam', ref, status: 'refunded', currency } as const
      return { ...event, minor: minorBack, cumulative: true }
    },
  }

  return {
    ...(apiLogin !== '' && apis),
    id: 'payulatam',
    supports: (currency) => CURRENCIES.has(currency),
    checkout({ id, minor, currency, description, customer, urls }) {
      const amount = decimalText(minor, exponentOf(currency))
      return Promise.resolve({
        kind: 'form',
        action: isLive ? ACTION.live : ACTION.sandbox,
        fields: [
          ['merchantId', merchant],
          ['accountId', account],
          ['description', description],
          ['referenceCode', id],
          ['amount', amount],
          // Colombia would add its VAT to an amount without these.
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
    notified({ body }) {
      const form = formOf(body)
      const field = (name: string) => form.get(name) ?? ''
      const [payment, value, currency, state] = [
        field('reference_sale'),
        field('value'),
        field('currency'),
        field('state_pol'),
      ]
      if (field('merchant_id') !== merchant) throw new Forged('It is another merchant’s.')
      mustBe(field('sign'), sign(merchant, payment, payuValue(value), currency, state))
      if (isLive && field('test') === '1') return Promise.resolve({ events: [] })
      const minor = minorOf(value, currency)
      const status = STATES[state]
      if (minor === null || !status) return Promise.resolve({ events: [] })
      // The transaction's own number is not signed; the reference is, and is paid only once.
      const event = { payment, gateway: 'payulatam', ref: payment, status, minor, currency }
      return Promise.resolve({ events: [event] })
    },
  }
}
