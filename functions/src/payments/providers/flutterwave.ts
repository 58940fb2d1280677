import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf } from '~/domain/payments/currency'
import type { Asked, MakeAdapter } from '../adapter'
import { keysOf, ProviderFault } from '../adapter'
import { hashOf, hmacOf, mustBe } from '../signing'
import type { Json } from '../talking'
import { bearer, jsonOf, read, talk, talkOrFail, textAt } from '../talking'

const API = 'https://api.flutterwave.com/v3'
const CURRENCIES = new Set(
  'EGP EUR GBP GHS KES MWK NGN RWF SLL TZS UGX USD XAF XOF ZAR ZMW'.split(' '),
)

/** Binds amount, currency, payer and reference to the secret key, so that the page can't be opened with others. */
export const payloadHash = (
  { amount, currency, email, tx_ref }: Record<'amount' | 'currency' | 'email' | 'tx_ref', string>,
  key: string,
): string => hashOf('sha256', amount + currency + email + tx_ref + hashOf('sha256', key))

const STATUS: Record<string, PaymentEvent['status']> = {
  successful: 'paid',
  pending: 'pending',
  failed: 'failed',
}

const transactionEvent = (transaction: Json): PaymentEvent | null => {
  const status = STATUS[textAt(transaction, 'status')]
  const currency = textAt(transaction, 'currency')
  if (!status) return null
  return {
    payment: textAt(transaction, 'tx_ref'),
    gateway: 'flutterwave',
    ref: textAt(transaction, 'id'),
    status,
    minor: minorOf(textAt(transaction, 'amount'), currency) ?? NaN,
    currency,
  }
}

/** Flutterwave Standard (v3). A message is only a hint: the transaction itself is asked for. */
export const flutterwave: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'FLW_SECRET_KEY', 'FLW_SECRET_HASH')
  if (!keys) return null
  const { FLW_SECRET_KEY: key, FLW_SECRET_HASH: hash } = keys
  const headers = bearer(key)
  const get = async (path: string) => {
    const { ok, status, json } = await talk(outside.fetch, `${API}${path}`, { headers })
    if (!ok && status !== 404 && status !== 400)
      throw new ProviderFault(`Flutterwave refused: ${status}.`)
    return ok ? transactionEvent(read(json, 'data')) : null
  }
  return {
    id: 'flutterwave',
    supports: (currency) => CURRENCIES.has(currency),
    async checkout({ id, minor, currency, description, customer, urls }) {
      const amount = decimalText(minor, exponentOf(currency))
      const email = customer.email
      const { json } = await talkOrFail(outside.fetch, `${API}/payments`, {
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
          payload_hash: payloadHash({ amount, currency, email, tx_ref: id }, key),
        },
      })
      const url = textAt(json, 'data.link')
      if (!url.startsWith('https://')) throw new ProviderFault('Flutterwave opened no page.')
      return { kind: 'redirect', url }
    },
    ask: ({ payment }: Asked) =>
      get(`/transactions/verify_by_reference?tx_ref=${encodeURIComponent(payment)}`),
    async notified({ headers: given, body }) {
      const signature = given['flutterwave-signature']
      if (signature !== undefined) mustBe(signature, hmacOf('sha256', hash, body, 'base64'))
      else mustBe(given['verif-hash'], hash)
      const json = jsonOf(body)
      const id = textAt(json, 'data.id')
      if (!/^\d+$/.test(id)) return { events: [] }
      const event = await get(`/transactions/${id}/verify`)
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency }, minor) {
      const path = `${API}/transactions/${encodeURIComponent(ref)}/refund`
      const amount = decimalText(minor, exponentOf(currency))
      const { json } = await talkOrFail(outside.fetch, path, { headers, json: { amount } })
      const refundId = textAt(json, 'data.id')
      if (!refundId) throw new ProviderFault('Flutterwave refunded nothing.')
      return { payment, gateway: 'flutterwave', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
