import { apply } from '../booking/apply'
import type { Actor, InputOf, Push, Value, World } from '../booking/change'
import { plain } from '../booking/draft'
import type { Booking } from '../entities'
import { sum } from '../money'
import { at, SERVER_UID } from '../paths'
import { topUp, walletUpdates } from '../wallet'
import type { PaymentAttempt, PaymentEvent, PaymentProblem, PaymentStatus } from './attempt'
import { eventKey, isPaid, NEXT_STATUS } from './attempt'
import { amountOf, exponentOf, minorOf } from './currency'

/** What the caller read before asking. */
export interface PaymentFacts {
  attempt: PaymentAttempt | null
  /** Whether this very event was taken before. */
  seen: boolean
  /** The attempt's booking and the world its `pay` looks at; null for the wallet. */
  booking: Booking | null
  world: World
  payerExists: boolean
}

export type PaymentOutcome =
  /** It was done now. */
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
  updates: Record<string, Value>
  pushes: Push[]
}

const SYSTEM: Actor = { uid: SERVER_UID, role: 'system' }
const nothing = (outcome: PaymentOutcome): PaymentChange => ({ outcome, updates: {}, pushes: [] })

type Fields = Partial<Omit<PaymentAttempt, 'id' | 'revision' | 'updatedAt' | 'problem'>> & {
  problem?: PaymentProblem | null
}

/** The attempt's own part of a change: fields, revision, moment. */
export const attemptUpdates = (
  { id, revision }: Pick<PaymentAttempt, 'id' | 'revision'>,
  fields: Fields,
  now: number,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries({ ...fields, revision: revision + 1, updatedAt: now })
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [
        `${at.payment(id)}/${field}`,
        typeof value === 'object' && value !== null ? plain(value) : (value as Value),
      ]),
  )

const remembered = (event: PaymentEvent, now: number): Record<string, Value> => ({
  [`payment_events/${eventKey(event)}`]: {
    payment: event.payment,
    gateway: event.gateway,
    amount: amountOf(Math.max(0, event.minor), event.currency),
    currency: event.currency,
    at: now,
    ref: event.ref,
    status: event.status,
  },
})

/** The attempt moves to a status, or nothing happens because it can't follow. */
const moved = (attempt: PaymentAttempt, event: PaymentEvent, to: PaymentStatus, now: number) =>
  NEXT_STATUS[attempt.status].includes(to)
    ? {
        outcome: 'applied' as const,
        updates: { ...attemptUpdates(attempt, { status: to }, now), ...remembered(event, now) },
        pushes: [],
      }
    : nothing('ignored')

const parked = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  problem: PaymentProblem,
  now: number,
): PaymentChange => {
  const { currency, ref, minor } = event
  const status = attempt.status === 'created' ? 'pending' : attempt.status
  const money = { amount: amountOf(minor, currency), currency, ref, at: now }
  return {
    outcome: 'parked',
    updates: {
      ...attemptUpdates(attempt, { status, problem, parked: money }, now),
      ...remembered(event, now),
    },
    pushes: [],
  }
}

/** The booking event a paid attempt asks for. */
export const payInput = (attempt: PaymentAttempt): InputOf<'pay'> => ({
  event: 'pay',
  payment: {
    id: attempt.id,
    gateway: attempt.gateway,
    amount: attempt.amount,
    currency: attempt.currency,
  },
  promo: attempt.promo,
  usedWalletMoney: attempt.details?.usedWalletMoney,
})

/** What the money does: pays the booking if it still can be, else it is its payer's. */
const spent = (
  attempt: PaymentAttempt,
  { booking, world }: PaymentFacts,
  now: number,
): { updates: Record<string, Value>; pushes: Push[]; fields: Fields } => {
  const paid =
    attempt.kind === 'booking' ? apply(booking, payInput(attempt), SYSTEM, world, now) : null
  if (paid?.ok) {
    const { updates, pushes } = paid.value
    return { updates, pushes, fields: { applied_to: 'booking' } }
  }
  const { updates, pushes } = topUp({ id: attempt.uid }, attempt, now)
  return {
    updates,
    pushes,
    fields: { applied_to: 'wallet', ...(paid && { applied_because: paid.error.key }) },
  }
}

