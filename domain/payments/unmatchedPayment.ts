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
import { settleWaiting } from './disputes'
import { buildRefundPush } from './fundsReversal'
import {
  isPaidStatus,
  type PaymentAttempt,
  type PaymentEvent,
  type PaymentProblem,
} from './paymentAttempt'
import { addParked, listParked, listWaitingParked, PARKED_PROBLEMS } from './parkedMoney'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  eventRecord,
  type PaymentChange,
} from './paymentChange'
import type { Settings } from '../catalog/types'

/** Parks money that matches nothing for the back office. */
export const recordUnmatched = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  problem: PaymentProblem,
  now: number,
): PaymentChange => {
  const { currency, ref, minor } = event
  const status = attempt.status === 'created' ? 'pending' : attempt.status
  const money = { amount: fromCurrencyMinorUnits(minor, currency), currency, ref, at: now }
  const parkedMoney = addParked(attempt, money, problem)
  return {
    outcome: 'parked',
    updates: {
      ...buildAttemptUpdates(attempt, { status, parkedMoney }, now),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

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
  const { amount, fields } = settleWaiting(attempt, isCredit)
  const settled = buildAttemptUpdates(attempt, fields, now)
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
 * marks it as settled elsewhere, or ends another problem of the attempt. An unpaid attempt ends.
 * Refused: not_found, already_processed,
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
  // The dismissal of a chargeback says nothing about parked money beside it, which is shown next.
  const isMoneyDecided = isCredit || PARKED_PROBLEMS.includes(problem)
  const parkedMoney = listParked(attempt).map((money) =>
    money.key === null && isMoneyDecided ? { ...money, settled: money.settled ?? outcome } : money,
  )
  const isLast = listWaitingParked(attempt, parkedMoney).length === 0
  const fields = {
    parkedMoney,
    isDecided: true,
    ...(!isPaidStatus(attempt.status) && isLast && { status: 'cancelled' as const }),
    ...(failed && { returned: fromCurrencyMinorUnits(returned + failed, attempt.currency) }),
  }
  const settled = {
    ...buildAttemptUpdates(attempt, fields, now),
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
