import { createHash } from 'node:crypto'
import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { Checkout, CheckoutOrder, AdapterFactory } from '../../../ports/paymentAdapter'
import { InvalidSignatureError, readKeys, ProviderError } from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { createRefusedRefundError, createUnconfirmedRefundError } from '../refundStates'
import { assertSignature } from '../signatures'
import type { Json } from '../providerHttp'
import { parseForm, parseJson, getMinorAt, getValueAt, requestOk, getTextAt } from '../providerHttp'

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

interface Shop {
  publicKey: string
  privateKey: string
  version: 3 | 7
}

/** Returns the fields that carry a signed request. */
const signRequest = ({ publicKey, privateKey, version }: Shop, content: object) => {
  const data = Buffer.from(JSON.stringify({ version, public_key: publicKey, ...content })).toString(
    'base64',
  )
  return { data, signature: signLiqpay(data, privateKey, version) }
}

const toPaymentEvent = (json: Json, { publicKey }: Shop): PaymentEvent | null => {
  const response = getTextAt(json, 'status')
  const isTestPayment = response === 'sandbox' && publicKey.startsWith('sandbox_')
  const status = isTestPayment ? 'paid' : getOwn(PAYMENT_STATUSES, response)
  const currency = getTextAt(json, 'currency')
  const payment = getTextAt(json, 'order_id')
  if (!status || payment === '') return null
  return {
    payment,
    gateway: 'liqpay',
    ref: getTextAt(json, 'payment_id') || payment,
    status,
    minor: getMinorAt(json, 'amount', currency),
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

const toMessageEvents = (json: Json, shop: Shop): PaymentEvent[] => {
  const event = toPaymentEvent(json, shop)
  if (!event) return []
  const gone = event.status === 'paid' ? getRefundedAmount(json) : 0
  const refund = { ...event, status: 'refunded', minor: gone, isCumulative: true } as const
  return [
    ...(getTextAt(json, 'status') === 'reversed' ? [] : [event]),
    ...(gone > 0 ? [refund] : []),
  ]
}

const buildForm = (
  shop: Shop,
  { id, minor, currency, description, urls }: CheckoutOrder,
): Checkout => {
  const { data, signature } = signRequest(shop, {
    action: 'pay',
    amount: formatUnits(minor, getDecimals(currency)),
    currency,
    description,
    order_id: id,
    result_url: urls.return,
    server_url: urls.webhook,
  })
  return {
    kind: 'form',
    action: CHECKOUT_URL,
    fields: [
      ['data', data],
      ['signature', signature],
    ],
  }
}

/** Returns the content of a message. Throws when LiqPay did not sign it for this shop. */
const readMessage = ({ publicKey, privateKey, version }: Shop, body: Buffer): Json => {
  const form = parseForm(body)
  const data = form.get('data') ?? ''
  assertSignature(form.get('signature'), signLiqpay(data, privateKey, version))
  const json = parseJson(Buffer.from(data, 'base64'))
  if (getTextAt(json, 'public_key') !== publicKey)
    throw new InvalidSignatureError('The message belongs to another shop.')
  return json
}

/** Returns the state of a refund by LiqPay's response to it. */
const readRefundState = (json: Json): 'done' | 'pending' => {
  const result = getTextAt(json, 'result')
  if (result === 'error') throw createRefusedRefundError('LiqPay')
  if (result !== 'ok') throw createUnconfirmedRefundError('LiqPay')
  // The refund waits until the shop has enough money to cover it.
  const waits =
    getValueAt(json, 'wait_amount') === true || getTextAt(json, 'status') === 'processing'
  return waits ? 'pending' : 'done'
}

/** LiqPay (PrivatBank): base64 JSON with its signature, in both directions. */
export const liqpay: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, 'LIQPAY_PUBLIC_KEY', 'LIQPAY_PRIVATE_KEY')
  if (!keys) return null
  const shop: Shop = {
    publicKey: keys.LIQPAY_PUBLIC_KEY,
    privateKey: keys.LIQPAY_PRIVATE_KEY,
    version: env.LIQPAY_VERSION?.trim() === '7' ? 7 : 3,
  }
  const call = async (content: object) =>
    (await requestOk(outside.fetch, API_URL, { form: signRequest(shop, content) })).json
  const fetchOrder = async (payment: string): Promise<Json> => {
    const json = await call({ action: 'status', order_id: payment })
    return getTextAt(json, 'order_id') === payment ? json : null
  }
  return {
    id: 'liqpay',
    isCurrencySupported: (currency) => CURRENCIES.has(currency),
    checkout: (order) => Promise.resolve(buildForm(shop, order)),
    fetchStatus: async ({ payment }) => toPaymentEvent(await fetchOrder(payment), shop),
    async parseWebhook({ body }) {
      return Promise.resolve({ events: toMessageEvents(readMessage(shop, body), shop) })
    },
    ...deduplicateRefunds(
      'liqpay',
      async ({ payment }) => {
        const order = await fetchOrder(payment)
        if (order === null) throw new ProviderError('LiqPay has no such order.')
        return [{ minor: getRefundedAmount(order), state: 'done' }]
      },
      async ({ payment, currency }, minor) => {
        const amount = formatUnits(minor, getDecimals(currency))
        return readRefundState(await call({ action: 'refund', order_id: payment, amount }))
      },
    ),
  }
}
