import type { Settings } from '../entities'
import { domainError, type DomainError } from '../errors'
import { err, ok, type Result } from '../result'
import { creditUnmatchedPayment, type Effect, type Wallet } from '../wallet'
import { isPaidStatus, type PaymentAttempt } from './paymentAttempt'
import { buildAttemptUpdates } from './paymentChange'

/**
 * Settles parked money by decision of the back office: credits the payer's wallet, or (`dismiss`)
 * marks it as settled elsewhere. An unpaid attempt ends. Refused: not_found, already_processed,
 * payment_mismatch (no wallet in another currency), refund_open (the provider's response settles a
 * refund without an outcome).
 */
export const resolveUnmatched = (
  attempt: PaymentAttempt | null,
  how: 'credit' | 'dismiss',
  { settings, payer }: { settings: Pick<Settings, 'code' | 'decimal'>; payer: Wallet | null },
  now: number,
): Result<Effect, DomainError> => {
  if (!attempt) return err(domainError('not_found', 'payment_id'))
  const { parked, problem, id } = attempt
  if (!problem) return err(domainError('already_processed', 'payment_id'))
  if (problem === 'refund_unknown') return err(domainError('refund_open', 'how'))
  const isCredit = how === 'credit'
  const fields = {
    problem: null,
    ...(parked &&
      !parked.settled && {
        parked: {
          ...parked,
          settled: isCredit ? ('credited' as const) : ('dismissed' as const),
        },
      }),
    ...(!isPaidStatus(attempt.status) && { status: 'cancelled' as const }),
  }
  const settled = buildAttemptUpdates(attempt, fields, now)
  if (!isCredit) return ok({ updates: settled, pushes: [] })
  if (!parked || parked.settled || !payer) return err(domainError('not_found', 'parked'))
  if (parked.currency !== settings.code) return err(domainError('payment_mismatch', 'currency'))
  const { updates, pushes } = creditUnmatchedPayment(
    payer,
    {
      id,
      amount: parked.amount,
      parkedAt: parked.at,
      ...(problem === 'refund_failed' && { reason: 'card_refund_failed' }),
    },
    now,
    settings,
  )
  return ok({ updates: { ...settled, ...updates }, pushes })
}
