import { DECISION_RETENTION_MS } from '../../../dispatch/matching/explainOffer'
import { domainError } from '../../../api/errors'
import { dbPaths } from '../../../data/databasePaths'
import { internalPaths } from '../../../data/internalPaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { createEventDraft } from '../../changeDraft'
import { isDispatchedAutomatically } from '../../deadlines'
import { addOffers, answerOpenOffers } from '../../offers/offers'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'
import { getOfferedDrivers, isOutdated } from '../../offers/offeredDrivers'

/**
 * Sends a wave of offers; afterward exactly these drivers have one. Of two processes that choose
 * drivers for the same revision, only one succeeds.
 */
export const offerToDrivers = (
  args: EventArgs<'dispatch'>,
  input: EventInputFor<'dispatch'>,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  if (!isDispatchedAutomatically(booking, context.settings))
    return err(domainError('event_not_possible'))
  const requested = getOfferedDrivers(booking)
  if (isOutdated(args, input)) return err(domainError('event_not_possible'))
  // The wave was chosen a moment ago. Drivers who are not free now would have a stale request.
  const drivers = [...new Set(input.drivers)].filter(
    (uid) => requested.includes(uid) || !context.notFree.includes(uid),
  )
  const isOldNews =
    drivers.length < input.drivers.length && drivers.every((uid) => requested.includes(uid))
  if (drivers.length === 0 || isOldNews)
    return err(domainError('no_driver_found_alert_messege', 'drivers'))
  const added = drivers.filter((uid) => !requested.includes(uid))
  const draft = createEventDraft(args, 'dispatch', 'NEW')
  draft.setFields({
    requestedDrivers: Object.fromEntries(drivers.map((uid): [string, true] => [uid, true])),
    askedDrivers: {
      ...booking.askedDrivers,
      ...Object.fromEntries(added.map((uid) => [uid, now])),
    },
  })
  for (const uid of requested)
    if (!drivers.includes(uid)) draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, args, (uid) => (drivers.includes(uid) ? undefined : 'expired'))
  const offered = added.map((driver) => ({
    driver,
    eta_s: input.etas?.[driver] ?? 0,
    rank: input.decision?.rank ?? drivers.indexOf(driver) + 1,
    ...(input.decision && { cost: input.decision.cost }),
  }))
  addOffers(draft, args, offered)
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
