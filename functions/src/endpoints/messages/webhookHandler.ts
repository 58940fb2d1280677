import type { HttpsFunction } from 'firebase-functions/v2/https'
import { createHttpHandler } from '../payments/pages/httpHandlers'
import type { HandlerResult } from '../payments/pages/paymentRequests'
import type { WebhookRequest } from '../../ports/paymentAdapter'
import { MESSAGE_SECRETS } from '../../deployment'
import type { MessageKeys } from '../../messageKeys'
import { setOptOut } from '../../services/messages/optOuts'
import { readMessageWebhook } from './webhooks'
import type { Ports } from '../../ports/ports'

const respond = (status: number, body = '', type = 'text/plain'): HandlerResult['response'] => ({
  status,
  headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' },
  body,
})

/** Stores who opted out or in, and answers the service. A failed write makes it repeat. */
export const handleMessageWebhook = async (
  ports: Pick<Ports, 'db' | 'config' | 'payments'>,
  keys: MessageKeys,
  incoming: WebhookRequest,
  now: number,
): Promise<HandlerResult> => {
  const service = incoming.path.replace(/^\/+|\/+$/g, '')
  const url = ports.payments.urls.messageWebhook(service)
  const result = readMessageWebhook(service, incoming, { keys, url, now })
  if ('refused' in result)
    return {
      outcome: result.refused,
      response: respond(result.refused === 'forged' ? 403 : 404),
    }
  if ('reply' in result)
    return { outcome: `${service}:verified`, response: respond(200, result.reply) }
  for (const change of result.changes) await setOptOut(ports, change, now)
  return {
    outcome: `${service}:${result.changes.map(({ isOptedOut }) => (isOptedOut ? 'out' : 'in')).join()}`,
    // An empty TwiML document sends no reply.
    response: service === 'twilio' ? respond(200, '<Response/>', 'text/xml') : respond(200, 'OK'),
  }
}

/** Handles message_webhook/{service}: answers to SMS, bounces of e-mails and complaints. */
export const messageWebhookHandler = (ports: Ports, readKeys: () => MessageKeys): HttpsFunction =>
  createHttpHandler(ports, {
    name: 'message_webhook',
    methods: ['GET', 'POST'],
    limit: 1200,
    dailyLimit: 'none',
    secrets: MESSAGE_SECRETS,
    openInput: 'Message services add fields to their messages at any time.',
    handle: (incoming, now) => handleMessageWebhook(ports, readKeys(), incoming, now),
  })
