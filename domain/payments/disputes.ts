import { applyBookingEvent } from '../booking/applyBookingEvent'
import { SYSTEM_ACTOR } from '../booking/eventTypes'
import { buildWalletUpdates } from '../money/wallet'
import { getAttemptAccount, getUncovered, toAttemptMinorUnits } from './attemptAccount'
import { fromCurrencyMinorUnits } from './currencyUnits'
import { createDisputeKey, getDisputes } from './disputeRecords'
import { findParked } from './parkedMoney'
import { buildRefundPush, type MoneyMove } from './fundsReversal'
import type { Dispute, PaymentAttempt, PaymentEvent } from './paymentAttempt'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  eventRecord,
  noChange,
  type PaymentChange,
  type PaymentContext,
} from './paymentChange'
import type { MinorUnits } from '../language/units'

/** The places of what was won, in minor units. */
interface WonParts {
  wallet: number
  booking: number
  paidBooking: number
  undelivered: number
  unbooked: number
  /** The part of `wallet` that an amendment had returned there. */
  returned: number
}
const PLACES = ['unbooked', 'undelivered', 'wallet', 'paidBooking', 'booking'] as const
const NO_PARTS: WonParts = {
  wallet: 0,
  booking: 0,
  paidBooking: 0,
  undelivered: 0,
  unbooked: 0,
  returned: 0,
}

/** Won money, divided over places, and the disputes as they are then. */
interface WonDivision {
  parts: WonParts
  parked: number
  /** Makes up for money that had left without cover. */
  covered: number
  disputes: Record<string, Dispute>
}

/** Returns decisions about disputes whose chargebacks have not arrived. */
const listEarlyWins = (disputes: Readonly<Record<string, Dispute>>): Dispute[] =>
  Object.values(disputes).filter(({ taken, parked }) => taken === 0 && parked === undefined)

/**
 * Makes up for what the office credited of decisions that came before their chargebacks. It was
 * taken from the open disputes, so that it cannot go back to their places as well; the chargebacks
 * then take that much less. Returns the sum, in minor units.
 */
const coverEarlyCredits = (
  attempt: PaymentAttempt,
  disputes: Readonly<Record<string, Dispute>>,
  won: number,
): number => {
  const missing = Math.max(0, won - getAttemptAccount(attempt).chargedBack)
  let left = missing
  for (const dispute of listEarlyWins(disputes)) {
    const credited = toAttemptMinorUnits(attempt, dispute.credited)
    const part = Math.min(left, credited)
    dispute.credited = fromCurrencyMinorUnits(credited - part, attempt.currency)
    left -= part
  }
  return missing - left
}

/**
 * Ends the wait of early decisions for money that a known dispute has returned: the money that they
 * may have meant is back. `chargedBack` is what is still gone, in minor units.
 */
const limitEarlyWaiting = (
  attempt: PaymentAttempt,
  disputes: Readonly<Record<string, Dispute>>,
  chargedBack: number,
): void => {
  const early = listEarlyWins(disputes)
  let left = Object.values(disputes)
    .filter((dispute) => dispute.parked === undefined && !early.includes(dispute))
    .reduce((rest, { waiting }) => rest - toAttemptMinorUnits(attempt, waiting), chargedBack)
  for (const dispute of early) {
    const part = Math.min(left, toAttemptMinorUnits(attempt, dispute.waiting))
    dispute.waiting = fromCurrencyMinorUnits(part, attempt.currency)
    left -= part
  }
}

/**
 * Divides what was won. First it makes up for money that had left without cover, such as a later
 * chargeback whose message came before. The rest goes to the places of the dispute in the reverse
 * order, and then to those of earlier ones that had made up for this one.
 */
