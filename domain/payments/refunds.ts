import { toJson, type DatabaseValue } from '../databaseValue'
import { isAllowedFrom } from '../booking/eventPermissions'
import { raiseRevision } from '../booking/bookingRevision'
import { keepWords, toOpenRefundKey } from '../booking/eventWords'
import type { AuditEntry, Booking } from '../entities'
import { domainError, type DomainError } from '../errors'
import { createAuditKey } from '../pushKeys'
import { dbPaths, SERVER_UID } from '../databasePaths'
import { roundAmount, toMinorUnits } from '../money'
import { err, ok, type Result } from '../result'
import { buildWalletUpdates } from '../wallet'
import {
  isPaidStatus,
  NEXT_REFUND_STATES,
  createRefundId,
  createRefundKey,
  type OpenRefund,
  type PaymentAttempt,
  type PaymentEvent,
  type RefundState,
  type SettledRefund,
} from './paymentAttempt'
import {
  buildAttemptUpdates,
  buildDetailUpdates,
  noChange,
  eventRecord,
  type AttemptFieldUpdates,
  type PaymentChange,
  type PaymentContext,
} from './paymentChange'
import type { Complaint } from '../endpointSchemas'
import {
  getAttemptAccount,
  getDeliveredRefunds,
  getListed,
  getUncovered,
  sumFailedRefunds,
  toAttemptMinorUnits,
} from './attemptAccount'
import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from './currencyUnits'
import {
  buildRefundPush,
  getRemainingMinorUnits,
  getUncompensatedMinorUnits,
  isInWallet,
  reduceReturned,
  reverseFunds,
  takeUndelivered,
} from './fundsReversal'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** After this time a sent request has been answered, or its process is dead. */
const SEND_TIMEOUT_MS = 2 * MINUTE_MS
/** When a provider shows no trace of a refund for this time, it never received it. */
const LOST_AFTER_MS = HOUR_MS
/** After this time an unfinished refund becomes a problem for the back office. */
const LATE_AFTER_MS = 10 * DAY_MS
/**
 * Maximum age at which the provider is queried about a refund; afterwards the back office decides.
 */
const MAX_STATUS_CHECK_AGE_MS = 30 * DAY_MS

/** One refund as its provider lists it, created by us or in its dashboard. */
export interface ProviderRefund {
  minor: number
  state: 'done' | 'pending' | 'failed'
  /** Our key, when the provider stores it. */
  key?: string
}

const buildAuditUpdates = (
  { id }: PaymentAttempt,
  entry: Omit<AuditEntry, 'path'>,
  subject: string,
): Record<string, DatabaseValue> => ({
  [dbPaths.audit(createAuditKey(entry.at, `${id}-${subject}`, 0))]: toJson({
    ...entry,
    path: dbPaths.payment(id),
  }),
})

/** The end of a refund: the person who settled it, and whether the provider called it failed. */
interface Settlement extends Pick<SettledRefund, 'has_failed'> {
  by: string
}

