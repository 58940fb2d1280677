import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { countFreeAction } from '../../limits/freeActions'
import { createEventDraft } from '../../changeDraft'
import { releaseDriver } from '../../offers/followOn'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'
import {
  UNPAID_REASON,
  calculateCancellationFee,
  finishCancellation,
} from '../../payment/cancellation'
import type { Booking } from '../../types'

/**
 * Returns the reason that a cancellation stores. An unpaid booking has a fixed one, which replaces
 * the requested one. The fixed reason ends only an unpaid booking: a payment that arrives first
 * keeps the booking.
 */
const storedReason = (
  { status }: Pick<Booking, 'status'>,
  requestedReason: string,
): Result<string, BookingError> => {
  if (status === 'PAYMENT_PENDING') return ok(UNPAID_REASON)
  const reason = requestedReason.trim()
  if (!reason) return err(domainError('reason_required', 'reason'))
  return reason === UNPAID_REASON ? err(domainError('event_not_possible', 'reason')) : ok(reason)
}

/**
 * Cancels a booking for the rider, the approaching driver or the back office. Only the rider pays a
 * fee.
 */
export const cancelBooking = (
  args: EventArgs<'cancel'>,
  input: EventInputFor<'cancel'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now } = args
  const { settings, carType } = context
  if (actor.role !== 'driver' && !settings.AllowCriticalEditsAdmin)
    return err(domainError('demo_mode'))
  const stored = storedReason(booking, input.reason)
  if (!stored.ok) return stored
  const reason = stored.value
  const fee =
    actor.role === 'rider'
      ? calculateCancellationFee(booking, carType?.cancelSlab, now, settings)
      : 0
  const draft = createEventDraft(args, 'cancel', 'CANCELLED')
  releaseDriver(draft, args)
  finishCancellation(draft, args, { reason, cancelledBy: actor.role, fee })
  if (actor.role === 'rider' && fee === 0)
    draft.setAll(countFreeAction(booking.customer, context.freeActions, 'cancel', now))
  draft.addAuditEntry('booking_cancel', { from: { status: booking.status }, to: { reason } })
  draft.notifyCustomer('cancelled', booking, { reason })
  draft.notify('cancelled', 'driver', booking.driver, { reason })
  if (booking.driver) draft.notifyRecipient('parcel_cancelled', booking)
  return ok(draft.done())
}
