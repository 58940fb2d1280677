import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, minorOf } from '~/domain/payments/currency'
import type { MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hashOf, mustBe } from '../signing'
import { formOf, talk } from '../talking'

const HOST = { live: 'https://www.payfast.co.za', sandbox: 'https://sandbox.payfast.co.za' }

/** As PHP's urlencode does it, which is what Payfast signs. */
export const phpEncoded = (value: string): string =>
  encodeURIComponent(value)
    .replace(/%20/g, '+')
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** MD5 over the fields as they are sent, then the passphrase if there is one. */
export const payfastSign = (text: string, passphrase: string): string =>
  hashOf('md5', passphrase === '' ? text : `${text}&passphrase=${phpEncoded(passphrase)}`)

/** Fields in their order, encoded; those without a value are left out. */
export const payfastText = (fields: readonly (readonly [string, string])[]): string =>
  fields
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `${name}=${phpEncoded(value.trim())}`)
    .join('&')

const STATUS: Record<string, PaymentEvent['status']> = {
  COMPLETE: 'paid',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

/** Payfast (South Africa, ZAR only): a signed form; each message is confirmed with Payfast itself. */
export const payfast: MakeAdapter = (env, outside) => {
  const keys = keysOf(env, 'PAYFAST_MERCHANT_ID', 'PAYFAST_MERCHANT_KEY', 'PAYFAST_PASSPHRASE')
  if (!keys) return null
  const { PAYFAST_MERCHANT_ID: merchant, PAYFAST_PASSPHRASE: passphrase } = keys
  const host = env.PAYFAST_ENV === 'live' ? HOST.live : HOST.sandbox
  return {
    id: 'payfast',
    supports: (currency) => currency === 'ZAR',
    checkout({ id, minor, description, customer, urls }) {
      // Payfast signs the fields in exactly this order.
      const fields = [
        ['merchant_id', merchant],
        ['merchant_key', keys.PAYFAST_MERCHANT_KEY],
        ['return_url', urls.return],
        ['cancel_url', urls.cancel],
        ['notify_url', urls.webhook],
        ['name_first', customer.first],
        ['name_last', customer.last],
        ['email_address', customer.email],
        ['m_payment_id', id],
        ['amount', decimalText(minor, 2)],
        ['item_name', description.slice(0, 100)],
      ]
        .map(([name = '', value = '']) => [name, value.trim()] as const)
        .filter(([, value]) => value !== '')
      const signature = payfastSign(payfastText(fields), passphrase)
      return Promise.resolve({
        kind: 'form',
        action: `${host}/eng/process`,
        fields: [...fields, ['signature', signature] as const],
      })
    },
    async notified({ body }) {
      // Signed as it was posted, empty fields included, up to the signature itself.
      const [signed = '', ...rest] = body.toString('utf8').split('&signature=')
      if (rest.length !== 1) throw new Forged('There is no signature.')
      const form = formOf(body)
      mustBe(form.get('signature'), payfastSign(signed, passphrase))
      if (form.get('merchant_id') !== merchant) throw new Forged('It is another merchant’s.')
      const { text } = await talk(outside.fetch, `${host}/eng/query/validate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' },
        body: signed,
      })
      if (text.trim() === 'INVALID') throw new Forged('Payfast does not know it.')
      if (text.trim() !== 'VALID') throw new ProviderFault('Payfast did not say whether it is.')
      const status = STATUS[form.get('payment_status') ?? '']
      if (!status) return { events: [] }
      const event: PaymentEvent = {
        payment: form.get('m_payment_id') ?? '',
        gateway: 'payfast',
        ref: form.get('pf_payment_id') ?? '',
        status,
        minor: minorOf(form.get('amount_gross') ?? '', 'ZAR') ?? NaN,
        currency: 'ZAR',
      }
      return { events: [event] }
    },
  }
}
