import { DAY_MS } from '../language/timeUnits'
import { getDisputes, hasWaitingDispute } from './disputeRecords'
import { listWaitingParked, PARKED_PROBLEMS, type ParkedMoney } from './parkedMoney'
import {
  isPaidStatus,
  type Dispute,
  type OpenRefund,
  type PaymentAttempt,
  type PaymentProblem,
} from './paymentAttempt'

/** After this time an unfinished refund becomes a problem for the back office. */
const LATE_AFTER_MS = 10 * DAY_MS

/** The parts of an attempt, after a change, that may wait for the back office. */
export interface Waiting {
  parkedMoney: readonly ParkedMoney[]
  disputes: Readonly<Record<string, Dispute>>
  refund: OpenRefund | null | undefined
}

/** A decision about the attempt's problem that does not follow from what waits. */
export interface ProblemDecision {
  /** A problem that the back office must see now. */
  report?: PaymentProblem | undefined
  /** True when the back office has decided about the present problem. */
  isDecided?: boolean | undefined
}

const isRefundLate = (refund: Waiting['refund'], now: number): boolean =>
  refund?.state === 'unknown' || (refund?.state === 'pending' && now - refund.at > LATE_AFTER_MS)

/** Returns the problem of parked money. A chargeback may have taken its place on the attempt. */
const getParkedProblem = (attempt: PaymentAttempt, money: ParkedMoney): PaymentProblem => {
  if (money.problem) return money.problem
  if (money.ref === attempt.ref) return 'refund_failed'
  if (money.currency !== attempt.currency) return 'currency_mismatch'
  return isPaidStatus(attempt.status) ? 'paid_twice' : 'amount_mismatch'
}

/**
 * Returns true when the present problem stays although nothing that waits has it: a chargeback, a
 * refund of more than there was, or a payer who is gone. It stays until the back office has
 * decided, or until money begins to wait. A chargeback also ends with its disputes.
 */
const isProblemKept = (
  attempt: PaymentAttempt,
  { disputes }: Waiting,
  waiting: readonly ParkedMoney[],
): boolean => {
  const { problem } = attempt
  if (!problem || problem === 'dispute_won' || problem === 'refund_unknown') return false
  const before = listWaitingParked(attempt)
  if (PARKED_PROBLEMS.includes(problem) && before.some(({ key }) => key === null)) return false
  if (before.length === 0 && waiting.length > 0) return false
  const earlier = getDisputes(attempt)
  if (!hasWaitingDispute(earlier) && hasWaitingDispute(disputes)) return false
  if (problem !== 'chargeback' || disputes === earlier) return true
  return !hasWaitingDispute(disputes) && hasOpenDispute(disputes)
}

const hasOpenDispute = (disputes: Waiting['disputes']): boolean =>
  Object.values(disputes).some(({ won }) => won === undefined)

/**
 * Returns the problem that the back office has to see after a change, or null, and the parked money
 * that it is about. One problem is shown at a time, and what else waits follows after the decision
 * about it.
 */
export const findProblem = (
  attempt: PaymentAttempt,
  { report, isDecided = false, ...after }: Waiting & ProblemDecision,
  now: number,
): { problem: PaymentProblem | null; money?: ParkedMoney } => {
  if (report) return { problem: report }
  const waiting = listWaitingParked(attempt, after.parkedMoney)
  if (attempt.problem && !isDecided && isProblemKept(attempt, after, waiting))
    return { problem: attempt.problem }
  const [money] = waiting
  if (money) return { problem: getParkedProblem(attempt, money), money }
  if (hasWaitingDispute(after.disputes)) return { problem: 'dispute_won' }
  const wasWon = attempt.problem === 'dispute_won' && !isDecided
  if (wasWon && hasOpenDispute(after.disputes)) return { problem: 'chargeback' }
  return { problem: isRefundLate(after.refund, now) ? 'refund_unknown' : null }
}
