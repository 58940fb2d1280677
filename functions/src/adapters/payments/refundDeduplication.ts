import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { findRefundState } from '~/domain/payments/refunds/reconciliation'
import type { Adapter, PaymentRef } from '../../ports/paymentAdapter'
import type { ProviderId } from '~/domain/payments/providers'
import { ProviderRejectedError } from '../../ports/paymentAdapter'
import type { MinorUnits } from '~/domain/language/units'

type RefundMethods = Required<Pick<Adapter, 'refund' | 'listRefunds'>>

/** Returns the event of a completed refund: the recorded total plus this refund. */
export const buildRefundedEvent = (
  gateway: ProviderId,
  { payment, ref = '', currency, refunded }: PaymentRef,
  minor: MinorUnits,
): PaymentEvent => ({
  payment,
  gateway,
  ref,
  status: 'refunded',
  minor: refunded + minor,
  currency,
  isCumulative: true,
})

/**
 * Deduplicates refunds for a provider without idempotency keys. Queries its refunds before sending
 * one, so that repeating a refund whose response was lost sends nothing.
 */
export const deduplicateRefunds = (
  gateway: ProviderId,
  listRefunds: RefundMethods['listRefunds'],
  send: (paymentRef: PaymentRef, minor: MinorUnits, key: string) => Promise<'done' | 'pending'>,
): RefundMethods => ({
  listRefunds,
  async refund(paymentRef, minor, key) {
    const providerRefunds = await listRefunds(paymentRef)
    const state =
      findRefundState(providerRefunds, { knownTotal: paymentRef.refunded, minor, key }) ??
      (await send(paymentRef, minor, key))
    if (state === 'failed')
      throw new ProviderRejectedError(
        'The provider already refused this refund. Request a new one.',
      )
    return state === 'pending' ? state : buildRefundedEvent(gateway, paymentRef, minor)
  },
})
