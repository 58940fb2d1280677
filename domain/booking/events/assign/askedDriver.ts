import { isPromoRefused } from '../../../accounts/ties'
import { estimatePickupSeconds } from '../../../dispatch/dispatch'
import { dbPaths } from '../../../data/databasePaths'
import { domainError, type DomainError } from '../../../api/errors'
import type { Draft } from '../../changeDraft'
import { addOffers } from '../../offers/offers'
import type { TransitionArgs } from '../../eventArgs'
import type { OpenRequest } from '../../eventContext'
import type { Booking } from '../../types'
import type { Settings } from '../../../catalog/types'
import type { User } from '../../../accounts/types'

/** A driver whom the back office chose, with their requests from other bookings. */
interface ChosenDriver {
  driver: User | null
  customer: User | null
  /** The person who invited the customer. */
  referrer: User | null
  openRequests: readonly OpenRequest[]
  settings: Pick<Settings, 'dispatchMode'>
  /** True when the office insists on a driver whose vehicle does not fit. */
  isInsisted?: boolean
}

/** Returns the reason the back office may not assign this booking to this driver, if any. */
export const checkAssignment = (
  booking: Booking,
  { driver, customer, referrer, openRequests, settings, isInsisted = false }: ChosenDriver,
): DomainError | undefined => {
  if (!driver || driver.usertype !== 'driver' || !driver.approved)
    return domainError('driver_not_available', 'driver')
  if (driver.carType !== booking.carTypeId && !isInsisted)
    return domainError('driver_not_available', 'driver')
  if (driver.queue) return domainError('driver_busy', 'driver')
  if (!driver.driverActiveStatus) return domainError('driver_not_available', 'driver')
  // The driver could not accept it.
  if (booking.paymentPacket?.promo_applied && isPromoRefused(customer, driver, referrer))
    return domainError('driver_promo_tied', 'driver')
  const isAsked = openRequests.length > 0 && settings.dispatchMode !== 'broadcast'
  return isAsked ? domainError('driver_asked', 'driver') : undefined
}

/** Adds the request to a driver whom the back office chose. */
export const askDriver = (
  draft: Draft,
  args: TransitionArgs<'offers'>,
  { id, location }: Pick<User, 'id' | 'location'>,
) => {
  const { booking, now } = args
  const eta_s = location ? estimatePickupSeconds(location, booking.pickup) : 0
  if (!booking.requestedDrivers?.[id]) addOffers(draft, args, [{ driver: id, eta_s }])
  draft.setFields({
    requestedDrivers: { ...booking.requestedDrivers, [id]: true },
    askedDrivers: { ...booking.askedDrivers, [id]: now },
  })
  draft.set(dbPaths.driverTask(id, booking.id), true)
  draft.notify('task', 'driver', id, { carType: booking.carType })
}
