import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { createEventDraft } from '../../changeDraft'
import type { BookingChange, BookingError } from '../../eventTypes'
import type { EventArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import { isDispatchedAutomatically } from '../../deadlines'
import { isLeftToOffice } from '../../offers/waitingBooking'
import { checkAssignment, askDriver } from './askedDriver'

/** Sends a manual offer to one driver. Earlier offers of this booking stay open. */
export const assignDriver = (
  args: EventArgs<'assign'>,
  input: EventInputFor<'assign'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = args
  const { settings } = context
  if (isDispatchedAutomatically(booking, settings) && !isLeftToOffice(booking, settings))
    return err(domainError('auto_dispatch_on'))
  const { driver } = context
  const isInsisted = input.override === true
  const refused = checkAssignment(booking, { ...context, isInsisted })
  if (refused || !driver) return err(refused ?? domainError('driver_not_available', 'driver'))
  const draft = createEventDraft(args, 'assign', 'NEW')
  askDriver(draft, args, driver)
  draft.addAuditEntry('booking_assign', {
    to: { driver: input.driver, ...(isInsisted && { override: true }) },
  })
  return ok(draft.done())
}
