import type { PaymentAttempt } from '~/domain/payments/attempt'
import { CHECKOUT_HOURS } from '~/domain/payments/attempt'
import type { Ports } from '../definition'
import { logPaymentFault } from '../logs'
import { pagesOf } from '../ports/database'
import { askedOf } from './visits'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A message that is so late is asked for. */
const ASK_AFTER_MINUTES = 5
/** What was on its way for so long is not waited for any more; if it comes after all, it is taken. */
const PENDING_DAYS = 7
const PAGE = 200
/** Providers are asked about so many at a time, and no new question is begun after so long: other work waits behind it. */
const AT_ONCE = 8
const ASKING_MS = 20_000

type Desk = Pick<Ports, 'db' | 'payments'>

/** What one reconciliation did: attempts' ids. */
export interface Reconciled {
  settled: string[]
  ended: string[]
}

const untilLate = (): (() => boolean) => {
  const start = Date.now()
  return () => Date.now() - start < ASKING_MS
}

/**
 * Asks providers about attempts whose messages are overdue, where they can be asked, and ends those nobody can open any
 * more. Safe to run twice at once: what a provider says is applied once. What there is no time for is the next minute's.
 */
export const reconcilePayments = async (
  desk: Desk,
  now: number,
  hasTime: () => boolean = untilLate(),
): Promise<Reconciled> => {
  const done: Reconciled = { settled: [], ended: [] }
  for (const status of ['pending', 'created'] as const)
    for await (const page of attemptsIn(desk, status)) {
      const due = page.filter((attempt) => !attempt.problem && isDue(attempt, now))
      for (let at = 0; at < due.length; at += AT_ONCE) {
        if (!hasTime()) return done
        await Promise.all(due.slice(at, at + AT_ONCE).map((each) => settle(desk, each, now, done)))
      }
    }
  return done
}

const attemptsIn = async function* ({ db }: Desk, status: PaymentAttempt['status']) {
  const query = { by: 'status', equalTo: status }
  for await (const page of pagesOf<Omit<PaymentAttempt, 'id'>>(db, 'payments', query, PAGE))
    yield page.map(([id, fields]): PaymentAttempt => ({ ...fields, id }))
}

const patienceFor = ({ status }: PaymentAttempt): number =>
  status === 'created' ? CHECKOUT_HOURS * HOUR : PENDING_DAYS * 24 * HOUR

/** Each minute of the first half hour, each half hour of the first day, then four times a day; and once more at its end. */
const isDue = (attempt: PaymentAttempt, now: number): boolean => {
  const age = now - attempt.createdAt
  if (age < ASK_AFTER_MINUTES * MINUTE) return false
  if (age < HOUR / 2 || age > patienceFor(attempt)) return true
  const every = age < 24 * HOUR ? HOUR / 2 : 6 * HOUR
  return Math.floor(age / every) > Math.floor((age - MINUTE) / every)
}

const settle = async (
  desk: Desk,
  attempt: PaymentAttempt,
  now: number,
  done: Reconciled,
): Promise<void> => {
  if (await asked(desk, attempt)) done.settled.push(attempt.id)
  else if (now - attempt.createdAt > patienceFor(attempt) && (await ended(desk, attempt)))
    done.ended.push(attempt.id)
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

const ended = ({ payments }: Desk, attempt: PaymentAttempt): Promise<boolean> =>
  payments.change(attempt, { status: 'cancelled' })
