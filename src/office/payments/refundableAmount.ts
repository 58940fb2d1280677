import { MAX_DECIMALS, sumAmounts } from '~/domain/money/money'
import { getAttemptAccount, getWaitingAmount } from '~/domain/payments/attemptAccount'
import { fromCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'

export const hasPaidAmount = ({ status }: PaymentAttempt): boolean =>
  status === 'paid' || status === 'partially_refunded'

/** Returns the amount that a refund sends back; 0 for an unpaid payment. */
export const getRefundableAmount = (attempt: PaymentAttempt): number =>
  hasPaidAmount(attempt)
    ? fromCurrencyMinorUnits(getAttemptAccount(attempt).applied, attempt.currency)
    : 0

/** Returns the money that the office may credit to the payer's wallet, if any. */
export const getCreditableMoney = (
  attempt: PaymentAttempt,
): { amount: number; currency: string } | undefined => {
  const { problem, parked, currency } = attempt
  if (problem === 'dispute_won') return { amount: getWaitingAmount(attempt), currency }
  // A part of the money has gone back already.
  if (problem === 'refund_unbalanced' || parked?.settled) return undefined
  return parked
}

/**
 * Returns what has arrived for a payment: the amount that paid for something, money that matched
 * nothing, or both; undefined before any.
 */
export const getReceivedMoney = (
  attempt: PaymentAttempt,
): { amount: number; currency: string } | undefined => {
  const { amount, currency, applied_to, parked, ref, details } = attempt
  if (!applied_to) return parked
  // A second payment has its own reference. The money of an undelivered refund is not new.
  const isSecond = parked?.currency === currency && parked.ref !== ref && !details?.undelivered
  return { amount: sumAmounts([amount, isSecond ? parked.amount : 0], MAX_DECIMALS), currency }
}
