import { buildUnavailabilityUpdates } from '../dispatch'
import type { Booking, EventLogEntry } from '../entities'
import { DECISION_RETENTION_MS } from '../matching/explainOffer'
import { domainError, type DomainError } from '../errors'
import { dbPaths, SERVER_UID } from '../databasePaths'
import { internalPaths } from '../internalPaths'
import { err, ok, type Result } from '../result'
import { acceptedDelta } from '../stats'
import { isBalanceNegative } from '../wallet'
import { cancelWithoutFee } from './cancellation'
import { toJson, type DatabaseValue } from '../databaseValue'
import type { BookingError, BookingChange } from './eventTypes'
import { createEventDraft } from './changeDraft'
import { requeueUnanswered } from './events/requeue'
import { canBeFollowed, followTrip, toBusyDriver } from './followOn'
import { addOffers, answerOffer, answerOpenOffers } from './offers'
import type { EventInputFor } from './eventInput'
import type { OpenRequest } from './eventContext'
import type { EventArgs, TransitionArgs } from './eventArgs'
import { isLastOfOffice, isRequeued } from './waitingBooking'

const getOfferedDrivers = ({ requestedDrivers = {} }: Booking): string[] =>
  Object.keys(requestedDrivers)

const isOutdated = ({ booking }: TransitionArgs, { revision }: { revision?: number }): boolean =>
  revision !== undefined && revision !== booking.revision

/**
 * Sends a wave of offers; afterward exactly these drivers have one. Of two processes that choose
 * drivers for the same revision, only one succeeds.
 */
export const offerToDrivers = (
  step: EventArgs<'dispatch'>,
  input: EventInputFor<'dispatch'>,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = step
  if (!context.settings.autoDispatch) return err(domainError('event_not_possible'))
  const requested = getOfferedDrivers(booking)
  if (isOutdated(step, input)) return err(domainError('event_not_possible'))
  // The wave was chosen a moment ago. Drivers who are not free now would have a stale request.
  const drivers = [...new Set(input.drivers)].filter(
    (uid) => requested.includes(uid) || !context.notFree.includes(uid),
  )
  const isOldNews =
    drivers.length < input.drivers.length && drivers.every((uid) => requested.includes(uid))
  if (drivers.length === 0 || isOldNews)
    return err(domainError('no_driver_found_alert_messege', 'drivers'))
  const added = drivers.filter((uid) => !requested.includes(uid))
  const draft = createEventDraft(step, 'dispatch', 'NEW')
  draft.setFields({
    requestedDrivers: Object.fromEntries(drivers.map((uid): [string, true] => [uid, true])),
    askedDrivers: {
      ...booking.askedDrivers,
      ...Object.fromEntries(added.map((uid) => [uid, now])),
    },
  })
  for (const uid of requested)
    if (!drivers.includes(uid)) draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, step, (uid) => (drivers.includes(uid) ? undefined : 'expired'))
  const offered = added.map((driver) => ({
    driver,
    eta_s: input.etas?.[driver] ?? 0,
    rank: input.decision?.rank ?? drivers.indexOf(driver) + 1,
    ...(input.decision && { cost: input.decision.cost }),
  }))
  addOffers(draft, step, offered)
  if (input.decision)
    draft.set(internalPaths.offerDecision(booking.id, `${context.offers.next}`), {
      due: now + DECISION_RETENTION_MS,
      ...input.decision.record,
    })
  for (const uid of added) {
    draft.set(dbPaths.driverTask(uid, booking.id), true)
    draft.notify('task', 'driver', uid, { carType: booking.carType })
  }
  return ok(draft.done())
}

