import * as v from 'valibot'

const text = v.pipe(v.string(), v.trim(), v.minLength(1))
const twilio = v.object({ provider: v.literal('twilio'), account: text, token: text, from: text })
const vonage = v.object({
  provider: v.literal('vonage'),
  key: text,
  secret: text,
  from: text,
  /** The signature secret of signed webhooks, with the method SHA-256 HMAC. */
  signatureSecret: v.optional(text),
})
const postmark = v.object({
  provider: v.literal('postmark'),
  token: text,
  from: text,
  /** The password in the address of the webhook; without it the webhook is off. */
  webhookPassword: v.optional(text),
})
const whatsapp = v.object({
  phoneNumberId: text,
  token: text,
  template: text,
  /** For the webhook: the app's secret, and a word of our own that Meta repeats at its set-up. */
  appSecret: v.optional(text),
  verifyToken: v.optional(text),
})
const messageKeys = v.object({
  sms: v.optional(v.variant('provider', [twilio, vonage])),
  email: v.optional(v.variant('provider', [postmark])),
  whatsapp: v.optional(whatsapp),
})
export type MessageKeys = v.InferOutput<typeof messageKeys>

/** Reads the keys from the secret. Throws and names the field when they are invalid. */
export const readMessageKeys = (env: Readonly<Record<string, string | undefined>>): MessageKeys => {
  const { MESSAGE_KEYS: secret = '' } = env
  if (secret.trim() === '') return {}
  let json: unknown
  try {
    json = JSON.parse(secret)
  } catch {
    throw new Error('MESSAGE_KEYS is not JSON. Correct it and deploy the functions again.')
  }
  const parsed = v.safeParse(messageKeys, json)
  if (parsed.success) return parsed.output
  const field = v.getDotPath(parsed.issues[0]) ?? 'the object'
  throw new Error(
    `MESSAGE_KEYS has a missing or invalid value at ${field}. Correct it and deploy the functions again.`,
  )
}
