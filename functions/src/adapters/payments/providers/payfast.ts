import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type {
  PaymentRef,
  Checkout,
  CheckoutOrder,
  Env,
  AdapterDeps,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { deduplicateRefunds } from '../refundDeduplication'
import { createRefusedRefundError, createUnconfirmedRefundError } from '../refundStates'
import { toWebhookResult } from '../webhooks'
import { computeHash, assertSignature } from '../signatures'
import type { HttpResponse } from '../providerHttp'
import {
  parseForm,
  getSearchDays,
  getValueAt,
  request,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

const HOSTS = { live: 'https://www.payfast.co.za', sandbox: 'https://sandbox.payfast.co.za' }
const API_URL = 'https://api.payfast.co.za'

/** Encodes text like PHP's urlencode, because Payfast signs that form. */
export const encodeLikePhp = (value: string): string =>
  encodeURIComponent(value)
    .replace(/%20/g, '+')
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the MD5 of the fields as sent, followed by the passphrase if there is one. */
export const signPayfastForm = (text: string, passphrase: string): string =>
  computeHash('md5', passphrase === '' ? text : `${text}&passphrase=${encodeLikePhp(passphrase)}`)

/** Encodes the fields in their order and leaves out empty ones. */
export const encodePayfastFields = (fields: readonly (readonly [string, string])[]): string =>
  fields
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `${name}=${encodeLikePhp(value.trim())}`)
    .join('&')

/**
 * Returns the signature for Payfast's API: every header and value sorted by name, including the
 * passphrase.
 */
export const signPayfastApi = (fields: Readonly<Record<string, string>>, passphrase: string) => {
  const sorted = Object.entries({ ...fields, passphrase }).sort(([a], [b]) => (a < b ? -1 : 1))
  return computeHash(
    'md5',
    sorted.map(([name, value]) => `${name}=${encodeLikePhp(value)}`).join('&'),
  )
}

/** Returns the cells of one CSV line without their quotes. */
const parseCsvLine = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare = '']) =>
    (quoted?.replaceAll('""', '"') ?? bare).trim(),
  )

