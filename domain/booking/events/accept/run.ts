import { isPromoRefused } from '../../../accounts/ties'
import { buildUnavailabilityUpdates } from '../../../dispatch/dispatch'
import { domainError, type DomainError } from '../../../api/errors'
import { dbPaths, SERVER_UID } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import { acceptedDelta } from '../../../money/stats'
import { isBalanceNegative } from '../../../money/wallet'
import { toJson, type DatabaseValue } from '../../../data/databaseValue'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { canBeFollowed, followTrip, toBusyDriver } from '../../offers/followOn'
import { answerOffer, answerOpenOffers } from '../../offers/offers'
import type { OpenRequest } from '../../eventContext'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import { getOfferedDrivers } from '../../offers/offeredDrivers'
import type { EventLogEntry } from '../../types'

const checkAcceptance = ({
  booking,
  actor,
  context,
}: TransitionArgs<'customer' | 'driver' | 'referrer' | 'followed'>): DomainError | undefined => {
  const { customer, driver, referrer, followed, settings } = context
  // Checked first, because accepting another booking withdrew this request.
  const isFollowing = followed !== null && canBeFollowed(followed, actor.uid)
  if (driver?.id === actor.uid && driver.queue && !isFollowing) return domainError('driver_busy')
  if (!booking.requestedDrivers?.[actor.uid]) return domainError('not_requested')
  if (!driver || driver.id !== actor.uid || driver.usertype !== 'driver' || !driver.approved)
    return domainError('driver_not_available')
  // The platform's discount would pay a driver for a trip of their own. A delivery applies its
  // promo before it has a driver.
  if (booking.paymentPacket?.promo_applied && isPromoRefused(customer, driver, referrer))
    return domainError('driver_not_available')
  if (!settings.negativeBalance && isBalanceNegative(driver.walletBalance ?? 0, settings))
    return domainError('driver_wallet_negative')
  return undefined
}

/**
 * Returns the updates that withdraw a driver's request from another booking, as an event of that
 * booking. Safe because they increase its revision: when that booking changes at the same moment,
 * the rules refuse one of the two writes completely.
 */
const withdrawnRequest = (
  driver: string,
  { booking, revision, offer }: OpenRequest,
  now: number,
): Record<string, DatabaseValue> => {
  const task = {
    [dbPaths.driverTask(driver, booking)]: null,
    ...(offer !== undefined && answerOffer(booking, offer, 'withdrawn', now)),
  }
  if (revision === null) return task
  const base = dbPaths.booking(booking)
  const next = revision + 1
  const entry: EventLogEntry = {
    event: 'withdraw',
    by: SERVER_UID,
    at: now,
    status: 'NEW',
    revision: next,
    ref: driver,
  }
  return {
    [`${base}/revision`]: next,
    [`${base}/requestedDrivers/${driver}`]: null,
    [`${base}/event_log/withdraw_${next}`]: toJson(entry),
    // It needs another driver at once.
    [`${base}/due_at`]: now,
    ...task,
  }
}

/**
 * Assigns the booking to the driver who accepts an offer. For a driver on a trip it is the next
 * booking. Safe because the booking's revision lets only one acceptance through.
 */
export const acceptOffer = (args: EventArgs<'accept'>): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  const refused = checkAcceptance(args)
  const { driver } = context
  if (refused || !driver) return err(refused ?? domainError('driver_not_available'))
  const draft = createEventDraft(args, 'accept', 'ACCEPTED')
  const driver_name = `${driver.firstName} ${driver.lastName}`.trim()
  draft.setFields({
    driver: driver.id,
    driver_name,
    driver_image: driver.profile_image,
    vehicle_number: driver.vehicleNumber,
    driverRating: driver.ratings?.userrating,
    fleetadmin: driver.fleetadmin,
    accepted_at: now,
    requestedDrivers: null,
    askedDrivers: null,
    ...(booking.requeued_at !== undefined && { requeued_at: null }),
    ...(booking.taken_by !== undefined && { taken_by: null }),
    ...(booking.wait_until !== undefined && { wait_until: null, expected_at: null }),
  })
  draft.set(`${dbPaths.bookingContacts(booking.id)}/driver_contact`, driver.mobile)
  for (const uid of getOfferedDrivers(booking)) draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, args, (uid) => (uid === driver.id ? 'accepted' : 'withdrawn'))
  if (driver.queue && context.followed) followTrip(draft, args, context.followed)
  else {
    draft.set(`${dbPaths.user(driver.id)}/queue`, true)
    const accepted = { ...booking, driver_name, fleetadmin: driver.fleetadmin }
    draft.set(dbPaths.busyDriver(driver.id), toJson(toBusyDriver(accepted)))
    for (const [path, gone] of Object.entries(buildUnavailabilityUpdates(driver)))
      draft.set(path, gone)
    draft.addTrackPoint(driver.location)
  }
  // The rules refuse to mark a driver as busy while they still have a request.
  for (const request of context.openRequests)
    for (const [path, value] of Object.entries(withdrawnRequest(driver.id, request, now)))
      draft.set(path, value)
  const accepted = { ...booking, accepted_at: now, fleetadmin: driver.fleetadmin }
  draft.addDelta(acceptedDelta(accepted, context.settings.timezone))
  draft.notifyCustomer('accepted', booking, {
    driver: driver_name,
    vehicle: driver.vehicleNumber ?? '',
  })
  // After a release, the recipient has the message already, and a correction sends it again.
  if (!booking.event_log?.accept) draft.notifyRecipient('parcel_sent', booking)
  return ok(draft.done())
}
