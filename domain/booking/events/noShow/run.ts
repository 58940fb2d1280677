import { domainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { createPushKey } from '../../../data/pushKeys'
import { getDistanceKm } from '../../../geo/geo'
import { MINUTE_MS } from '../../../language/timeUnits'
import { roundAmount } from '../../../money/money'
import { roundToFareStep } from '../../../payments/fareStep'
import { createEventDraft, type Draft } from '../../changeDraft'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { BookingChange, BookingError } from '../../eventTypes'
import { countFreeAction } from '../../limits/freeActions'
import { getNoShowTime } from '../../limits/noShowTime'
import { releaseDriver } from '../../offers/followOn'
import { recordAdjustment } from '../../payment/adjustments'
import { finishCancellation, getCoveredFee } from '../../payment/cancellation'

const REASON = 'no_show'

/**
 * Credits the driver with their part of the fee, as a compensation for the way to the pickup. A fee
 * that is only owed pays none: two people could otherwise share it and leave the debt behind.
 */
const payDriver = (draft: Draft, args: TransitionArgs<'customer' | 'driver'>, fee: number) => {
  const { booking, context, now } = args
  const { settings, driver } = context
  const part = (getCoveredFee(args, fee) * (settings.noShowDriverPart ?? 0)) / 100
  const amount = roundAmount(part, settings.decimal)
  if (amount <= 0 || !driver) return
  const id = createPushKey(now, draft.revision)
  recordAdjustment(draft, args, id, { at: now, reason: REASON, driver: amount })
  draft.addWalletEntry(driver, `${booking.id}-${id}-compensation`, {
    type: 'Credit',
    amount,
    reason: REASON,
  })
  const { reference } = booking
  draft.notify('compensated', 'driver', booking.driver, { amount, reference, reason: REASON })
}

/**
 * Distance from the pickup within which a driver may wait, km: at an airport or a fair, and with a
 * position of the network's mast.
 */
const PICKUP_RADIUS_KM = 3

/**
 * Returns true when the driver was at the pickup neither at their arrival nor at the last position
 * of their phone. The customer would pay for a driver who never came.
 */
const isDriverElsewhere = ({
  booking: { pickup },
  context: { tracking, driver },
}: TransitionArgs<'driver' | 'tracking'>): boolean => {
  const arrivals = tracking.filter(({ status }) => status === 'ARRIVED')
  const positions = driver?.location ? [...arrivals, driver.location] : arrivals
  return (
    positions.length > 0 &&
    positions.every((position) => getDistanceKm(pickup, position) > PICKUP_RADIUS_KM)
  )
}

/**
 * Ends a booking whose customer did not come within the minutes of the setting after the message
 * that the driver is there. The customer pays the fee of the setting, and the driver is free. One
 * without a fee counts as a free cancellation, because a driver came for nothing.
 */
export const endAsNoShow = (args: EventArgs<'no_show'>): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now } = args
  const { settings } = context
  if (actor.role === 'admin' && !settings.AllowCriticalEditsAdmin)
    return err(domainError('demo_mode'))
  const left = getNoShowTime(booking, settings) - now
  if (left > 0)
    return err(
      domainError('no_show_too_early', undefined, { minutes: Math.ceil(left / MINUTE_MS) }),
    )
  if (actor.role === 'driver' && isDriverElsewhere(args))
    return err(domainError('no_show_elsewhere'))
  const fee = roundToFareStep(settings.noShowFee ?? 0, settings)
  const draft = createEventDraft(args, 'no_show', 'CANCELLED')
  releaseDriver(draft, args)
  finishCancellation(draft, args, { reason: REASON, cancelledBy: actor.role, fee })
  payDriver(draft, args, fee)
  if (fee === 0) draft.setAll(countFreeAction(booking.customer, context.freeActions, 'cancel', now))
  draft.addAuditEntry('booking_no_show', { from: { status: booking.status } })
  draft.notifyCustomer('cancelled', booking, { reason: REASON })
  draft.notify('cancelled', 'driver', booking.driver, { reason: REASON })
  draft.notifyRecipient('parcel_cancelled', booking)
  return ok(draft.done())
}
