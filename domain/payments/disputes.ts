import { applyBookingEvent } from '../booking/applyBookingEvent'
import { SYSTEM_ACTOR } from '../booking/eventTypes'
import { dbPaths } from '../databasePaths'
import { toJson, type DatabaseValue } from '../databaseValue'
import { buildWalletUpdates } from '../wallet'
import { getAttemptAccount, getUncovered, toAttemptMinorUnits } from './attemptAccount'
import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from './currencyUnits'
import {
  buildRefundPush,
  getRemainingMinorUnits,
  getReturnedAfter,
  reduceReturned,
  reverseFunds,
  takeFromPayer,
  takeUndelivered,
  type MoneyMove,
} from './fundsReversal'
import {
  escapeKeyPart,
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

const getDisputes = ({ details }: PaymentAttempt): Record<string, Dispute> =>
  details?.disputes ?? {}

/** Returns the key of a dispute: the provider's id of it, or of the payment. */
const createDisputeKey = ({ refundId, ref }: PaymentEvent): string => escapeKeyPart(refundId ?? ref)

/** Returns the update of an attempt's dispute. Parts of 0 are left out. */
const buildDisputeUpdates = (
  { id }: PaymentAttempt,
  key: string,
  { at, amount, taken, ...parts }: Dispute,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.payment(id)}/details/disputes/${key}`]: toJson({
    at,
    amount,
    taken,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)),
  }),
})

const buildAllDisputes = (
  attempt: PaymentAttempt,
  disputes: Readonly<Record<string, Dispute>>,
): Record<string, DatabaseValue> =>
  Object.fromEntries(
    Object.entries(disputes).flatMap(([key, dispute]) =>
      Object.entries(buildDisputeUpdates(attempt, key, dispute)),
    ),
  )

/** Returns true for a message about a second or a wrong payment, which was never applied. */
const isAboutParked = ({ parked, ref }: PaymentAttempt, event: PaymentEvent): boolean =>
  parked !== undefined && event.ref === parked.ref && event.ref !== ref

/** Takes parked money, or the wallet's credit for it, after the payer's bank took it back. */
const applyParkedChargeback = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { parked } = attempt
  if (!parked) return noChange('ignored')
  const { currency, settled } = parked
  const whole = toCurrencyMinorUnits(parked.amount, currency) ?? 0
  const minor = event.currency === currency ? Math.min(event.minor, whole) : whole
  const key = createDisputeKey(event)
  const isHere = settled === undefined || settled === 'credited'
  const taken: MoneyMove =
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
  }
  return {
    outcome: 'parked',
    updates: {
      ...taken.updates,
      ...buildAttemptUpdates(
        attempt,
        { problem: 'chargeback', ...(settled === undefined && { parked: rest }) },
        now,
      ),
      ...buildDisputeUpdates(attempt, key, dispute),
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
  const units = (amount: number | undefined) => toAttemptMinorUnits(attempt, amount)
  return event.minor - units(early?.won) + units(early?.covered) + units(early?.credited)
}

/**
 * Reports a chargeback of a payment that is not known yet, such as a second one in the same
 * checkout. The provider repeats its message; the office reads of it at once.
 */
const reportEarlyChargeback = (attempt: PaymentAttempt, now: number): PaymentChange => ({
  ...noChange('too_early'),
  updates: attempt.problem ? {} : buildAttemptUpdates(attempt, { problem: 'chargeback' }, now),
})

/**
 * Ends a dispute whose decision came before its chargeback. The bank had taken the same money that
 * was won, so nothing waits for a decision.
 */
const endEarlyWin = (
  attempt: PaymentAttempt,
  { key, early, event }: { key: string; early: Dispute; event: PaymentEvent },
  now: number,
): PaymentChange => {
  const updates = eventRecord(event, now)
  if (early.waiting === undefined) return { outcome: 'duplicate', updates, pushes: [] }
  const ended = { ...early, waiting: 0 }
  const isLast = Object.entries(getDisputes(attempt)).every(
    ([other, { waiting }]) => other === key || waiting === undefined,
  )
  const problem = attempt.problem === 'dispute_won' && isLast ? 'chargeback' : undefined
  return {
    outcome: 'applied',
    updates: {
      ...updates,
      ...buildAttemptUpdates(attempt, { problem }, now),
      ...buildDisputeUpdates(attempt, key, ended),
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
  if (isAboutParked(attempt, event)) return applyParkedChargeback(attempt, event, facts, now)
  if (!isPaidStatus(attempt.status)) return noChange('too_early')
  if (event.ref !== attempt.ref) return reportEarlyChargeback(attempt, now)
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
  const taken = reverseFunds(attempt, reversal, facts, now)
  const status = facts.booking?.status
  const isPaidOut = status === 'PAID' || status === 'COMPLETE'
  // The chargeback of an earlier release took the money, and may have been this one.
  const isKnown = minor === 0 && chargedBack > 0 && Object.keys(getDisputes(attempt)).length === 0
  const excess = isKnown ? 0 : out - minor
  const dispute: Dispute = {
    at: now,
    amount: toUnits(event.currency === currency ? event.minor : minor),
    taken: toUnits(minor),
    wallet: toUnits(taken.fromWallet),
    [isPaidOut ? 'paidBooking' : 'booking']: toUnits(taken.fromBooking),
    undelivered: toUnits(undelivered.taken),
    unbooked: toUnits(remaining - taken.fromWallet - taken.fromBooking),
    returned: toUnits(returned - getReturnedAfter(attempt, remaining)),
    ...(early && { won: early.won, covered: early.covered, credited: early.credited }),
  }
  return {
    outcome: 'parked',
    updates: {
      ...taken.updates,
      ...undelivered.updates,
      ...buildAttemptUpdates(
        attempt,
        {
          problem: 'chargeback',
          ...undelivered.fields,
          ...reduceReturned(attempt, remaining),
          ...(minor > 0 && { charged_back: toUnits(chargedBack + minor) }),
        },
        now,
      ),
      ...(!isKnown && buildDisputeUpdates(attempt, key, dispute)),
      ...(excess > 0 && buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) + excess })),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

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

/**
 * Divides what was won. First it makes up for money that had left without cover, such as a later
 * chargeback whose message came before. The rest goes to the places of the dispute in the reverse
 * order, and then to those of earlier ones that had made up for this one.
 */
const divideWon = (attempt: PaymentAttempt, key: string, won: number): WonDivision => {
  const units = (amount: number | undefined) => toAttemptMinorUnits(attempt, amount)
  const toUnits = (minor: number) => fromCurrencyMinorUnits(minor, attempt.currency)
  const disputes = structuredClone(getDisputes(attempt))
  const parts = { ...NO_PARTS }
  const own = disputes[key]
  if (!own || own.parked !== undefined)
    return { parts, parked: Math.min(won, units(own?.parked)), covered: 0, disputes }
  const covered = Math.min(won, getUncovered(attempt))
  let left = won - covered
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
  own.covered = toUnits(units(own.covered) + covered)
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
      ? applyBookingEvent(booking, input, SYSTEM_ACTOR, eventContext, now)
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
      ...buildAttemptUpdates(attempt, minor > 0 ? getWaitingProblem(attempt) : {}, now),
      ...buildDisputeUpdates(attempt, createDisputeKey(event), dispute),
      ...(covered > 0 && buildDetailUpdates(attempt, { uncovered: uncovered - covered })),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/** Returns true when parked money waits for a decision, which keeps its own problem until then. */
const hasParkedProblem = ({ parked, problem }: PaymentAttempt): boolean =>
  problem !== undefined && parked !== undefined && parked.settled === undefined

const getWaitingProblem = (attempt: PaymentAttempt) =>
  hasParkedProblem(attempt) ? {} : { problem: 'dispute_won' as const }

/** Returns the problem after a dispute was won: its own ends with the last open dispute. */
const getProblemAfterWin = (attempt: PaymentAttempt, key: string, waiting: number) => {
  if (waiting > 0) return getWaitingProblem(attempt)
  const isLast = Object.entries(getDisputes(attempt)).every(
    ([other, { won }]) => other === key || won !== undefined,
  )
  const ends = attempt.problem === 'chargeback' && isLast && !hasParkedProblem(attempt)
  return ends ? { problem: null } : {}
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
  const isKnown = event.ref === attempt.ref || isAboutParked(attempt, event)
  if (!isKnown) return noChange('too_early')
  const found = findDispute(attempt, event)
  if (!found) return recordUnknownWin(attempt, event, now)
  const { key, dispute } = found
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
  const { covered, disputes } = division
  return {
    outcome: waiting > 0 ? 'parked' : 'applied',
    updates: {
      ...restored.updates,
      ...buildAttemptUpdates(
        attempt,
        {
          ...(back > 0 && { charged_back: toUnits(Math.max(0, chargedBack - back)) }),
          ...(restored.returned > 0 && { returned: toUnits(returned + restored.returned) }),
          ...getProblemAfterWin(attempt, key, waiting),
        },
        now,
      ),
      ...(covered > 0 &&
        buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) - covered })),
      ...buildAllDisputes(attempt, {
        ...disputes,
        [key]: { ...(disputes[key] ?? dispute), won: toUnits(won), waiting: toUnits(waiting) },
      }),
      ...eventRecord(event, now),
    },
    pushes: restored.pushes,
  }
}

/** Returns true when money of a won dispute waits for a decision. */
export const hasWaiting = (attempt: PaymentAttempt): boolean =>
  Object.values(getDisputes(attempt)).some(({ waiting }) => waiting !== undefined)

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
  return {
    amount: toUnits(total),
    fields:
      isCredit && ofAccount > 0
        ? {
            charged_back: toUnits(Math.max(0, chargedBack - ofAccount)),
            returned: toUnits(returned + ofAccount),
          }
        : {},
    updates: Object.fromEntries(
      waiting.flatMap(([key, dispute]): [string, number | null][] => {
        const path = `${dbPaths.payment(attempt.id)}/details/disputes/${key}`
        return [
          [`${path}/waiting`, null],
          ...(isCredit ? [[`${path}/credited`, dispute.waiting ?? 0] as [string, number]] : []),
        ]
      }),
    ),
  }
}
