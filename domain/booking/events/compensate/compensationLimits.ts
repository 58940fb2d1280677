import { isPaidOut } from '../../payment/paidOut'
import { fromMinorUnits, toMinorUnits } from '../../../money/money'
import type { PaymentAttempt } from '../../../payments/paymentAttempt'
import { getNetPayment } from '../../../payments/paymentStatement'
import type { AdjustmentReason, ComplaintReason } from '../../../money/types'
import type { Booking } from '../../types'
import type { Settings } from '../../../catalog/types'

/**
 * The bound of all goodwill to the rider of a booking, and of all credits to its driver, as a
 * multiple of the price.
 */
export const MAX_PRICE_MULTIPLE = 5

/** Number of compensations of a booking, each of which is kept with it. */
const MAX_COMPENSATIONS = 20

type Currency = Pick<Settings, 'decimal'>
type Side = 'rider' | 'driver'
type Belongs = (reason: AdjustmentReason, units: number) => boolean

/** Sums, in minor units, the changes of one wallet that belong. */
const sumUnits = (
  { adjustments = {} }: Booking,
  { decimal }: Currency,
  side: Side,
  belongs: Belongs,
): number =>
  Object.values(adjustments)
    .map(({ reason, [side]: amount = 0 }) => ({ reason, units: toMinorUnits(amount, decimal) }))
    .filter(({ reason, units }) => belongs(reason, units))
    .reduce((sum, { units }) => sum + units, 0)

const isComplaint: Belongs = (reason) => reason !== 'tip'

/** Returns what complaints changed in the wallet of the rider or the driver of a booking. */
export const getCompensation = (booking: Booking, settings: Currency, side: Side): number =>
  fromMinorUnits(sumUnits(booking, settings, side, isComplaint), settings.decimal)

/** Returns what the rider has got back for other reasons than goodwill. */
export const getRiderCredits = (booking: Booking, settings: Currency): number =>
  fromMinorUnits(
    sumUnits(booking, settings, 'rider', (reason) => reason !== 'goodwill' && reason !== 'tip'),
    settings.decimal,
  )

/** Returns the card money of a booking that an open refund is about to take. */
export const getOpenRefunds = (attempts: readonly PaymentAttempt[], { decimal }: Currency) =>
  fromMinorUnits(
    attempts
      .flatMap(({ refund }) => (refund && !refund.from_wallet ? [refund.amount] : []))
      .reduce((sum, amount) => sum + toMinorUnits(amount, decimal), 0),
    decimal,
  )

/** The largest amounts of the next compensation. */
interface CompensationLimits {
  rider: number
  driver: number
  take_back: number
}

/**
 * Returns how much a complaint may still move. The rider gets at most what was charged less what
 * was returned, or for goodwill a multiple of the price. The driver gives back at most what the
 * booking has earned them. `openRefunds` is card money that is on its way back. All are 0 after 20
 * compensations.
 */
export const getCompensationLimits = (
  booking: Booking,
  settings: Currency,
  reason: ComplaintReason,
  openRefunds = 0,
): CompensationLimits => {
  const complaints = Object.values(booking.adjustments ?? {}).filter((one) => one.reason !== 'tip')
  if (complaints.length >= MAX_COMPENSATIONS) return { rider: 0, driver: 0, take_back: 0 }
  const { decimal } = settings
  const units = (amount = 0) => toMinorUnits(amount, decimal)
  const most = MAX_PRICE_MULTIPLE * units(booking.trip_cost)
  const isPaid = isPaidOut(booking)
  const sum = (side: Side, belongs: Belongs) => sumUnits(booking, settings, side, belongs)
  const limits = {
    rider:
      reason === 'goodwill'
        ? most - sum('rider', (one) => one === 'goodwill')
        : units(getNetPayment(booking, decimal)) -
          units(openRefunds) -
          units(getRiderCredits(booking, settings)),
    driver: most - sum('driver', (one, moved) => one !== 'tip' && moved > 0),
    take_back:
      (isPaid ? units(booking.driver_share) : 0) +
      units(booking.distance_review?.credited) +
      sum('driver', isComplaint),
  }
  return {
    rider: fromMinorUnits(Math.max(0, limits.rider), decimal),
    driver: fromMinorUnits(Math.max(0, limits.driver), decimal),
    take_back: fromMinorUnits(Math.max(0, limits.take_back), decimal),
  }
}