const buildSettledRefundUpdates = (
  { id }: PaymentAttempt,
  open: OpenRefund,
  { state, by, has_failed }: Settlement & Pick<SettledRefund, 'state'>,
  now: number,
): Record<string, DatabaseValue> => {
  const { id: refund, amount, by: asked, at: since, from_wallet } = open
  const record: SettledRefund = {
    amount,
    by: asked,
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
 * Clears the fields that belong to an open refund: its record, its next status check and its
 * problem.
 */
const clearRefundFields = ({ problem }: PaymentAttempt): AttemptFieldUpdates => ({
  refund: null,
  refund_due: null,
  ...(problem === 'refund_unknown' && { problem: null }),
})

/**
 * Returns the update by which a refund takes its words from the booking, or puts them there. Of two
 * refunds at the same moment, the second one starts over, because both write the next revision.
 */
const buildWordsUpdate = (
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

/**
 * Settles refunded money that is not recorded yet: our open refund if it matches, and the rest as
 * refunds made elsewhere.
 */
const settleRefund = (
  attempt: PaymentAttempt,
  { ours, outside }: { ours: OpenRefund | null; outside: number },
  facts: PaymentContext,
  now: number,
  by = SERVER_UID,
): Pick<PaymentChange, 'updates' | 'pushes'> => {
  const own = ours ? toAttemptMinorUnits(attempt, ours.amount) : 0
  const known = toAttemptMinorUnits(attempt, attempt.refunded)
  const total = Math.min(known + own + outside, toAttemptMinorUnits(attempt, attempt.amount))
  const remaining = getRemainingMinorUnits(attempt)
  const undelivered = takeUndelivered(attempt, own + outside - remaining)
  // The bank has taken the same money, or the message of a won dispute is late.
  const overlap = Math.max(0, own + outside - remaining - undelivered.taken)
  const held = ours?.from_wallet ? own : 0
  const taken = reverseFunds(
    attempt,
    {
      minor: Math.min(own + outside, remaining) - Math.min(held, remaining),
      key: `${attempt.id}-refund-${total}`,
      complaint: ours?.reason && {
        reason: ours.reason,
        text: facts.booking?.words?.[toOpenRefundKey(attempt.id, ours.id)],
      },
    },
    facts,
    now,
  )
  const problem = overlap > 0 ? 'refund_unbalanced' : taken.problem
  const status =
    total >= toAttemptMinorUnits(attempt, attempt.amount)
      ? ('refunded' as const)
      : ('partially_refunded' as const)
  return {
    updates: {
      ...taken.updates,
      ...(ours && buildSettledRefundUpdates(attempt, ours, { state: 'confirmed', by }, now)),
      ...(ours && removeOpenWords(facts.booking, attempt.id, ours.id)),
      ...(outside > 0 &&
        buildAuditUpdates(
          attempt,
          {
            by: SERVER_UID,
            at: now,
            action: 'payment_refund_outside',
            to: { amount: fromCurrencyMinorUnits(outside, attempt.currency) },
          },
          `refund-${total}`,
        )),
      ...buildAttemptUpdates(
        attempt,
        {
          ...(ours && clearRefundFields(attempt)),
          ...(status !== attempt.status && { status }),
          refunded: fromCurrencyMinorUnits(total, attempt.currency),
          ...undelivered.fields,
          ...reduceReturned(attempt, own + outside),
          ...(overlap > 0 && {
            charged_back: fromCurrencyMinorUnits(
              Math.max(0, getAttemptAccount(attempt).chargedBack - overlap),
              attempt.currency,
            ),
          }),
          ...(problem && { problem }),
        },
        now,
      ),
      ...undelivered.updates,
      ...(overlap > 0 &&
        buildDetailUpdates(attempt, { uncovered: getUncovered(attempt) + overlap })),
    },
    pushes: [
      ...(ours?.from_wallet && facts.payer ? [buildRefundPush(attempt.uid, ours.amount)] : []),
      ...taken.pushes,
    ],
  }
}

const isRefundSent = ({ state }: OpenRefund): boolean => state !== 'held'

/** Returns the refund id in a key of this attempt; undefined for another attempt's key. */
const parseRefundId = (attempt: PaymentAttempt, key: string | undefined): string | undefined =>
  key?.startsWith(createRefundKey(attempt.id, '')) ? key.slice(attempt.id.length + 1) : undefined

/**
 * Settles parked money that was refunded to the card, in whole or in part. Money that the office
 * has credited leaves the wallet again; otherwise less of it can be credited.
 */
const applyUnmatchedRefund = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  { payer, eventContext: { settings } }: PaymentContext,
  now: number,
): PaymentChange => {
  const { parked: money, id, details } = attempt
  if (!money || money.settled === 'refunded') return noChange('duplicate')
  if (money.settled === 'dismissed') return noChange('ignored')
  const { currency } = money
  const units = (amount: number | undefined) => toCurrencyMinorUnits(amount ?? 0, currency) ?? 0
  const wasCredited = money.settled === 'credited'
  const isStranded = wasCredited && currency !== settings.code
  const before = units(details?.parkedBack)
  const minor = event.isCumulative ? event.minor - before : event.minor
  if (event.currency === currency && minor <= 0) return noChange('duplicate')
  // The wallet has another currency now, or more went back than came. The back office must decide.
  const isTooMuch = event.currency !== currency || minor > units(money.amount)
  if (isTooMuch || isStranded || (money.settled === undefined && !attempt.problem))
    return recordUnbalanced(attempt, event, now)
  const amount = fromCurrencyMinorUnits(minor, currency)
  const left = fromCurrencyMinorUnits(units(money.amount) - minor, currency)
  const isWhole = left === 0
  const suffix = isWhole && before === 0 ? 'back' : `back-${before + minor}`
  const entry = { type: 'Debit', amount, date: now, txRef: id, reason: 'card_refund' } as const
  return {
    outcome: 'applied',
    updates: {
      ...(wasCredited &&
        payer &&
        buildWalletUpdates(payer, { [`${id}-parked-${money.at}-${suffix}`]: entry }, settings)),
      ...buildAttemptUpdates(
        attempt,
        {
          parked: isWhole ? { ...money, settled: 'refunded' } : { ...money, amount: left },
          ...(isWhole && !wasCredited && { problem: null }),
          ...(isWhole &&
            !isPaidStatus(attempt.status) &&
            attempt.status !== 'cancelled' && { status: 'cancelled' as const }),
        },
        now,
      ),
      [`${dbPaths.payment(id)}/details/parkedBack`]: fromCurrencyMinorUnits(
        before + minor,
        currency,
      ),
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
    ...buildAttemptUpdates(attempt, { problem: 'refund_unbalanced' }, now),
    ...eventRecord(event, now),
  },
  pushes: [],
})

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
  const { parked: money, refund: open, currency } = attempt
  if (money && event.ref === money.ref && event.ref !== attempt.ref)
    return facts.isAlreadyProcessed
      ? noChange('duplicate')
      : applyUnmatchedRefund(attempt, event, facts, now)
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
  const known = toAttemptMinorUnits(attempt, attempt.refunded)
  const own = toAttemptMinorUnits(attempt, open?.amount)
  // A query of the provider may have found it before its message came.
  const listed = getListed(attempt)
  const seen = isNamed || event.isCumulative ? 0 : Math.min(listed, event.minor)
  const back = isNamed
    ? Math.max(own, event.isCumulative ? event.minor - known : own)
    : event.isCumulative
      ? event.minor - known
      : event.minor - seen
  const left = seen > 0 ? buildDetailUpdates(attempt, { listed: listed - seen }) : {}
  if (back <= 0 && seen > 0)
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
    const failed = { by: SERVER_UID, has_failed: true } as const
    const { updates, pushes } = buildFailedRefund(attempt, attempt.refund, facts, failed, now)
    return {
      outcome: 'applied',
      updates: { ...updates, ...(!facts.isAlreadyProcessed && eventRecord(event, now)) },
      pushes,
    }
  }
  const settled = named && attempt.refunds?.[named]
  if (!settled || settled.state !== 'confirmed') return noChange('ignored')
  // No more comes back than was sent.
  const sent = toAttemptMinorUnits(attempt, settled.amount)
  const minor = event.currency === attempt.currency ? Math.min(event.minor, sent) : sent
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
          ...(waits > 0 && { problem: 'refund_failed' as const, parked: money }),
        },
        now,
      ),
      ...buildDetailUpdates(attempt, {
        undelivered: undelivered + waits,
        ...(covered > 0 && { uncovered: uncovered - covered }),
      }),
      ...(waits > 0 && { [`${dbPaths.payment(attempt.id)}/details/parkedBack`]: null }),
      [`${dbPaths.payment(attempt.id)}/refunds/${named}/state`]: 'returned',
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}

