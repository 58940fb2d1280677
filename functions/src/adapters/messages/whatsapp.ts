import { createBearerHeader, getTextAt } from '../payments/providerHttp'
import { callService, toRefusal, type AdapterDeps, type MessageAdapter } from './adapter'

export interface WhatsappKeys {
  phoneNumberId: string
  token: string
  /** The name of an approved template with one body parameter, for each language. */
  template: string
}

/**
 * Error codes that say nothing about the message: the service is unavailable, a limit is reached or
 * our access has ended.
 */
const TEMPORARY = new Set(
  ['1', '2', '3', '4', '10', '190', '200', '368', '80007', '130429', '131000', '131005'].concat([
    '131016',
    '131031',
    '131042',
    '131045',
    '131048',
    '131056',
    '131057',
    '133004',
    '133016',
  ]),
)

/** Returns a text as a template's parameter takes it: without line breaks and long gaps. */
const toParameter = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * WhatsApp through Meta's Cloud API. A business may begin a conversation only with an approved
 * template, so the whole text is its one parameter.
 */
export const createWhatsapp = (
  { phoneNumberId, token, template }: WhatsappKeys,
  deps: AdapterDeps,
): MessageAdapter => ({
  async send({ to, text, language, idempotencyKey }) {
    const url = `https://graph.facebook.com/v23.0/${encodeURIComponent(phoneNumberId)}/messages`
    const reply = await callService(deps, url, {
      json: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: to.replace(/^\+/, ''),
        type: 'template',
        template: {
          name: template,
          language: { code: language.replace('-', '_') },
          components: [{ type: 'body', parameters: [{ type: 'text', text: toParameter(text) }] }],
        },
        // Comes back in each status message; the service does not compare it.
        biz_opaque_callback_data: idempotencyKey,
      },
      headers: createBearerHeader(token),
    })
    if (reply.status === 200) return { state: 'sent', ref: getTextAt(reply.json, 'messages.0.id') }
    const code = getTextAt(reply.json, 'error.code')
    const refusal = toRefusal('whatsapp', reply, 'error.code')
    return TEMPORARY.has(code) ? { ...refusal, state: 'retry' } : refusal
  },
})
