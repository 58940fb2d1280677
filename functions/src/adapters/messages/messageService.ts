import type { MessagePort, ServiceChannel } from '../../ports/messages'
import { logError, logInvalidMessageKeys } from '../../logs'
import type { AdapterDeps, MessageAdapter } from './adapter'
import { createPostmark } from './postmark'
import { createTwilio } from './twilio'
import { createVonage } from './vonage'
import { createWhatsapp } from './whatsapp'
import { readMessageKeys, type MessageKeys } from '../../messageKeys'

const readKeys = (env: Readonly<Record<string, string | undefined>>): MessageKeys => {
  try {
    return readMessageKeys(env)
  } catch (error) {
    if (error instanceof Error) logInvalidMessageKeys(error.message)
    throw error
  }
}

const createAdapters = (
  env: Readonly<Record<string, string | undefined>>,
  deps: AdapterDeps,
): Partial<Record<ServiceChannel, MessageAdapter>> => {
  const { sms, email, whatsapp } = readKeys(env)
  return {
    ...(sms && {
      sms: sms.provider === 'twilio' ? createTwilio(sms, deps) : createVonage(sms, deps),
    }),
    ...(email && { email: createPostmark(email, deps) }),
    ...(whatsapp && { whatsapp: createWhatsapp(whatsapp, deps) }),
  }
}

/**
 * Creates the port over the services of `MESSAGE_KEYS`. The keys are read at the first use, because
 * invalid ones must not keep the other functions from starting.
 */
export const createMessageService = (
  env: Readonly<Record<string, string | undefined>>,
  deps: AdapterDeps = { fetch, now: Date.now },
): MessagePort => {
  let cachedAdapters: ReturnType<typeof createAdapters> | undefined
  const adapters = () => (cachedAdapters ??= createAdapters(env, deps))
  return {
    has: (channel) => adapters()[channel] !== undefined,
    async send(message) {
      try {
        const adapter = adapters()[message.channel]
        return adapter ? await adapter.send(message) : { state: 'rejected', why: 'not_configured' }
      } catch (error) {
        logError(`message ${message.channel}`, error)
        return { state: 'retry', why: 'no_reply' }
      }
    },
    find: async (message, since) =>
      (await adapters()[message.channel]?.find?.(message, since)) ?? null,
  }
}
