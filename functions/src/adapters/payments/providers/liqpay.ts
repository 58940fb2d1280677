import { createHash } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { PaymentRef, AdapterFactory } from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, parseJson, getValueAt, requestOk, getTextAt } from '../providerHttp'

const CHECKOUT_URL = 'https://www.liqpay.ua/api/3/checkout'
const API_URL = 'https://www.liqpay.ua/api/request'
const CURRENCIES = new Set(['UAH', 'USD', 'EUR'])

/**
 * Returns LiqPay's signature of base64 data between two copies of the private key: SHA-1 in version
 * 3, SHA3-256 in version 7.
 */
export const signLiqpay = (data: string, key: string, version: 3 | 7): string =>
  createHash(version === 7 ? 'sha3-256' : 'sha1')
    .update(key + data + key)
    .digest('base64')

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  success: 'paid',
  failure: 'failed',
  error: 'failed',
  // The order was paid first; the returned amount is a separate refund.
  reversed: 'paid',
  // The payer is charged, but the merchant is not accepted yet.
  wait_accept: 'pending',
  wait_secure: 'pending',
  wait_compensation: 'pending',
  processing: 'pending',
}

/** LiqPay (PrivatBank): base64 JSON with its signature, in both directions. */
export const liqpay: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'LIQPAY_PUBLIC_KEY', 'LIQPAY_PRIVATE_KEY')
  const version = env.LIQPAY_VERSION?.trim() === '7' ? 7 : 3
  if (!keys) return null
  const { LIQPAY_PUBLIC_KEY: public_key, LIQPAY_PRIVATE_KEY: key } = keys
  const isSandbox = public_key.startsWith('sandbox_')
  const packed = (content: object) => {
    const data = Buffer.from(JSON.stringify({ version, public_key, ...content })).toString('base64')
    return { data, signature: signLiqpay(data, key, version) }
  }
  const call = async (content: object) =>
    (await requestOk(outside.fetch, API_URL, { form: packed(content) })).json

  const toPaymentEvent = (json: Json): PaymentEvent | null => {
    const response = getTextAt(json, 'status')
    const status = response === 'sandbox' && isSandbox ? 'paid' : PAYMENT_STATUSES[response]
    const currency = getTextAt(json, 'currency')
    if (!status || getTextAt(json, 'order_id') === '') return null
    return {
      payment: getTextAt(json, 'order_id'),
      gateway: 'liqpay',
      ref: getTextAt(json, 'payment_id') || getTextAt(json, 'order_id'),
      status,
      minor: toCurrencyMinorUnits(getTextAt(json, 'amount'), currency) ?? NaN,
      currency,
    }
  }
  /** Returns the total refunded amount in an order's status, or zero when it mentions no refund. */
  const getRefundedAmount = (json: Json): number => {
    const amount = getTextAt(json, 'refund_amount')
    const isReversed = getTextAt(json, 'status') === 'reversed'
    if (amount === '' && !isReversed && getTextAt(json, 'refund_date_last') !== '')
      throw new ProviderError('LiqPay did not report the refunded amount.')
    return (
      toCurrencyMinorUnits(
        amount || (isReversed ? getTextAt(json, 'amount') : 0),
        getTextAt(json, 'currency'),
      ) ?? NaN
    )
  }
  const messageEvents = (json: Json): PaymentEvent[] => {
    const event = toPaymentEvent(json)
    if (!event) return []
    const gone = event.status === 'paid' ? getRefundedAmount(json) : 0
    const refund = { ...event, status: 'refunded', minor: gone, isCumulative: true } as const
    return [
      ...(getTextAt(json, 'status') === 'reversed' ? [] : [event]),
      ...(gone > 0 ? [refund] : []),
    ]
  }

  return {
    id: 'liqpay',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    checkout({ id, minor, currency, description, urls }) {
      const { data, signature } = packed({
        action: 'pay',
        amount: formatUnits(minor, getDecimals(currency)),
        currency,
        description,
        order_id: id,
        result_url: urls.return,
        server_url: urls.webhook,
      })
      return Promise.resolve({
        kind: 'form',
        action: CHECKOUT_URL,
        fields: [
          ['data', data],
          ['signature', signature],
        ],
      })
    },
    async fetchStatus({ payment }: PaymentRef) {
      const json = await call({ action: 'status', order_id: payment })
      return getTextAt(json, 'order_id') === payment ? toPaymentEvent(json) : null
    },
    parseWebhook({ body }) {
      const form = parseForm(body)
      const data = form.get('data') ?? ''
      assertSignature(form.get('signature'), signLiqpay(data, key, version))
      const json = parseJson(Buffer.from(data, 'base64'))
      if (getTextAt(json, 'public_key') !== public_key)
        throw new InvalidSignatureError('The message belongs to another shop.')
      return Promise.resolve({ events: messageEvents(json) })
    },
    ...deduplicateRefunds(
      'liqpay',
      async ({ payment }) => {
        const json = await call({ action: 'status', order_id: payment })
        if (getTextAt(json, 'order_id') !== payment)
          throw new ProviderError('LiqPay has no such order.')
        return [{ minor: getRefundedAmount(json), state: 'done' }]
      },
      async ({ payment, currency }, minor) => {
        const amount = formatUnits(minor, getDecimals(currency))
        const json = await call({ action: 'refund', order_id: payment, amount })
        const result = getTextAt(json, 'result')
        if (result === 'error')
          throw new ProviderRejectedError('LiqPay refused the refund; nothing was refunded.')
        if (result !== 'ok')
          throw new ProviderError(
            'LiqPay did not confirm the refund. Check it in the LiqPay dashboard.',
          )
        // The refund waits until the shop has enough money to cover it.
        const waits =
          getValueAt(json, 'wait_amount') === true || getTextAt(json, 'status') === 'processing'
        return waits ? 'pending' : 'done'
      },
    ),
  }
}
