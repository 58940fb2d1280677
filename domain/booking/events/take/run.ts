import { dbPaths } from '../../../data/databasePaths'
import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { createEventDraft } from '../../changeDraft'
import type { EventArgs } from '../../eventArgs'
import type { BookingChange, BookingError } from '../../eventTypes'
import { answerOpenOffers } from '../../offers/offers'
import { getOfferedDrivers } from '../../offers/offeredDrivers'

/**
 * Takes a booking out of automatic dispatch and withdraws its open offers. Safe because the
 * booking's revision lets only one of this and an acceptance at the same moment through.
 */
export const takeBooking = (args: EventArgs<'take'>): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = args
  if (!context.settings.AllowCriticalEditsAdmin) return err(domainError('demo_mode'))
  const draft = createEventDraft(args, 'take', 'NEW')
  draft.setFields({ taken_by: actor.uid, requestedDrivers: null })
  for (const uid of getOfferedDrivers(booking)) draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, args, () => 'withdrawn')
  draft.addAuditEntry('booking_take', {})
  return ok(draft.done())
}
