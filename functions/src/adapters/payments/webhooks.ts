import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { InvalidSignatureError, type WebhookResult } from '../../ports/paymentAdapter'
import type { Milliseconds } from '~/domain/language/units'

export const toWebhookResult = (event: PaymentEvent | null): WebhookResult => ({
  events: event ? [event] : [],
})

/** Returns the result of a message about the refunds of a payment, which we query for details. */
export const toRefundHint = (payment: string): WebhookResult => ({
  events: [],
  paymentsToCheck: payment ? [payment] : [],
})

/** Throws when a message was signed too long ago, or its time (ms) is not a number. */
export const assertFresh = (signedAt: number, now: number, toleranceMs: Milliseconds): void => {
  if (!(Math.abs(now - signedAt) <= toleranceMs))
    throw new InvalidSignatureError('The message is stale.')
}
