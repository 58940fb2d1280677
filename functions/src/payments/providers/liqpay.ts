import { createHash } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf } from '~/domain/payments/currency'
import type { Asked, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { mustBe } from '../signing'
import type { Json } from '../talking'
import { formOf, jsonOf, talkOrFail, textAt } from '../talking'

const ACTION = 'https://www.liqpay.ua/api/3/checkout'
const API = 'https://www.liqpay.ua/api/request'
const CURRENCIES = new Set(['UAH', 'USD', 'EUR'])

/** LiqPay's signature of base64 data: SHA-1 in version 3, SHA3-256 in version 7, between the private key twice. */
export const liqpaySign = (data: string, key: string, version: 3 | 7): string =>
  createHash(version === 7 ? 'sha3-256' : 'sha1')
    .update(key + data + key)
    .digest('base64')

const STATUS: Record<string, PaymentEvent['status']> = {
  success: 'paid',
  failure: 'failed',
  error: 'failed',
  reversed: 'refunded',
  // The payer is charged, the merchant not yet accepted.
  wait_accept: 'pending',
  wait_secure: 'pending',
  wait_compensation: 'pending',
  processing: 'pending',
}

/** LiqPay (PrivatBank): base64 JSON and its signature, both ways. */
export const liqpay: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'LIQPAY_PUBLIC_KEY', 'LIQPAY_PRIVATE_KEY')
  const version = env.LIQPAY_VERSION?.trim() === '7' ? 7 : 3
  if (!keys) return null
  const { LIQPAY_PUBLIC_KEY: public_key, LIQPAY_PRIVATE_KEY: key } = keys
  const isSandbox = public_key.startsWith('sandbox_')
  const packed = (content: object) => {
    const data = Buffer.from(JSON.stringify({ version, public_key, ...content })).toString('base64')
    return { data, signature: liqpaySign(data, key, version) }
  }
  const call = async (content: object) =>
    (await talkOrFail(outside.fetch, API, { form: packed(content) })).json

  const eventOf = (json: Json): PaymentEvent | null => {
    const said = textAt(json, 'status')
    const status = said === 'sandbox' && isSandbox ? 'paid' : STATUS[said]
    const currency = textAt(json, 'currency')
    if (!status || textAt(json, 'order_id') === '') return null
    const amount = textAt(json, status === 'refunded' ? 'refund_amount' : 'amount')
    return {
      payment: textAt(json, 'order_id'),
      gateway: 'liqpay',
      ref: textAt(json, 'payment_id') || textAt(json, 'order_id'),
      status,
      minor: minorOf(amount || textAt(json, 'amount'), currency) ?? NaN,
      currency,
      ...(status === 'refunded' && { cumulative: true }),
    }
  }

  return {
    id: 'liqpay',
    supports: (currency) => CURRENCIES.has(currency),
    checkout({ id, minor, currency, description, urls }) {
      const { data, signature } = packed({
        action: 'pay',
        amount: decimalText(minor, exponentOf(currency)),
        currency,
        description,
        order_id: id,
        result_url: urls.return,
        server_url: urls.webhook,
      })
      return Promise.resolve({
        kind: 'form',
        action: ACTION,
        fields: [
          ['data', data],
          ['signature', signature],
        ],
      })
    },
    async ask({ payment }: Asked) {
      const json = await call({ action: 'status', order_id: payment })
      return textAt(json, 'order_id') === payment ? eventOf(json) : null
    },
    notified({ body }) {
      const form = formOf(body)
      const data = form.get('data') ?? ''
      mustBe(form.get('signature'), liqpaySign(data, key, version))
      const json = jsonOf(Buffer.from(data, 'base64'))
      if (textAt(json, 'public_key') !== public_key) throw new Forged('It is another shop’s.')
      const event = eventOf(json)
      return Promise.resolve({ events: event ? [event] : [] })
    },
    async refund({ payment, ref = '', currency, refunded }, minor) {
      const amount = decimalText(minor, exponentOf(currency))
      const json = await call({ action: 'refund', order_id: payment, amount })
      if (textAt(json, 'result') !== 'ok') throw new ProviderFault('LiqPay refunded nothing.')
      return {
        payment,
        gateway: 'liqpay',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
