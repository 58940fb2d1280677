import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { checkStep, createStepDraft, getStepPosition, isOfficeStep } from '../../trip/officeStep'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/** Records that the driver is at the pickup. */
export const arriveAtPickup = (
  args: EventArgs<'arrive'>,
  input: EventInputFor<'arrive'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, occurredAt } = args
  const refused = checkStep(args, input)
  if (refused) return err(refused)
  const here = getStepPosition(input)
  if (!here && !isOfficeStep(actor)) return err(domainError('bad_input', 'lat'))
  const draft = createStepDraft(args, input, 'ARRIVED')
  draft.setFields({ driver_arrive_time: occurredAt })
  if (here) draft.addTrackPoint(here)
  draft.notifyCustomer('arrived', booking, { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}
