import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { CHECKOUT_EXPIRY_HOURS } from '~/domain/payments/paymentAttempt'
import { HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { logProviderError } from '../../logs'
import { iteratePages } from '../../ports/database'
import { createTimeBudget } from '../jobs/timeBudget'
import { toPaymentRef, resumeRefund } from './refunds'
import type { Ports } from '../../ports/ports'
import type { Milliseconds } from '~/domain/language/units'

/** Minutes after which we query the provider about a missing message. */
const CHECK_AFTER_MINUTES = 5
/**
 * Days after which we stop waiting for a pending payment. If the payment arrives later, it still
 * counts.
 */
const MAX_PENDING_DAYS = 7
const PAGE_SIZE = 200
/**
 * Maximum number of concurrent queries to providers. No new query starts after the time limit,
 * because other work is waiting.
 */
const MAX_CONCURRENT = 8
const STATUS_CHECK_BUDGET_MS = 20_000
/** Maximum number of open refunds checked per minute; the next run checks the others. */
const MAX_REFUNDS = 100
const REFUND_CHECK_BUDGET_MS = 10_000

type ReconciliationPorts = Pick<Ports, 'db' | 'payments'>

/** The attempts' ids by result. `settled` includes attempts whose refund now has an outcome. */
export interface ReconciliationResult {
  settled: string[]
  ended: string[]
}

/**
 * Queries providers about attempts whose messages are overdue, if they have a status API, and
 * expires attempts that can no longer be paid. Safe to run twice at once: each provider result
 * applies once. The next run does what this one has no time for.
 */
export const reconcilePayments = async (
  ports: ReconciliationPorts,
  now: number,
  hasTime: () => boolean = createTimeBudget(STATUS_CHECK_BUDGET_MS),
): Promise<ReconciliationResult> => {
  const result: ReconciliationResult = { settled: [], ended: [] }
  await resumeRefunds(ports, now, result)
  for (const status of ['pending', 'created'] as const)
    for await (const page of iterateAttempts(ports, status)) {
      const due = page.filter((attempt) => !attempt.problem && isStatusCheckDue(attempt, now))
      for (let at = 0; at < due.length; at += MAX_CONCURRENT) {
        if (!hasTime()) return result
        await Promise.all(
          due
            .slice(at, at + MAX_CONCURRENT)
            .map((each) => reconcileAttempt(ports, each, now, result)),
        )
      }
    }
  return result
}

/** Resumes the open refunds that are due. The number of queries is stored with each refund. */
const resumeRefunds = async (
  ports: ReconciliationPorts,
  now: number,
  result: ReconciliationResult,
): Promise<void> => {
  const hasTime = createTimeBudget(REFUND_CHECK_BUDGET_MS)
  const query = { by: 'refund_due', startAt: 1, endAt: now, first: MAX_REFUNDS }
  const due = await ports.db.list<Omit<PaymentAttempt, 'id'>>('payments', query)
  for (let at = 0; at < due.length && hasTime(); at += MAX_CONCURRENT)
    await Promise.all(
      due.slice(at, at + MAX_CONCURRENT).map(async ([id, fields]) => {
        try {
          if (await resumeRefund(ports, { ...fields, id })) result.settled.push(id)
        } catch (error) {
          // One refund that can't be written must not delay the others.
          logProviderError(fields.gateway, error)
        }
      }),
    )
}

const iterateAttempts = async function* (
  { db }: ReconciliationPorts,
  status: PaymentAttempt['status'],
) {
  const query = { by: 'status', equalTo: status }
  for await (const page of iteratePages<Omit<PaymentAttempt, 'id'>>(
    db,
    'payments',
    query,
    PAGE_SIZE,
  ))
    yield page.map(([id, fields]): PaymentAttempt => ({ ...fields, id }))
}

const getMaxAgeMs = ({ status }: PaymentAttempt): Milliseconds =>
  status === 'created' ? CHECKOUT_EXPIRY_HOURS * HOUR_MS : MAX_PENDING_DAYS * 24 * HOUR_MS

/**
 * Returns true when a check is due: every minute in the first half hour, every half hour on the
 * first day, four times a day after that, and always past the attempt's maximum age.
 */
const isStatusCheckDue = (attempt: PaymentAttempt, now: number): boolean => {
  const age = now - attempt.createdAt
  if (age < CHECK_AFTER_MINUTES * MINUTE_MS) return false
  if (age < HOUR_MS / 2 || age > getMaxAgeMs(attempt)) return true
  const every = age < 24 * HOUR_MS ? HOUR_MS / 2 : 6 * HOUR_MS
  return Math.floor(age / every) > Math.floor((age - MINUTE_MS) / every)
}

const reconcileAttempt = async (
  ports: ReconciliationPorts,
  attempt: PaymentAttempt,
  now: number,
  result: ReconciliationResult,
): Promise<void> => {
  if (await applyFetchedStatus(ports, attempt)) result.settled.push(attempt.id)
  else if (now - attempt.createdAt > getMaxAgeMs(attempt) && (await cancelAttempt(ports, attempt)))
    result.ended.push(attempt.id)
}

const applyFetchedStatus = async (
  { payments }: ReconciliationPorts,
  attempt: PaymentAttempt,
): Promise<boolean> => {
  try {
    const event = await payments.getAdapter(attempt.gateway)?.fetchStatus?.(toPaymentRef(attempt))
    return event ? (await payments.applyEvent(event)) === 'applied' : false
  } catch (error) {
    logProviderError(attempt.gateway, error)
    return false
  }
}

const cancelAttempt = (
  { payments }: ReconciliationPorts,
  attempt: PaymentAttempt,
): Promise<boolean> => payments.updateAttempt(attempt, { status: 'cancelled' })
