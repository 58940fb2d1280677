import { toJson, type DatabaseValue } from '../../data/databaseValue'
import { raiseRevision } from '../../booking/bookingRevision'
import { toOpenRefundKey } from '../../booking/eventWords'
import { createAuditKey } from '../../data/pushKeys'
import { dbPaths, SERVER_UID } from '../../data/databasePaths'
import { buildWalletUpdates } from '../../money/wallet'
import {
  createRefundKey,
  type OpenRefund,
  type PaymentAttempt,
  type SettledRefund,
} from '../paymentAttempt'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  type AttemptFieldUpdates,
  type PaymentChange,
  type PaymentContext,
} from '../paymentChange'
import { getAttemptAccount, getUncovered, toAttemptMinorUnits } from '../attemptAccount'
import { fromCurrencyMinorUnits } from '../currencyUnits'
import {
  buildRefundPush,
  getRemainingMinorUnits,
  reduceReturned,
  reverseFunds,
  takeUndelivered,
} from '../fundsReversal'
import { addParked } from '../parkedMoney'
import type { AuditEntry } from '../../office/types'
import type { Booking } from '../../booking/types'
import type { MinorUnits } from '../../language/units'

export const buildAuditUpdates = (
  { id }: PaymentAttempt,
  entry: Omit<AuditEntry, 'path'>,
  subject: string,
): Record<string, DatabaseValue> => ({
  [dbPaths.audit(createAuditKey(entry.at, `${id}-${subject}`, 0))]: toJson({
    ...entry,
    path: dbPaths.payment(id),
  }),
})

/** The end of a refund: the person who settled it, the time, and true if the provider failed it. */
interface Settlement extends Pick<SettledRefund, 'has_failed'> {
  by: string
  now: number
}

const buildSettledRefundUpdates = (
  { id }: PaymentAttempt,
  open: OpenRefund,
  { state, by, has_failed, now }: Settlement & Pick<SettledRefund, 'state'>,
): Record<string, DatabaseValue> => {
  const { id: refund, amount, by: requestedBy, at: since, from_wallet } = open
  const record: SettledRefund = {
    amount,
    by: requestedBy,
    at: since,
    state,
    from_wallet,
    settled_at: now,
    settled_by: by,
    ...(has_failed && { has_failed }),
  }
  return { [`${dbPaths.payment(id)}/refunds/${refund}`]: toJson(record) }
}

/**
 * Returns the update by which a refund takes its words from the booking, or puts them there. Of two
 * refunds at the same moment, the second one starts over, because both write the next revision.
 */
export const buildWordsUpdate = (
  booking: Booking,
  key: string,
  words: string | null | undefined,
): Record<string, DatabaseValue> => ({
  ...raiseRevision(booking),
  ...(words !== undefined && { [`${dbPaths.booking(booking.id)}/words/${key}`]: words }),
})

/** Returns the update that removes the words of a refund that is no longer open, if any. */
const removeOpenWords = (
  booking: Booking | null,
  payment: string,
  refund: string,
): Record<string, DatabaseValue> => {
  const key = toOpenRefundKey(payment, refund)
  return booking?.words?.[key] === undefined ? {} : buildWordsUpdate(booking, key, null)
}

/** Clears the fields that belong to an open refund: its record and its next status check. */
const NO_OPEN_REFUND = { refund: null, refund_due: null }

/**
 * Returns the name of a refund's records. The total alone would repeat when a refund fails after
 * its confirmation and the money is refunded again.
 */
const toRefundEntry = ({ revision }: PaymentAttempt, total: MinorUnits): string =>
  `refund-${total}-${revision + 1}`

/** The part of a refund that a payment gives now, in minor units. */
interface Settled {
  ours: OpenRefund | null
  own: number
  outside: number
  /** The refunded part of the payment afterwards. */
  total: number
  /** The part that the bank has taken already, or whose won dispute is not reported yet. */
  overlap: number
}

/** Returns the attempt's own fields after a refund. */
const buildRefundedFields = (
  attempt: PaymentAttempt,
  { ours, own, outside, total, overlap }: Settled,
): AttemptFieldUpdates => {
  const { amount, currency } = attempt
  const isWhole = total >= toAttemptMinorUnits(attempt, amount)
  const status = isWhole ? ('refunded' as const) : ('partially_refunded' as const)
  return {
    ...(ours && NO_OPEN_REFUND),
    ...(status !== attempt.status && { status }),
    refunded: fromCurrencyMinorUnits(total, currency),
    ...reduceReturned(attempt, own + outside),
    ...(overlap > 0 && {
      charged_back: fromCurrencyMinorUnits(
        Math.max(0, getAttemptAccount(attempt).chargedBack - overlap),
        currency,
      ),
    }),
  }
}

