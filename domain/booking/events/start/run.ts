import { domainError } from '../../../api/errors'
import { formatTimeOfDay } from '../../../language/zonedTime'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { checkStep, createStepDraft, isOfficeStep } from '../../trip/officeStep'
import { checkStartCode } from '../../trip/startCode'
import { CLOCK_TOLERANCE_MS } from '../../trip/clientTime'
import { setExpectedEnd } from '../../offers/followOn'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/**
 * Starts the trip, after it checks the code and the pickup image if the settings require them of
 * the driver.
 */
export const startTrip = (
  args: EventArgs<'start'>,
  input: EventInputFor<'start'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now, occurredAt } = args
  const { settings, driver } = context
  const refused = checkStep(args, input)
  if (refused) return err(refused)
  const code = isOfficeStep(actor)
    ? undefined
    : checkStartCode(args, input.otp, () =>
        settings.appcat === 'delivery' &&
        settings.AllowDeliveryPickupImageCapture &&
        !input.pickup_image
          ? domainError('image_required', 'pickup_image')
          : undefined,
      )
  if (code) return err(code)
  const draft = createStepDraft(args, input, 'STARTED')
  draft.setFields({
    startTime: occurredAt,
    trip_start_time: formatTimeOfDay(occurredAt, settings.timezone),
    pickup_image: input.pickup_image,
  })
  if (context.otpAttempts) draft.set(dbPaths.otpAttempts(booking.id), null)
  // The driver's current position is not where they were while offline.
  const isLate = now - occurredAt > CLOCK_TOLERANCE_MS
  if (!isOfficeStep(actor))
    draft.addTrackPoint(isLate ? booking.pickup : (driver?.location ?? booking.pickup))
  setExpectedEnd(draft, { ...booking, status: 'STARTED', startTime: occurredAt })
  draft.notifyCustomer('started', booking, { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}
