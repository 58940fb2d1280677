import { isPaidOut } from '../booking/payment/paidOut'
import { getAttemptAccount, getUncovered, toAttemptMinorUnits } from './attemptAccount'
import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from './currencyUnits'
import { createDisputeKey, getDisputes } from './disputeRecords'
import { findParked, listParked, replaceParked, type ParkedMoney } from './parkedMoney'
import {
  getRemainingMinorUnits,
  getReturnedAfter,
  reduceReturned,
  reverseFunds,
  takeFromPayer,
  takeUndelivered,
  type MoneyMove,
} from './fundsReversal'
import {
  isPaidStatus,
  type Dispute,
  type PaymentAttempt,
  type PaymentEvent,
} from './paymentAttempt'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  eventRecord,
  noChange,
  type PaymentChange,
  type PaymentContext,
} from './paymentChange'

/**
 * Returns the part of a chargeback that never left, in minor units, because it was won before its
 * message came and was not used elsewhere.
 */
const getWonFirst = (attempt: PaymentAttempt, early: Dispute | undefined): number => {
  const units = (amount: number | undefined) => toAttemptMinorUnits(attempt, amount)
  return units(early?.won) - units(early?.covered) - units(early?.credited)
}

/** Returns the fields of an early decision that stay known when its chargeback comes. */
const keepEarlyWin = (early: Dispute | undefined): Partial<Dispute> =>
  early ? { won: early.won, covered: early.covered, credited: early.credited } : {}

