import { dbPaths, SERVER_UID } from '../../data/databasePaths'
import { buildWalletUpdates } from '../../money/wallet'
import { isPaidStatus, type PaymentAttempt, type PaymentEvent } from '../paymentAttempt'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  noChange,
  eventRecord,
  type AttemptFieldUpdates,
  type PaymentChange,
  type PaymentContext,
} from '../paymentChange'
import {
  getAttemptAccount,
  getListed,
  getUncovered,
  sumFailedRefunds,
  toAttemptMinorUnits,
} from '../attemptAccount'
import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from '../currencyUnits'
import { getRemainingMinorUnits } from '../fundsReversal'
import {
  findParked,
  addParked,
  listWaitingParked,
  replaceParked,
  type ParkedMoney,
} from '../parkedMoney'
import {
  buildAuditUpdates,
  settleRefund,
  buildFailedRefund,
  isRefundSent,
  parseRefundId,
} from './settlement'

/** Returns the change of parked money of which `left` is left and `back` was refunded so far. */
const reduceParked = (
  attempt: PaymentAttempt,
  money: ParkedMoney,
  { left, back }: { left: number; back: number },
): AttemptFieldUpdates => {
  if (left > 0) return { parkedMoney: replaceParked(attempt, { ...money, amount: left, back }) }
  const parkedMoney = replaceParked(attempt, { ...money, settled: 'refunded', back })
  const { status } = attempt
  const isLast = listWaitingParked(attempt, parkedMoney).length === 0
  const isOver = isLast && !isPaidStatus(status) && status !== 'cancelled'
  return { parkedMoney, ...(isOver && { status: 'cancelled' }) }
}

/**
 * Settles parked money that was refunded to the card, in whole or in part. Money that the office
 * has credited leaves the wallet again; otherwise less of it can be credited.
 */
