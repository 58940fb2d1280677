import { SERVER_UID } from '../../data/databasePaths'
import {
  isPaidStatus,
  createRefundKey,
  type OpenRefund,
  type PaymentAttempt,
} from '../paymentAttempt'
import {
  buildDetailUpdates,
  noChange,
  type PaymentChange,
  type PaymentContext,
} from '../paymentChange'
import { getDeliveredRefunds, getListed, toAttemptMinorUnits } from '../attemptAccount'
import { HOUR_MS } from '../../language/timeUnits'
import { settleRefund, buildFailedRefund, isRefundSent, parseRefundId } from './settlement'
import { applyRefund, applyRefundFailure } from './refundMessages'
import { advanceRefund } from './openRefund'
import type { MinorUnits } from '../../language/units'

/** When a provider shows no trace of a refund for this time, it never received it. */
const LOST_AFTER_MS = HOUR_MS

/** One refund as its provider lists it, created by us or in its dashboard. */
export interface ProviderRefund {
  minor: MinorUnits
  state: 'done' | 'pending' | 'failed'
  /** Our key, when the provider stores it. */
  key?: string
}

const sumRefunds = (
  providerRefunds: readonly ProviderRefund[],
  ...states: ProviderRefund['state'][]
): number =>
  providerRefunds
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { minor }) => sum + minor, 0)

/**
 * Returns the state of our refund in a provider's list: by its key, or because the total exceeds
 * `knownTotal` by its amount; undefined when there is no trace.
 */
export const findRefundState = (
  providerRefunds: readonly ProviderRefund[],
  { knownTotal, minor, key }: { knownTotal: number; minor: MinorUnits; key: string },
): ProviderRefund['state'] | undefined => {
  const own = providerRefunds.find((refund) => refund.key === key)
  if (own) return own.state
  if (sumRefunds(providerRefunds, 'done') >= knownTotal + minor) return 'done'
  return sumRefunds(providerRefunds, 'done', 'pending') >= knownTotal + minor
    ? 'pending'
    : undefined
}

/** Returns the refund that the provider lists as failed after it was confirmed. */
const findLateFailure = (attempt: PaymentAttempt, providerRefunds: readonly ProviderRefund[]) =>
  providerRefunds.find(({ state, key }) => {
    const id = parseRefundId(attempt, key)
    return state === 'failed' && id && attempt.refunds?.[id]?.state === 'confirmed'
  })

/** Returns what the provider's list says of our open refund; undefined when it has no trace. */
const findOpenState = (
  attempt: PaymentAttempt,
  open: OpenRefund,
  providerRefunds: readonly ProviderRefund[],
): ProviderRefund['state'] | undefined => {
  const minor = toAttemptMinorUnits(attempt, open.amount)
  const key = createRefundKey(attempt.id, open.id)
  const knownTotal = getDeliveredRefunds(attempt)
  const state = isRefundSent(open)
    ? findRefundState(providerRefunds, { knownTotal, minor, key })
    : undefined
  // Without keys it is identified by its amount: the provider had it, and now lists it as failed.
  const isTurnedDown =
    open.state === 'pending' &&
    providerRefunds.some((one) => one.state === 'failed' && !one.key && one.minor === minor)
  return state ?? (isTurnedDown ? 'failed' : undefined)
}

/** Updates the books of an attempt that is not paid: only parked money can have been refunded. */
const reconcileUnpaid = (
  attempt: PaymentAttempt,
  refundedTotal: number,
  facts: PaymentContext,
  now: number,
): PaymentChange => {
  const { id, gateway, parked: money } = attempt
  if (!money) return noChange('too_early')
  if (refundedTotal === 0) return noChange('ignored')
  const { currency, ref } = money
  const event = { payment: id, gateway, currency, ref, minor: refundedTotal } as const
  return applyRefund(attempt, { ...event, status: 'refunded', isCumulative: true }, facts, now)
}

/**
 * Updates the books from the provider's list of refunds, one step at a time: first our open refund,
 * then refunds made elsewhere. Returns `ignored` when nothing is left to do, possibly with the next
 * status check of an open refund.
 */
export const reconcileRefunds = (
  facts: PaymentContext,
  providerRefunds: readonly ProviderRefund[],
  now: number,
): PaymentChange => {
  const { attempt } = facts
  if (!attempt) return noChange('unknown')
  const { id: payment, gateway, ref = '', currency, refund: open } = attempt
  const refundedTotal = sumRefunds(providerRefunds, 'done')
  if (!isPaidStatus(attempt.status)) return reconcileUnpaid(attempt, refundedTotal, facts, now)
  const late = findLateFailure(attempt, providerRefunds)
  if (late) {
    const { minor, key = '' } = late
    const event = { payment, gateway, currency, ref, minor, status: 'refund_failed' } as const
    return applyRefundFailure(attempt, { ...event, refundId: key, key }, facts, now)
  }
  const state = open && findOpenState(attempt, open, providerRefunds)
  if (open && state === 'done')
    return { outcome: 'applied', ...settleRefund(attempt, { ours: open, outside: 0 }, facts, now) }
  const hasFailed = state === 'failed'
  if (open && (hasFailed || (!state && isRefundLost(open, now)))) {
    const settlement = { by: SERVER_UID, now, ...(hasFailed && { has_failed: true as const }) }
    return { outcome: 'applied', ...buildFailedRefund(attempt, open, facts, settlement) }
  }
  const outside = refundedTotal - getDeliveredRefunds(attempt)
  if (outside > 0) {
    const { updates, pushes } = settleRefund(attempt, { ours: null, outside }, facts, now)
    // Their messages may still come.
    const details = buildDetailUpdates(attempt, { listed: getListed(attempt) + outside })
    return { outcome: 'applied', updates: { ...updates, ...details }, pushes }
  }
  if (!open || !isRefundSent(open)) return noChange('ignored')
  const next = state === 'pending' || open.state === 'pending' ? 'pending' : 'unknown'
  return { ...advanceRefund(attempt, { id: open.id, state: next }, now), outcome: 'ignored' }
}

/**
 * Returns true when a refund was lost. One without a trace was never created; one that the provider
 * once had may only be slow to appear.
 */
const isRefundLost = ({ state, at: since }: OpenRefund, now: number): boolean =>
  state !== 'pending' && now - since >= LOST_AFTER_MS