/** Takes parked money, or the wallet's credit for it, after the payer's bank took it back. */
const applyParkedChargeback = (
  attempt: PaymentAttempt,
  {
    parked,
    event,
    early,
  }: { parked: ParkedMoney; event: PaymentEvent; early: Dispute | undefined },
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { currency, settled } = parked
  const whole = toCurrencyMinorUnits(parked.amount, currency) ?? 0
  const wonFirst = currency === attempt.currency ? getWonFirst(attempt, early) : 0
  const minor = event.currency === currency ? Math.min(event.minor - wonFirst, whole) : whole
  const key = createDisputeKey(event)
  const isHere = settled === undefined || settled === 'credited'
  const moneyMove: MoneyMove =
    settled === 'credited' && currency === facts.eventContext.settings.code
      ? takeFromPayer(
          { ...attempt, currency },
          { minor, key: `${attempt.id}-dispute-${key}`, isChargeback: true },
          facts,
          now,
        )
      : { updates: {}, pushes: [] }
  const left = fromCurrencyMinorUnits(whole - minor, currency)
  const rest =
    minor < whole ? { ...parked, amount: left } : { ...parked, settled: 'refunded' as const }
  const dispute: Dispute = {
    at: now,
    amount: fromCurrencyMinorUnits(event.minor, event.currency),
    taken: 0,
    ...(isHere &&
      currency === attempt.currency && { parked: fromCurrencyMinorUnits(minor, currency) }),
    ...keepEarlyWin(early),
  }
  return {
    outcome: 'parked',
    updates: {
      ...moneyMove.updates,
      ...buildAttemptUpdates(
        attempt,
        {
          report: 'chargeback',
          parkedMoney: settled === undefined ? replaceParked(attempt, rest) : undefined,
          disputes: { ...getDisputes(attempt), [key]: dispute },
        },
        now,
      ),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/**
 * Returns the money that a chargeback has taken, in minor units. The decision may have come first:
 * money that was won then, and was not used elsewhere, never left.
 */
const getChargedBack = (attempt: PaymentAttempt, event: PaymentEvent, early?: Dispute): number => {
  // The value of another currency is unknown. The back office can return money, but not fetch it.
  if (event.currency !== attempt.currency) return getRemainingMinorUnits(attempt)
  return event.minor - getWonFirst(attempt, early)
}

/**
 * Reports a chargeback of a payment that is not known yet, such as a second one in the same
 * checkout. The provider repeats its message; the office reads of it at once.
 */
const reportEarlyChargeback = (attempt: PaymentAttempt, now: number): PaymentChange => ({
  ...noChange('too_early'),
  updates: attempt.problem ? {} : buildAttemptUpdates(attempt, { report: 'chargeback' }, now),
})

/**
 * Returns the key of the only decision that can be about this chargeback and came before it under
 * another id, as some providers name the two differently. Of a payment with parked money, the
 * decision may be about that one.
 */
const findEarlyWinAlike = (attempt: PaymentAttempt, event: PaymentEvent): string | undefined => {
  if (event.currency !== attempt.currency || listParked(attempt).length > 0) return undefined
  const alike = Object.entries(getDisputes(attempt)).filter(
    ([, dispute]) =>
      dispute.taken === 0 &&
      !dispute.waiting &&
      !dispute.answered &&
      toAttemptMinorUnits(attempt, dispute.amount) === event.minor &&
      getWonFirst(attempt, dispute) === event.minor,
  )
  return alike.length === 1 ? alike[0]?.[0] : undefined
}

/** Moves a decision that came first to the id of its chargeback, which then takes nothing. */
const moveEarlyWin = (
  attempt: PaymentAttempt,
  { from, event }: { from: string; event: PaymentEvent },
  now: number,
): PaymentChange => {
  const { [from]: early, ...others } = getDisputes(attempt)
  const disputes = {
    ...others,
    ...(early && {
      [from]: { ...early, won: 0 },
      [createDisputeKey(event)]: { ...early, at: now, answered: true },
    }),
  }
  return {
    outcome: 'applied',
    updates: { ...buildAttemptUpdates(attempt, { disputes }, now), ...eventRecord(event, now) },
    pushes: [],
  }
}

/**
 * Ends a dispute whose decision came before its chargeback. The bank had taken the same money that
 * was won, so nothing waits for a decision.
 */
const endEarlyWin = (
  attempt: PaymentAttempt,
  { key, early, event }: { key: string; early: Dispute; event: PaymentEvent },
  now: number,
): PaymentChange => {
  const disputes = {
    ...getDisputes(attempt),
    [key]: { ...early, waiting: 0, answered: true },
  }
  return {
    outcome: early.waiting === undefined ? 'duplicate' : 'applied',
    updates: { ...buildAttemptUpdates(attempt, { disputes }, now), ...eventRecord(event, now) },
    pushes: [],
  }
}

/** Takes the money of the attempt's own payment out of the books, as far as it is still there. */
const takeBack = (
  attempt: PaymentAttempt,
  { key, early, event }: { key: string; early: Dispute | undefined; event: PaymentEvent },
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { currency } = attempt
  const out = getChargedBack(attempt, event, early)
  const remaining = Math.min(out, getRemainingMinorUnits(attempt))
  const undelivered = takeUndelivered(attempt, out - remaining)
  const minor = remaining + undelivered.taken
  const toUnits = (units: number) => fromCurrencyMinorUnits(units, currency)
  const { chargedBack, returned } = getAttemptAccount(attempt)
  const reversal = {
    minor: remaining,
    key: `${attempt.id}-dispute-${key}`,
    isChargeback: true,
  } as const
  const reversedFunds = reverseFunds(attempt, reversal, facts, now)
  // The chargeback of an earlier release took the money, and may have been this one.
  const isKnown = minor === 0 && chargedBack > 0 && Object.keys(getDisputes(attempt)).length === 0
  const excess = isKnown ? 0 : out - minor
  const dispute: Dispute = {
    at: now,
    amount: toUnits(event.currency === currency ? event.minor : minor),
    taken: toUnits(minor),
    wallet: toUnits(reversedFunds.fromWallet),
    [facts.booking && isPaidOut(facts.booking) ? 'paidBooking' : 'booking']: toUnits(
      reversedFunds.fromBooking,
    ),
    undelivered: toUnits(undelivered.taken),
    unbooked: toUnits(remaining - reversedFunds.fromWallet - reversedFunds.fromBooking),
    returned: toUnits(returned - getReturnedAfter(attempt, remaining)),
    ...keepEarlyWin(early),
  }
  return {
    outcome: 'parked',
    updates: {
      ...reversedFunds.updates,
      ...undelivered.updates,
      ...buildAttemptUpdates(
        attempt,
        {
          report: 'chargeback',
          ...(!isKnown && { disputes: { ...getDisputes(attempt), [key]: dispute } }),
          ...undelivered.fields,
          ...reduceReturned(attempt, remaining),
          ...(minor > 0 && { charged_back: toUnits(chargedBack + minor) }),
        },
        now,
      ),
      ...(excess > 0 && buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) + excess })),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/**
 * Handles a message that the payer's bank took money back. It leaves the books as it left the
 * platform, and the back office answers the dispute. Never takes more than the attempt still has.
 * The bank's decision may have come first; then the money is the platform's already.
 */
export const applyChargeback = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const key = createDisputeKey(event)
  const early = getDisputes(attempt)[key]
  if (early && getChargedBack(attempt, event, early) <= 0)
    return endEarlyWin(attempt, { key, early, event }, now)
  // A decision about the attempt's own payment says nothing about another one that comes later.
  const isOwn = event.ref === attempt.ref
  const from = early || !isOwn ? undefined : findEarlyWinAlike(attempt, event)
  if (from !== undefined) return moveEarlyWin(attempt, { from, event }, now)
  const parked = findParked(attempt, event)
  if (parked) return applyParkedChargeback(attempt, { parked, event, early }, facts, now)
  if (!isPaidStatus(attempt.status)) return noChange('too_early')
  if (!isOwn) return reportEarlyChargeback(attempt, now)
  return takeBack(attempt, { key, early, event }, facts, now)
}