const divideWon = (attempt: PaymentAttempt, key: string, won: number): WonDivision => {
  const units = (amount: number | undefined) => toAttemptMinorUnits(attempt, amount)
  const toUnits = (minor: MinorUnits) => fromCurrencyMinorUnits(minor, attempt.currency)
  const disputes = Object.fromEntries(
    Object.entries(getDisputes(attempt)).map(([id, dispute]) => [id, { ...dispute }]),
  )
  const parts = { ...NO_PARTS }
  const own = disputes[key]
  if (!own || own.parked !== undefined)
    return { parts, parked: Math.min(won, units(own?.parked)), covered: 0, disputes }
  const covered = Math.min(won, getUncovered(attempt))
  const ofCredits = coverEarlyCredits(attempt, disputes, won - covered)
  let left = won - covered - ofCredits
  /** Takes at most this much from the places of a dispute, and returns how much. */
  const takeFrom = (dispute: Dispute, most: number): number => {
    const before = left
    for (const place of PLACES) {
      const part = Math.min(left, most - (before - left), units(dispute[place]))
      dispute[place] = toUnits(units(dispute[place]) - part)
      parts[place] += part
      left -= part
      if (place !== 'wallet') continue
      const returned = Math.min(part, units(dispute.returned))
      dispute.returned = toUnits(units(dispute.returned) - returned)
      parts.returned += returned
    }
    return before - left
  }
  takeFrom(own, left)
  for (const [other, dispute] of Object.entries(disputes))
    if (other !== key) {
      const part = takeFrom(dispute, Math.min(left, units(dispute.covered)))
      dispute.covered = toUnits(units(dispute.covered) - part)
    }
  own.covered = toUnits(units(own.covered) + covered + ofCredits)
  return { parts, parked: 0, covered, disputes }
}

/** Money that a won dispute returns, in minor units. `waiting` cannot be decided here. */
interface Restored extends Omit<MoneyMove, 'problem'> {
  back: number
  returned: number
  waiting: number
}

/** Returns the money of a won dispute to where the chargeback took it from, if that is certain. */
const restoreFunds = (
  attempt: PaymentAttempt,
  { key, division, isCertain }: { key: string; division: WonDivision; isCertain: boolean },
  { booking, payer, eventContext }: PaymentContext,
  now: number,
): Restored => {
  const { id, uid, currency } = attempt
  const { parts, parked } = division
  const amount = fromCurrencyMinorUnits(parts.wallet, currency)
  const reason = 'chargeback_won'
  const entry = { type: 'Credit', amount, date: now, txRef: id, reason } as const
  const credited = isCertain && parts.wallet > 0 ? payer : null
  // Taken before and after the booking was PAID: one of the two has changed its place since.
  const ofBooking = parts.booking === 0 ? parts.paidBooking : parts.booking
  const input = {
    event: 'reinstate',
    payment: id,
    amount: fromCurrencyMinorUnits(ofBooking, currency),
    isAfterPaid: parts.booking === 0,
  } as const
  const reinstated =
    isCertain && ofBooking > 0
      ? applyBookingEvent(booking, input, { actor: SYSTEM_ACTOR, context: eventContext, now })
      : null
  const change = reinstated?.ok ? reinstated.value : null
  const back =
    (credited ? parts.wallet : 0) + (change ? ofBooking : 0) + (isCertain ? parts.unbooked : 0)
  const { wallet, booking: unpaid, paidBooking, undelivered, unbooked } = parts
  return {
    updates: {
      ...change?.updates,
      ...(credited &&
        buildWalletUpdates(
          credited,
          { [`${id}-dispute-${key}-won`]: entry },
          eventContext.settings,
        )),
    },
    pushes: [
      ...(change?.pushes ?? []),
      ...(credited ? [buildRefundPush(uid, amount, reason)] : []),
    ],
    back,
    returned: credited ? parts.returned : 0,
    waiting: wallet + unpaid + paidBooking + undelivered + unbooked + parked - back,
  }
}

/** Returns the dispute that a bank's decision is about; some providers name it differently. */
const findDispute = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
): { key: string; dispute: Dispute } | undefined => {
  const disputes = getDisputes(attempt)
  const key = createDisputeKey(event)
  const named = disputes[key]
  if (named) return { key, dispute: named }
  const alike = Object.entries(disputes).filter(
    ([, { won, amount }]) =>
      won === undefined &&
      event.currency === attempt.currency &&
      toAttemptMinorUnits(attempt, amount) === event.minor,
  )
  const [only] = alike
  return alike.length === 1 && only ? { key: only[0], dispute: only[1] } : undefined
}

/**
 * Records a decision about a dispute that is not known. Before the chargeback arrives there is
 * nothing to return. A chargeback of an earlier release has no record of where it took the money
 * from, and of several disputes any may be meant: then the back office decides.
 */
