import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, minorOf } from '~/domain/payments/currency'
import type { MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hashOf, mustBe } from '../signing'
import { formOf, read, talk, talkOrFail, textAt } from '../talking'

const HOST = { live: 'https://www.payfast.co.za', sandbox: 'https://sandbox.payfast.co.za' }
const API = 'https://api.payfast.co.za'
const DAY = 24 * 3_600_000

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

/** The signature of Payfast's API: every header and value by name, the passphrase among them. */
export const payfastApiSign = (fields: Readonly<Record<string, string>>, passphrase: string) => {
  const sorted = Object.entries({ ...fields, passphrase }).sort(([a], [b]) => (a < b ? -1 : 1))
  return hashOf('md5', sorted.map(([name, value]) => `${name}=${phpEncoded(value)}`).join('&'))
}

/** The cells of one line of CSV, quotes taken off. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare = '']) =>
    (quoted?.replaceAll('""', '"') ?? bare).trim(),
  )

/** Payfast's history (CSV with a header) by the names of its columns. */
export const payfastRows = (csv: string): Record<string, string>[] => {
  const [head = '', ...lines] = csv.split(/\r?\n/).filter((line) => line.trim() !== '')
  const names = cellsOf(head)
  if (!names.includes('M Payment ID')) throw new ProviderFault('Payfast sent no history.')
  return lines.map((line) => {
    const cells = cellsOf(line)
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

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
  const isLive = env.PAYFAST_ENV === 'live'
  const host = isLive ? HOST.live : HOST.sandbox
  const call = (path: string, sent: Record<string, string> = {}, isPost = false) => {
    const fixed = {
      'merchant-id': merchant,
      version: 'v1',
      timestamp: new Date(outside.now()).toISOString().replace(/\.\d+Z$/, '+00:00'),
    }
    const query = new URLSearchParams({
      ...(!isPost && sent),
      // Marks the sandbox; it is not signed.
      ...(!isLive && { testing: 'true' }),
    }).toString()
    return talkOrFail(outside.fetch, `${API}${path}${query === '' ? '' : `?${query}`}`, {
      headers: { ...fixed, signature: payfastApiSign({ ...fixed, ...sent }, passphrase) },
      ...(isPost && { json: sent }),
    })
  }
  /** What of a payment can still go back to where it came from, in cents; null when it can't go there. */
  const refundable = async (ref: string) => {
    const { json } = await call(`/refunds/query/${encodeURIComponent(ref)}`)
    const found = read(json, 'data.response') ?? json
    const [original, available] = [
      Number(read(found, 'amount_original')),
      Number(read(found, 'amount_available_for_refund')),
    ]
    if (!Number.isSafeInteger(original) || !Number.isSafeInteger(available))
      throw new ProviderFault('Payfast did not say what can be refunded.')
    return { gone: original - available, method: textAt(found, 'refund_partial.method') }
  }
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
    async ask({ payment, createdAt }) {
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
      // Payfast's days are South Africa's: a day more at either end has them all.
      const span = { from: day(createdAt - DAY), to: day(outside.now() + DAY) }
      const { json, text } = await call('/transactions/history', span)
      const wrapped = read(json, 'response') ?? read(json, 'data.response')
      const rows = payfastRows(typeof wrapped === 'string' ? wrapped : text)
      const row = rows.find(
        (each) =>
          each['M Payment ID'] === payment &&
          /^FUNDS.RECEIVED$/i.test(each.Type ?? '') &&
          /^CREDIT$/i.test(each.Sign ?? ''),
      )
      if (!row) return null
      const { Gross: gross = '', Currency: currency = '' } = row
      return {
        payment,
        gateway: 'payfast',
        ref: row['PF Payment ID'] ?? '',
        status: 'paid',
        minor: minorOf(gross.replaceAll(',', ''), 'ZAR') ?? NaN,
        currency,
      }
    },
    async refund({ payment, ref = '', currency, refunded }, minor) {
      const { gone, method } = await refundable(ref)
      // An earlier answer was lost: so much has gone back already.
      const isDone = gone >= refunded + minor
      if (!isDone) {
        if (method !== 'PAYMENT_SOURCE')
          throw new ProviderFault('Payfast wants a bank account: refund it in its dashboard.')
        const path = `/refunds/${encodeURIComponent(ref)}`
        const sent = { amount: String(minor), reason: 'Requested by the payer', notify_buyer: '1' }
        const { json } = await call(path, sent, true)
        if (textAt(json, 'status') !== 'success')
          throw new ProviderFault('Payfast refunded nothing.')
      }
      return {
        payment,
        gateway: 'payfast',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