/**
 * Returns the amount that our own refund may send, in minor units: all of it from a wallet;
 * otherwise only the part that still pays for the booking, because an amendment has returned the
 * other one to the wallet. Attempts of an earlier release do not record that part, but the booking
 * has only the rest.
 */
const getRefundableMinorUnits = (
  attempt: PaymentAttempt,
  booking: Booking | null,
  cardPayments: readonly PaymentAttempt[],
): number => {
  if (isInWallet(attempt, booking)) return getRemainingMinorUnits(attempt)
  const { applied } = getAttemptAccount(attempt)
  const packet = booking?.paymentPacket
  if (!booking || !packet) return applied
  const inBooking =
    toAttemptMinorUnits(attempt, packet.cardPaymentAmount) -
    toAttemptMinorUnits(attempt, booking.refunded)
  return Math.min(applied, inBooking, getUncompensatedMinorUnits(attempt, booking, cardPayments))
}

export interface RefundRequest {
  amount?: number | undefined
  by: string
  complaint?: Complaint | undefined
  /** The client's key of the request, which tells a repeat. */
  request_id?: string | undefined
}

/**
 * Returns the id of the refund that an earlier delivery of this request has begun; undefined for a
 * new request. Refused: already_processed (the request had another amount).
 */
export const findRefundRepeat = (
  attempt: PaymentAttempt | null,
  { amount, request_id }: Pick<RefundRequest, 'amount' | 'request_id'>,
): Result<string, DomainError> | undefined => {
  if (!attempt || request_id === undefined) return undefined
  const id = createRefundId(attempt, request_id)
  const begun = attempt.refund?.id === id ? attempt.refund : attempt.refunds?.[id]
  if (!begun) return undefined
  return amount === undefined || amount === begun.amount
    ? ok(id)
    : err(domainError('already_processed', 'request_id'))
}