const checkAcceptance = ({
  booking,
  actor,
  context,
}: TransitionArgs<'driver' | 'followed'>): DomainError | undefined => {
  const { driver, followed, settings } = context
  // Checked first, because accepting another booking withdrew this request.
  const isFollowing = followed !== null && canBeFollowed(followed, actor.uid)
  if (driver?.id === actor.uid && driver.queue && !isFollowing) return domainError('driver_busy')
  if (!booking.requestedDrivers?.[actor.uid]) return domainError('not_requested')
  if (!driver || driver.id !== actor.uid || driver.usertype !== 'driver' || !driver.approved)
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
 * Withdraws the request to a driver. The booking stays NEW even without another request. The system
 * may ask the driver again later, because they have not declined, unless the back office withdrew
 * the request.
 */
export const withdraw = (
  step: EventArgs<'withdraw'>,
  input: EventInputFor<'withdraw'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = step
  const { driver, isExpired } = input
  if (!booking.requestedDrivers?.[driver]) return err(domainError('not_requested', 'driver'))
  if (actor.role === 'admin' && !context.settings.AllowCriticalEditsAdmin)
    return err(domainError('demo_mode'))
  if (isOutdated(step, input)) return err(domainError('event_not_possible'))
  const draft = createEventDraft(step, 'withdraw', 'NEW', { ref: driver })
  draft.set(`${dbPaths.booking(booking.id)}/requestedDrivers/${driver}`, null)
  draft.set(dbPaths.driverTask(driver, booking.id), null)
  const answer = isExpired ? 'expired' : 'withdrawn'
  answerOpenOffers(draft, step, (uid) => (uid === driver ? answer : undefined))
  draft.addAuditEntry('booking_withdraw', { from: { driver } })
  if (actor.role === 'system' && isRequeued(booking, driver, context.settings))
    requeueUnanswered(draft, step)
  return ok(draft.done())
}

/**
 * Assigns the booking to the driver who accepts an offer. For a driver on a trip it is the next
 * booking. Safe because the booking's revision lets only one acceptance through.
 */
export const acceptOffer = (step: EventArgs<'accept'>): Result<BookingChange, BookingError> => {
  const { booking, context, now } = step
  const refused = checkAcceptance(step)
  const { driver } = context
  if (refused || !driver) return err(refused ?? domainError('driver_not_available'))
  const draft = createEventDraft(step, 'accept', 'ACCEPTED')
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
  })
  draft.set(`${dbPaths.bookingContacts(booking.id)}/driver_contact`, driver.mobile)
  for (const uid of getOfferedDrivers(booking)) draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, step, (uid) => (uid === driver.id ? 'accepted' : 'withdrawn'))
  if (driver.queue && context.followed) followTrip(draft, step, context.followed)
  else {
    draft.set(`${dbPaths.user(driver.id)}/queue`, true)
    const accepted = { ...booking, driver_name, fleetadmin: driver.fleetadmin }
    draft.set(dbPaths.busyDriver(driver.id), toJson(toBusyDriver(accepted, context.settings)))
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

/**
 * Declines an offer. When the last driver declines, a booking that the back office assigned ends,
 * or with `requeueDeclined` or automatic dispatch becomes the first in the queue.
 */
export const declineOffer = (step: EventArgs<'decline'>): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = step
  if (!booking.requestedDrivers?.[actor.uid]) return err(domainError('not_requested'))
  const requeued = isRequeued(booking, actor.uid, context.settings)
  const ends = !requeued && isLastOfOffice(booking, actor.uid)
  const draft = createEventDraft(step, 'decline', ends ? 'CANCELLED' : 'NEW')
  if (ends) {
    cancelWithoutFee(draft, step, { reason: 'no_driver', cancelledBy: 'driver' })
    draft.notifyCustomer('no_driver', booking)
  } else {
    draft.set(`${dbPaths.booking(booking.id)}/requestedDrivers/${actor.uid}`, null)
    draft.set(dbPaths.driverTask(actor.uid, booking.id), null)
    if (requeued) requeueUnanswered(draft, step)
  }
  answerOpenOffers(draft, step, (uid) => (uid === actor.uid ? 'declined' : undefined))
  return ok(draft.done())
}
