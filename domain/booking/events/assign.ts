import { estimatePickupSeconds } from '../../dispatch'
import { dbPaths } from '../../databasePaths'
import type { Booking, Settings, User } from '../../entities'
import { domainError, type DomainError } from '../../errors'
import { err, ok, type Result } from '../../result'
import { createEventDraft, type Draft } from '../changeDraft'
import type { BookingChange, BookingError } from '../eventTypes'
import { addOffers } from '../offers'
import type { EventArgs, TransitionArgs } from '../eventArgs'
import type { EventInputFor } from '../eventInput'
import type { OpenRequest } from '../eventContext'
import { isLeftToOffice } from '../waitingBooking'

/** A driver whom the back office chose, with their requests from other bookings. */
interface ChosenDriver {
  driver: User | null
  openRequests: readonly OpenRequest[]
  settings: Pick<Settings, 'dispatchMode'>
}

/** Returns the reason the back office may not assign this booking to this driver, if any. */
export const checkAssignment = (
  booking: Booking,
  { driver, openRequests, settings }: ChosenDriver,
): DomainError | undefined => {
  if (!driver || driver.usertype !== 'driver' || !driver.approved)
    return domainError('driver_not_available', 'driver')
  if (driver.carType !== booking.carTypeId) return domainError('driver_not_available', 'driver')
  if (driver.queue) return domainError('driver_busy', 'driver')
  if (!driver.driverActiveStatus) return domainError('driver_not_available', 'driver')
  const isAsked = openRequests.length > 0 && settings.dispatchMode !== 'broadcast'
  return isAsked ? domainError('driver_asked', 'driver') : undefined
}

/** Adds the request to a driver whom the back office chose. */
export const askDriver = (
  draft: Draft,
  step: TransitionArgs<'offers'>,
  { id, location }: Pick<User, 'id' | 'location'>,
) => {
  const { booking, now } = step
  const eta_s = location ? estimatePickupSeconds(location, booking.pickup) : 0
  if (!booking.requestedDrivers?.[id]) addOffers(draft, step, [{ driver: id, eta_s }])
  draft.setFields({
    requestedDrivers: { ...booking.requestedDrivers, [id]: true },
    askedDrivers: { ...booking.askedDrivers, [id]: now },
  })
  draft.set(dbPaths.driverTask(id, booking.id), true)
  draft.notify('task', 'driver', id, { carType: booking.carType })
}

/** Sends a manual offer to one driver. Earlier offers of this booking stay open. */
export const assignDriver = (
  step: EventArgs<'assign'>,
  input: EventInputFor<'assign'>,
): Result<BookingChange, BookingError> => {
  const { booking, context } = step
  if (context.settings.autoDispatch && !isLeftToOffice(booking, context.settings))
    return err(domainError('auto_dispatch_on'))
  const { driver } = context
  const refused = checkAssignment(booking, context)
  if (refused || !driver) return err(refused ?? domainError('driver_not_available', 'driver'))
  const draft = createEventDraft(step, 'assign', 'NEW')
  askDriver(draft, step, driver)
  draft.addAuditEntry('booking_assign', { to: { driver: input.driver } })
  return ok(draft.done())
}