const applyUnmatchedRefund = (
  attempt: PaymentAttempt,
  { money, event }: { money: ParkedMoney; event: PaymentEvent },
  { payer, eventContext: { settings } }: PaymentContext,
  now: number,
): PaymentChange => {
  const { id } = attempt
  if (money.settled === 'refunded') return noChange('duplicate')
  if (money.settled === 'dismissed') return noChange('ignored')
  const { currency } = money
  const units = (amount: number | undefined) => toCurrencyMinorUnits(amount ?? 0, currency) ?? 0
  const wasCredited = money.settled === 'credited'
  const isStranded = wasCredited && currency !== settings.code
  const before = units(money.back)
  const minor = event.isCumulative ? event.minor - before : event.minor
  if (event.currency === currency && minor <= 0) return noChange('duplicate')
  // The wallet has another currency now, or more went back than came. The back office must decide.
  const isTooMuch = event.currency !== currency || minor > units(money.amount)
  if (isTooMuch || isStranded || (money.settled === undefined && !attempt.problem))
    return recordUnbalanced(attempt, event, now)
  const amount = fromCurrencyMinorUnits(minor, currency)
  const left = fromCurrencyMinorUnits(units(money.amount) - minor, currency)
  const suffix = left === 0 && before === 0 ? 'back' : `back-${before + minor}`
  const entry = { type: 'Debit', amount, date: now, txRef: id, reason: 'card_refund' } as const
  const back = fromCurrencyMinorUnits(before + minor, currency)
  return {
    outcome: 'applied',
    updates: {
      ...(wasCredited &&
        payer &&
        buildWalletUpdates(payer, { [`${id}-parked-${money.at}-${suffix}`]: entry }, settings)),
      ...buildAttemptUpdates(attempt, reduceParked(attempt, money, { left, back }), now),
      ...buildAuditUpdates(
        attempt,
        { by: SERVER_UID, at: now, action: 'payment_refund_outside', to: { amount } },
        `parked-${money.at}-${before + minor}`,
      ),
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/**
 * Reports a refund of more than the attempt still has to the back office. The money has left, so it
 * is not parked, and the office cannot credit it.
 */
const recordUnbalanced = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  now: number,
): PaymentChange => ({
  outcome: 'parked',
  updates: {
    ...buildAttemptUpdates(attempt, { report: 'refund_unbalanced' }, now),
    ...eventRecord(event, now),
  },
  pushes: [],
})

/**
 * Returns the part of a message's amount that is new, and the part that a query of the provider had
 * found before its message came, in minor units.
 */
const measureMessage = (attempt: PaymentAttempt, event: PaymentEvent, isNamed: boolean) => {
  const refundedUnits = toAttemptMinorUnits(attempt, attempt.refunded)
  const own = toAttemptMinorUnits(attempt, attempt.refund?.amount)
  const listedUnits = isNamed || event.isCumulative ? 0 : Math.min(getListed(attempt), event.minor)
  const added = event.isCumulative ? event.minor - refundedUnits : event.minor - listedUnits
  const back = isNamed ? Math.max(own, event.isCumulative ? added : own) : added
  return { own, back, listedUnits }
}

/**
 * Handles a provider's message that money was refunded. The new part is our open refund if it names
 * that or has its amount. Any other refund was made elsewhere, such as in the provider's dashboard,
 * and is settled in the same way.
 */
export const applyRefund = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { refund: open, currency } = attempt
  const money = findParked(attempt, event)
  if (money)
    return facts.isAlreadyProcessed
      ? noChange('duplicate')
      : applyUnmatchedRefund(attempt, { money, event }, facts, now)
  if (!isPaidStatus(attempt.status)) return noChange('too_early')
  const named = parseRefundId(attempt, event.key)
  // The refund of another payment in the same checkout, whose own message has not arrived yet.
  if (event.ref !== attempt.ref && named === undefined) return noChange('too_early')
  const settled = named ? attempt.refunds?.[named] : undefined
  // A confirmation that is older than the failure changes nothing either.
  if (settled && (settled.state !== 'refused' || settled.has_failed)) return noChange('duplicate')
  const isNamed = open !== undefined && open.id === named
  if (facts.isAlreadyProcessed && !isNamed) return noChange('duplicate')
  if (event.currency !== currency) return recordUnbalanced(attempt, event, now)
  const { own, back, listedUnits } = measureMessage(attempt, event, isNamed)
  const left =
    listedUnits > 0 ? buildDetailUpdates(attempt, { listed: getListed(attempt) - listedUnits }) : {}
  if (back <= 0 && listedUnits > 0)
    return {
      outcome: 'duplicate',
      updates: { ...buildAttemptUpdates(attempt, {}, now), ...left, ...eventRecord(event, now) },
      pushes: [],
    }
  if (back <= 0) return noChange('duplicate')
  // A total that may be older than a failed delivery, or may contain another refund.
  if (!isNamed && event.isCumulative && back <= sumFailedRefunds(attempt))
    return recordUnbalanced(attempt, event, now)
  const isOurs =
    open !== undefined &&
    (isNamed ||
      (isRefundSent(open) &&
        named === undefined &&
        (event.isCumulative ? back >= own : back === own)))
  const change = settleRefund(
    attempt,
    { ours: isOurs ? open : null, outside: isOurs ? back - own : back },
    facts,
    now,
  )
  return {
    outcome: back > getRemainingMinorUnits(attempt) ? 'parked' : 'applied',
    updates: {
      ...change.updates,
      ...left,
      ...(!facts.isAlreadyProcessed && eventRecord(event, now)),
    },
    pushes: change.pushes,
  }
}

/**
 * Handles a refund that was confirmed but not delivered: the money is the platform's again, and the
 * back office decides about it.
 */
export const applyRefundFailure = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const named = parseRefundId(attempt, event.key)
  if (attempt.refund && attempt.refund.id === named) {
    const failed = { by: SERVER_UID, now, has_failed: true } as const
    const { updates, pushes } = buildFailedRefund(attempt, attempt.refund, facts, failed)
    return {
      outcome: 'applied',
      updates: { ...updates, ...(!facts.isAlreadyProcessed && eventRecord(event, now)) },
      pushes,
    }
  }
  const settled = named && attempt.refunds?.[named]
  if (!settled || settled.state !== 'confirmed') return noChange('ignored')
  // No more comes back than was sent.
  const sentUnits = toAttemptMinorUnits(attempt, settled.amount)
  const minor = event.currency === attempt.currency ? Math.min(event.minor, sentUnits) : sentUnits
  const { currency } = attempt
  // It makes up for money that had left without cover first: the bank has that now.
  const uncovered = getUncovered(attempt)
  const covered = Math.min(minor, uncovered)
  const { refunded, chargedBack, undelivered } = getAttemptAccount(attempt)
  const toUnits = (units: number) => fromCurrencyMinorUnits(units, currency)
  const waits = minor - covered
  const money = { amount: toUnits(waits), currency, ref: event.ref, at: now }
  return {
    outcome: waits > 0 ? 'parked' : 'applied',
    updates: {
      ...buildAttemptUpdates(
        attempt,
        {
          refunded: toUnits(Math.max(0, refunded - minor)),
          ...(covered > 0 && { charged_back: toUnits(chargedBack + covered) }),
          ...(waits > 0 && { parkedMoney: addParked(attempt, money, 'refund_failed') }),
        },
        now,
      ),
      ...buildDetailUpdates(attempt, {
        undelivered: undelivered + waits,
        ...(covered > 0 && { uncovered: uncovered - covered }),
      }),
      [`${dbPaths.payment(attempt.id)}/refunds/${named}/state`]: 'returned',
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}
