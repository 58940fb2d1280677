import { applyBookingEvent } from '../booking/applyBookingEvent'
import type { DatabaseValue } from '../data/databaseValue'
import { type PushMessage, SYSTEM_ACTOR } from '../booking/eventTypes'
import { dbPaths } from '../data/databasePaths'
import { topUpWallet, type Wallet } from '../money/wallet'
import type { PaymentAttempt, PaymentEvent, PaymentStatus } from './paymentAttempt'
import { isPaidStatus, NEXT_PAYMENT_STATUSES } from './paymentAttempt'
import {
  buildAttemptUpdates,
  noChange,
  eventRecord,
  type AttemptFieldUpdates,
  type PaymentChange,
  type PaymentContext,
} from './paymentChange'
import { recordUnmatched } from './unmatchedPayment'
import { toCurrencyMinorUnits } from './currencyUnits'
import { applyChargeback } from './chargebacks'
import { applyChargebackWon } from './disputes'
import { applyRefund, applyRefundFailure } from './refunds/refundMessages'
import type { EventInputFor } from '../booking/eventInput'

/** Moves the attempt to a status, or changes nothing when that status cannot follow. */
const transition = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  to: PaymentStatus,
  now: number,
) =>
  NEXT_PAYMENT_STATUSES[attempt.status].includes(to)
    ? {
        outcome: 'applied' as const,
        updates: {
          ...buildAttemptUpdates(attempt, { status: to }, now),
          ...eventRecord(event, now),
        },
        pushes: [],
      }
    : noChange('ignored')

/** Returns the booking event of a paid attempt. */
export const toPayInput = (attempt: PaymentAttempt): EventInputFor<'pay'> => ({
  event: 'pay',
  payment: {
    id: attempt.id,
    gateway: attempt.gateway,
    amount: attempt.amount,
    currency: attempt.currency,
  },
  promo: attempt.promo,
  usedWalletMoney: attempt.details?.usedWalletMoney,
})

/** Pays the booking if that is still possible; otherwise credits the payer. */
const applyFunds = (
  attempt: PaymentAttempt,
  payer: Wallet,
  { booking, eventContext }: PaymentContext,
  now: number,
): {
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
  fields: AttemptFieldUpdates
} => {
  const paid =
    attempt.kind === 'booking'
      ? applyBookingEvent(booking, toPayInput(attempt), {
          actor: SYSTEM_ACTOR,
          context: eventContext,
          now,
        })
      : null
  if (paid?.ok) {
    const { updates, pushes } = paid.value
    return { updates, pushes, fields: { applied_to: 'booking' } }
  }
  const { updates, pushes } = topUpWallet(payer, attempt, now, eventContext.settings)
  return {
    updates,
    pushes,
    fields: { applied_to: 'wallet', ...(paid && { applied_because: paid.error.key }) },
  }
}

const applyPaid = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  if (isPaidStatus(attempt.status))
    return attempt.ref === event.ref
      ? noChange('duplicate')
      : recordUnmatched(attempt, event, 'paid_twice', now)
  if (event.currency !== attempt.currency)
    return recordUnmatched(attempt, event, 'currency_mismatch', now)
  // The platform's currency has changed, so the amount means something else there.
  if (attempt.currency !== facts.eventContext.settings.code)
    return recordUnmatched(attempt, event, 'currency_mismatch', now)
  if (event.minor !== toCurrencyMinorUnits(attempt.amount, attempt.currency))
    return recordUnmatched(attempt, event, 'amount_mismatch', now)
  if (!facts.payer) return recordUnmatched(attempt, event, 'payer_gone', now)
  const { updates, pushes, fields } = applyFunds(attempt, facts.payer, facts, now)
  return {
    outcome: 'applied',
    updates: {
      ...updates,
      ...buildAttemptUpdates(
        attempt,
        {
          ...fields,
          status: 'paid',
          ref: event.ref,
          ...(event.refundReference &&
            !attempt.checkout_ref && { checkout_ref: event.refundReference }),
        },
        now,
      ),
      ...eventRecord(event, now),
      // The next payment starts a new attempt.
      [dbPaths.openPayment(attempt.uid, attempt.booking ?? 'wallet', attempt.gateway)]: null,
    },
    pushes,
  }
}

/**
 * Applies one verified message of a provider as one atomic write: attempt, booking or wallet, and
 * the record of the event. Pure. Never loses money: a payment that cannot be applied is credited to
 * the payer's wallet, and one that matches nothing is parked.
 */
export const applyPaymentEvent = (
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { attempt, isAlreadyProcessed } = facts
  if (!attempt || attempt.gateway !== event.gateway) return noChange('unknown')
  // The known refunds show whether this message is new.
  if (event.status === 'refunded') return applyRefund(attempt, event, facts, now)
  if (event.status === 'refund_failed') return applyRefundFailure(attempt, event, facts, now)
  if (isAlreadyProcessed) return noChange('duplicate')
  switch (event.status) {
    case 'pending':
    case 'failed':
    case 'cancelled':
      return transition(attempt, event, event.status, now)
    case 'paid':
      return applyPaid(attempt, event, facts, now)
    case 'chargeback':
      return applyChargeback(attempt, event, facts, now)
    case 'chargeback_won':
      return applyChargebackWon(attempt, event, facts, now)
  }
}
