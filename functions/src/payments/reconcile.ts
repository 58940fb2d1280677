import type { PaymentAttempt } from '~/domain/payments/attempt'
import { CHECKOUT_HOURS } from '~/domain/payments/attempt'
import type { Ports } from '../definition'
import { logPaymentFault } from '../logs'
import { askedOf } from './visits'

const MINUTE = 60_000
/** A message that is so late is asked for. */
const ASK_AFTER_MINUTES = 5
/** What was on its way for so long is not waited for any more; if it comes after all, it is taken. */
const PENDING_DAYS = 7
const BATCH = 200

type Desk = Pick<Ports, 'db' | 'payments'>

/** What one reconciliation did: attempts' ids. */
export interface Reconciled {
  settled: string[]
  ended: string[]
}

/**
 * Asks providers about attempts whose messages are overdue, and ends those nobody can open any more. Safe to run twice at
 * once: what a provider says is applied once.
 */
export const reconcilePayments = async (desk: Desk, now: number): Promise<Reconciled> => {
  const waiting = await Promise.all(
    (['pending', 'created'] as const).map((status) =>
      desk.db.list<Omit<PaymentAttempt, 'id'>>('payments', {
        by: 'status',
        equalTo: status,
        first: BATCH,
      }),
    ),
  )
  const done: Reconciled = { settled: [], ended: [] }
  for (const [id, fields] of waiting.flat()) {
    const attempt: PaymentAttempt = { ...fields, id }
    const age = now - attempt.createdAt
    if (age < ASK_AFTER_MINUTES * MINUTE || attempt.problem) continue
    if (await asked(desk, attempt)) done.settled.push(id)
    else if (age > patienceFor(attempt) && (await ended(desk, attempt))) done.ended.push(id)
  }
  return done
}

const asked = async ({ payments }: Desk, attempt: PaymentAttempt): Promise<boolean> => {
  try {
    const event = await payments.adapter(attempt.gateway)?.ask?.(askedOf(attempt))
    return event ? (await payments.receive(event)) === 'applied' : false
  } catch (error) {
    logPaymentFault(attempt.gateway, error)
    return false
  }
}

const patienceFor = ({ status }: PaymentAttempt): number =>
  (status === 'created' ? CHECKOUT_HOURS : PENDING_DAYS * 24) * 60 * MINUTE

const ended = ({ payments }: Desk, attempt: PaymentAttempt): Promise<boolean> =>
  payments.change(attempt, { status: 'cancelled' })
