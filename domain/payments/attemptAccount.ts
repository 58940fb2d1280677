import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from './currencyUnits'
import type { PaymentAttempt } from './paymentAttempt'

/** The places of an attempt's money. All amounts are in minor units of its currency. */
interface AttemptAccount {
  /** Refunded to the payer's card or account at the provider. */
  refunded: number
  /** In the payer's wallet after an amendment. */
  returned: number
  /** Taken back by the payer's bank. */
  chargedBack: number
  /** The rest: it pays for the booking, or it is the top-up that the payer wanted. */
  applied: number
}

/** Converts an amount of an attempt to minor units; an absent amount is 0. */
export const toAttemptMinorUnits = (
  { currency }: Pick<PaymentAttempt, 'currency'>,
  amount: number | undefined,
): number => toCurrencyMinorUnits(amount ?? 0, currency) ?? 0

/**
 * Returns where the money of a paid attempt is. The parts add up to its amount. Only `applied` may
 * be refunded, because every other part has already gone back.
 */
export const getAttemptAccount = (attempt: PaymentAttempt): AttemptAccount => {
  const [refunded, returned, chargedBack] = [
    attempt.refunded,
    attempt.returned,
    attempt.charged_back,
  ].map((amount) => toAttemptMinorUnits(attempt, amount)) as [number, number, number]
  const amount = toAttemptMinorUnits(attempt, attempt.amount)
  const applied = Math.max(0, amount - refunded - returned - chargedBack)
  return { refunded, returned, chargedBack, applied }
}

/**
 * Divides money that goes back to the wallet over the attempts that paid for a booking, the newest
 * first. `amount` is in units of the settings' currency. Returns the new `returned` of each attempt
 * that has a part of it.
 */
export const divideReturn = (
  attempts: readonly PaymentAttempt[],
  amount: number,
): { attempt: PaymentAttempt; returned: number }[] => {
  let before = 0
  return [...attempts]
    .sort((one, other) => other.createdAt - one.createdAt)
    .flatMap((attempt) => {
      const { applied, returned } = getAttemptAccount(attempt)
      const part = Math.min(applied, toAttemptMinorUnits(attempt, amount) - before)
      before += part
      return part > 0
        ? [{ attempt, returned: fromCurrencyMinorUnits(returned + part, attempt.currency) }]
        : []
    })
}
