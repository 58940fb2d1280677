import { getAttemptAccount } from '~/domain/payments/attemptAccount'
import { fromCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'

export const hasPaidAmount = ({ status }: PaymentAttempt): boolean =>
  status === 'paid' || status === 'partially_refunded'

/** Returns the amount that a refund sends back; 0 for an unpaid payment. */
export const getRefundableAmount = (attempt: PaymentAttempt): number =>
  hasPaidAmount(attempt)
    ? fromCurrencyMinorUnits(getAttemptAccount(attempt).applied, attempt.currency)
    : 0
