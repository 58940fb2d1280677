import { toJson, type DatabaseValue } from '../data/databaseValue'
import type { PushMessage } from '../booking/eventTypes'
import { dbPaths } from '../data/databasePaths'
import { buildOutboxUpdates } from '../messages/outbox'
import type { Wallet } from '../money/wallet'
import { buildChangedDisputes, getDisputes } from './disputeRecords'
import { buildParkedUpdates, listParked } from './parkedMoney'
import { findProblem, type ProblemDecision, type Waiting } from './paymentProblem'
import type { PaymentAttempt, PaymentEvent } from './paymentAttempt'
import { createEventKey } from './paymentAttempt'
import { fromCurrencyMinorUnits } from './currencyUnits'
import type { EventContext } from '../booking/eventContext'
import type { Booking } from '../booking/types'

/** The data that the caller reads before requesting a decision. */
export interface PaymentContext {
  attempt: PaymentAttempt | null
  /** True when this event was processed before. */
  isAlreadyProcessed: boolean
  /** The attempt's booking and the context of its `pay`; null for the wallet. */
  booking: Booking | null
  eventContext: EventContext
  /** Null when the payer's account is deleted. */
  payer: Wallet | null
}

export type PaymentOutcome =
  /** It was applied now. */
  | 'applied'
  /** It was done before. */
  | 'duplicate'
  /** It says nothing new, or something that can't follow what is known. */
  | 'ignored'
  /** The money fits nothing: the office has to look. */
  | 'parked'
  /** It speaks of what we have not heard of yet: to be said again later. */
  | 'too_early'
  /** No such attempt at this provider. */
  | 'unknown'

export interface PaymentChange {
  outcome: PaymentOutcome
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
}

export const noChange = (outcome: PaymentOutcome): PaymentChange => ({
  outcome,
  updates: {},
  pushes: [],
})

type WithUndefined<T> = { [K in keyof T]?: T[K] | undefined }
/**
 * Fields to write on an attempt: undefined leaves a field alone, null removes it. The problem is
 * not among them: it follows from the parked money, the disputes and the refund afterwards.
 */
export type AttemptFieldUpdates = WithUndefined<
  Omit<
    PaymentAttempt,
    'id' | 'revision' | 'updatedAt' | 'problem' | 'parked' | 'refund' | 'refund_due'
  >
> & {
  [K in 'refund' | 'refund_due']?: PaymentAttempt[K] | null
} & WithUndefined<Pick<Waiting, 'parkedMoney' | 'disputes'>> &
  ProblemDecision

/** Returns the message that tells the office of a problem. */
const buildProblemMessage = ({ id, revision, uid }: PaymentAttempt, now: number) =>
  buildOutboxUpdates({
    scope: `${id}-${revision + 1}`,
    event: 'payment_review',
    audience: 'office',
    by: uid,
    params: { payment: id },
    at: now,
    now,
  })

/**
 * Returns the attempt's part of a change: fields, parked money, disputes, problem, revision and
 * time. A new problem also sends a message to the office. Nothing else writes `problem`.
 */
export const buildAttemptUpdates = (
  attempt: PaymentAttempt,
  { parkedMoney, disputes, report, isDecided, ...fields }: AttemptFieldUpdates,
  now: number,
): Record<string, DatabaseValue> => {
  const { id, revision } = attempt
  const after: Waiting = {
    parkedMoney: parkedMoney ?? listParked(attempt),
    disputes: disputes ?? getDisputes(attempt),
    refund: fields.refund === undefined ? attempt.refund : fields.refund,
  }
  const { problem, money } = findProblem(attempt, { ...after, report, isDecided }, now)
  const isChanged = problem !== (attempt.problem ?? null)
  const isNext = money !== undefined && money.key !== null
  const ownFields = { ...fields, ...(isChanged && { problem }), revision: revision + 1 }
  return {
    ...Object.fromEntries(
      Object.entries({ ...ownFields, updatedAt: now })
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [
          `${dbPaths.payment(id)}/${field}`,
          typeof value === 'object' && value !== null ? toJson(value) : (value as DatabaseValue),
        ]),
    ),
    ...buildParkedUpdates(attempt, after.parkedMoney, money),
    ...buildChangedDisputes(attempt, after.disputes),
    ...(problem !== null &&
      (isChanged || isNext || report !== undefined) &&
      buildProblemMessage(attempt, now)),
  }
}

/**
 * Returns the update of parts of the account that are details, in minor units. The attempt's own
 * part of the change has its next revision.
 */
export const buildDetailUpdates = (
  { id, currency }: Pick<PaymentAttempt, 'id' | 'currency'>,
  details: { uncovered?: number; undelivered?: number; listed?: number },
): Record<string, DatabaseValue> =>
  Object.fromEntries(
    Object.entries(details).map(([name, minor]) => [
      `${dbPaths.payment(id)}/details/${name}`,
      fromCurrencyMinorUnits(minor, currency),
    ]),
  )

/** Returns the record of an event under its own key, which the database accepts only once. */
export const eventRecord = (event: PaymentEvent, now: number): Record<string, DatabaseValue> => ({
  [`payment_events/${createEventKey(event)}`]: {
    payment: event.payment,
    gateway: event.gateway,
    amount: fromCurrencyMinorUnits(Math.max(0, event.minor), event.currency),
    currency: event.currency,
    at: now,
    ref: event.ref,
    status: event.status,
  },
})
