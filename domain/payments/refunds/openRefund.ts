import { isAllowedFrom } from '../../booking/eventPermissions'
import { keepWords, toOpenRefundKey } from '../../booking/eventWords'
import { domainError, type DomainError } from '../../api/errors'
import { SERVER_UID } from '../../data/databasePaths'
import { roundAmount, toMinorUnits } from '../../money/money'
import { err, ok, type Result } from '../../api/result'
import { buildWalletUpdates } from '../../money/wallet'
import {
  NEXT_REFUND_STATES,
  createRefundId,
  type OpenRefund,
  type PaymentAttempt,
  type RefundState,
} from '../paymentAttempt'
import {
  buildAttemptUpdates,
  noChange,
  type PaymentChange,
  type PaymentContext,
} from '../paymentChange'
import { getAttemptAccount, toAttemptMinorUnits } from '../attemptAccount'
import { fromCurrencyMinorUnits, toCurrencyMinorUnits } from '../currencyUnits'
import {
  buildRefundPush,
  getRemainingMinorUnits,
  getUncompensatedMinorUnits,
  isInWallet,
} from '../fundsReversal'
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../language/timeUnits'
import { buildAuditUpdates, buildWordsUpdate, settleRefund, buildFailedRefund } from './settlement'
import type { Complaint } from '../../api/inputFields'
import type { Booking } from '../../booking/types'
import type { MinorUnits } from '../../language/units'

/** After this time a sent request has been answered, or its process is dead. */
const SEND_TIMEOUT_MS = 2 * MINUTE_MS
/**
 * Maximum age at which the provider is queried about a refund; afterwards the back office decides.
 */
const MAX_STATUS_CHECK_AGE_MS = 30 * DAY_MS

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
): MinorUnits => {
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

/** Returns the amount that a refund sends, and whether the payer's wallet has it. */
const checkRefund = (
  attempt: PaymentAttempt,
  amount: number | undefined,
  { booking, payer, eventContext }: Pick<PaymentContext, 'booking' | 'payer' | 'eventContext'>,
): Result<{ whole: number; from_wallet: boolean }, DomainError> => {
  const { status, currency } = attempt
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
  return ok({ whole, from_wallet })
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
  facts: Pick<PaymentContext, 'booking' | 'payer' | 'eventContext'>,
  now: number,
): Result<PaymentChange & { refund: string }, DomainError> => {
  if (!attempt) return err(domainError('not_found', 'payment_id'))
  const checked = checkRefund(attempt, amount, facts)
  if (!checked.ok) return checked
  const { whole, from_wallet } = checked.value
  const { id } = attempt
  const { booking, payer, eventContext } = facts
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
          keepWords(booking, { customer: payer, driver: undefined }, complaint?.text),
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
  {
    id,
    state,
    canFetchStatus = true,
  }: { id: string; state: RefundState; canFetchStatus?: boolean },
  now: number,
): PaymentChange => {
  const open = attempt?.refund
  if (!attempt || open?.id !== id) return noChange('ignored')
  if (!NEXT_REFUND_STATES[open.state].includes(state)) return noChange('ignored')
  const due = state === 'sent' ? now + SEND_TIMEOUT_MS : getNextStatusCheck(open, now)
  return {
    outcome: 'applied',
    updates: buildAttemptUpdates(
      attempt,
      { refund: { ...open, state }, refund_due: canFetchStatus ? due : null },
      now,
    ),
    pushes: [],
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
  if (own <= left) return advanceRefund(attempt, { id, state: 'sent' }, now)
  return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, { by: SERVER_UID, now }) }
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
  return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, { by, now }) }
}

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
      ? settleRefund(attempt, { ours: open, outside: 0, by }, facts, now)
      : buildFailedRefund(attempt, open, facts, { by, now })
  const entry = { by, at: now, action: `payment_${how}`, to: { amount: open.amount } }
  return ok({
    outcome: 'applied',
    updates: { ...change.updates, ...buildAuditUpdates(attempt, entry, `${open.id}-${how}`) },
    pushes: change.pushes,
  })
}
