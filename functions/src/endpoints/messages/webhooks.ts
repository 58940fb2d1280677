import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseOptOutWord } from '~/domain/messages/optOutWords'
import { DAY_MS } from '~/domain/language/timeUnits'
import type { WebhookRequest } from '../../ports/paymentAdapter'
import type { MessageKeys } from '../../messageKeys'
import type { MessageOptOut } from '~/domain/messages/types'

/** A person who opts out of messages, or in again. */
interface OptOutChange {
  /** A phone number in E.164 format, or an e-mail address. */
  address: string
  isOptedOut: boolean
  why: MessageOptOut['why']
}

/**
 * `unknown` has no service or no key for it; `forged` is not from the service. `reply` is the text
 * that the service expects when its webhook is set up.
 */
type WebhookResult =
  { changes: OptOutChange[] } | { reply: string } | { refused: 'unknown' | 'forged' }

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const UNKNOWN: WebhookResult = { refused: 'unknown' }
const FORGED: WebhookResult = { refused: 'forged' }

/**
 * Returns the text of a form that Twilio signs: the URL and all fields sorted by name, without
 * separators.
 */
const toTwilioText = (url: string, form: URLSearchParams): string => {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return url + fields.map(([name, value]) => name + value).join('')
}

/** Returns Twilio's signature of a form: the HMAC-SHA1 of its text with the account's token. */
export const signTwilio = (url: string, form: URLSearchParams, token: string): string =>
  createHmac('sha1', token).update(toTwilioText(url, form)).digest('base64')

/**
 * Returns Vonage's signature of the fields but `sig`: `&name=value` sorted by name, with `&` and
 * `=` of the values replaced by `_`, as HMAC-SHA256 with the signature secret.
 */
export const signVonage = (fields: URLSearchParams, secret: string): string => {
  const text = [...fields]
    .filter(([name]) => name !== 'sig')
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('')
  return createHmac('sha256', secret).update(text).digest('hex')
}

/**
 * Returns true when a field comes twice. The signature covers both, sorted by name, but a reader
 * takes the first: with another order a signed message would speak for another number.
 */
const hasRepeatedField = (fields: URLSearchParams): boolean =>
  new Set(fields.keys()).size < [...fields].length

const toChanges = (address: string, word: 'stop' | 'start' | undefined): WebhookResult => ({
  changes: word && address ? [{ address, isOptedOut: word === 'stop', why: 'stop' }] : [],
})

/** The form of Twilio's names: letters and digits, with a capital letter first. */
const TWILIO_NAME = /^[A-Z]\w*$/
/** The fields that decide who opts out. Other documented names contain two of theirs. */
const DECIDING_NAMES = /(?<!Referral)Body|From(?!City|Country|State|Zip)|OptOutType/g
/** A number in E.164 format, of an SMS or a WhatsApp message. */
const TWILIO_SENDER = /^(?:whatsapp:)?(\+[1-9]\d{6,14})$/

const isTwilioForm = (form: URLSearchParams): boolean =>
  !hasRepeatedField(form) && [...form.keys()].every((name) => TWILIO_NAME.test(name))

/**
 * Returns true when the signed text has the name of each deciding field at most once. The signature
 * does not cover where a field begins: of a number that wrote `STOPFrom+15550001`, the text also
 * reads as a STOP of +15550001. No other division of the text changes its count of names.
 */
const hasOneReading = (text: string): boolean => {
  const names = text.match(DECIDING_NAMES) ?? []
  return new Set(names).size === names.length
}

const readTwilio = (
  { sms }: MessageKeys,
  { query, headers, body }: WebhookRequest,
  url: string,
): WebhookResult => {
  if (sms?.provider !== 'twilio') return UNKNOWN
  const form = new URLSearchParams(body.toString('utf8'))
  if (!isTwilioForm(form)) return FORGED
  const search = query.toString()
  const address = search ? `${url}?${search}` : url
  const signed = signTwilio(address, form, sms.token)
  if (!isEqual(headers['x-twilio-signature'] ?? '', signed)) return FORGED
  // Twilio names the kind itself when it handles the words of the sender.
  const kind = form.get('OptOutType')?.toLowerCase()
  const word = kind === 'stop' || kind === 'start' ? kind : parseOptOutWord(form.get('Body') ?? '')
  if (word && !hasOneReading(toTwilioText(address, form))) return FORGED
  const [, number = ''] = TWILIO_SENDER.exec(form.get('From') ?? '') ?? []
  return toChanges(number, word)
}

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a message that comes as a query, a form or JSON. */
const toFields = ({ method, query, headers, body }: WebhookRequest): URLSearchParams => {
  if (method === 'GET') return query
  if (!/json/.test(headers['content-type'] ?? '')) return new URLSearchParams(body.toString('utf8'))
  const json = parseJson(body)
  const fields = Object.entries(isRecord(json) ? json : {})
  return new URLSearchParams(
    Object.fromEntries(fields.map(([name, value]): [string, string] => [name, String(value)])),
  )
}

