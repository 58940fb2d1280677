import { domainError } from '../../../api/errors'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { requeueUnanswered } from '../requeue'
import { answerOpenOffers } from '../../offers/offers'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'
import { isRequeued } from '../../offers/waitingBooking'
import { isOutdated } from '../../offers/offeredDrivers'

/**
 * Withdraws the request to a driver. The booking stays NEW even without another request. The system
 * may ask the driver again later, because they have not declined, unless the back office withdrew
 * the request.
 */
export const withdraw = (
  args: EventArgs<'withdraw'>,
  input: EventInputFor<'withdraw'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = args
  const { driver, isExpired } = input
  if (!booking.requestedDrivers?.[driver]) return err(domainError('not_requested', 'driver'))
  if (actor.role === 'admin' && !context.settings.AllowCriticalEditsAdmin)
    return err(domainError('demo_mode'))
  if (isOutdated(args, input)) return err(domainError('event_not_possible'))
  const draft = createEventDraft(args, 'withdraw', 'NEW', { ref: driver })
  draft.set(`${dbPaths.booking(booking.id)}/requestedDrivers/${driver}`, null)
  draft.set(dbPaths.driverTask(driver, booking.id), null)
  const outcome = isExpired ? 'expired' : 'withdrawn'
  answerOpenOffers(draft, args, (uid) => (uid === driver ? outcome : undefined))
  draft.addAuditEntry('booking_withdraw', { from: { driver } })
  if (actor.role === 'system' && isRequeued(booking, driver, context.settings))
    requeueUnanswered(draft, args)
  return ok(draft.done())
}
