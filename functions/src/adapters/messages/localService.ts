import { createEmulatorStore } from '../firebase/localPush'
import type { LocalMessageStore, LocalOutgoing } from '../../ports/localMessages'
import type { MessagePort, OutgoingMessage, SendOutcome } from '../../ports/messages'

const E164 = /^\+[1-9]\d{6,14}$/
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Returns why a real service would refuse the message, if it would. */
const findFault = ({ channel, to, text, subject }: OutgoingMessage): string | undefined => {
  if (channel === 'email' && !subject) return 'no_subject'
  if (!(channel === 'email' ? EMAIL : E164).test(to)) return 'invalid_recipient'
  return text.trim() === '' ? 'no_text' : undefined
}

/**
 * Returns a double of the message services for local mode: it takes what a service would take, and
 * stores each message for the local inbox page. WhatsApp is off, because it would replace SMS.
 */
export const createLocalService = (
  store: LocalMessageStore<LocalOutgoing>,
  now: () => number = Date.now,
): MessagePort => ({
  has: (channel) => channel !== 'whatsapp',
  async send(message): Promise<SendOutcome> {
    const why = findFault(message)
    if (why !== undefined) return { state: 'rejected', why }
    await store.add({ ...message, at: now() })
    return { state: 'sent', ref: message.idempotencyKey }
  },
  find: async ({ idempotencyKey }) =>
    (await store.list()).some((message) => message.idempotencyKey === idempotencyKey)
      ? idempotencyKey
      : null,
})

/** The store of the messages that leave the platform, beside the pushes. */
export const createOutgoingStore = (
  env: Readonly<Record<string, string | undefined>>,
): LocalMessageStore<LocalOutgoing> => createEmulatorStore<LocalOutgoing>(env, 'outgoing')