const receivePaid = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  facts: PaymentFacts,
  now: number,
): PaymentChange => {
  if (isPaid(attempt.status))
    return attempt.ref === event.ref
      ? nothing('duplicate')
      : parked(attempt, event, 'paid_twice', now)
  if (event.currency !== attempt.currency) return parked(attempt, event, 'currency_mismatch', now)
  if (event.minor !== minorOf(attempt.amount, attempt.currency))
    return parked(attempt, event, 'amount_mismatch', now)
  if (!facts.payerExists) return parked(attempt, event, 'payer_gone', now)
  const { updates, pushes, fields } = spent(attempt, facts, now)
  return {
    outcome: 'applied',
    updates: {
      ...updates,
      ...attemptUpdates(
        attempt,
        {
          ...fields,
          status: 'paid',
          ref: event.ref,
          ...(event.handle && !attempt.checkout_ref && { checkout_ref: event.handle }),
        },
        now,
      ),
      ...remembered(event, now),
    },
    pushes,
  }
}

/** Whether a paid attempt's money is in its payer's wallet: a top-up, a late payment, or given back by cancelling. */
export const isInWallet = (
  { applied_to }: Pick<PaymentAttempt, 'applied_to'>,
  booking: Pick<Booking, 'status'> | null,
): boolean => applied_to === 'wallet' || booking?.status === 'CANCELLED'

/**
 * Money that went back to the card leaves the wallet it is in, which may go below zero. From a booking that goes on,
 * nobody's wallet can give it.
 */
const receiveRefund = (
  attempt: PaymentAttempt,
  event: PaymentEvent,
  { booking, payerExists }: PaymentFacts,
  now: number,
): PaymentChange => {
  if (!isPaid(attempt.status)) return nothing('too_early')
  const places = exponentOf(attempt.currency)
  const before = attempt.refunded ?? 0
  const known = minorOf(before, attempt.currency) ?? 0
  const whole = minorOf(attempt.amount, attempt.currency) ?? 0
  const back = event.cumulative ? event.minor - known : event.minor
  if (event.currency !== attempt.currency) return parked(attempt, event, 'currency_mismatch', now)
  if (back <= 0) return nothing('duplicate')
  if (known + back > whole) return parked(attempt, event, 'amount_mismatch', now)
  const amount = amountOf(back, attempt.currency)
  const inWallet = isInWallet(attempt, booking)
  const status = known + back === whole ? 'refunded' : 'partially_refunded'
  const key = `${attempt.id}-refund-${known + back}`
  return {
    outcome: 'applied',
    updates: {
      ...(inWallet && payerExists
        ? walletUpdates(attempt.uid, key, { type: 'Debit', amount, date: now, txRef: attempt.id })
        : {}),
      ...attemptUpdates(
        attempt,
        {
          status,
          refunded: sum([before, amount], places),
          ...(!inWallet && { problem: 'refund_unbalanced' }),
        },
        now,
      ),
      ...remembered(event, now),
    },
    pushes: [],
  }
}

/**
 * All that one proved word of a provider does, as one atomic write: attempt, booking or wallet, and the memory of the
 * event itself. Pure. Never loses money: what can't be applied goes to the payer's wallet, what fits nothing is parked.
 */
export const applyPaymentEvent = (
  event: PaymentEvent,
  facts: PaymentFacts,
  now: number,
): PaymentChange => {
  const { attempt, seen } = facts
  if (!attempt || attempt.gateway !== event.gateway) return nothing('unknown')
  if (seen) return nothing('duplicate')
  switch (event.status) {
    case 'pending':
    case 'failed':
    case 'cancelled':
      return moved(attempt, event, event.status, now)
    case 'paid':
      return receivePaid(attempt, event, facts, now)
    case 'refunded':
      return receiveRefund(attempt, event, facts, now)
    case 'chargeback':
      return {
        outcome: 'parked',
        updates: {
          ...attemptUpdates(attempt, { problem: 'chargeback' }, now),
          ...remembered(event, now),
        },
        pushes: [],
      }
  }
}