const recordUnknownWin = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  now: number,
): PaymentChange => {
  const { currency } = attempt
  const toUnits = (units: number) => fromCurrencyMinorUnits(units, currency)
  const { chargedBack, waiting } = getAttemptAccount(attempt)
  const open = chargedBack - waiting
  const isKnownAmount = event.currency === currency
  const uncovered = getUncovered(attempt)
  const covered = isKnownAmount ? Math.min(event.minor, uncovered) : 0
  const minor = isKnownAmount ? Math.min(event.minor - covered, open) : open
  const won = toUnits(isKnownAmount ? event.minor : minor)
  const dispute: Dispute = {
    at: now,
    amount: won,
    taken: 0,
    won,
    covered: toUnits(covered),
    waiting: toUnits(minor),
  }
  return {
    outcome: minor > 0 ? 'parked' : 'applied',
    updates: {
      ...buildAttemptUpdates(
        attempt,
        { disputes: { ...getDisputes(attempt), [createDisputeKey(event)]: dispute } },
        now,
      ),
      ...(covered > 0 && buildDetailUpdates(attempt, { uncovered: uncovered - covered })),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/**
 * Handles a message that a dispute was won: the money goes back to exactly where the chargeback
 * took it from. A part whose place has changed since waits for the back office.
 */
export const applyChargebackWon = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const isKnown = event.ref === attempt.ref || findParked(attempt, event) !== undefined
  if (!isKnown) return noChange('too_early')
  const match = findDispute(attempt, event)
  if (!match) return recordUnknownWin(attempt, event, now)
  const { key, dispute } = match
  if (dispute.won !== undefined)
    return { outcome: 'duplicate', updates: eventRecord(event, now), pushes: [] }
  const { currency } = attempt
  const toUnits = (units: number) => fromCurrencyMinorUnits(units, currency)
  const whole = toAttemptMinorUnits(attempt, dispute.amount)
  const isKnownAmount = event.currency === currency
  const won = isKnownAmount ? Math.min(event.minor, whole) : whole
  const division = divideWon(attempt, key, won)
  const isCertain = isKnownAmount && currency === facts.eventContext.settings.code
  const restored = restoreFunds(attempt, { key, division, isCertain }, facts, now)
  const { back, waiting } = restored
  const { chargedBack, returned } = getAttemptAccount(attempt)
  const left = Math.max(0, chargedBack - back)
  const { covered } = division
  const ended = { ...(division.disputes[key] ?? dispute), won: toUnits(won) }
  const disputes = { ...division.disputes, [key]: { ...ended, waiting: toUnits(waiting) } }
  limitEarlyWaiting(attempt, disputes, left)
  return {
    outcome: waiting > 0 ? 'parked' : 'applied',
    updates: {
      ...restored.updates,
      ...buildAttemptUpdates(
        attempt,
        {
          ...(back > 0 && { charged_back: toUnits(left) }),
          ...(restored.returned > 0 && { returned: toUnits(returned + restored.returned) }),
          disputes,
        },
        now,
      ),
      ...(covered > 0 &&
        buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) - covered })),
      ...eventRecord(event, now),
    },
    pushes: restored.pushes,
  }
}

/**
 * Settles what was won and waits, by decision of the back office: with `credit` it goes to the
 * payer's wallet; otherwise the platform keeps it.
 */
export const settleWaiting = (attempt: PaymentAttempt, isCredit: boolean) => {
  const waiting = Object.entries(getDisputes(attempt)).filter(([, dispute]) => dispute.waiting)
  const sum = (amounts: (number | undefined)[]) =>
    amounts.reduce<number>((total, amount) => total + toAttemptMinorUnits(attempt, amount), 0)
  const total = sum(waiting.map(([, dispute]) => dispute.waiting))
  // Parked money is not part of the attempt's account.
  const ofAccount = sum(
    waiting.filter(([, { parked }]) => parked === undefined).map(([, dispute]) => dispute.waiting),
  )
  const { chargedBack, returned } = getAttemptAccount(attempt)
  const toUnits = (units: number) => fromCurrencyMinorUnits(units, attempt.currency)
  const ended = waiting.map(([key, dispute]): [string, Dispute] => [
    key,
    { ...dispute, waiting: 0, ...(isCredit && { credited: dispute.waiting ?? 0 }) },
  ])
  return {
    amount: toUnits(total),
    fields: {
      isDecided: true,
      disputes: { ...getDisputes(attempt), ...Object.fromEntries(ended) },
      ...(isCredit &&
        ofAccount > 0 && {
          charged_back: toUnits(Math.max(0, chargedBack - ofAccount)),
          returned: toUnits(returned + ofAccount),
        }),
    },
  }
}
