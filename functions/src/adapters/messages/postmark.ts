import { getListAt, getTextAt } from '../payments/providerHttp'
import {
  callService,
  queryService,
  toRefusal,
  type AdapterDeps,
  type MessageAdapter,
} from './adapter'

export interface PostmarkKeys {
  token: string
  /** The sender's address, such as `Acme Taxis <ride@acme.example>`. */
  from: string
}

/**
 * Error codes about our account instead of the message: the sender's address is missing (400) or
 * not confirmed (401), sending is not allowed (405), the account is pending (412) or stopped (413).
 */
const ACCOUNT_CODES = new Set(['400', '401', '405', '412', '413'])

/** E-mail through Postmark's HTTP API. */
export const createPostmark = (
  { token, from }: PostmarkKeys,
  deps: AdapterDeps,
): MessageAdapter => {
  const headers = { 'X-Postmark-Server-Token': token }
  return {
    async send({ to, subject = '', text, html, pictures = [], idempotencyKey }) {
      const reply = await callService(deps, 'https://api.postmarkapp.com/email', {
        json: {
          From: from,
          To: to,
          Subject: subject,
          TextBody: text,
          ...(html !== undefined && { HtmlBody: html }),
          ...(pictures.length > 0 && {
            Attachments: pictures.map(({ name, png }) => ({
              Name: name,
              Content: png,
              ContentType: 'image/png',
              ContentID: `cid:${name}`,
            })),
          }),
          MessageStream: 'outbound',
          Metadata: { key: idempotencyKey },
        },
        headers,
      })
      const code = getTextAt(reply.json, 'ErrorCode')
      if (reply.status === 200 && code === '0')
        return { state: 'sent', ref: getTextAt(reply.json, 'MessageID') }
      if (ACCOUNT_CODES.has(code)) return { state: 'retry', why: `postmark_${code}` }
      return toRefusal('postmark', reply, 'ErrorCode')
    },
    // Postmark has no idempotency keys, but it finds a message by its metadata.
    async find({ idempotencyKey }) {
      const query = new URLSearchParams({
        count: '1',
        offset: '0',
        metadata_key: idempotencyKey,
      })
      const url = `https://api.postmarkapp.com/messages/outbound?${query.toString()}`
      const [matchingMessage] = getListAt(await queryService(deps, url, headers), 'Messages')
      return matchingMessage === undefined ? null : getTextAt(matchingMessage, 'MessageID')
    },
  }
}
