import type { PaymentEvent } from '~/domain/payments/attempt'
import { exponentOf, rescaled } from '~/domain/payments/currency'
import type { Asked, MakeAdapter } from '../adapter'
import { keysOf, ProviderFault } from '../adapter'
import { hmacOf, mustBe } from '../signing'
import type { Json } from '../talking'
import { bearer, jsonOf, read, talk, talkOrFail, textAt } from '../talking'

const API = 'https://api.paystack.co'
const CURRENCIES = new Set('GHS KES NGN RWF USD XOF ZAR'.split(' '))

/** References may hold letters, digits and -.= only; our ids have _ where = never is. */
export const referenceOf = (payment: string): string => payment.replaceAll('_', '=')
const paymentOf = (reference: string): string => reference.replaceAll('=', '_')

/** Paystack counts hundredths of every currency, those without decimals too. */
const hundredths = (minor: number, currency: string): string => {
  const units = rescaled(minor, exponentOf(currency), 2)
  if (units === null) throw new ProviderFault('Paystack can’t take this amount.')
  return String(units)
}

const STATUS: Record<string, PaymentEvent['status']> = {
  success: 'paid',
  failed: 'failed',
  pending: 'pending',
  processing: 'pending',
  ongoing: 'pending',
  reversed: 'refunded',
}

const transactionEvent = (transaction: Json): PaymentEvent | null => {
  const status = STATUS[textAt(transaction, 'status')]
  const currency = textAt(transaction, 'currency')
  if (!status) return null
  return {
    payment: paymentOf(textAt(transaction, 'reference')),
    gateway: 'paystack',
    ref: textAt(transaction, 'id'),
    status,
    minor: rescaled(Number(read(transaction, 'amount')), 2, exponentOf(currency)) ?? NaN,
    currency,
    ...(status === 'refunded' && { cumulative: true }),
  }
}

/** Paystack's hosted page. Its messages carry no time, so that each is confirmed by asking. */
export const paystack: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'PAYSTACK_SECRET_KEY')
  if (!keys) return null
  const { PAYSTACK_SECRET_KEY: key } = keys
  const headers = bearer(key)
  const verify = async (reference: string): Promise<PaymentEvent | null> => {
    const path = `${API}/transaction/verify/${encodeURIComponent(reference)}`
    const { ok, status, json } = await talk(outside.fetch, path, { headers })
    if (!ok && status !== 404 && status !== 400)
      throw new ProviderFault(`Paystack refused: ${status}.`)
    return ok ? transactionEvent(read(json, 'data')) : null
  }
  return {
    id: 'paystack',
    supports: (currency) => CURRENCIES.has(currency),
    async checkout({ id, minor, currency, customer, urls }) {
      const { json } = await talkOrFail(outside.fetch, `${API}/transaction/initialize`, {
        headers,
        json: {
          email: customer.email,
          amount: hundredths(minor, currency),
          currency,
          reference: referenceOf(id),
          callback_url: urls.return,
          metadata: { cancel_action: urls.cancel },
        },
      })
      const url = textAt(json, 'data.authorization_url')
      if (!url.startsWith('https://')) throw new ProviderFault('Paystack opened no page.')
      return { kind: 'redirect', url, ref: textAt(json, 'data.access_code') }
    },
    ask: ({ payment }: Asked) => verify(referenceOf(payment)),
    async notified({ headers: given, body }) {
      mustBe(given['x-paystack-signature'], hmacOf('sha512', key, body))
      const json = jsonOf(body)
      const reference = textAt(json, 'data.reference')
      if (textAt(json, 'event') !== 'charge.success' || !reference) return { events: [] }
      const event = await verify(reference)
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency, refunded }, minor) {
      const amount = hundredths(minor, currency)
      const transaction = referenceOf(payment)
      await talkOrFail(outside.fetch, `${API}/refund`, { headers, json: { transaction, amount } })
      return {
        payment,
        gateway: 'paystack',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
