import { domainError } from '../../../api/errors'
import type { FareQuote } from '../../../money/fare'
import { subtractAmount } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { checkCurrency } from '../../payment/bookingCurrency'
import { createEventDraft, type Draft } from '../../changeDraft'
import type { EventInputFor } from '../../eventInput'
import { isReviewOpen } from './openReview'
import type { EventArgs } from '../../eventArgs'
import { quoteReviewedFare } from './reviewedFare'
import type { ReviewDecision } from '../../types'

/** Raises the price that the rider still pays. */
const raiseFare = (draft: Draft, priced: FareQuote, decision: ReviewDecision) => {
  draft.setFields({
    distance: priced.distance,
    trip_cost: priced.estimateFare,
    convenience_fees: priced.convenience_fees,
    driver_share: priced.driver_share,
  })
  draft.addFareEntry({
    kind: 'revision',
    cause: `distance_${decision}_confirmed`,
    lines: priced.lines,
    total: priced.estimateFare,
  })
}

/**
 * Keeps the price of a flagged trip, or raises it to the planned or driven fare. Before payment,
 * the rider pays the new price. Afterwards the rider's price stays and the platform credits the
 * driver the difference of the driver shares, so that no existing payment changes. Refused:
 * already_processed, payment_mismatch for another decision than to keep the price of a booking that
 * has an earlier currency, and bad_input for a decision that raises nothing.
 */
export const reviewFare = (
  args: EventArgs<'review'>,
  input: EventInputFor<'review'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now } = args
  const { settings, carType } = context
  const { decision } = input
  const judged = booking.distance_review
  if (!settings.AllowCriticalEditsAdmin) return err(domainError('demo_mode'))
  if (judged?.verdict !== 'flagged') return err(domainError('event_not_possible'))
  if (!isReviewOpen(booking)) return err(domainError('already_processed'))
  const refused = decision === 'keep' ? undefined : checkCurrency(booking, settings)
  if (refused) return err(refused)
  const priced = quoteReviewedFare(booking, decision, settings, carType)
  if (decision !== 'keep' && !priced) return err(domainError('bad_input', 'decision'))
  const isPaid = booking.paid_at !== undefined || booking.paymentPacket !== undefined
  const credited =
    priced && isPaid
      ? subtractAmount(priced.driver_share, booking.driver_share, settings.decimal)
      : 0
  if (credited > 0 && !context.driver) return err(domainError('not_found', 'driver'))

  const draft = createEventDraft(args, 'review', booking.status)
  const raised = isPaid ? undefined : priced
  if (raised) raiseFare(draft, raised, decision)
  draft.setFields({
    distance_review: {
      ...judged,
      decision,
      decided_by: actor.uid,
      decided_at: now,
      ...(credited > 0 && { credited }),
    },
  })
  draft.set(dbPaths.fareReview(booking.id), null)
  if (credited > 0 && booking.driver) {
    draft.addWalletEntry(context.driver, `${booking.id}-review`, {
      type: 'Credit',
      amount: credited,
    })
    draft.notify('wallet_credited', 'account', booking.driver, { amount: credited })
  }
  draft.addAuditEntry('fare_review', {
    from: { trip_cost: booking.trip_cost, distance: booking.distance },
    to: {
      decision,
      ...(raised && { trip_cost: raised.estimateFare, distance: raised.distance }),
      ...(credited > 0 && { credited }),
    },
  })
  return ok(draft.done())
}
