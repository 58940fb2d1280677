import { domainError, type DomainError } from '../api/errors'
import { err, ok, type Result } from '../api/result'
import {
  buildWalletUpdates,
  creditUnmatchedPayment,
  type Effect,
  type Wallet,
} from '../money/wallet'
import { getAttemptAccount, toAttemptMinorUnits } from './attemptAccount'
import { fromCurrencyMinorUnits } from './currencyUnits'
import { hasWaiting, settleWaiting } from './disputes'
import { buildRefundPush } from './fundsReversal'
import { isPaidStatus, type PaymentAttempt } from './paymentAttempt'
import { getShownParked, showNextParked } from './parkedMoney'
import { buildAttemptUpdates, buildDetailUpdates } from './paymentChange'
import type { Settings } from '../catalog/types'

/**
 * Settles the money of won disputes that has no certain place: credits it to the payer's wallet, or
 * lets the platform keep it.
 */
const resolveWon = (
  attempt: PaymentAttempt,
  how: 'credit' | 'dismiss',
  { settings, payer }: { settings: Pick<Settings, 'code' | 'decimal'>; payer: Wallet | null },
  now: number,
): Result<Effect, DomainError> => {
  const { id, currency, revision } = attempt
  const isCredit = how === 'credit'
  const { amount, fields, updates } = settleWaiting(attempt, isCredit)
  const next = attempt.parked && showNextParked(attempt, getShownParked(attempt, attempt.parked))
  const settled = {
    ...buildAttemptUpdates(
      attempt,
      { ...fields, ...next?.fields, problem: next?.problem ?? null },
      now,
    ),
    ...next?.updates,
    ...updates,
  }
  if (!isCredit) return ok({ updates: settled, pushes: [] })
  if (!payer) return err(domainError('not_found', 'parked'))
  if (currency !== settings.code) return err(domainError('payment_mismatch', 'currency'))
  const reason = 'chargeback_won'
  const entry = { type: 'Credit', amount, date: now, txRef: id, reason } as const
  return ok({
    updates: {
      ...settled,
      ...buildWalletUpdates(payer, { [`${id}-won-${revision}`]: entry }, settings),
    },
    pushes: [buildRefundPush(payer.id, amount, reason)],
  })
}

/**
 * Settles parked money by decision of the back office: credits the payer's wallet, or (`dismiss`)
 * marks it as settled elsewhere. An unpaid attempt ends. Refused: not_found, already_processed,
 * payment_mismatch (no wallet in another currency), refund_open (the provider's response settles a
 * refund without an outcome), event_not_possible (a part of the money has gone back already).
 */
export const resolveUnmatched = (
  attempt: PaymentAttempt | null,
  how: 'credit' | 'dismiss',
  { settings, payer }: { settings: Pick<Settings, 'code' | 'decimal'>; payer: Wallet | null },
  now: number,
): Result<Effect, DomainError> => {
  if (!attempt) return err(domainError('not_found', 'payment_id'))
  const { parked, problem, id } = attempt
  if (problem === 'dispute_won') return resolveWon(attempt, how, { settings, payer }, now)
  if (!problem) return err(domainError('already_processed', 'payment_id'))
  if (problem === 'refund_unknown') return err(domainError('refund_open', 'how'))
  const isCredit = how === 'credit'
  const { returned, undelivered } = getAttemptAccount(attempt)
  // The credit of a refund that could not be delivered is money of the attempt in the wallet.
  const isFailed = isCredit && parked?.ref === attempt.ref && attempt.ref !== undefined
  const failed = isFailed ? Math.min(undelivered, toAttemptMinorUnits(attempt, parked?.amount)) : 0
  const outcome = isCredit ? 'credited' : 'dismissed'
  const next =
    parked &&
    showNextParked(attempt, {
      ...getShownParked(attempt, parked),
      settled: parked.settled ?? outcome,
    })
  const fields = {
    ...next?.fields,
    // The next decision about the same payment.
    problem: next?.problem ?? (hasWaiting(attempt) ? ('dispute_won' as const) : null),
    ...(!isPaidStatus(attempt.status) && !next?.problem && { status: 'cancelled' as const }),
    ...(failed && { returned: fromCurrencyMinorUnits(returned + failed, attempt.currency) }),
  }
  const settled = {
    ...buildAttemptUpdates(attempt, fields, now),
    ...next?.updates,
    ...(failed && buildDetailUpdates(attempt, { undelivered: undelivered - failed })),
  }
  if (!isCredit) return ok({ updates: settled, pushes: [] })
  // A part of it has gone back already, and how much of it is unknown here.
  if (problem === 'refund_unbalanced') return err(domainError('event_not_possible', 'how'))
  if (!parked || parked.settled || !payer) return err(domainError('not_found', 'parked'))
  if (parked.currency !== settings.code) return err(domainError('payment_mismatch', 'currency'))
  const { updates, pushes } = creditUnmatchedPayment(
    payer,
    {
      id,
      amount: parked.amount,
      parkedAt: parked.at,
      ...(isFailed && { reason: 'card_refund_failed' }),
    },
    now,
    settings,
  )
  return ok({ updates: { ...settled, ...updates }, pushes })
}
