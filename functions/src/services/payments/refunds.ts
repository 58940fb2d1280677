import {
  isPaidStatus,
  createRefundKey,
  type PaymentAttempt,
} from '~/domain/payments/paymentAttempt'
import type { PaymentChange, PaymentContext, PaymentOutcome } from '~/domain/payments/paymentChange'
import { getDeliveredRefunds } from '~/domain/payments/attemptAccount'
import { toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { advanceRefund, beginSending, failRefund } from '~/domain/payments/refunds/openRefund'
import { reconcileRefunds, type ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { ok } from '~/domain/api/result'
import { logProviderError } from '../../logs'
import { unwrap } from '../../domainException'
import type { PaymentRef } from '../../ports/paymentAdapter'
import { ProviderError, ProviderRejectedError } from '../../ports/paymentAdapter'
import { readAttempt } from './paymentService'
import type { Ports } from '../../ports/ports'

type RefundPorts = Pick<Ports, 'db' | 'payments'>

/**
 * Maximum number of steps for a refund list: the open refund, a returned one, and refunds made
 * elsewhere.
 */
const MAX_STEPS = 4

export const toPaymentRef = (attempt: PaymentAttempt): PaymentRef => {
  const { id, amount, currency, checkout_ref, ref, refund, parked } = attempt
  // A parked payment was never applied, so only the event has its number.
  const paidAs = ref ?? parked?.ref
  return {
    payment: id,
    minor: toCurrencyMinorUnits(amount, currency) ?? 0,
    currency,
    ...(checkout_ref && { checkout_ref }),
    ...(paidAs && { ref: paidAs }),
    refunded: getDeliveredRefunds(attempt),
    ...(refund && { refund_key: createRefundKey(id, refund.id) }),
    createdAt: attempt.createdAt,
  }
}

const isValidRefund = ({ minor }: ProviderRefund): boolean =>
  Number.isSafeInteger(minor) && minor >= 0

/** Writes a decision about a payment. Refund decisions can't be refused at this stage. */
const commitChange = async (
  { payments }: RefundPorts,
  id: string,
  how: (facts: PaymentContext, now: number) => PaymentChange,
): Promise<PaymentOutcome> =>
  unwrap(await payments.commitDecision(id, (facts, now) => ok(how(facts, now))))

/** Returns true when a provider can list the refunds of a payment. */
const canListRefunds = ({ payments }: RefundPorts, { gateway }: PaymentAttempt): boolean =>
  payments.getAdapter(gateway)?.listRefunds !== undefined

/**
 * Queries the provider for a payment's refunds and updates our records to match. Safe to run twice
 * at once. With a `gateway`, handles only a payment of that provider. Throws `ProviderError` when
 * the query fails.
 */
export const applyProviderRefunds = async (
  ports: RefundPorts,
  id: string,
  gateway?: string,
): Promise<PaymentOutcome> => {
  const attempt = await readAttempt(ports.db, id)
  if (!attempt || (gateway !== undefined && attempt.gateway !== gateway)) return 'unknown'
  if (!isPaidStatus(attempt.status) && !attempt.parked) return 'too_early'
  const providerRefunds = await ports.payments
    .getAdapter(attempt.gateway)
    ?.listRefunds?.(toPaymentRef(attempt))
  if (!providerRefunds) return 'ignored'
  if (!providerRefunds.every(isValidRefund))
    throw new ProviderError(
      'A refund has no readable amount. Check it in the provider’s dashboard.',
    )
  let outcome: PaymentOutcome = 'ignored'
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = await commitChange(ports, id, (facts, now) =>
      reconcileRefunds(facts, providerRefunds, now),
    )
    if (next !== 'applied' && next !== 'parked') break
    outcome = next
  }
  return outcome
}

/**
 * Sends a refund that was started and records the outcome. After an interruption, the refund stays
 * in its last written state and the scheduled job resumes it. Throws `ProviderRejectedError` when
 * the provider refused; the money is then back in its place.
 */
export const sendRefund = async (ports: RefundPorts, id: string, refund: string): Promise<void> => {
  const { db, payments } = ports
  const sendOutcome = await commitChange(ports, id, (facts, now) =>
    beginSending(facts, refund, now),
  )
  const attempt = await readAttempt(db, id)
  // The scheduled job has given up the refund because this process took too long, or its money has
  // left in the meantime.
  if (sendOutcome !== 'applied' || attempt?.refund?.id !== refund) return
  const key = createRefundKey(id, refund)
  const minor = toCurrencyMinorUnits(attempt.refund.amount, attempt.currency) ?? 0
  const move = (state: 'pending' | 'unknown') =>
    commitChange(ports, id, (facts, now) =>
      advanceRefund(
        facts.attempt,
        { id: refund, state, canFetchStatus: canListRefunds(ports, attempt) },
        now,
      ),
    )
  let response
  try {
    response = await payments
      .getAdapter(attempt.gateway)
      ?.refund?.(toPaymentRef(attempt), minor, key)
  } catch (error) {
    logProviderError(attempt.gateway, error)
    if (!(error instanceof ProviderRejectedError)) return void (await move('unknown'))
    await commitChange(ports, id, (facts, now) => failRefund(facts, refund, now))
    throw error
  }
  if (response === 'pending' || !response) await move(response ?? 'unknown')
  else await payments.applyEvent({ ...response, key })
}

/**
 * Resumes one open refund that is due. Gives up a refund that was never sent, and queries the
 * provider about any other. If the provider can't be queried, the back office decides.
 */
export const resumeRefund = async (
  ports: RefundPorts,
  attempt: PaymentAttempt,
): Promise<boolean> => {
  const { id, refund } = attempt
  if (!refund) return false
  if (refund.state === 'held')
    return (
      (await commitChange(ports, id, (facts, now) =>
        facts.attempt?.refund?.state === 'held'
          ? failRefund(facts, refund.id, now)
          : { outcome: 'ignored', updates: {}, pushes: [] },
      )) === 'applied'
    )
  const canFetchStatus = canListRefunds(ports, attempt)
  try {
    if (canFetchStatus) return (await applyProviderRefunds(ports, id)) === 'applied'
  } catch (error) {
    logProviderError(attempt.gateway, error)
  }
  await commitChange(ports, id, (facts, now) => {
    const state = facts.attempt?.refund?.state
    const next = state === 'pending' ? state : 'unknown'
    return advanceRefund(facts.attempt, { id: refund.id, state: next, canFetchStatus }, now)
  })
  return false
}
