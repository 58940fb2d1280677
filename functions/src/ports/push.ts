import type { PushMessage } from '~/domain/booking/eventTypes'

/**
 * The result of one push: the service accepted it, the service no longer knows the token, or it
 * failed.
 */
export type PushOutcome = 'sent' | 'gone' | 'failed'

/** Sends a push message to one device. The inbox already has the message for the app. */
export interface PushPort {
  /** Never rejects: a phone that is off must not fail the booking change. */
  send(token: string, push: Omit<PushMessage, 'to'>): Promise<PushOutcome>
}

/** Sends nothing, for processes whose receivers have no devices. */
export const noPush: PushPort = { send: () => Promise.resolve('sent') }
