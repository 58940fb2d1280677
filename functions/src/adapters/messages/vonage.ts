import { isGsmText } from '~/domain/messages/smsSegments'
import { getListAt, getTextAt } from '../payments/providerHttp'
import type { SendOutcome } from '../../ports/messages'
import { callService, toRefusal, type AdapterDeps, type MessageAdapter } from './adapter'

export interface VonageKeys {
  key: string
  secret: string
  /** The sender's name or number. */
  from: string
}

/**
 * Statuses of the SMS API that say nothing about the message: 1 throttled, 4 wrong credentials, 5
 * internal error, 8 account barred, 9 quota exceeded, 10 too many connections, 14 wrong signature.
 */
const TEMPORARY = new Set(['1', '4', '5', '8', '9', '10', '14'])

/** SMS through Vonage's SMS API. It has no idempotency keys and cannot be asked for a message. */
export const createVonage = (
  { key, secret, from }: VonageKeys,
  deps: AdapterDeps,
): MessageAdapter => ({
  async send({ to, text, idempotencyKey }): Promise<SendOutcome> {
    const reply = await callService(deps, 'https://rest.nexmo.com/sms/json', {
      form: {
        api_key: key,
        api_secret: secret,
        from,
        to: to.replace(/^\+/, ''),
        text,
        type: isGsmText(text) ? 'text' : 'unicode',
        'client-ref': idempotencyKey,
      },
      headers: {},
    })
    const [first, ...others] = getListAt(reply.json, 'messages')
    if (reply.status !== 200) return toRefusal('vonage', reply, 'error-code')
    const status = getTextAt(first, 'status')
    // A long text is several messages. Another request after the first part would repeat it.
    if ([first, ...others].some((part) => getTextAt(part, 'status') === '0'))
      return { state: 'sent', ref: getTextAt(first, 'message-id') }
    const why = `vonage_${status || 'unknown'}`
    return status === '' || TEMPORARY.has(status)
      ? { state: 'retry', why }
      : { state: 'rejected', why }
  },
})
