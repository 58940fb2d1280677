import { buildOutboxUpdates } from '~/domain/messages/outbox'

/**
 * Puts messages that leave the platform in the outbox. Only handlers whose definition declares
 * messages have it.
 */
export interface OutboxPort {
  buildUpdates: typeof buildOutboxUpdates
}

export const outbox: OutboxPort = { buildUpdates: buildOutboxUpdates }
