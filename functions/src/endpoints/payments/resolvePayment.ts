import { dbPaths } from '~/domain/data/databasePaths'
import { isPaidStatus } from '~/domain/payments/paymentAttempt'
import { resolveRefund } from '~/domain/payments/refunds/openRefund'
import { resolveUnmatched } from '~/domain/payments/unmatchedPayment'
import { checkAction } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { logProviderError } from '../../logs'
import { readAttempt } from '../../services/payments/paymentService'
import { toPaymentRef, applyProviderRefunds } from '../../services/payments/refunds'
import { PAYMENT_SECRETS } from '../../deployment'
import { ok } from '~/domain/api/result'
import { unwrap, fail, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { UserHandlerContext } from '../../ports/handlerContext'

/** Settles a payment that is parked for the back office. */
export const resolve_payment = defineUserEndpoint({
  name: 'resolve_payment',
  summary:
    'Settles a payment with a `problem`: `credit` credits the parked money to the payer’s wallet, `dismiss` records that it was settled elsewhere. `refunded` and `not_refunded` set the outcome of a refund whose outcome is unknown; `check` queries the provider for the status of the payment and its refunds.',
  allow: ['admin'],
  limit: 60,
  spends: ['maps', 'messages', 'payments'],
  needsFreshSignIn: ({ how }) => how !== 'check',
  errors: [
    'fresh_sign_in_needed',
    'not_found',
    'already_processed',
    'payment_mismatch',
    'refund_open',
    'event_not_possible',
    'changed_meanwhile',
  ],
  secrets: PAYMENT_SECRETS,
  async handle({ payment_id, how }, context) {
    const { actor, db, payments } = context
    throwIfError(checkAction('wallet_credit', actor.role, await readSettings(db)))
    if (how === 'check') await checkWithProvider(context, payment_id)
    else
      unwrap(
        await payments.commitDecision(payment_id, (facts, now) => {
          if (how === 'refunded' || how === 'not_refunded')
            return resolveRefund(facts, how, actor.uid, now)
          const { attempt, payer, eventContext } = facts
          const settled = resolveUnmatched(
            attempt,
            how,
            { settings: eventContext.settings, payer },
            now,
          )
          if (!settled.ok) return settled
          const from = { problem: attempt?.problem, parked: attempt?.parked }
          const path = dbPaths.payment(payment_id)
          const entry = { by: actor.uid, at: now, action: `payment_${how}`, path, from }
          const audit = buildAuditEntry(entry, `${payment_id}-${attempt?.revision ?? 0}`)
          const { updates, pushes } = settled.value
          return ok({ outcome: 'applied', updates: { ...updates, ...audit }, pushes })
        }),
      )
    const resolvedAttempt = await readAttempt(db, payment_id)
    return { payment_id, status: resolvedAttempt?.status ?? 'cancelled' }
  },
})

/**
 * Queries the provider about a payment whose webhook is missing, or about the refunds of a paid
 * one.
 */
const checkWithProvider = async (context: UserHandlerContext, id: string) => {
  const { db, payments } = context
  const attempt = (await readAttempt(db, id)) ?? fail('not_found', 'payment_id')
  const adapter = payments.getAdapter(attempt.gateway)
  const isIn = isPaidStatus(attempt.status) || attempt.parked !== undefined
  if (isIn ? !adapter?.listRefunds : !adapter?.fetchStatus)
    return fail('event_not_possible', 'provider')
  try {
    if (isIn) return await applyProviderRefunds(context, id)
    const event = await adapter?.fetchStatus?.(toPaymentRef(attempt))
    return event && (await payments.applyEvent(event))
  } catch (error) {
    logProviderError(attempt.gateway, error)
    return fail('event_not_possible', 'provider')
  }
}
