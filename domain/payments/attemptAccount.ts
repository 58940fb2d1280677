import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from './currencyUnits'
import type { PaymentAttempt, SettledRefund } from './paymentAttempt'
import type { MinorUnits } from '../language/units'

/** The places of an attempt's money. All amounts are in minor units of its currency. */
interface AttemptAccount {
  /** Refunded to the payer's card or account at the provider. */
  refunded: number
  /** In the payer's wallet after an amendment. */
  returned: number
  /** Taken back by the payer's bank, less what was won back and returned to its place. */
  chargedBack: number
  /** Of `chargedBack`: was won back, and the back office has to decide where it belongs. */
  waiting: number
  /** Refunds that could not be delivered and wait for a decision, or were paid in another way. */
  undelivered: number
  /** Won back in disputes, wherever it is now. It is no part of the sum. */
  wonBack: number
  /** The rest: it pays for the booking, or it is the top-up that the payer wanted. */
  applied: number
}

/** Converts an amount of an attempt to minor units; an absent amount is 0. */
export const toAttemptMinorUnits = (
  { currency }: Pick<PaymentAttempt, 'currency'>,
  amount: number | undefined,
): MinorUnits => toCurrencyMinorUnits(amount ?? 0, currency) ?? 0

/**
 * Returns where the money of a paid attempt is. `refunded`, `returned`, `chargedBack`,
 * `undelivered` and `applied` add up to its amount. Only `applied` may be refunded, because every
 * other part has gone back.
 */
export const getAttemptAccount = (attempt: PaymentAttempt): AttemptAccount => {
  const units = (part: number | undefined) => toAttemptMinorUnits(attempt, part)
  const refunded = units(attempt.refunded)
  const returned = units(attempt.returned)
  const chargedBack = units(attempt.charged_back)
  const undelivered = units(attempt.details?.undelivered)
  const applied = Math.max(
    0,
    units(attempt.amount) - refunded - returned - chargedBack - undelivered,
  )
  const disputes = Object.values(attempt.details?.disputes ?? {})
  const sum = (amounts: (number | undefined)[]) =>
    amounts.reduce<number>((total, one) => total + units(one), 0)
  const waiting = sum(
    disputes.filter(({ parked }) => parked === undefined).map((dispute) => dispute.waiting),
  )
  const wonBack = sum(disputes.map(({ won }) => won))
  return { refunded, returned, chargedBack, waiting, undelivered, wonBack, applied }
}

/** Returns what left the platform although the attempt had no more, in minor units. */
export const getUncovered = (attempt: PaymentAttempt): number =>
  toAttemptMinorUnits(attempt, attempt.details?.uncovered)

/** Returns refunds that a query has counted before their messages came, in minor units. */
export const getListed = (attempt: PaymentAttempt): number =>
  toAttemptMinorUnits(attempt, attempt.details?.listed)

/** Returns the amount of won disputes that waits for the back office's decision. */
export const getWaitingAmount = ({ currency, details }: PaymentAttempt): number =>
  fromCurrencyMinorUnits(
    Object.values(details?.disputes ?? {}).reduce(
      (total, { waiting }) => total + toAttemptMinorUnits({ currency }, waiting),
      0,
    ),
    currency,
  )

const sumRefunds = (
  attempt: PaymentAttempt,
  belongs: (refund: SettledRefund) => boolean | undefined,
): number =>
  Object.values(attempt.refunds ?? {})
    .filter(belongs)
    .reduce((total, { amount }) => total + toAttemptMinorUnits(attempt, amount), 0)

/** Returns true when a refund is in a provider's older totals and not in the newer ones. */
const hasFailed = ({ state, has_failed }: SettledRefund) => state === 'returned' || has_failed

/** Returns our refunds that failed, before or after a confirmation, in minor units. */
export const sumFailedRefunds = (attempt: PaymentAttempt): number => sumRefunds(attempt, hasFailed)

/**
 * Returns the total of refunds that the provider counts, in minor units. In an attempt of an
 * earlier release `refunded` contains those that could not be delivered.
 */
export const getDeliveredRefunds = (attempt: PaymentAttempt): number =>
  toAttemptMinorUnits(attempt, attempt.refunded) -
  (attempt.details?.undelivered === undefined
    ? sumRefunds(attempt, ({ state }) => state === 'returned')
    : 0)

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