/** Time for which a signed message is accepted, ms: services repeat theirs for a day. */
const MAX_AGE_MS = DAY_MS

const readVonage = ({ sms }: MessageKeys, incoming: WebhookRequest, now: number): WebhookResult => {
  if (sms?.provider !== 'vonage' || !sms.signatureSecret) return UNKNOWN
  const fields = toFields(incoming)
  if (hasRepeatedField(fields)) return FORGED
  const signed = signVonage(fields, sms.signatureSecret)
  if (!isEqual((fields.get('sig') ?? '').toLowerCase(), signed)) return FORGED
  const age = now - Number(fields.get('timestamp') ?? NaN) * 1000
  if (!(Math.abs(age) <= MAX_AGE_MS)) return FORGED
  const digits = (fields.get('msisdn') ?? '').replace(/\D/g, '')
  return toChanges(digits && `+${digits}`, parseOptOutWord(fields.get('text') ?? ''))
}

/** Types of bounces after which an address never takes a message. */
const PERMANENT_BOUNCES = ['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated']

const readPostmark = ({ email }: MessageKeys, { headers, body }: WebhookRequest): WebhookResult => {
  if (!email?.webhookPassword) return UNKNOWN
  const [, encoded = ''] = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (!isEqual(password, email.webhookPassword)) return FORGED
  const json = parseJson(body)
  const event = isRecord(json) ? json : {}
  const toText = (value: unknown) => (typeof value === 'string' ? value : '')
  const address = toText(event.Email) || toText(event.Recipient)
  if (!address) return { changes: [] }
  switch (event.RecordType) {
    case 'Bounce':
      return {
        changes: PERMANENT_BOUNCES.includes(toText(event.Type))
          ? [{ address, isOptedOut: true, why: 'bounce' }]
          : [],
      }
    case 'SpamComplaint':
      return { changes: [{ address, isOptedOut: true, why: 'complaint' }] }
    case 'SubscriptionChange': {
      const why = event.SuppressionReason === 'SpamComplaint' ? 'complaint' : 'bounce'
      return { changes: [{ address, isOptedOut: event.SuppressSending === true, why }] }
    }
    default:
      return { changes: [] }
  }
}

/** Returns Meta's signature of a request: the raw body as HMAC-SHA256 with the app's secret. */
export const signMeta = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Returns the records of a list, and none for anything else. */
const toRecords = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** Returns what a person wrote or pressed: a text, or the text of a button of a template. */
const readWhatsappText = ({ type, text, button }: Record<string, unknown>): string => {
  const content = type === 'text' ? text : type === 'button' ? button : undefined
  if (!isRecord(content)) return ''
  const words = type === 'text' ? content.body : content.text
  return typeof words === 'string' ? words : ''
}

/**
 * WhatsApp sends several messages in one request, and status messages in others. Only those to our
 * own number count, because an app can have several.
 */
const readWhatsapp = (
  { whatsapp }: MessageKeys,
  { method, query, headers, body }: WebhookRequest,
): WebhookResult => {
  if (method === 'GET') {
    if (!whatsapp?.verifyToken) return UNKNOWN
    const isOurs =
      query.get('hub.mode') === 'subscribe' &&
      isEqual(query.get('hub.verify_token') ?? '', whatsapp.verifyToken)
    return isOurs ? { reply: query.get('hub.challenge') ?? '' } : FORGED
  }
  if (!whatsapp?.appSecret) return UNKNOWN
  if (!isEqual(headers['x-hub-signature-256'] ?? '', signMeta(body, whatsapp.appSecret)))
    return FORGED
  const json = parseJson(body)
  const messages = toRecords(isRecord(json) ? json.entry : [])
    .flatMap(({ changes }) => toRecords(changes))
    .flatMap(({ field, value }) => (field === 'messages' && isRecord(value) ? [value] : []))
    .filter(
      ({ metadata }) => isRecord(metadata) && metadata.phone_number_id === whatsapp.phoneNumberId,
    )
    .flatMap((value) => toRecords(value.messages))
  const changes = messages.flatMap((message): OptOutChange[] => {
    const digits = typeof message.from === 'string' ? message.from.replace(/\D/g, '') : ''
    const word = parseOptOutWord(readWhatsappText(message))
    return digits && word
      ? [{ address: `+${digits}`, isOptedOut: word === 'stop', why: 'stop' }]
      : []
  })
  return { changes }
}

/** Verifies a webhook of a message service and returns who opted out or in. */
export const readMessageWebhook = (
  service: string,
  incoming: WebhookRequest,
  { keys, url, now }: { keys: MessageKeys; url: string; now: number },
): WebhookResult => {
  if (service === 'twilio') return readTwilio(keys, incoming, url)
  if (service === 'vonage') return readVonage(keys, incoming, now)
  if (service === 'whatsapp') return readWhatsapp(keys, incoming)
  return service === 'postmark' ? readPostmark(keys, incoming) : UNKNOWN
}
