import { dbPaths } from '../data/databasePaths'
import { toJson, type DatabaseValue } from '../data/databaseValue'
import {
  escapeKeyPart,
  type ParkedRecord,
  type PaymentAttempt,
  type PaymentEvent,
  type PaymentProblem,
  type UnmatchedPayment,
} from './paymentAttempt'
import { fromCurrencyMinorUnits } from './currencyUnits'
import {
  buildAttemptUpdates,
  eventRecord,
  type AttemptFieldUpdates,
  type PaymentChange,
} from './paymentChange'

/** Parked money of an attempt; its `key` is null while it is the one that the office sees. */
export interface ParkedMoney extends ParkedRecord {
  key: string | null
}

/** The fields of an attempt and the paths that a change of parked money writes. */
export interface ParkedUpdates {
  fields: AttemptFieldUpdates
  updates: Record<string, DatabaseValue>
}

/** Returns the parked money that the office sees, with what was refunded of it. */
export const getShownParked = (
  { details }: PaymentAttempt,
  parked: UnmatchedPayment,
): ParkedMoney => ({
  ...parked,
  ...(details?.parkedBack && { back: details.parkedBack }),
  key: null,
})

/** Returns all parked money of an attempt, the record that the office sees first. */
export const listParked = (attempt: PaymentAttempt): ParkedMoney[] => [
  ...(attempt.parked ? [getShownParked(attempt, attempt.parked)] : []),
  ...Object.entries(attempt.details?.otherParked ?? {}).map(([key, record]) => ({
    ...record,
    key,
  })),
]

/**
 * Returns the parked money that a message is about: a second or a wrong payment, which was never
 * applied. Undefined for a message about the attempt's own payment.
 */
export const findParked = (
  attempt: PaymentAttempt,
  { ref }: { ref: string },
): ParkedMoney | undefined =>
  ref === attempt.ref ? undefined : listParked(attempt).find((money) => money.ref === ref)

/**
 * Returns true while the office has to decide about parked money. Records of an earlier release
 * have no outcome; there the attempt no longer has a problem.
 */
const isWaiting = ({ problem }: PaymentAttempt, { settled, key }: ParkedMoney): boolean =>
  settled === undefined && (key !== null || problem !== undefined)

/** Returns the parked money about which the office has to decide. */
export const listWaitingParked = (attempt: PaymentAttempt): ParkedMoney[] =>
  listParked(attempt).filter((money) => isWaiting(attempt, money))

const createKey = ({ ref, at }: UnmatchedPayment): string => `${escapeKeyPart(ref)}-${at}`

const getBackPath = ({ id }: PaymentAttempt): string => `${dbPaths.payment(id)}/details/parkedBack`
const getOtherPath = ({ id }: PaymentAttempt, key: string): string =>
  `${dbPaths.payment(id)}/details/otherParked/${key}`

const toShown = ({ amount, currency, ref, at, settled }: ParkedMoney): UnmatchedPayment => ({
  ...{ amount, currency, ref, at },
  ...(settled && { settled }),
})
const toRecord = (money: ParkedMoney): DatabaseValue =>
  toJson({
    ...toShown(money),
    ...(money.back && { back: money.back }),
    ...(money.problem && { problem: money.problem }),
  })

/** Returns the update of parked money, where it is stored. */
export const updateParked = (attempt: PaymentAttempt, money: ParkedMoney): ParkedUpdates =>
  money.key === null
    ? {
        fields: { parked: toShown(money) },
        updates: { [getBackPath(attempt)]: money.back ?? null },
      }
    : { fields: {}, updates: { [getOtherPath(attempt, money.key)]: toRecord(money) } }

/**
 * Parks money for the office. It waits behind money that waits already; settled money makes room
 * for it and stays known, because messages about it may still come.
 */
export const parkMoney = (
  attempt: PaymentAttempt,
  money: UnmatchedPayment,
  problem: PaymentProblem,
): ParkedUpdates => {
  const all = listParked(attempt)
  // The time is a part of the key of the wallet's entry.
  const at = Math.max(money.at, ...all.map((one) => one.at + 1))
  const parked = { ...money, at }
  const [current] = all
  if (!current || current.key !== null)
    return { fields: { problem, parked }, updates: { [getBackPath(attempt)]: null } }
  const queued = { ...parked, problem, key: createKey(parked) }
  if (isWaiting(attempt, current)) return updateParked(attempt, queued)
  return {
    fields: { problem, parked },
    updates: {
      [getBackPath(attempt)]: null,
      [getOtherPath(attempt, createKey(current))]: toRecord(current),
    },
  }
}

/**
 * Shows the office the money that waits next, after a decision about `settled`. Returns the problem
 * that it has then; null when nothing else waits.
 */
export const showNextParked = (
  attempt: PaymentAttempt,
  settled: ParkedMoney,
): ParkedUpdates & { problem: PaymentProblem | null } => {
  const [next] = listWaitingParked(attempt).filter(({ key }) => key !== null && key !== settled.key)
  const own = updateParked(attempt, settled)
  if (!next?.key || settled.key !== null) return { ...own, problem: null }
  const problem = next.problem ?? 'paid_twice'
  return {
    problem,
    fields: { parked: toShown(next) },
    updates: {
      [getBackPath(attempt)]: next.back ?? null,
      [getOtherPath(attempt, next.key)]: null,
      [getOtherPath(attempt, createKey(settled))]: toRecord(settled),
    },
  }
}

/** Parks money that matches nothing for the back office. */
export const recordUnmatched = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  problem: PaymentProblem,
  now: number,
): PaymentChange => {
  const { currency, ref, minor } = event
  const status = attempt.status === 'created' ? 'pending' : attempt.status
  const money = { amount: fromCurrencyMinorUnits(minor, currency), currency, ref, at: now }
  const { fields, updates } = parkMoney(attempt, money, problem)
  return {
    outcome: 'parked',
    updates: {
      ...buildAttemptUpdates(attempt, { status, ...fields }, now),
      ...updates,
      ...eventRecord(event, now),
    },
    pushes: [],
  }
}
