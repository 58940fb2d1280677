import { dbPaths } from '../data/databasePaths'
import { toJson, type DatabaseValue } from '../data/databaseValue'
import {
  escapeKeyPart,
  type ParkedRecord,
  type PaymentAttempt,
  type PaymentProblem,
  type UnmatchedPayment,
} from './paymentAttempt'

/** Parked money of an attempt; its `key` is null while it is the one that the office sees. */
export interface ParkedMoney extends ParkedRecord {
  key: string | null
}

/** Problems of parked money. A payer may be gone without any, so the money has to be there too. */
export const PARKED_PROBLEMS: readonly PaymentProblem[] = [
  'amount_mismatch',
  'currency_mismatch',
  'paid_twice',
  'payer_gone',
  'refund_failed',
]

/** Returns the parked money that the office sees, with its problem and what was refunded of it. */
const getShownParked = ({ parked, problem, details }: PaymentAttempt): ParkedMoney | undefined =>
  parked && {
    ...parked,
    ...(details?.parkedBack && { back: details.parkedBack }),
    ...(problem && PARKED_PROBLEMS.includes(problem) && { problem }),
    key: null,
  }

/** Returns all parked money of an attempt, the record that the office sees first. */
export const listParked = (attempt: PaymentAttempt): ParkedMoney[] => {
  const visibleMoney = getShownParked(attempt)
  const others = Object.entries(attempt.details?.otherParked ?? {})
  return [
    ...(visibleMoney ? [visibleMoney] : []),
    ...others.map(([key, record]) => ({ ...record, key })),
  ]
}

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

/**
 * Returns the parked money about which the office has to decide. `all` is the attempt's parked
 * money after a change.
 */
export const listWaitingParked = (
  attempt: PaymentAttempt,
  all: readonly ParkedMoney[] = listParked(attempt),
): ParkedMoney[] => all.filter((money) => isWaiting(attempt, money))

const createKey = ({ ref, at }: UnmatchedPayment): string => `${escapeKeyPart(ref)}-${at}`

/** Returns the attempt's parked money with more of it, which waits for the office. */
export const addParked = (
  attempt: PaymentAttempt,
  money: UnmatchedPayment,
  problem: PaymentProblem,
): ParkedMoney[] => {
  const all = listParked(attempt)
  // The time is a part of the key of the wallet's entry.
  const at = Math.max(money.at, ...all.map((one) => one.at + 1))
  const parked = { ...money, at }
  return [...all, { ...parked, problem, key: createKey(parked) }]
}

/** Returns the attempt's parked money after a change of one record. */
export const replaceParked = (attempt: PaymentAttempt, changed: ParkedMoney): ParkedMoney[] =>
  listParked(attempt).map((money) => (money.key === changed.key ? changed : money))

const toShown = ({ amount, currency, ref, at, settled }: ParkedMoney): UnmatchedPayment => ({
  ...{ amount, currency, ref, at },
  ...(settled && { settled }),
})

const toRecord = (attempt: PaymentAttempt, money: ParkedMoney): ParkedRecord => {
  if (isWaiting(attempt, money)) {
    const { back, problem } = money
    return { ...toShown(money), ...(back && { back }), ...(problem && { problem }) }
  }
  // Without an outcome, which an earlier release did not record, it would wait again.
  return {
    ...toShown({ ...money, settled: money.settled ?? 'dismissed' }),
    ...(money.back && { back: money.back }),
  }
}

/** Returns the values below the attempt that store its parked money, of which one is visible. */
const toStored = (
  attempt: PaymentAttempt,
  all: readonly ParkedMoney[],
  visibleMoney: ParkedMoney | undefined,
): Record<string, DatabaseValue> => ({
  ...(visibleMoney && { parked: toJson(toShown(visibleMoney)) }),
  ...(visibleMoney?.back && { 'details/parkedBack': visibleMoney.back }),
  ...Object.fromEntries(
    all
      .filter((money) => money !== visibleMoney)
      .map((money) => [
        `details/otherParked/${money.key ?? createKey(money)}`,
        toJson(toRecord(attempt, money)),
      ]),
  ),
})

/**
 * Returns the updates that store the attempt's parked money. The office sees `next`, or the money
 * that it has seen before. All other money stays known, because messages about it may still come.
 */
export const buildParkedUpdates = (
  attempt: PaymentAttempt,
  all: readonly ParkedMoney[],
  next: ParkedMoney | undefined,
): Record<string, DatabaseValue> => {
  const current = listParked(attempt)
  const isShown = ({ key }: ParkedMoney) => key === null
  const before = toStored(attempt, current, current.find(isShown))
  const after = toStored(attempt, all, next ?? all.find(isShown))
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]),
  )
  return Object.fromEntries(
    changes.map((path) => [`${dbPaths.payment(attempt.id)}/${path}`, after[path] ?? null]),
  )
}
