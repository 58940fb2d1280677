import { domainError } from '../../../api/errors'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import { cancelWithoutFee } from '../../payment/cancellation'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { requeueUnanswered } from '../requeue'
import { answerOpenOffers } from '../../offers/offers'
import type { EventArgs } from '../../eventArgs'
import { isLastOfOffice, isRequeued } from '../../offers/waitingBooking'

/**
 * Declines an offer. When the last driver declines, a booking that the back office assigned ends,
 * or with `requeueDeclined` or automatic dispatch becomes the first in the queue.
 */
export const declineOffer = (args: EventArgs<'decline'>): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = args
  if (!booking.requestedDrivers?.[actor.uid]) return err(domainError('not_requested'))
  const requeued = isRequeued(booking, actor.uid, context.settings)
  const ends = !requeued && isLastOfOffice(booking, actor.uid)
  const draft = createEventDraft(args, 'decline', ends ? 'CANCELLED' : 'NEW')
  if (ends) {
    cancelWithoutFee(draft, args, { reason: 'no_driver', cancelledBy: 'driver' })
    draft.notifyCustomer('no_driver', booking)
  } else {
    draft.set(`${dbPaths.booking(booking.id)}/requestedDrivers/${actor.uid}`, null)
    draft.set(dbPaths.driverTask(actor.uid, booking.id), null)
    if (requeued) requeueUnanswered(draft, args)
  }
  answerOpenOffers(draft, args, (uid) => (uid === actor.uid ? 'declined' : undefined))
  return ok(draft.done())
}
