import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { noChange, type PaymentContext } from '~/domain/payments/paymentChange'
import {
  beginRefund,
  findRefundRepeat,
  type RefundRequest,
} from '~/domain/payments/refunds/openRefund'
import { checkAction } from '~/domain/access/permissions'
import { ok } from '~/domain/api/result'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { logProviderError } from '../../logs'
import { ProviderRejectedError } from '../../ports/paymentAdapter'
import { readAttempt } from '../../services/payments/paymentService'
import { applyProviderRefunds, sendRefund } from '../../services/payments/refunds'
import { PAYMENT_SECRETS } from '../../deployment'
import { unwrap, fail, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { UserHandlerContext } from '../../ports/handlerContext'

/** Refunds a payment to the card. */
export const refund_payment = defineUserEndpoint({
  name: 'refund_payment',
  summary:
    'Refunds a payment to the card, in full or in part, where its provider supports it. Money in the payer’s wallet is debited first, and returned when the provider refuses. `refund` is the outcome: `confirmed`, `pending` (accepted, not yet sent) or `unknown` (the response was lost; the provider is queried). A booking that can still be canceled is canceled first. With `complaint`, the booking’s history and the message to the rider say why. `request_id` is the client’s own push key: repeating it refunds nothing more and returns the outcome so far.',
  allow: ['admin'],
  limit: 30,
  spends: ['maps', 'messages', 'payments'],
  needsFreshSignIn: true,
  errors: [
    'fresh_sign_in_needed',
    'not_found',
    'bad_input',
    'wallet_too_low',
    'event_not_possible',
    'refund_open',
    'payment_mismatch',
    'cancel_first',
    'already_processed',
    'changed_meanwhile',
  ],
  secrets: PAYMENT_SECRETS,
  async handle({ payment_id, ...input }, context) {
    const { actor, db, payments } = context
    // Without one, a repeat after a lost response would refund another part.
    if (input.complaint && input.request_id === undefined) fail('bad_input', 'request_id')
    throwIfError(checkAction('wallet_credit', actor.role, await readSettings(db)))
    const attempt = (await readAttempt(db, payment_id)) ?? fail('not_found', 'payment_id')
    const { status } = attempt
    if (!payments.getAdapter(attempt.gateway)?.refund)
      return fail('event_not_possible', undefined, { status })
    const before = await findSettledRefund(context, attempt)
    if (before && input.request_id === undefined) return before
    let refund = ''
    const outcome = unwrap(
      await payments.commitDecision(payment_id, (facts, now) => {
        const claimed = claimRefund(facts, { ...input, by: actor.uid }, now)
        if (!claimed.ok) return claimed
        const { refund: claimedId, ...change } = claimed.value
        refund = claimedId
        return ok(change)
      }),
    )
    if (outcome === 'duplicate') return buildResponse(context, payment_id, refund)
    try {
      await sendRefund(context, payment_id, refund)
    } catch (error) {
      if (error instanceof ProviderRejectedError) return fail('event_not_possible', 'provider')
      throw error
    }
    return buildResponse(context, payment_id, refund)
  },
})

/** Begins a refund, or returns the one that an earlier delivery of the request has begun. */
const claimRefund = (
  facts: PaymentContext,
  request: RefundRequest,
  now: number,
): ReturnType<typeof beginRefund> => {
  const repeat = findRefundRepeat(facts.attempt, request)
  if (!repeat) return beginRefund(facts.attempt, request, facts, now)
  return repeat.ok ? ok({ ...noChange('duplicate'), refund: repeat.value }) : repeat
}

/**
 * Checks with the provider what was refunded so far, before the next refund is sent. If this
 * settles the pending refund, returns its outcome, so an admin can press the button again to learn
 * the result.
 */
const findSettledRefund = async (context: UserHandlerContext, attempt: PaymentAttempt) => {
  const { id, gateway, refund } = attempt
  try {
    await applyProviderRefunds(context, id)
  } catch (error) {
    logProviderError(gateway, error)
    return fail('event_not_possible', 'provider')
  }
  const after = refund && (await readAttempt(context.db, id))
  return after?.refunds?.[refund?.id ?? '']?.state === 'confirmed'
    ? buildResponse(context, id, refund?.id ?? '')
    : null
}

const buildResponse = async ({ db }: UserHandlerContext, payment_id: string, refund: string) => {
  const attempt = await readAttempt(db, payment_id)
  const { status = 'paid', refunded = 0 } = attempt ?? {}
  const open = attempt?.refund
  if (open?.id === refund)
    return {
      payment_id,
      status,
      refunded,
      refund: open.state === 'pending' ? ('pending' as const) : ('unknown' as const),
    }
  // The refund was given up while this request ran, so the money is back.
  if (attempt?.refunds?.[refund]?.state === 'refused') return fail('event_not_possible', 'provider')
  return { payment_id, status, refunded, refund: 'confirmed' as const }
}