/**
 * Begins a refund: in one update, the amount leaves the payer's wallet (if it is there) and this
 * becomes the only open refund. Nothing is sent before that write. Refused: event_not_possible,
 * refund_open, bad_input, cancel_first, wallet_too_low, payment_mismatch (the platform has another
 * currency now).
 */
export const beginRefund = (
  attempt: PaymentAttempt | null,
  { amount, by, complaint, request_id }: RefundRequest,
  { booking, payer, eventContext }: Pick<PaymentContext, 'booking' | 'payer' | 'eventContext'>,
  now: number,
): Result<PaymentChange & { refund: string }, DomainError> => {
  if (!attempt) return err(domainError('not_found', 'payment_id'))
  const { status, currency, id } = attempt
  if (status !== 'paid' && status !== 'partially_refunded')
    return err(domainError('event_not_possible', undefined, { status }))
  if (attempt.refund) return err(domainError('refund_open', 'payment_id'))
  const left = getRefundableMinorUnits(attempt, booking, eventContext.cardPayments)
  if (left <= 0) return err(domainError('event_not_possible', undefined, { status }))
  const minor = amount === undefined ? left : toCurrencyMinorUnits(amount, currency)
  if (minor === null || minor <= 0 || minor > left) return err(domainError('bad_input', 'amount'))
  const whole = fromCurrencyMinorUnits(minor, currency)
  const { code, decimal } = eventContext.settings
  // A wallet is in the settings' currency and its decimals.
  if (currency !== code) return err(domainError('payment_mismatch', 'currency'))
  if (roundAmount(whole, decimal) !== whole) return err(domainError('bad_input', 'amount'))
  const pays = attempt.applied_to === 'booking' ? booking : null
  // A cancellation refunds the amount to the wallet. If the card already has it, the rider would
  // get it twice.
  if (pays && isAllowedFrom('cancel', pays.status))
    return err(domainError('cancel_first', 'booking', { status: pays.status }))
  const from_wallet = isInWallet(attempt, booking)
  if (
    from_wallet &&
    toMinorUnits(payer?.walletBalance ?? 0, decimal) < toMinorUnits(whole, decimal)
  )
    return err(domainError('wallet_too_low', 'amount', { needed: whole }))
  const refund: OpenRefund = {
    id: createRefundId(attempt, request_id),
    amount: whole,
    by,
    at: now,
    state: 'held',
    from_wallet,
    ...(complaint && { reason: complaint.reason }),
  }
  const held = { amount: whole, date: now, txRef: id, reason: 'card_refund' } as const
  return ok({
    refund: refund.id,
    outcome: 'applied',
    updates: {
      ...(from_wallet &&
        payer &&
        buildWalletUpdates(
          payer,
          { [`${id}-${refund.id}-hold`]: { type: 'Debit', ...held } },
          eventContext.settings,
        )),
      ...buildAttemptUpdates(attempt, { refund, refund_due: now + SEND_TIMEOUT_MS }, now),
      ...(booking &&
        !from_wallet &&
        buildWordsUpdate(
          booking,
          toOpenRefundKey(id, refund.id),
          keepWords(booking, { customer: payer }, complaint?.text),
        )),
      // Written before the money moves, so that the sender is known even if this process dies.
      ...buildAuditUpdates(
        attempt,
        {
          by,
          at: now,
          action: 'payment_refund',
          to: { amount: whole, ...(complaint && { reason: complaint.reason }) },
        },
        refund.id,
      ),
    },
    pushes: from_wallet && payer ? [buildRefundPush(payer.id, whole, 'card_refund_started')] : [],
  })
}

/**
 * Returns the time of the next status check of an open refund, at growing intervals; null after the
 * last.
 */
const getNextStatusCheck = ({ at: since }: OpenRefund, now: number): number | null => {
  const age = now - since
  if (age >= MAX_STATUS_CHECK_AGE_MS) return null
  return now + Math.round(Math.min(Math.max(age / 2, MINUTE_MS), 6 * HOUR_MS))
}

/**
 * Moves an open refund to a state. Returns nothing when this refund is not open, or the state
 * cannot follow.
 */
