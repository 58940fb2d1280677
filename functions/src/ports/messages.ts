import type { Milliseconds } from '~/domain/language/units'

/** The channels of the services behind the port. WhatsApp takes the place of SMS. */
export type ServiceChannel = 'sms' | 'email' | 'whatsapp'

/** A picture that an e-mail shows; its HTML names it as `cid:` and the name. */
export interface InlinePicture {
  name: string
  /** A PNG file in base64. */
  png: string
}

export interface OutgoingMessage {
  channel: ServiceChannel
  /** A phone number in E.164 format, or an e-mail address. */
  to: string
  /** Only e-mail has a subject. */
  subject?: string
  text: string
  html?: string
  pictures?: readonly InlinePicture[]
  /** The language of the text, BCP 47. WhatsApp chooses the approved template by it. */
  language: string
  /** Names the message: the same key never means two messages. At most 64 characters. */
  idempotencyKey: string
}

/**
 * The result of one request: the service took the message; it will never take it; or it may take it
 * later. `why` is our name for the reason and has no personal data.
 */
export type SendOutcome =
  | { state: 'sent'; ref?: string }
  | { state: 'rejected'; why: string; isOptedOut?: true }
  | { state: 'retry'; why: string; afterMs?: Milliseconds }

/** Sends messages to people outside the platform. */
export interface MessagePort {
  /** Returns true when a service is configured for this channel. */
  has(channel: ServiceChannel): boolean
  /** Sends a message. Never rejects. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /**
   * Returns the service's id of a message that an earlier attempt may have sent (`since`, ms), or
   * null when the service has none or cannot tell. Rejects when the service does not reply.
   */
  find(message: OutgoingMessage, since: number): Promise<string | null>
}

/** Sends nothing, for processes without a message service. */
export const noMessages: MessagePort = {
  has: () => false,
  send: () => Promise.resolve({ state: 'rejected', why: 'not_configured' }),
  find: () => Promise.resolve(null),
}