/** Parses Payfast's history (CSV with a header) into rows keyed by column name. */
export const parsePayfastHistory = (csv: string): Record<string, string>[] => {
  const [head = '', ...lines] = csv.split(/\r?\n/).filter((line) => line.trim() !== '')
  const names = parseCsvLine(head)
  if (!names.includes('M Payment ID'))
    throw new ProviderError('Payfast returned no payment history.')
  return lines.map((line) => {
    const cells = parseCsvLine(line)
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
  COMPLETE: 'paid',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

interface PayfastAccount {
  merchant: string
  merchantKey: string
  passphrase: string
  isLive: boolean
  host: string
}

const readAccount = (env: Env): PayfastAccount | null => {
  const keys = readKeys(env, 'PAYFAST_MERCHANT_ID', 'PAYFAST_MERCHANT_KEY', 'PAYFAST_PASSPHRASE')
  const isLive = env.PAYFAST_ENV === 'live'
  return (
    keys && {
      merchant: keys.PAYFAST_MERCHANT_ID,
      merchantKey: keys.PAYFAST_MERCHANT_KEY,
      passphrase: keys.PAYFAST_PASSPHRASE,
      isLive,
      host: isLive ? HOSTS.live : HOSTS.sandbox,
    }
  )
}

type Call = (
  path: string,
  fields?: Record<string, string>,
  isPost?: boolean,
) => Promise<HttpResponse>

const createCall =
  ({ merchant, passphrase, isLive }: PayfastAccount, outside: AdapterDeps): Call =>
  (path, fields = {}, isPost = false) => {
    const fixed = {
      'merchant-id': merchant,
      version: 'v1',
      timestamp: new Date(outside.now()).toISOString().replace(/\.\d+Z$/, '+00:00'),
    }
    const query = new URLSearchParams({
      ...(!isPost && fields),
      // Marks the sandbox; this field is not signed.
      ...(!isLive && { testing: 'true' }),
    }).toString()
    return requestOk(outside.fetch, `${API_URL}${path}${query === '' ? '' : `?${query}`}`, {
      headers: { ...fixed, signature: signPayfastApi({ ...fixed, ...fields }, passphrase) },
      ...(isPost && { json: fields }),
    })
  }

const buildForm = (
  { merchant, merchantKey, passphrase, host }: PayfastAccount,
  { id, minor, description, customer, urls }: CheckoutOrder,
): Checkout => {
  // Payfast signs the fields in exactly this order.
  const fields = [
    ['merchant_id', merchant],
    ['merchant_key', merchantKey],
    ['return_url', urls.return],
    ['cancel_url', urls.cancel],
    ['notify_url', urls.webhook],
    ['name_first', customer.first],
    ['name_last', customer.last],
    ['email_address', customer.email],
    ['m_payment_id', id],
    ['amount', formatUnits(minor, 2)],
    ['item_name', description.slice(0, 100)],
  ]
    .map(([name = '', value = '']) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '')
  const signature = signPayfastForm(encodePayfastFields(fields), passphrase)
  return {
    kind: 'form',
    action: `${host}/eng/process`,
    fields: [...fields, ['signature', signature] as const],
  }
}

/** Returns the fields of a message. Throws when its signature or Payfast itself denies it. */
const readMessage = async (
  { merchant, passphrase, host }: PayfastAccount,
  body: Buffer,
  fetcher: typeof fetch,
): Promise<URLSearchParams> => {
  // Payfast signs the body as posted, including empty fields, up to the signature itself.
  const [signed = '', ...rest] = body.toString('utf8').split('&signature=')
  if (rest.length !== 1) throw new InvalidSignatureError('The message has no signature.')
  const form = parseForm(body)
  assertSignature(form.get('signature'), signPayfastForm(signed, passphrase))
  if (form.get('merchant_id') !== merchant)
    throw new InvalidSignatureError('The message belongs to another merchant.')
  const { text } = await request(fetcher, `${host}/eng/query/validate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' },
    body: signed,
  })
  if (text.trim() === 'INVALID')
    throw new InvalidSignatureError('Payfast did not send this message.')
  if (text.trim() !== 'VALID')
    throw new ProviderError('Payfast did not confirm that it sent this message.')
  return form
}

const toMessageEvent = (form: URLSearchParams): PaymentEvent | null => {
  const status = getOwn(PAYMENT_STATUSES, form.get('payment_status') ?? '')
  if (!status) return null
  return {
    payment: form.get('m_payment_id') ?? '',
    gateway: 'payfast',
    ref: form.get('pf_payment_id') ?? '',
    status,
    minor: toCurrencyMinorUnits(form.get('amount_gross') ?? '', 'ZAR') ?? NaN,
    currency: 'ZAR',
  }
}

const fetchPaid = async (
  call: Call,
  { payment, createdAt }: PaymentRef,
  now: number,
): Promise<PaymentEvent | null> => {
  const { json, text } = await call('/transactions/history', getSearchDays(createdAt, now))
  const wrapped = getValueAt(json, 'response') ?? getValueAt(json, 'data.response')
  const rows = parsePayfastHistory(typeof wrapped === 'string' ? wrapped : text)
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
    minor: toCurrencyMinorUnits(gross.replaceAll(',', ''), 'ZAR') ?? NaN,
    currency,
  }
}

/** Returns the refunded amount in cents, and the method by which Payfast can refund the rest. */
const fetchRefundable = async (call: Call, ref: string) => {
  const { json } = await call(`/refunds/query/${encodeURIComponent(ref)}`)
  const refundable = getValueAt(json, 'data.response') ?? json
  const [original, available] = [
    Number(getValueAt(refundable, 'amount_original')),
    Number(getValueAt(refundable, 'amount_available_for_refund')),
  ]
  if (!Number.isSafeInteger(original) || !Number.isSafeInteger(available))
    throw new ProviderError('Payfast did not report what can be refunded.')
  return { gone: original - available, method: getTextAt(refundable, 'refund_partial.method') }
}

const sendRefund = async (call: Call, ref: string, minor: MinorUnits): Promise<'done'> => {
  const { method } = await fetchRefundable(call, ref)
  if (method !== 'PAYMENT_SOURCE')
    throw new ProviderRejectedError(
      'Payfast needs a bank account for this refund. Refund the payment in the Payfast dashboard.',
    )
  const fields = { amount: String(minor), reason: 'Requested by the payer', notify_buyer: '1' }
  const { json } = await call(`/refunds/${encodeURIComponent(ref)}`, fields, true)
  const status = getTextAt(json, 'status')
  if (status === 'failed') throw createRefusedRefundError('Payfast')
  if (status !== 'success') throw createUnconfirmedRefundError('Payfast')
  return 'done'
}

/** Payfast (South Africa, ZAR only): a signed form. We confirm each message with Payfast itself. */
export const payfast: AdapterFactory = (env, outside) => {
  const account = readAccount(env)
  if (!account) return null
  const call = createCall(account, outside)
  return {
    id: 'payfast',
    isCurrencySupported: (currency) => currency === 'ZAR',
    // Payfast refuses payments below five rand.
    chargeRules: { ZAR: { minimum: 5 } },
    checkout: (order) => Promise.resolve(buildForm(account, order)),
    parseWebhook: async ({ body }) =>
      toWebhookResult(toMessageEvent(await readMessage(account, body, outside.fetch))),
    // Payfast uses South African dates.
    fetchStatus: (paymentRef) => fetchPaid(call, paymentRef, outside.now()),
    ...deduplicateRefunds(
      'payfast',
      async ({ ref = '' }) => [{ minor: (await fetchRefundable(call, ref)).gone, state: 'done' }],
      ({ ref = '' }, minor) => sendRefund(call, ref, minor),
    ),
  }
}