export const advanceRefund = (
  attempt: PaymentAttempt | null,
  id: string,
  state: RefundState,
  now: number,
  { canAsk: canFetchStatus = true }: { canAsk?: boolean } = {},
): PaymentChange => {
  const open = attempt?.refund
  if (!attempt || open?.id !== id) return noChange('ignored')
  if (!NEXT_REFUND_STATES[open.state].includes(state)) return noChange('ignored')
  const due = state === 'sent' ? now + SEND_TIMEOUT_MS : getNextStatusCheck(open, now)
  const isLate = state === 'unknown' || (state === 'pending' && now - open.at > LATE_AFTER_MS)
  return {
    outcome: 'applied',
    updates: buildAttemptUpdates(
      attempt,
      {
        refund: { ...open, state },
        refund_due: canFetchStatus ? due : null,
        ...(isLate && !attempt.problem && { problem: 'refund_unknown' as const }),
        ...(!isLate && attempt.problem === 'refund_unknown' && { problem: null }),
      },
      now,
    ),
    pushes: [],
  }
}

/**
 * Ends a refund that the provider refused or that was never sent. The held amount returns to the
 * wallet in the same update.
 */
const buildFailedRefund = (
  attempt: PaymentAttempt,
  open: OpenRefund,
  {
    booking,
    payer,
    eventContext: { settings },
  }: Pick<PaymentContext, 'booking' | 'payer' | 'eventContext'>,
  settlement: Settlement,
  now: number,
): Pick<PaymentChange, 'updates' | 'pushes'> => {
  const { id, currency, ref = '' } = attempt
  const { amount } = open
  const problem = currency === settings.code ? 'payer_gone' : 'currency_mismatch'
  const creditedPayer = open.from_wallet && currency === settings.code ? payer : null
  const reason = 'card_refund_failed'
  const entry = { type: 'Credit', amount, date: now, txRef: id, reason } as const
  return {
    updates: {
      ...(creditedPayer &&
        buildWalletUpdates(creditedPayer, { [`${id}-${open.id}-back`]: entry }, settings)),
      ...buildSettledRefundUpdates(attempt, open, { ...settlement, state: 'refused' }, now),
      ...removeOpenWords(booking, id, open.id),
      ...buildAttemptUpdates(
        attempt,
        {
          ...clearRefundFields(attempt),
          // Without a wallet to receive it, the back office decides.
          ...(open.from_wallet &&
            !creditedPayer && {
              problem,
              parked: { amount, currency, ref, at: now },
            }),
        },
        now,
      ),
    },
    pushes: creditedPayer ? [buildRefundPush(creditedPayer.id, amount, reason)] : [],
  }
}

/**
 * Moves a held refund to `sent`, or ends it before anything is sent when its money has left in the
 * meantime: the bank took it back, or it was refunded in the provider's dashboard.
 */
export const beginSending = (facts: PaymentContext, id: string, now: number): PaymentChange => {
  const { attempt, booking, eventContext } = facts
  const open = attempt?.refund
  if (!attempt || open?.id !== id || open.state !== 'held') return noChange('ignored')
  const own = toAttemptMinorUnits(attempt, open.amount)
  const left = open.from_wallet
    ? getRemainingMinorUnits(attempt)
    : getRefundableMinorUnits(attempt, booking, eventContext.cardPayments)
  if (own <= left) return advanceRefund(attempt, id, 'sent', now)
  return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, { by: SERVER_UID }, now) }
}

/** Marks an open refund as failed. Returns nothing when this refund is not open. */
export const failRefund = (
  facts: PaymentContext,
  id: string,
  now: number,
  by = SERVER_UID,
): PaymentChange => {
  const { attempt } = facts
  const open = attempt?.refund
  if (!attempt || open?.id !== id) return noChange('ignored')
  return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, { by }, now) }
}

const sumRefunds = (
  listed: readonly ProviderRefund[],
  ...states: ProviderRefund['state'][]
): number =>
  listed.filter(({ state }) => states.includes(state)).reduce((sum, { minor }) => sum + minor, 0)

/**
 * Returns the state of our refund in a provider's list: by its key, or because the total exceeds
 * `known` by its amount; undefined when there is no trace.
 */
export const findRefundState = (
  listed: readonly ProviderRefund[],
  { known, minor, key }: { known: number; minor: number; key: string },
): ProviderRefund['state'] | undefined => {
  const own = listed.find((refund) => refund.key === key)
  if (own) return own.state
  if (sumRefunds(listed, 'done') >= known + minor) return 'done'
  return sumRefunds(listed, 'done', 'pending') >= known + minor ? 'pending' : undefined
}