/** Returns the records of the refunds: the end of ours, and the audit of those made elsewhere. */
const buildRefundRecords = (
  attempt: PaymentAttempt,
  { ours, outside, total }: Settled,
  booking: Booking | null,
  { by, now }: Settlement,
): Record<string, DatabaseValue> => ({
  ...(ours && buildSettledRefundUpdates(attempt, ours, { state: 'confirmed', by, now })),
  ...(ours && removeOpenWords(booking, attempt.id, ours.id)),
  ...(outside > 0 &&
    buildAuditUpdates(
      attempt,
      {
        by: SERVER_UID,
        at: now,
        action: 'payment_refund_outside',
        to: { amount: fromCurrencyMinorUnits(outside, attempt.currency) },
      },
      toRefundEntry(attempt, total),
    )),
})

/**
 * Settles refunded money that is not recorded yet: our open refund if it matches, and the rest as
 * refunds made elsewhere.
 */
export const settleRefund = (
  attempt: PaymentAttempt,
  { ours, outside, by = SERVER_UID }: { ours: OpenRefund | null; outside: number; by?: string },
  facts: PaymentContext,
  now: number,
): Pick<PaymentChange, 'updates' | 'pushes'> => {
  const own = ours ? toAttemptMinorUnits(attempt, ours.amount) : 0
  const refundedUnits = toAttemptMinorUnits(attempt, attempt.refunded)
  const total = Math.min(
    refundedUnits + own + outside,
    toAttemptMinorUnits(attempt, attempt.amount),
  )
  const remaining = getRemainingMinorUnits(attempt)
  const undelivered = takeUndelivered(attempt, own + outside - remaining)
  const overlap = Math.max(0, own + outside - remaining - undelivered.taken)
  const held = ours?.from_wallet ? own : 0
  const reversedFunds = reverseFunds(
    attempt,
    {
      minor: Math.min(own + outside, remaining) - Math.min(held, remaining),
      key: `${attempt.id}-${toRefundEntry(attempt, total)}`,
      complaint: ours?.reason && {
        reason: ours.reason,
        text: facts.booking?.words?.[toOpenRefundKey(attempt.id, ours.id)],
      },
    },
    facts,
    now,
  )
  const problem = overlap > 0 ? 'refund_unbalanced' : reversedFunds.problem
  const settled: Settled = { ours, own, outside, total, overlap }
  const fields = {
    ...buildRefundedFields(attempt, settled),
    ...undelivered.fields,
    report: problem,
  }
  return {
    updates: {
      ...reversedFunds.updates,
      ...buildRefundRecords(attempt, settled, facts.booking, { by, now }),
      ...buildAttemptUpdates(attempt, fields, now),
      ...undelivered.updates,
      ...(overlap > 0 &&
        buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) + overlap })),
    },
    pushes: [
      ...(ours?.from_wallet && facts.payer ? [buildRefundPush(attempt.uid, ours.amount)] : []),
      ...reversedFunds.pushes,
    ],
  }
}

/**
 * Ends a refund that the provider refused or that was never sent. The held amount returns to the
 * wallet in the same update.
 */
export const buildFailedRefund = (
  attempt: PaymentAttempt,
  open: OpenRefund,
  {
    booking,
    payer,
    eventContext: { settings },
  }: Pick<PaymentContext, 'booking' | 'payer' | 'eventContext'>,
  settlement: Settlement,
): Pick<PaymentChange, 'updates' | 'pushes'> => {
  const { id, currency, ref = '' } = attempt
  const { amount } = open
  const { now } = settlement
  const problem = currency === settings.code ? 'payer_gone' : 'currency_mismatch'
  const creditedPayer = open.from_wallet && currency === settings.code ? payer : null
  const reason = 'card_refund_failed'
  const entry = { type: 'Credit', amount, date: now, txRef: id, reason } as const
  // Without a wallet to receive it, the back office decides.
  const isParked = open.from_wallet && !creditedPayer
  const money = { amount, currency, ref, at: now }
  return {
    updates: {
      ...(creditedPayer &&
        buildWalletUpdates(creditedPayer, { [`${id}-${open.id}-back`]: entry }, settings)),
      ...buildSettledRefundUpdates(attempt, open, { ...settlement, state: 'refused' }),
      ...removeOpenWords(booking, id, open.id),
      ...buildAttemptUpdates(
        attempt,
        {
          ...NO_OPEN_REFUND,
          ...(isParked && { parkedMoney: addParked(attempt, money, problem) }),
        },
        now,
      ),
    },
    pushes: creditedPayer ? [buildRefundPush(creditedPayer.id, amount, reason)] : [],
  }
}

export const isRefundSent = ({ state }: OpenRefund): boolean => state !== 'held'

/** Returns the refund id in a key of this attempt; undefined for another attempt's key. */
export const parseRefundId = (
  attempt: PaymentAttempt,
  key: string | undefined,
): string | undefined =>
  key?.startsWith(createRefundKey(attempt.id, '')) ? key.slice(attempt.id.length + 1) : undefined