/**
 * Updates the books from the provider's list of refunds, one step at a time: first our open refund,
 * then refunds made elsewhere. Returns `ignored` when nothing is left to do, possibly with the next
 * status check of an open refund.
 */
export const reconcileRefunds = (
  facts: PaymentContext,
  listed: readonly ProviderRefund[],
  now: number,
): PaymentChange => {
  const { attempt } = facts
  if (!attempt) return noChange('unknown')
  const { gateway, ref = '', currency, refund: open, parked: money } = attempt
  const base = { payment: attempt.id, gateway, currency } as const
  const done = sumRefunds(listed, 'done')
  if (!isPaidStatus(attempt.status)) {
    if (!money) return noChange('too_early')
    if (done === 0) return noChange('ignored')
    const event = { ...base, currency: money.currency, ref: money.ref, minor: done } as const
    return applyRefund(attempt, { ...event, status: 'refunded', isCumulative: true }, facts, now)
  }
  const late = listed.find(({ state, key }) => {
    const id = parseRefundId(attempt, key)
    return state === 'failed' && id && attempt.refunds?.[id]?.state === 'confirmed'
  })
  if (late) {
    const event = { ...base, ref, minor: late.minor, status: 'refund_failed' } as const
    const key = late.key ?? ''
    return applyRefundFailure(attempt, { ...event, refundId: key, key }, facts, now)
  }
  const known = getDeliveredRefunds(attempt)
  const state =
    open && isRefundSent(open)
      ? findRefundState(listed, {
          known,
          minor: toAttemptMinorUnits(attempt, open.amount),
          key: createRefundKey(attempt.id, open.id),
        })
      : undefined
  if (open && state === 'done')
    return { outcome: 'applied', ...settleRefund(attempt, { ours: open, outside: 0 }, facts, now) }
  const isTurnedDown =
    open?.state === 'pending' &&
    !state &&
    // Without keys it is identified by its amount: the provider had it, and now lists it as failed.
    listed.some(
      (one) =>
        one.state === 'failed' &&
        !one.key &&
        one.minor === toAttemptMinorUnits(attempt, open.amount),
    )
  const hasFailed = state === 'failed' || isTurnedDown
  if (open && (hasFailed || (!state && isRefundLost(open, now)))) {
    const settlement = { by: SERVER_UID, ...(hasFailed && { has_failed: true as const }) }
    return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, settlement, now) }
  }
  const outside = done - known
  if (outside > 0) {
    const { updates, pushes } = settleRefund(attempt, { ours: null, outside }, facts, now)
    // Their messages may still come.
    const listed = buildDetailUpdates(attempt, { listed: getListed(attempt) + outside })
    return { outcome: 'applied', updates: { ...updates, ...listed }, pushes }
  }
  if (!open || !isRefundSent(open)) return noChange('ignored')
  const next = state === 'pending' || open.state === 'pending' ? 'pending' : 'unknown'
  return { ...advanceRefund(attempt, open.id, next, now), outcome: 'ignored' }
}

/**
 * Returns true when a refund was lost. One without a trace was never created; one that the provider
 * once had may only be slow to appear.
 */
const isRefundLost = ({ state, at: since }: OpenRefund, now: number): boolean =>
  state !== 'pending' && now - since >= LOST_AFTER_MS

/**
 * Records the back office's decision on a refund whose provider cannot be queried, or does not
 * know. Refused: not_found, already_processed (none is open).
 */
export const resolveRefund = (
  facts: PaymentContext,
  how: 'refunded' | 'not_refunded',
  by: string,
  now: number,
): Result<PaymentChange, DomainError> => {
  const { attempt } = facts
  if (!attempt) return err(domainError('not_found', 'payment_id'))
  const open = attempt.refund
  if (!open || (open.state !== 'unknown' && open.state !== 'pending'))
    return err(domainError('already_processed', 'payment_id'))
  const change =
    how === 'refunded'
      ? settleRefund(attempt, { ours: open, outside: 0 }, facts, now, by)
      : buildFailedRefund(attempt, open, facts, { by }, now)
  const entry = { by, at: now, action: `payment_${how}`, to: { amount: open.amount } }
  return ok({
    outcome: 'applied',
    updates: { ...change.updates, ...buildAuditUpdates(attempt, entry, `${open.id}-${how}`) },
    pushes: change.pushes,
  })
}
